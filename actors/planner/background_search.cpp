// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/background_search.h"

#include "actors/books/found_place.h"
#include "actors/planner/planner.h"

namespace tessera::core {
namespace {

struct Inside {
  explicit Inside(SearchGate& entered) : gate(entered) {}
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { gate.leave(); }
  SearchGate& gate;
};

}  // namespace

void SearchGate::close() {
  stop_ = true;
  std::unique_lock lock(mutex_);
  ++closed_;
  left_.wait(lock, [this] { return !inside_; });
  stop_ = false;
}

bool SearchGate::enter(std::uint64_t closed) {
  const std::lock_guard lock(mutex_);
  inside_ = closed == closed_;
  return inside_;
}

void SearchGate::leave() {
  {
    const std::lock_guard lock(mutex_);
    inside_ = false;
  }
  left_.notify_one();
}

std::shared_ptr<const SearchResult> Searcher::search(const SearchRequest& request) {
  const SearchState& state = *request.state;
  auto result = std::make_shared<SearchResult>();
  result->version = state.version;
  result->stale = request.stale;
  if (!state.gate->enter(state.version.nodes)) {
    result->is_void = true;
    return result;
  }
  const Inside inside(*state.gate);
  const Definitions& definitions = *state.definitions;
  if (!twin_ || gate_ != state.gate || closed_ != state.version.nodes) {
    twin_ = state.cluster->twin(definitions.flavors);
    gate_ = state.gate;
    closed_ = state.version.nodes;
  }
  // The index starts empty: to count anew takes less time than to copy the planner's index.
  Books books(*twin_, definitions.flavors, state.capacity, state.ledger, {.threads = 1});
  const Planner planner(definitions.flavors, definitions.inventory->topologies, options_.profile);
  const QuotaRule rule = options_.ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
  Allowance allowance;
  allowance.stop = &state.gate->stop();
  const PlanQueue& queue = *definitions.queues[request.queue];
  Attempt attempt = planner.evaluate(*request.workload, queue, books, rule, allowance);
  result->steps = allowance.spent;
  result->is_void = allowance.over;
  if (attempt.placed) {
    result->place = found_place(std::move(attempt.pod_sets), queue.name, *request.workload, *twin_,
                                definitions.flavors);
  } else {
    result->refused = std::move(attempt);
  }
  return result;
}

}  // namespace tessera::core
