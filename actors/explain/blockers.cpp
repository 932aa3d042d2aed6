// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/blockers.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace tessera::core {
namespace {

using topology::DomainId;
using topology::LeafId;
using topology::NodeId;

class Finder {
 public:
  Finder(const RefusedCase& refused, const UnitRoom& now, const UnitRoom& empty,
         const Amounts& per_pod, std::optional<DomainId> contested)
      : refused_(refused), books_(refused.worlds->current()), tree_(now.view().tree()) {
    std::vector<std::optional<Symbol>> lacks = lacking(now, empty, per_pod);
    const int level = contested ? tree_.level_of(*contested) : 0;
    for (std::uint32_t leaf = 0; leaf < tree_.leaf_count(); ++leaf) {
      if (!lacks[leaf]) continue;
      const DomainId domain = tree_.ancestor(tree_.domain_of(LeafId{leaf}), level);
      if (contested && domain != *contested) continue;
      for (const NodeId node : tree_.nodes(LeafId{leaf})) {
        places_.emplace(index(node), Place{domain, *lacks[leaf]});
      }
    }
  }

  std::vector<Blocker> run() {
    if (places_.empty()) return {};
    for (const auto& [gang, held] : books_.held()) {
      for (const Held::Pods& part : held.pods) add_part(gang, held, part);
    }
    for (std::size_t i = 0; i < refused_.inventory->pods.size(); ++i) add_pod(i);
    if (!found_.empty()) add_bound();
    std::vector<Blocker> blockers;
    for (auto& [name, blocker] : found_) blockers.push_back(std::move(blocker));
    std::stable_sort(blockers.begin(), blockers.end(),
                     [](const Blocker& a, const Blocker& b) { return a.pods > b.pods; });
    return blockers;
  }

 private:
  struct Place {
    DomainId domain;
    Symbol lacks;
  };

  /// By leaf: the resource that runs out, where the unit finds less room than on the empty leaf.
  static std::vector<std::optional<Symbol>> lacking(const UnitRoom& now, const UnitRoom& empty,
                                                    const Amounts& per_pod) {
    const std::uint32_t leaves = now.view().tree().leaf_count();
    std::vector<std::optional<Symbol>> lacks(leaves);
    const LimitingResource limiting(now.capacity(), per_pod);
    for (std::uint32_t leaf = 0; leaf < leaves; ++leaf) {
      if (now.filter().verdict[leaf] != 0 || now.on_leaf(leaf) >= empty.on_leaf(leaf)) continue;
      lacks[leaf] = limiting.on(now.view().cells()[leaf]);
    }
    return lacks;
  }

  const Place* place_of(NodeId node) const {
    const auto place = places_.find(index(node));
    return place == places_.end() ? nullptr : &place->second;
  }

  void add_part(GangId gang, const Held& held, const Held::Pods& part) {
    // Compares nodes, not cells: the part may be booked through another flavor.
    for (const NodeId node : books_.capacity().cells().nodes(part.cell)) {
      const Place* place = place_of(node);
      if (place == nullptr || held.requests[part.pod_set]->amounts.get(place->lacks) <= 0) continue;
      const std::size_t position = refused_.positions->at(gang);
      const Workload& workload = refused_.inventory->workloads[position];
      Blocker& blocker = of(workload.namespace_name, display(workload), place->domain);
      blocker.gang = gang;
      blocker.workload = position;
      blocker.pods = topology::saturating_add(blocker.pods, part.pods);
      return;
    }
  }

  void add_pod(std::size_t position) {
    const PodRecord& pod = refused_.inventory->pods[position];
    const std::optional<NodeId> node =
        counted(pod) ? books_.cluster().find_node(pod.node.view()) : std::nullopt;
    const Place* place = node ? place_of(*node) : nullptr;
    if (place == nullptr || solver::pod_amounts(pod.request).get(place->lacks) <= 0) return;
    Blocker& blocker = of(pod.namespace_name, name_of(pod), place->domain);
    if (!blocker.workload) blocker.workload = workload_of(pod);
    ++blocker.pods;
  }

  /// If the owner ends, its pods end wherever they run.
  void add_bound() {
    for (std::size_t i = 0; i < refused_.inventory->pods.size(); ++i) {
      const PodRecord& pod = refused_.inventory->pods[i];
      if (!counted(pod)) continue;
      const auto at = found_.find({pod.namespace_name, name_of(pod)});
      if (at != found_.end()) at->second.bound.push_back(i);
    }
  }

  bool counted(const PodRecord& pod) const {
    return books_.others().counted.count({pod.namespace_name, pod.name}) > 0;
  }

  std::string name_of(const PodRecord& pod) {
    if (const auto workload = workload_of(pod)) {
      return display(refused_.inventory->workloads[*workload]);
    }
    return pod.owner.empty() ? "pod/" + pod.name : pod.owner;
  }

  Blocker& of(const std::string& namespace_name, const std::string& name, DomainId domain) {
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

  std::optional<std::size_t> workload_of(const PodRecord& pod) {
    if (pod.workload.empty()) return std::nullopt;
    if (by_key_.empty()) {
      const std::vector<Workload>& all = refused_.inventory->workloads;
      for (std::size_t i = 0; i < all.size(); ++i) by_key_.emplace(all[i].key(), i);
    }
    const auto at = by_key_.find(pod.workload);
    return at == by_key_.end() ? std::nullopt : std::optional(at->second);
  }

  static std::string display(const Workload& workload) {
    return workload.origin.kind.empty() ? "workload/" + workload.name : workload.origin.display();
  }

  const RefusedCase& refused_;
  const Books& books_;
  const topology::DomainTree& tree_;
  std::unordered_map<std::uint32_t, Place> places_;               // by NodeId
  std::map<std::pair<std::string, std::string>, Blocker> found_;  // by namespace and name
  std::unordered_map<std::string, std::size_t> by_key_;           // made when needed
};

}  // namespace

std::vector<Blocker> find_blockers(const RefusedCase& refused, const UnitRoom& now,
                                   const UnitRoom& empty, const Amounts& per_pod,
                                   std::optional<topology::DomainId> contested) {
  return Finder(refused, now, empty, per_pod, contested).run();
}

}  // namespace tessera::core
