// SPDX-License-Identifier: Apache-2.0
// EveryKey: brings all keys of an index up to date, so that a timing includes what a decision costs
// all live keys.
//
// For the benchmark alone. The product never does this: there a key is brought up to date when a
// request needs it, and a key that no request needs costs nothing.
#pragma once

#include <vector>

#include "solver/index/index.h"

namespace tessera::solver {

class EveryKey {
 public:
  explicit EveryKey(Index& index) : index_(index) {}
  void follow(const topology::Capacity& capacity) {
    std::vector<Index::Key*> anew;
    for (Index::Key& key : index_.keys_) {
      if (key.counts->version() == capacity.version()) continue;
      if (index_.changes_for(key, capacity).too_many) {
        anew.push_back(&key);
      } else {
        index_.own(key).catch_up(capacity, index_.touched_);
      }
    }
    if (anew.empty()) return;
    // Each key has rows of its own: a thread a key beats several threads in one key.
    index_.workers_->run(static_cast<std::uint32_t>(anew.size()), [&](std::uint32_t i) {
      index_.own(*anew[i]).count_anew(capacity, nullptr);
    });
  }

 private:
  Index& index_;
};

}  // namespace tessera::solver
