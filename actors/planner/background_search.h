// SPDX-License-Identifier: Apache-2.0
// Background searches, for workloads whose search takes more steps than a cycle allows (design.md
// 3.2). The planner hands out a snapshot, a Searcher searches it to the end while cycles go on, and
// the result comes back as an input.
//
// Requests and results are values. A snapshot shares trees and nodes with the planner, which
// changes them in place: SearchGate keeps the two apart. Does not know whether a result still
// counts: see SequentialPlan.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "actors/books/books.h"
#include "actors/flavors/flavors.h"
#include "actors/planner/engine_options.h"
#include "actors/queues/definitions.h"
#include "actors/records/search_result.h"

namespace tessera::core {

/// Keeps the planner from changing trees and nodes while a search on another thread reads them.
class SearchGate {
 public:
  /// Planner: from here on nobody reads trees and nodes; snapshots made so far are void. Stops the
  /// search in progress and waits for its end.
  void close();
  /// Searcher: true if the gate was closed exactly `closed` times so far; then the caller must call
  /// leave(). False: the snapshot is void.
  bool enter(std::uint64_t closed);
  void leave();
  /// For the search in progress: true when it is to end.
  const std::atomic<bool>& stop() const { return stop_; }
  /// Planner: how often it was closed.
  std::uint64_t closed() const { return closed_; }

 private:
  std::mutex mutex_;
  std::condition_variable left_;
  std::uint64_t closed_ = 0;
  bool inside_ = false;
  std::atomic<bool> stop_ = false;
};

/// The planner's books at the end of a cycle.
struct SearchState {
  std::shared_ptr<const Definitions> definitions;
  std::shared_ptr<SearchGate> gate;
  const Cluster* cluster;  // only behind the gate
  topology::Capacity capacity;
  Ledger ledger;
  BooksVersion version;
};

struct SearchRequest {
  GangId gang{};
  std::uint64_t ticket = 0;  // number that the coordinator gave the search
  std::uint32_t queue = 0;   // position in Definitions::queues
  std::shared_ptr<const Workload> workload;
  int stale = 0;  // late placements and stopped searches for it so far
  std::shared_ptr<const SearchState> state;
};

/// One thread at a time.
class Searcher {
 public:
  explicit Searcher(const EngineOptions& options) : options_(options) {}

  std::shared_ptr<const SearchResult> search(const SearchRequest& request);

 private:
  EngineOptions options_;
  // The trees of the last search, with views of the Searcher's own.
  std::shared_ptr<SearchGate> gate_;
  std::uint64_t closed_ = 0;
  std::unique_ptr<Cluster> twin_;
};

}  // namespace tessera::core
