// SPDX-License-Identifier: Apache-2.0
#include "solver/search/group_domains.h"

#include <algorithm>

#include "solver/search/descent.h"

namespace tessera::solver {

std::optional<topology::DomainId> same_domain(const topology::DomainTree& tree,
                                              topology::DomainId domain,
                                              const topology::DomainTree& other) {
  const int level = tree.level_of(domain);
  const auto& levels = tree.topology().levels;
  const auto there =
      other.topology().find_level(levels[static_cast<std::size_t>(level)].label.view());
  if (!there) return std::nullopt;
  const std::vector<Symbol> path = tree.path(domain);
  const topology::DomainRange range = other.level(*there);
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    if (!other.exists(topology::DomainId{d})) continue;
    const std::vector<Symbol> values = other.path(topology::DomainId{d});
    bool same = true;
    for (std::size_t i = 0; i < path.size() && same; ++i) {
      const auto at = other.topology().find_level(levels[i].label.view());
      same = !at || static_cast<std::size_t>(*at) >= values.size() ||
             values[static_cast<std::size_t>(*at)] == path[i];
    }
    if (same) return topology::DomainId{d};
  }
  return std::nullopt;
}

void add_tight_first(const SearchProblem& problem, int level, std::vector<Candidate>& out) {
  std::vector<Candidate> fit;
  add_candidates(problem, problem.tree->level(level), fit);
  std::erase_if(fit, [&](const Candidate& each) {
    return each.counts.slices < problem.slices() || !problem.tree->exists(each.domain);
  });
  std::stable_sort(fit.begin(), fit.end(), [](const Candidate& a, const Candidate& b) {
    return a.counts.slices < b.counts.slices;
  });
  out.insert(out.end(), fit.begin(), fit.end());
}

}  // namespace tessera::solver
