// SPDX-License-Identifier: Apache-2.0
#include "solver/search/refuse.h"

#include <utility>

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

/// The descendants of `domain` at `level`: one run, because a level is in path order.
DomainRange descendants(const topology::DomainTree& tree, DomainId domain, int level) {
  DomainRange range{index(domain), index(domain) + 1};
  for (int at = tree.level_of(domain); at < level; ++at) {
    range = {tree.children(DomainId{range.begin}).begin,
             tree.children(DomainId{range.end - 1}).end};
  }
  return range;
}

/// M3: what fits at each layer inside the best domain of the searched level.
std::vector<LayerCount> layer_counts(const SearchProblem& problem, int level) {
  const topology::DomainTree& tree = *problem.tree;
  if (!problem.steps->spend(steps_of_pass(tree.existing(level)))) return {};
  const DomainRange domains = tree.level(level);
  DomainId best{domains.begin};
  while (!tree.exists(best)) best = DomainId{index(best) + 1};
  for (std::uint32_t d = index(best); d < domains.end; ++d) {
    if (problem.table->at(DomainId{d}).slices > problem.table->at(best).slices) best = DomainId{d};
  }
  std::vector<LayerCount> out;
  for (const Layer& layer : problem.request->layers) {
    LayerCount count{tree.topology().levels[static_cast<std::size_t>(layer.level)].label, 0,
                     problem.pods / layer.size};
    problem.steps->spend(steps_of_pass(tree.shown_leaves(best)));
    const DomainRange below = descendants(tree, best, layer.level);
    for (std::uint32_t d = below.begin; d < below.end; ++d) {
      count.fits += problem.table->at(DomainId{d}).pods / layer.size;
    }
    out.push_back(count);
  }
  return out;
}

}  // namespace

Refusal refuse(Obstacle obstacle) {
  Refusal out;
  out.obstacle = obstacle;
  return out;
}

Refusal refuse_remainder(const ResolvedRequest& request, std::int64_t pods) {
  Refusal out = refuse(Obstacle::kSliceRemainder);
  out.size_a = request.slice_size;
  out.need = pods;
  out.slice_size = request.slice_size;
  return out;
}

Refusal refuse_shortfall(const SearchProblem& problem, const Shortfall& shortfall,
                         Exclusions exclusions) {
  Refusal out;
  out.level = shortfall.level;
  out.level_a = problem.tree->topology().levels[static_cast<std::size_t>(shortfall.level)].label;
  if (shortfall.no_domains) {
    out.obstacle = Obstacle::kNoDomains;
    return out;
  }
  out.need = problem.slices();
  out.fits = shortfall.fits;
  out.slice_size = problem.request->slice_size;
  out.leaves = exclusions.leaves;
  out.causes = std::move(exclusions.causes);
  if (problem.request->has_inner_layers()) {
    out.obstacle = Obstacle::kLayersShort;
    out.layers = layer_counts(problem, shortfall.level);
  } else if (shortfall.only_leader) {
    out.obstacle = Obstacle::kLeaderDoesNotFit;
  } else {
    out.obstacle = shortfall.fits == 0 ? Obstacle::kNoneFits : Obstacle::kSomeFit;
  }
  return out;
}

bool is_whole(const SearchProblem& problem, const Leaves& leaves) {
  std::int64_t pods = 0, leaders = 0;
  for (const Share& share : leaves) pods += share.pods, leaders += share.leaders;
  return pods == problem.pods && leaders == problem.leaders;
}

Refusal refuse_rest(const SearchProblem& problem, const Leaves& leaves, Exclusions exclusions) {
  if (problem.pods % problem.request->slice_size != 0)
    return refuse_remainder(*problem.request, problem.pods);
  std::int64_t pods = 0, leaders = 0;
  for (const Share& share : leaves) pods += share.pods, leaders += share.leaders;
  const Shortfall shortfall{problem.request->level, false, pods / problem.request->slice_size,
                            pods == problem.pods && leaders < problem.leaders};
  return refuse_shortfall(problem, shortfall, std::move(exclusions));
}

}  // namespace tessera::solver
