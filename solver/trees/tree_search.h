// SPDX-License-Identifier: Apache-2.0
// TreeSearch: finds a domain for every group of a gang tree and a host for every pod that the
// minimum needs; a refusal is a proof that there is no way (spec/gangs.md 4, 5).
//
// One search over one TreeState, on one thread. Goes through the groups from the most constrained
// to the least, tries their domains in order, and goes back to the choices made for earlier groups
// when a later one fails. Equal groups and domains that look alike are tried once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "solver/choice/steps.h"
#include "solver/trees/flow_bound.h"
#include "solver/trees/tree_bounds.h"
#include "solver/trees/tree_state.h"

namespace tessera::solver {

class TreeSearch {
 public:
  TreeSearch(const TreeProblem& problem, TreeBounds& bounds, TreeState& state, Steps& steps)
      : problem_(problem), bounds_(bounds), state_(state), steps_(steps) {}

  /// Places what the minimum of `group` lacks. The groups above it have their domains. False: there
  /// is no way, or the steps are over; then the state is as before.
  bool place(std::uint32_t group);

  /// The domains that the group may still get: only those where it could fit if it were alone.
  /// Null: none, since its pods run in several domains.
  TreeBounds::Candidates* candidates(std::uint32_t group);
  /// The domains of the group's level inside the domains of the groups above.
  topology::DomainRange domains_in_scope(std::uint32_t group) const;

  /// Some children of a group must still be chosen.
  struct Choice {
    std::int64_t lacking = 0;
    std::vector<std::uint32_t> from;  // in order
  };
  /// What is left to do.
  struct Agenda {
    std::vector<std::uint32_t> groups;  // chosen, without a domain yet
    std::vector<Choice> choices;
    std::vector<std::uint32_t> leaves;  // placed when all groups have their domains
    /// (kind of group, domain): tried before for an equal group, to no avail.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> shut;
  };
  /// A group that gets its domain next.
  struct Branch {
    std::uint32_t group = 0;
    TreeBounds::Candidates* candidates = nullptr;
    Agenda rest;
  };

  /// The first choice that place() would make. Nothing: it comes to its end without one.
  std::optional<Branch> first_branch(std::uint32_t group);
  /// The same branch, when it is known that it is about `picked`. It has no candidates, which cost
  /// a look at every domain.
  std::optional<Branch> branch_on(std::uint32_t group, std::uint32_t picked);
  /// The candidates of a branch that are worth a try: none that cannot hold the sum of the group,
  /// one of each look.
  std::vector<std::uint32_t> worth_trying(Branch& branch);
  /// Gives the group of the branch a domain and places the rest. False: no way, or out of steps.
  bool follow(const Branch& branch, std::uint32_t domain);

 private:
  class Sieve;
  bool solve(Agenda agenda);
  bool open(std::uint32_t group, Agenda& agenda);
  bool copies_suffice(const std::vector<std::uint32_t>& children);
  bool flow_allows(std::uint32_t group, const std::vector<std::uint32_t>& children,
                   std::int64_t lacking);
  bool domains_suffice(std::uint32_t group, const std::vector<std::uint32_t>& children,
                       std::int64_t lacking, const std::vector<Supply>& supplies,
                       const std::map<std::uint32_t, std::uint32_t>& numbers) const;
  bool room_suffices(const std::vector<std::uint32_t>& children, TreeLevel level,
                     std::vector<Supply> supplies,
                     const std::map<std::uint32_t, std::uint32_t>& numbers);
  bool open_free_groups(Agenda& agenda);
  std::optional<Branch> pick_group(Agenda agenda);
  std::vector<std::uint32_t> domains_in_use(Branch& branch) const;
  bool choose_domain(Agenda agenda);
  bool choose_child(Agenda agenda);
  bool place_leaves(const Agenda& agenda);
  bool untouched(TreeLevel level, std::uint32_t domain) const;

  const TreeProblem& problem_;
  TreeBounds& bounds_;
  TreeState& state_;
  Steps& steps_;
};

}  // namespace tessera::solver
