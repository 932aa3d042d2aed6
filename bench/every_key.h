// SPDX-License-Identifier: Apache-2.0
// EveryKey: brings all keys of an index up to date, so that a timing includes what a decision costs
// all live keys.
//
// For the benchmark alone. The product never does this: there a key is brought up to date when a
// request needs it, and a key that no request needs costs nothing.
#pragma once

#include "solver/index/index.h"

namespace tessera::solver {

class EveryKey {
 public:
  explicit EveryKey(Index& index) : index_(index) {}
  void follow(const topology::Capacity& capacity) {
    for (Index::Key& key : index_.keys_) index_.catch_up(key, capacity);
  }

 private:
  Index& index_;
};

}  // namespace tessera::solver
