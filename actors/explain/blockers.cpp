// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/blockers.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "actors/shortage/counted_pods.h"
#include "actors/shortage/held_parts.h"
#include "solver/search/group_domains.h"

namespace tessera::core {
namespace {

using topology::DomainId;
using topology::LeafId;
using topology::NodeId;

/// The resources that run out first on a leaf where the unit finds less room than on the empty
/// leaf.
class Lacking {
 public:
  explicit Lacking(const RoomInDispute& room)
      : room_(room),
        limiting_(room.now.capacity(), room.per_pod),
        beside_(room.now.capacity(), room.per_pod, room.leader.value_or(Amounts())) {}

  std::vector<Symbol> on(std::uint32_t leaf) const {
    const UnitRoom &now = room_.now, &empty = room_.empty;
    std::vector<Symbol> lacks;
    if (now.filter().verdict[leaf] != 0) return lacks;
    const topology::CellId cell = now.view().cells()[leaf];
    const auto add = [&](const LimitingResource& of, std::int64_t here, std::int64_t idle) {
      if (here >= idle) return;
      const std::vector<Symbol> names =
          room_.every_resource ? of.short_of(cell, idle) : of.all_on(cell);
      lacks.insert(lacks.end(), names.begin(), names.end());
    };
    add(limiting_, now.on_leaf(leaf), empty.on_leaf(leaf));
    add(beside_, now.beside_leader(leaf), empty.beside_leader(leaf));
    if (const std::optional<Symbol> together = now.short_on(leaf)) lacks.push_back(*together);
    return lacks;
  }

 private:
  const RoomInDispute& room_;
  LimitingResource limiting_, beside_;
};

class Finder {
 public:
  explicit Finder(const RoomInDispute& room)
      : refused_(room.refused), books_(refused_.worlds->current()), tree_(room.now.view().tree()) {
    const Lacking lacking(room);
    const topology::DomainRange leaves = leaves_in(tree_, room.contested);
    for (std::uint32_t leaf = leaves.begin; leaf < leaves.end; ++leaf) {
      const std::vector<Symbol> lacks = lacking.on(leaf);
      if (lacks.empty()) continue;
      const DomainId domain =
          room.contested ? *room.contested : tree_.ancestor(tree_.domain_of(LeafId{leaf}), 0);
      for (const NodeId node : tree_.nodes(LeafId{leaf})) {
        places_.emplace(index(node), Place{domain, lacks});
      }
    }
    if (room.leader) add_places_of_leader(room);
  }

  std::vector<Blocker> run() {
    if (places_.empty()) return {};
    std::vector<std::uint32_t> parts;
    for (const auto& [node, place] : places_) {
      const auto here = refused_.held_parts->on(NodeId{node});
      parts.insert(parts.end(), here.begin(), here.end());
    }
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    for (const std::uint32_t part : parts) add_part(refused_.held_parts->all()[part]);
    for (const auto& [node, place] : places_) add_pods(NodeId{node}, place);
    std::vector<Blocker> blockers;
    for (auto& [name, blocker] : found_) {
      // If the owner ends, its pods end wherever they run.
      const auto bound = refused_.counted_pods->of(name.first, name.second);
      blocker.bound.assign(bound.begin(), bound.end());
      blockers.push_back(std::move(blocker));
    }
    std::stable_sort(blockers.begin(), blockers.end(),
                     [](const Blocker& a, const Blocker& b) { return a.pods > b.pods; });
    return blockers;
  }

 private:
  struct Place {
    std::optional<DomainId> domain;  // nothing: not known in the workers' tree
    std::vector<Symbol> lacks;

    bool lacks_any_of(const Amounts& held) const {
      return std::any_of(lacks.begin(), lacks.end(),
                         [&](Symbol resource) { return held.get(resource) > 0; });
    }
  };

  /// Leaves that would take the leader if nobody held anything there.
  void add_places_of_leader(const RoomInDispute& room) {
    const solver::FlavorView& view = room.now.leader_view();
    const topology::DomainTree& tree = view.tree();
    std::optional<DomainId> within = room.contested;
    const bool other = &view != &room.now.view();
    if (within && other) within = solver::same_domain(tree_, *within, tree);
    if (room.contested && !within) return;
    const LimitingResource limiting(room.now.capacity(), *room.leader);
    const auto fits = [&](const UnitRoom& in, std::uint32_t leaf) {
      return solver::pods_that_fit(in.capacity(), topology::Basis::kFree,
                                   in.leader_view().cells()[leaf], *room.leader) > 0;
    };
    const topology::DomainRange leaves = leaves_in(tree, within);
    for (std::uint32_t leaf = leaves.begin; leaf < leaves.end; ++leaf) {
      if (room.now.leader_filter().verdict[leaf] != 0) continue;
      if (fits(room.now, leaf) || !fits(room.empty, leaf)) continue;
      std::optional<DomainId> named = room.contested;
      if (!named && !other) named = tree_.ancestor(tree.domain_of(LeafId{leaf}), 0);
      for (const NodeId node : tree.nodes(LeafId{leaf})) {
        add_place(node, {named, limiting.all_on(view.cells()[leaf])});
      }
    }
  }

  void add_place(NodeId node, const Place& place) {
    const auto [at, added] = places_.emplace(index(node), place);
    if (added) return;
    std::vector<Symbol>& lacks = at->second.lacks;
    lacks.insert(lacks.end(), place.lacks.begin(), place.lacks.end());
  }

  const Place* place_of(NodeId node) const {
    const auto place = places_.find(index(node));
    return place == places_.end() ? nullptr : &place->second;
  }

  void add_part(const HeldParts::Part& part) {
    const Amounts& amounts = part.held->requests[part.pods->pod_set]->amounts;
    // Compares nodes, not cells: the part may be booked through another flavor.
    for (const NodeId node : books_.capacity().cells().nodes(part.pods->cell)) {
      const Place* place = place_of(node);
      if (place == nullptr || !place->lacks_any_of(amounts)) continue;
      const std::size_t position = refused_.positions->at(part.gang);
      const Workload& workload = refused_.inventory->workloads[position];
      Blocker& blocker = of(workload.namespace_name, display_name(workload), place->domain);
      blocker.gang = part.gang;
      blocker.workload = position;
      blocker.pods = topology::saturating_add(blocker.pods, part.pods->pods);
      return;
    }
  }

  void add_pods(NodeId node, const Place& place) {
    for (const std::size_t position : refused_.counted_pods->on(node)) {
      const PodRecord& pod = refused_.inventory->pods[position];
      if (!place.lacks_any_of(solver::pod_amounts(pod.request))) continue;
      Blocker& blocker =
          of(pod.namespace_name, refused_.counted_pods->name_of(position), place.domain);
      if (!blocker.workload) blocker.workload = refused_.counted_pods->workload_of(position);
      ++blocker.pods;
    }
  }

  Blocker& of(const std::string& namespace_name, const std::string& name,
              std::optional<DomainId> domain) {
    const auto [at, added] = found_.try_emplace({namespace_name, name});
    Blocker& blocker = at->second;
    if (added) {
      blocker.namespace_name = namespace_name;
      blocker.name = name;
      blocker.domain = domain;
    } else if (blocker.domain != domain) {
      blocker.domain.reset();
    }
    return blocker;
  }

  const RefusedCase& refused_;
  const Books& books_;
  const topology::DomainTree& tree_;
  std::unordered_map<std::uint32_t, Place> places_;               // by NodeId
  std::map<std::pair<std::string, std::string>, Blocker> found_;  // by namespace and name
};

}  // namespace

std::vector<Blocker> find_blockers(const RoomInDispute& room) { return Finder(room).run(); }

}  // namespace tessera::core
