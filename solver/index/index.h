// SPDX-License-Identifier: Apache-2.0
// Index: live counts of the requests that come again, so that a decision costs what it touches and
// not what the cluster holds (docs/index.md).
//
// Belongs to the owner of the Capacity (Books in actors/books) and is copied with it: a copy is a
// snapshot that shares rows until one side writes. The counts of a request are made in one pass
// when the request is first asked for. When the request comes again, its counts are brought up to
// date from the capacity's record of changes; until then they cost nothing. The answers are those
// of the plain count. The number of keys is bounded: the least recently used key is dropped first,
// and so is a key that no cycle has used for long; keys of the decision in progress stay. One
// thread at a time calls it; a cold count may use several threads inside.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "solver/index/live_counts.h"

namespace tessera::solver {

struct IndexLimits {
  std::uint32_t max_keys = 32;  // 0: no index
  std::uint64_t max_age_cycles = 10'000;
  int threads = 0;  // for cold counts; 0: as many as there are cores
  /// Leaves from which a cold count is worth several threads (make bench, BM_ColdKey).
  std::uint32_t parallel_leaves = 65'536;
};

class Index {
 public:
  explicit Index(IndexLimits limits);
  Index(const Index& other);
  Index& operator=(const Index&) = delete;

  bool enabled() const { return limits_.max_keys > 0; }
  /// Begins a new cycle: keys that were not used for max_age_cycles end.
  void begin_cycle();
  /// Begins a new decision: keys that are used from now on stay until the next decision begins.
  void begin_decision() { ++decision_; }

  /// The counts of a request, up to date. Valid until the next call of any member or a change of
  /// the capacity.
  struct Found {
    CountTable table;
    const LiveCounts* counts;
  };
  Found counts(const CountRequest& request, const ResolvedRequest& resolved,
               const topology::Capacity& capacity, topology::Basis basis);

  /// A leaf of a view was shown or hidden, or its node has a new record. The view has followed
  /// already.
  void leaf_changed(const FlavorView& view, topology::LeafId leaf,
                    const topology::Capacity& capacity);
  /// Leaves of a view moved to other slots. The view has followed already.
  void slots_moved(const FlavorView& view, topology::SlotShift shift);

  std::size_t live_keys() const { return live_keys_; }  // roll-up keys
  struct Totals {
    std::uint64_t found = 0, counted = 0, evicted = 0;
  };
  const Totals& totals() const { return totals_; }
  int threads_seen() const { return workers_->threads_seen(); }

 private:
  friend class EveryKey;  // of the benchmark: brings all keys up to date, to time it

  using Words = std::vector<std::uint64_t>;
  struct Key {
    std::uint64_t hash = 0;
    Words words;
    std::shared_ptr<LiveCounts> counts;
    std::uint64_t last_cycle = 0;
  };

  void spell(const CountRequest& request, topology::Basis basis);
  Key& find_or_count(const CountRequest& request, const topology::Capacity& capacity,
                     topology::Basis basis);
  /// The counts of a key, to be written. Counts that a copy of the index shares are copied first.
  static LiveCounts& own(Key& key) {
    if (key.counts.use_count() > 1) copy_counts(key);
    return *key.counts;
  }
  static void copy_counts(Key& key);
  const Touched& changes_for(const Key& key, const topology::Capacity& capacity);
  void catch_up(Key& key, const topology::Capacity& capacity);
  void make_room();

  IndexLimits limits_;
  std::shared_ptr<Workers> workers_;
  std::vector<Key> keys_;
  std::uint64_t cycle_ = 0, decision_ = 1;
  std::size_t live_keys_ = 0;  // counted along: to look at every key would cost cold cache lines
  Totals totals_;
  Words spelled_;  // the key that is looked up; reused for its memory
  Touched touched_;
};

}  // namespace tessera::solver
