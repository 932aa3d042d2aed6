// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/rounds_end.h"

#include <utility>

namespace tessera::core {
namespace {

constexpr int kMostIdleRounds = 30;  // queues.md 11.5

}  // namespace

void RoundsEnd::resume() {
  over_ = false;
  idle_rounds_ = 0;
  seen_.clear();
}

/// Without releases, inadmissible sets only grow. So a state can return only between moves, and
/// then only the scan records differ (queues.md 11.5).
bool RoundsEnd::are_over(const std::map<std::uint32_t, Window>& windows) {
  if (over_) return true;
  if (round_ == 0) return false;
  if (moved_) {
    moved_ = false;
    idle_rounds_ = 0;
    seen_.clear();
    return false;
  }
  std::string records;
  for (const auto& [queue, window] : windows) {
    records += std::to_string(queue) + '=' + window.unfinished;
  }
  over_ = ++idle_rounds_ >= kMostIdleRounds || !seen_.insert(records).second;
  return over_;
}

std::set<std::uint32_t> RoundsEnd::take_blocked() { return std::exchange(blocked_, {}); }

}  // namespace tessera::core
