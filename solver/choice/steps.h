// SPDX-License-Identifier: Apache-2.0
// Steps: how much a search has looked at, in a unit that is the same on every machine, and when the
// search must give up. A budget of steps, not a clock, bounds a search.
//
// Made by place_gang() for one gang. The search spends steps in every loop that can be long, for
// what the problem makes it look at: domains of a level, candidates that can take something,
// shares. Nothing is charged for spare slots of a tree, and an index saves no steps: the same
// problem always costs the same. A step takes about 50 ns at most. Counting costs no steps.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::solver {

class Steps {
 public:
  /// `stop`: when a thread sets it to true, there are no more steps. Null: never.
  explicit Steps(std::int64_t most, const std::atomic<bool>* stop = nullptr)
      : most_(most), stop_(stop) {}

  /// False once more than the budget is spent: then the search ends at once, and what it has made
  /// is void.
  bool spend(std::int64_t steps) {
    if (over()) return false;
    spent_ += steps;
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) most_ = -1;
    return spent_ <= most_;
  }
  /// The same as `times` calls of spend(each): ends with the same number spent.
  bool spend_times(std::int64_t times, std::int64_t each) {
    if (over()) return false;
    if (times == 0) return true;
    if (stop_ != nullptr && stop_->load(std::memory_order_relaxed)) return spend(each);
    const std::int64_t affordable = (most_ - spent_) / each;
    spent_ += each * (times <= affordable ? times : affordable + 1);
    return spent_ <= most_;
  }
  /// True if the search can spend so many steps and still go on.
  bool affords(std::int64_t steps) const { return !over() && steps <= most_ - spent_; }
  bool over() const { return spent_ > most_; }
  std::int64_t spent() const { return spent_; }
  std::int64_t left() const { return over() ? 0 : most_ - spent_; }

 private:
  std::int64_t most_;
  const std::atomic<bool>* stop_;
  std::int64_t spent_ = 0;
};

/// The steps of one pass over the numbers of `domains` domains.
constexpr std::int64_t steps_of_pass(std::int64_t domains) { return domains / 8 + 1; }

}  // namespace tessera::solver
