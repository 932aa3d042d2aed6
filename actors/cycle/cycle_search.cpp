// SPDX-License-Identifier: Apache-2.0
// How the coordinator has searches go on in the background, and when their results count
// (design.md 3.2).
#include <algorithm>

#include "actors/cycle/cycle.h"
#include "topology/amounts.h"

namespace tessera::core {

/// As many as may be at once, with the snapshot of this plan; more wait for a later one. Virtual
/// time knows no limit: there cycles wait (waits_for_searches()).
void Cycle::begin_searches(const PlanReply& reply) {
  for (const Deferred& deferred : reply.plan.deferred) {
    gangs_.at(deferred.gang).search = ++searches_;
    ++counters_.deferred;
    to_search_.push_back(
        {deferred.gang, searches_, deferred.queue, deferred.workload, deferred.stale, nullptr});
  }
  if (!reply.snapshot) return;
  while (!to_search_.empty() && (may_search() || limits_.step_time > 0)) {
    SearchRequest request = std::move(to_search_.front());
    to_search_.pop_front();
    if (!is_awaited(request)) continue;
    request.state = reply.snapshot;
    ++searching_;
    counters_.messages += 2;  // with the reply
    ports_->search(std::move(request));
  }
}

bool Cycle::is_awaited(const SearchRequest& request) const {
  const auto at = gangs_.find(request.gang);
  return at != gangs_.end() && at->second.search == request.ticket;
}

/// Time has stood still since the search began (waits_for_searches()), if it is virtual.
void Cycle::on_found(const SearchRequest& request, std::shared_ptr<const SearchResult> result) {
  --searching_;
  if (is_awaited(request)) {
    if (limits_.step_time == 0 || now_ == INT64_MIN) {
      inputs_.push_back({SearchEnded{request.gang, request.ticket, std::move(result)}});
    } else {
      const std::int64_t steps = std::max<std::int64_t>(1, result->steps);
      const std::int64_t takes = topology::saturating_mul(steps, limits_.step_time);
      Gang& gang = gangs_.at(request.gang);
      gang.found = std::move(result);
      set_deadline(request.gang, gang, topology::saturating_add(now_, takes));
    }
  }
  advance();
}

void Cycle::take(const SearchEnded& input, CycleRecord&) {
  const auto at = gangs_.find(input.gang);
  if (at == gangs_.end() || at->second.search != input.ticket) return;
  at->second.found = input.result;
  hand_over_found(input.gang, at->second);
}

/// Its turn comes again.
void Cycle::hand_over_found(GangId id, Gang& gang) {
  queues_[gang.queue].next.found.push_back({id, std::move(gang.found)});
  touched_.insert(gang.queue);
  gang.search = 0;
  gang.found = nullptr;
}

/// Nobody waits for its result any more.
void Cycle::drop_search(GangId id, Gang& gang) {
  if (gang.found) set_deadline(id, gang, INT64_MAX);
  gang.search = 0;
  gang.found = nullptr;
}

/// Virtual time does not pass, and nodes do not change, before all results are known: else they
/// would depend on how long a search really takes.
bool Cycle::waits_for_searches() const {
  if (searching_ == 0 || limits_.step_time == 0) return false;
  if (!may_search()) return true;
  return comes([](const Input& input) {
    return std::holds_alternative<Advance>(input) || std::holds_alternative<NodeUpdate>(input) ||
           std::holds_alternative<NodeDelete>(input) || std::holds_alternative<Redefine>(input);
  });
}

}  // namespace tessera::core
