// SPDX-License-Identifier: Apache-2.0
// Steps: what a search has looked at, in a unit that is the same on every machine, and when it has
// to give up (design.md 3.2, "Step budgets, not clocks").
//
// Made by place_gang() for one gang, spent by the search in every loop that can be long. Charged is
// what the problem asks to look at: domains of a level, candidates that can take something, shares.
// Never what an index spares, nor spare slots of a tree: the same problem costs the same steps
// whatever was asked before. A step is 50 ns of search at most, by and large; counting is free.
#pragma once

#include <atomic>
#include <cstdint>

namespace tessera::solver {

class Steps {
 public:
  /// `stop`: when it is true, from any thread, there are no more steps; null: never.
  explicit Steps(std::int64_t most, const std::atomic<bool>* stop = nullptr)
      : most_(most), stop_(stop) {}

  /// False from the step on that is one too many: the search ends at once, and what it has made is
  /// void.
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
  /// True if spending so many would leave the search going.
  bool affords(std::int64_t steps) const { return !over() && steps <= most_ - spent_; }
  bool over() const { return spent_ > most_; }
  std::int64_t spent() const { return spent_; }

 private:
  std::int64_t most_;
  const std::atomic<bool>* stop_;
  std::int64_t spent_ = 0;
};

/// A pass over the numbers of so many domains.
constexpr std::int64_t steps_of_pass(std::int64_t domains) { return domains / 8 + 1; }

}  // namespace tessera::solver
