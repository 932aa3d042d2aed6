// SPDX-License-Identifier: Apache-2.0
#include "actors/core/round_queue.h"

namespace tessera::core {

bool RoundQueue::Before::operator()(std::size_t a, std::size_t b) const {
  const Workload &x = (*workloads)[a], &y = (*workloads)[b];
  if (plans_before(x, y)) return true;
  return !plans_before(y, x) && a < b;
}

void RoundQueue::submit(std::size_t workload, const std::string& shape) {
  active_.insert(workload);
  const auto [at, added] = shapes_.try_emplace(shape, alike_.size());
  if (added) alike_.emplace_back();
  alike_[at->second].push_back(workload);
  shape_of_[workload] = at->second;
}

std::optional<std::size_t> RoundQueue::pop() {
  if (active_.empty()) return std::nullopt;
  const std::size_t head = *active_.begin();
  active_.erase(active_.begin());
  return head;
}

bool RoundQueue::requeue(std::size_t workload, Outcome outcome, bool unfinished) {
  const bool strict = strategy_ == QueueStrategy::kStrictFifo;
  const bool stays =
      unfinished || outcome == Outcome::kSkipped || (strict && outcome != Outcome::kNamespace);
  if (stays) {
    active_.insert(workload);
    return false;
  }
  inadmissible_[workload] = workload;
  if (!strict && outcome == Outcome::kWaits) move_alike(workload);
  return true;
}

void RoundQueue::move_alike(std::size_t workload) {
  for (const std::size_t other : alike_[shape_of_.at(workload)]) {
    if (active_.erase(other) > 0) inadmissible_[other] = workload;
  }
}

}  // namespace tessera::core
