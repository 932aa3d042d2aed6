// SPDX-License-Identifier: Apache-2.0
// TreeState: where a search of a gang tree stands: the domain of each group that has one, and where
// the pods of each leaf are. Every step can be undone.
//
// Belongs to one search. Invariant: the pods that are placed obey the domains that are chosen and
// what is free. When pods that are placed stand in the way of others, those of all leaves that
// compete for the same hosts are packed again, so a failure is a proof.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "solver/choice/steps.h"
#include "solver/trees/private_room.h"
#include "topology/domain_runs.h"

namespace tessera::solver {

class TreeState {
 public:
  /// `levels`: by group, the level at which all its pods must share a domain. Where pods run
  /// already, their domain is chosen.
  TreeState(const TreeProblem& problem, std::vector<TreeLevel> levels, Steps& steps);

  /// From now on the steps are taken from here.
  void spend_from(Steps& steps) { steps_ = &steps; }

  TreeLevel level(std::uint32_t group) const { return levels_[group]; }
  std::optional<std::uint32_t> domain(std::uint32_t group) const { return domains_[group]; }
  /// True if pods of the group run outside one domain of its level: it can take no more.
  bool torn(std::uint32_t group) const { return torn_[group]; }
  /// False, and nothing has changed, if the group may not have the domain beside the groups that
  /// have theirs: exclusive domains, spread.
  bool choose_domain(std::uint32_t group, std::uint32_t domain);
  /// From now on the pods of the group need only share a domain of this level, which contains the
  /// one that is chosen; no level: nothing. Cannot be undone.
  void loosen(std::uint32_t group, TreeLevel level);
  const std::vector<HostPods>& placed(std::uint32_t leaf) const { return placed_[leaf]; }
  PrivateRoom& room() { return room_; }

  /// The hosts where pods of a group may go: a run of the order of one topology, which is the
  /// narrowest domain of the groups above, and what else must hold.
  struct Scope {
    int runs = -1;  // -1: all hosts
    std::uint32_t begin = 0, end = 0;
  };
  Scope scope(std::uint32_t group) const;
  /// True if the host is in the domain of every group from `group` up to the root.
  bool in_domains(std::uint32_t group, std::uint32_t host) const;
  /// Calls visit(host) for every host where pods of the leaf may go, in path order.
  template <class Visit>
  void for_each_host(std::uint32_t leaf, Visit visit) const;

  /// Places `pods` more pods of the leaf. If they do not fit beside the pods that are placed, packs
  /// those of all leaves that compete anew. False: no packing exists for the domains that are
  /// chosen, or the steps are over; then nothing has changed.
  bool place(std::uint32_t leaf, std::int64_t pods);
  /// Places up to `most` pods beside those that are placed; returns how many.
  std::int64_t place_up_to(std::uint32_t leaf, std::int64_t most);

  using Mark = std::size_t;
  Mark mark() const { return log_.size(); }
  void undo(Mark mark);

 private:
  struct Undo {
    std::uint32_t number = 0;  // of the group or leaf
    bool is_leaf = false;
    std::vector<HostPods> before;  // of the leaf
  };

  void find_used_domain(std::uint32_t group);
  bool allowed(std::uint32_t group, std::uint32_t domain) const;
  bool spread_allows(std::uint32_t group, std::uint32_t domain) const;
  bool others_allow(std::uint32_t group, std::uint32_t domain) const;
  std::uint32_t domain_above(TreeLevel from, std::uint32_t domain, int level) const;
  bool repelled(std::uint32_t group, std::uint32_t host) const;
  bool clear_domain(std::uint32_t group);
  bool unlabelled(std::uint32_t host) const;
  bool place_beside(std::uint32_t leaf, std::int64_t pods);
  bool pack_again(std::uint32_t leaf, std::int64_t pods);
  void set_placed(std::uint32_t leaf, std::vector<HostPods> pods);
  void apply(std::uint32_t leaf, std::int64_t times);
  std::vector<std::uint32_t> competitors(std::uint32_t leaf) const;
  std::vector<std::uint64_t> name_of(std::span<const std::uint32_t> leaves, std::uint32_t leaf,
                                     std::int64_t pods) const;

  const TreeProblem& problem_;
  Steps* steps_;
  PrivateRoom room_;
  std::vector<TreeLevel> levels_;                      // by group
  std::vector<std::optional<std::uint32_t>> domains_;  // by group
  std::vector<bool> torn_;                             // by group
  std::vector<std::uint32_t> owners_;  // groups that keep every other pod out of their domain
  std::vector<std::vector<HostPods>> placed_;  // by leaf
  std::vector<Undo> log_;
  std::set<std::vector<std::uint64_t>> impossible_;  // packings that were proved impossible
};

template <class Visit>
void TreeState::for_each_host(std::uint32_t leaf, Visit visit) const {
  const TreePods& pods = problem_.pods[leaf];
  const Scope where = scope(pods.group);
  for (std::uint32_t at = where.begin; at < where.end; ++at) {
    const std::uint32_t host =
        where.runs < 0 ? at : problem_.runs[static_cast<std::size_t>(where.runs)]->order()[at];
    if (pods.barred && (*pods.barred)[host]) continue;
    // In one topology the narrowest domain is inside the others.
    if (problem_.runs.size() > 1 && !in_domains(pods.group, host)) continue;
    if (owners_.empty() || !repelled(pods.group, host)) visit(host);
  }
}

}  // namespace tessera::solver
