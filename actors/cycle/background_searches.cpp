// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/background_searches.h"

#include <algorithm>
#include <iterator>

#include "topology/nodes/amounts.h"

namespace tessera::core {

void BackgroundSearches::defer(const Deferred& deferred) {
  tickets_[deferred.gang] = {++last_ticket_, nullptr};
  waiting_.push_back(
      {deferred.gang, last_ticket_, deferred.queue, deferred.workload, deferred.stale, nullptr});
}

/// Searches above the limit wait for a later snapshot. In virtual time there is no limit, since
/// cycles wait for the searches.
std::vector<SearchRequest> BackgroundSearches::begin(
    const std::shared_ptr<const SearchState>& snapshot) {
  std::vector<SearchRequest> out;
  while (!waiting_.empty() && (may_begin() || step_time_ > 0)) {
    SearchRequest request = std::move(waiting_.front());
    waiting_.pop_front();
    if (!is_awaited(request.gang, request.ticket)) continue;
    request.state = snapshot;
    ++running_;
    out.push_back(std::move(request));
  }
  return out;
}

bool BackgroundSearches::end(const SearchRequest& request) {
  --running_;
  return is_awaited(request.gang, request.ticket);
}

bool BackgroundSearches::is_awaited(GangId gang, std::uint64_t ticket) const {
  const auto at = tickets_.find(gang);
  return at != tickets_.end() && at->second.number == ticket;
}

std::optional<std::int64_t> BackgroundSearches::due(const SearchResult& result,
                                                    std::int64_t now) const {
  if (step_time_ == 0 || now == INT64_MIN) return std::nullopt;
  const std::int64_t steps = std::max<std::int64_t>(1, result.steps);
  return topology::saturating_add(now, topology::saturating_mul(steps, step_time_));
}

/// Results that no gang awaits any more are dropped only now. So the moment at which a search
/// really ended does not matter.
std::vector<Input> BackgroundSearches::take_held() {
  std::erase_if(held_,
                [this](const SearchEnded& each) { return !is_awaited(each.gang, each.ticket); });
  std::sort(held_.begin(), held_.end(),
            [](const SearchEnded& a, const SearchEnded& b) { return a.ticket < b.ticket; });
  std::vector<Input> out(std::move_iterator(held_.begin()), std::move_iterator(held_.end()));
  held_.clear();
  return out;
}

std::int64_t BackgroundSearches::next_due(std::int64_t now) const {
  std::int64_t next = INT64_MAX;
  for (const SearchEnded& ended : held_) {
    if (is_awaited(ended.gang, ended.ticket)) next = std::min(next, *due(*ended.result, now));
  }
  return next;
}

void BackgroundSearches::keep(GangId gang, std::shared_ptr<const SearchResult> result) {
  tickets_.at(gang).found = std::move(result);
}

std::optional<Found> BackgroundSearches::take_found(GangId gang) {
  const auto at = tickets_.find(gang);
  if (at == tickets_.end() || !at->second.found) return std::nullopt;
  Found found{gang, std::move(at->second.found)};
  tickets_.erase(at);
  return found;
}

bool BackgroundSearches::drop(GangId gang) {
  const auto at = tickets_.find(gang);
  if (at == tickets_.end()) return false;
  const bool kept = at->second.found != nullptr;
  tickets_.erase(at);
  return kept;
}

}  // namespace tessera::core
