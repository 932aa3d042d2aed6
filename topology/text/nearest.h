// SPDX-License-Identifier: Apache-2.0
// The known name that a mistyped one most likely means, for messages: `(did you mean
// "algorithm"?)`.
//
// nearest() is for a fixed list of known names. Where the input holds both the unknown names and
// the known ones, a Speller keeps their product from costing time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The known name with the fewest single-character edits from `name`, case aside, at most 3 and at
/// most a third of its length; empty if none is near. Ties: the first in `known`.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// ` (did you mean "x"?)` for the nearest name, or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

/// Looks for the nearest names in one read of the input. What it may cost in all has a bound: past
/// it nothing is suggested any more.
class Speller {
 public:
  // About 0.1 s. A known name of about the right length costs its length, any other one step.
  static constexpr std::uint64_t kMostSteps = 10'000'000;

  explicit Speller(std::uint64_t most_steps = kMostSteps) : left_(most_steps) {}

  std::string nearest(std::string_view name, const std::vector<std::string>& known);
  std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);
  std::uint64_t steps_left() const { return left_; }

 private:
  std::uint64_t left_;
};

}  // namespace tessera
