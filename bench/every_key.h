// SPDX-License-Identifier: Apache-2.0
// EveryKey: brings all keys of an index up to date, so that a timing holds what a decision costs
// every live key.
//
// For the benchmark alone. The product never does this: there, each key follows when it is asked
// for, and one that nobody asks for costs nothing.
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
