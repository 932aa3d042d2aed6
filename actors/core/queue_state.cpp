// SPDX-License-Identifier: Apache-2.0
#include "actors/core/queue_state.h"

#include <algorithm>

namespace tessera::core {

void QueueState::submit(std::size_t workload) {
  const auto at = std::upper_bound(waiting_.begin(), waiting_.end(), workload,
                                   [this](std::size_t a, std::size_t b) {
                                     return plans_before((*workloads_)[a], (*workloads_)[b]);
                                   });
  waiting_.insert(at, workload);
}

std::optional<std::size_t> QueueState::head() const {
  if (blocked_ || next_ >= waiting_.size()) return std::nullopt;
  return waiting_[next_];
}

void QueueState::placed() { ++next_; }

void QueueState::refused() {
  waiting_[kept_++] = waiting_[next_++];
  blocked_ = strategy_ == QueueStrategy::kStrictFifo;
}

void QueueState::end_pass() {
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(kept_),
                 waiting_.begin() + static_cast<std::ptrdiff_t>(next_));
  kept_ = next_ = 0;
  blocked_ = false;
}

}  // namespace tessera::core
