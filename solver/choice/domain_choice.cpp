// SPDX-License-Identifier: Apache-2.0
#include "solver/choice/domain_choice.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace tessera::solver {
namespace {

// Bounds the work on hostile shapes (thousands of domains, thousands of pods): about a second of
// one core.
constexpr std::int64_t kMostWork = 20'000'000;

/// Steps of a look at one entry of the tables, which makes up to two new entries.
constexpr std::int64_t kStepsOfState = 2;

/// A set of domains: the last one taken, and the set without it.
struct Step {
  std::uint32_t domain = 0;
  std::uint32_t before = 0;  // index into steps; 0 is the empty set
  std::uint32_t count = 0;   // domains taken
};

/// The first set found that leaves so many pods.
struct State {
  std::int64_t pods = 0;
  std::uint32_t step = 0;
  friend bool operator<(const State& a, const State& b) { return a.pods < b.pods; }
};

/// The sets of one size. Each list ascends.
struct SetsOfOneSize {
  std::vector<State> led, unled;  // the leader has its place; or still needs one
  std::uint32_t newest = 0;       // the step that was added last; 0 in an empty layer
  bool empty() const { return led.empty() && unled.empty(); }
};

/// What one more domain does to a state. All domains of one kind do the same.
struct Kind {
  std::int64_t pods, pods_with_leader;
  bool takes, leads;
  friend bool operator<(const Kind& a, const Kind& b) {
    return std::tie(a.pods, a.pods_with_leader, a.takes, a.leads) <
           std::tie(b.pods, b.pods_with_leader, b.takes, b.leads);
  }
};

/// The programme of 5.5 looks at every state for every domain. If an earlier domain of the same
/// kind has seen a state, what the two make is there already. So a domain takes up only the states
/// that came after the last domain of its kind. The steps are charged for all states all the same:
/// the price of a search does not depend on this shortcut.
class Programme {
 public:
  Programme(std::span<const Candidate> list, const ChoiceProblem& problem)
      : list_(list), layers_(problem.domains + 1) {
    steps_.push_back({});
    (problem.leaders > 0 ? layers_[0].unled : layers_[0].led).push_back({problem.pods, 0});
    open_ = problem.domains > 0 ? 1 : 0;
  }

  bool run(Steps& steps) {
    std::map<Kind, std::uint32_t> seen;  // steps that the kind has been taken to
    auto at = seen.end();
    for (std::uint32_t d = 0; d < list_.size(); ++d) {
      if (!charge(steps)) return false;
      const Counts& c = list_[d].counts;
      const Kind kind{c.pods, c.pods_with_leader, c.slices > 0, c.leaders > 0};
      if (at == seen.end() || at->first < kind || kind < at->first) {
        at = seen.try_emplace(kind, 0).first;
      }
      const std::uint32_t newer = std::exchange(at->second, size());
      extend(d, kind, newer);
    }
    return true;
  }

  std::optional<std::vector<std::size_t>> best() const {
    const std::vector<State>& last = layers_.back().led;
    auto it = std::upper_bound(last.begin(), last.end(), State{});  // the first with pods left
    if (it == last.begin()) return std::nullopt;
    std::vector<std::size_t> out;
    for (std::uint32_t step = (--it)->step; step != 0; step = steps_[step].before) {
      out.push_back(steps_[step].domain);
    }
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(steps_.size()); }

  /// Pays for a look at every state that is not of the full size. False: the steps, or the bound on
  /// the work, are used up.
  bool charge(Steps& steps) {
    const std::int64_t looks = std::min(open_, kMostWork - work_);
    work_ += looks;
    return steps.spend_times(looks, kStepsOfState) && looks == open_;
  }

  /// Adds the domain to every state from step `newer` on. Larger sets come first, so that no state
  /// is taken up in the turn that made it.
  void extend(std::uint32_t domain, const Kind& kind, std::uint32_t newer) {
    std::uint32_t low = UINT32_MAX, high = 0;
    for (std::uint32_t step = newer; step < steps_.size(); ++step) {
      low = std::min(low, steps_[step].count);
      high = std::max(high, steps_[step].count);
    }
    if (low == UINT32_MAX || layers_.size() < 2) return;
    high = std::min(high, static_cast<std::uint32_t>(layers_.size()) - 2);
    for (std::uint32_t count = high + 1; count-- > low;) {
      if (layers_[count].empty() || layers_[count].newest < newer) continue;
      const SetsOfOneSize& from = layers_[count];
      SetsOfOneSize& to = layers_[count + 1];
      const Step step{domain, 0, count + 1};
      if (kind.takes) reach(from.led, newer, true, kind.pods, step, to.led);
      if (kind.leads) reach(from.unled, newer, false, kind.pods_with_leader, step, to.led);
      if (kind.takes) reach(from.unled, newer, false, kind.pods, step, to.unled);
    }
  }

  /// Makes a state in `to` of each newer state of `from`, with `pods` fewer left, unless `to` has
  /// such a state. With `ends` a state without pods left is complete and makes none.
  void reach(const std::vector<State>& from, std::uint32_t newer, bool ends, std::int64_t pods,
             Step step, std::vector<State>& to) {
    made_.clear();
    auto at = to.begin();
    for (const State& state : from) {
      if (state.step < newer || (ends && state.pods <= 0)) continue;
      const State made{state.pods - pods, size()};
      at = std::lower_bound(at, to.end(), made);
      if (at != to.end() && at->pods == made.pods) continue;
      step.before = state.step;
      steps_.push_back(step);
      made_.push_back(made);
    }
    if (made_.empty()) return;
    layers_[step.count].newest = made_.back().step;
    if (step.count + 1 < layers_.size()) open_ += static_cast<std::int64_t>(made_.size());
    const auto middle = static_cast<std::ptrdiff_t>(to.size());
    to.insert(to.end(), made_.begin(), made_.end());
    std::inplace_merge(to.begin(), to.begin() + middle, to.end());
  }

  std::span<const Candidate> list_;
  std::vector<SetsOfOneSize> layers_;  // by number of domains taken
  std::vector<Step> steps_;
  std::vector<State> made_;           // empty between calls of reach(); the buffer is reused
  std::int64_t open_ = 0, work_ = 0;  // states that are not of the full size; looks so far
};

}  // namespace

std::optional<std::vector<std::size_t>> choose_domains(std::span<const Candidate> list,
                                                       const ChoiceProblem& problem, Steps& steps) {
  Programme programme(list, problem);
  if (!programme.run(steps)) return std::nullopt;
  return programme.best();
}

}  // namespace tessera::solver
