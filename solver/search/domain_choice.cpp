// SPDX-License-Identifier: Apache-2.0
#include "solver/search/domain_choice.h"

#include <algorithm>
#include <map>

namespace tessera::solver {
namespace {

// Bounds the work on hostile shapes (thousands of domains, thousands of pods): about a second of
// one core.
constexpr std::int64_t kMostWork = 20'000'000;

struct StateKey {
  std::int64_t leaders = 0, pods = 0;  // left
  friend bool operator<(const StateKey& a, const StateKey& b) {
    return a.leaders != b.leaders ? a.leaders < b.leaders : a.pods < b.pods;
  }
};

/// A look at one entry of the tables, and up to two entries made.
constexpr std::int64_t kStepsOfState = 2;

/// How a state was first reached: the last domain taken and the state before.
struct Step {
  std::size_t domain = 0;
  std::size_t before = 0;  // index into steps; 0 is the empty set
};

class Programme {
 public:
  Programme(std::span<const Candidate> list, const ChoiceProblem& problem)
      : list_(list), layers_(problem.domains + 1) {
    steps_.push_back({});
    layers_[0][{problem.leaders, problem.pods}] = 0;
  }

  bool run(Steps& steps) {
    for (std::size_t d = 0; d < list_.size(); ++d) {
      for (std::size_t count = layers_.size() - 1; count-- > 0;) {
        for (const auto& [key, step] : layers_[count]) {
          if (++work_ > kMostWork || !steps.spend(kStepsOfState)) return false;
          extend(count, key, step, d);
        }
      }
    }
    return true;
  }

  std::optional<std::vector<std::size_t>> best() const {
    const std::map<StateKey, std::size_t>& last = layers_.back();
    auto it = last.upper_bound(StateKey{0, 0});  // the first state with leaders left or pods left
    if (it == last.begin()) return std::nullopt;
    --it;
    if (it->first.leaders != 0) return std::nullopt;
    std::vector<std::size_t> out;
    for (std::size_t step = it->second; step != 0; step = steps_[step].before)
      out.push_back(steps_[step].domain);
    std::reverse(out.begin(), out.end());
    return out;
  }

 private:
  void extend(std::size_t count, const StateKey& key, std::size_t step, std::size_t domain) {
    if (key.leaders <= 0 && key.pods <= 0) return;
    const Counts& c = list_[domain].counts;
    if (key.leaders > 0 && c.leaders > 0) {
      reach(count + 1, {key.leaders - c.leaders, key.pods - c.pods_with_leader}, step, domain);
    }
    if (c.slices > 0) reach(count + 1, {key.leaders, key.pods - c.pods}, step, domain);
  }
  void reach(std::size_t count, const StateKey& key, std::size_t before, std::size_t domain) {
    if (layers_[count].try_emplace(key, steps_.size()).second) steps_.push_back({domain, before});
  }

  std::span<const Candidate> list_;
  std::vector<std::map<StateKey, std::size_t>> layers_;  // by number of domains taken
  std::vector<Step> steps_;
  std::int64_t work_ = 0;
};

}  // namespace

std::optional<std::vector<std::size_t>> choose_domains(std::span<const Candidate> list,
                                                       const ChoiceProblem& problem, Steps& steps) {
  Programme programme(list, problem);
  if (!programme.run(steps)) return std::nullopt;
  return programme.best();
}

}  // namespace tessera::solver
