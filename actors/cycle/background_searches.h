// SPDX-License-Identifier: Apache-2.0
// BackgroundSearches: which gangs wait for a search in the background, which searches may begin,
// and when their results count (docs/engine.md, "A search that takes long").
//
// One owner: Cycle. A gang waits for the search of its ticket; a result with another ticket comes
// too late. Where time is virtual a result counts after its steps, and time and nodes stand still
// while searches go on. Does not search, and does not know deadlines of gangs (GangTable).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "actors/planner/background_search.h"
#include "actors/planner/plan.h"
#include "actors/queues/window.h"

namespace tessera::core {

class BackgroundSearches {
 public:
  /// `most`: how many searches may go on at once, since each may hold a snapshot. `step_time`:
  /// nanoseconds of virtual time that a step takes; 0: a result counts when it comes.
  BackgroundSearches(std::size_t most, std::int64_t step_time)
      : most_(most), step_time_(step_time) {}

  /// The gang waits for a search from now on.
  void defer(const Deferred& deferred);
  /// The searches that begin on this snapshot. Searches that no gang waits for are dropped.
  std::vector<SearchRequest> begin(const std::shared_ptr<const SearchState>& snapshot);
  /// A search has ended. True if its gang still waits for it.
  bool end(const SearchRequest& request);
  bool is_awaited(GangId gang, std::uint64_t ticket) const;
  /// The time at which a result that came at `now` counts. Nothing: at once, as an input.
  std::optional<std::int64_t> due(const SearchResult& result, std::int64_t now) const;
  /// Virtual time: the result waits to become an input.
  void hold(SearchEnded ended) { held_.push_back(std::move(ended)); }
  bool any_held() const { return !held_.empty(); }
  /// The results that wait, in the order of their tickets.
  std::vector<Input> take_held();
  /// When the first of the results that wait to become inputs will count; INT64_MAX: none does.
  std::int64_t next_due(std::int64_t now) const;
  /// Keeps the result until it counts.
  void keep(GangId gang, std::shared_ptr<const SearchResult> result);
  /// The result that was kept, if there is one. The gang waits no longer.
  std::optional<Found> take_found(GangId gang);
  /// The gang does not wait for a search any more. True if a result was kept for it.
  bool drop(GangId gang);

  bool may_begin() const { return running_ < most_; }
  /// True if some search waits for a snapshot.
  bool any_waits() const { return !waiting_.empty(); }
  std::size_t running() const { return running_; }
  /// Gangs that wait for a search, or for the time of its result.
  std::size_t awaited() const { return tickets_.size(); }
  /// True if time is virtual and stands still, because a search goes on.
  bool holds_time() const { return running_ > 0 && step_time_ > 0; }

 private:
  struct Ticket {
    std::uint64_t number = 0;
    std::shared_ptr<const SearchResult> found;
  };

  std::size_t most_;
  std::int64_t step_time_;
  std::uint64_t last_ticket_ = 0;
  std::size_t running_ = 0;
  std::deque<SearchRequest> waiting_;  // without a snapshot yet
  std::vector<SearchEnded> held_;
  std::unordered_map<GangId, Ticket> tickets_;
};

}  // namespace tessera::core
