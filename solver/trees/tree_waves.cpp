// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_waves.h"

#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "solver/trees/tree_search.h"

namespace tessera::solver {
namespace {

constexpr std::size_t kWaveWidth = 8;
/// Steps that a candidate may spend in the first round, and how much more in each round after it.
constexpr std::int64_t kFirstAllowance = 65'536, kAllowanceGrowth = 8;

class Waves {
 public:
  Waves(const TreeProblem& problem, const std::vector<TreeLevel>& levels, Steps& steps,
        const WaveOptions& options)
      : problem_(problem), levels_(levels), steps_(steps), options_(options) {}

  std::optional<FoundState> run() {
    bool choice = true;
    std::vector<std::uint32_t> domains = first_candidates(choice);
    if (!choice) return search_alone();
    // Each round tries again what ran out of its allowance in the round before.
    for (std::int64_t allowance = kFirstAllowance; !domains.empty();
         allowance = topology::saturating_mul(allowance, kAllowanceGrowth)) {
      std::vector<std::uint32_t> unknown;
      for (std::size_t begin = 0; begin < domains.size(); begin += kWaveWidth) {
        const std::size_t end = std::min(begin + kWaveWidth, domains.size());
        std::vector<Task> tasks = run_wave({domains.begin() + static_cast<std::ptrdiff_t>(begin),
                                            domains.begin() + static_cast<std::ptrdiff_t>(end)},
                                           begin, std::min(allowance, steps_.left()));
        for (Task& task : tasks) {
          if (!steps_.spend(task.found.steps->spent())) return std::nullopt;
          if (task.placed) return std::move(task.found);
          if (task.found.steps->over()) unknown.push_back(task.domain);
        }
      }
      domains = std::move(unknown);
    }
    return std::nullopt;
  }

 private:
  struct Task {
    std::uint32_t domain = 0;
    bool placed = false;
    FoundState found;
  };

  /// The candidates of the first choice, in order. `choice`: false if there is none to make.
  std::vector<std::uint32_t> first_candidates(bool& choice) {
    TreeBounds bounds(problem_, steps_);
    TreeState state(problem_, levels_, steps_);
    TreeSearch search(problem_, bounds, state, steps_);
    std::optional<TreeSearch::Branch> branch = search.first_branch(0);
    choice = branch.has_value();
    if (branch) picked_ = branch->group;
    return branch ? search.worth_trying(*branch) : std::vector<std::uint32_t>();
  }

  std::optional<FoundState> search_alone() {
    FoundState out;
    out.steps = std::make_unique<Steps>(steps_.left(), options_.stop);
    TreeBounds bounds(problem_, *out.steps);
    out.state = std::make_unique<TreeState>(problem_, levels_, *out.steps);
    const bool placed = TreeSearch(problem_, bounds, *out.state, *out.steps).place(0);
    const bool paid = steps_.spend(out.steps->spent());
    if (!placed || !paid) return std::nullopt;
    return out;
  }

  std::vector<Task> run_wave(std::vector<std::uint32_t> domains, std::size_t first,
                             std::int64_t allowance) {
    std::vector<Task> tasks(domains.size());
    oneapi::tbb::parallel_for(std::size_t{0}, domains.size(), [&](std::size_t i) {
      if (options_.at_start) options_.at_start(first + i);
      tasks[i] = try_domain(domains[i], allowance);
    });
    return tasks;
  }

  Task try_domain(std::uint32_t domain, std::int64_t allowance) const {
    Task out;
    out.domain = domain;
    out.found.steps = std::make_unique<Steps>(allowance, options_.stop);
    Steps& own = *out.found.steps;
    TreeBounds bounds(problem_, own);
    out.found.state = std::make_unique<TreeState>(problem_, levels_, own);
    TreeSearch search(problem_, bounds, *out.found.state, own);
    const std::optional<TreeSearch::Branch> branch = search.branch_on(0, picked_);
    out.placed = branch && search.follow(*branch, domain) && !own.over();
    return out;
  }

  const TreeProblem& problem_;
  const std::vector<TreeLevel>& levels_;
  Steps& steps_;
  const WaveOptions& options_;
  std::uint32_t picked_ = 0;  // the group whose domains are tried
};

}  // namespace

std::optional<FoundState> search_in_waves(const TreeProblem& problem,
                                          const std::vector<TreeLevel>& levels, Steps& steps,
                                          const WaveOptions& options) {
  return Waves(problem, levels, steps, options).run();
}

}  // namespace tessera::solver
