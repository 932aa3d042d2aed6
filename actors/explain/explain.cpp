// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/explain.h"

#include <algorithm>
#include <string>

namespace tessera::core {
namespace {

using topology::DomainId;
using topology::DomainRange;

std::string cause_text(const solver::CauseCount& cause) {
  switch (cause.kind) {
    case solver::CauseCount::Kind::kResource:
      return "resource " + cause.detail;
    case solver::CauseCount::Kind::kTaint:
      return "taint " + cause.detail;
    case solver::CauseCount::Kind::kNodeSelector:
      return "node selector";
    case solver::CauseCount::Kind::kAffinity:
      return "node affinity";
  }
  return "";
}

std::string left_out_text(const topology::LeftOutNode& node, const Flavor& flavor) {
  switch (node.cause) {
    case topology::LeftOut::kCordoned:
      return "cordoned";
    case topology::LeftOut::kNotReady:
      return "not ready";
    case topology::LeftOut::kFlavorLabels:
      return "not of flavor " + flavor.record.name;
    case topology::LeftOut::kMissingLevel:
      return "no " + flavor.topology->levels[static_cast<std::size_t>(node.level)].label.str();
  }
  return "";
}

std::vector<NodeCause> in_order(std::map<std::string, std::vector<Symbol>>&& by_text) {
  std::vector<NodeCause> causes;
  for (auto& [text, nodes] : by_text) {
    std::sort(nodes.begin(), nodes.end(), topology::ByText());
    causes.push_back({text, std::move(nodes)});
  }
  return causes;
}

/// The resource that runs out first. Among equals: the first by name (placement.md 2.3).
std::string limiting_resource(const topology::Capacity& capacity, topology::CellId cell,
                              const Amounts& per_pod) {
  std::string limiting;
  std::int64_t fewest = INT64_MAX;
  for (const topology::Amount& amount : per_pod) {
    if (amount.value <= 0) continue;
    const std::int64_t free =
        std::max<std::int64_t>(0, capacity.amount(topology::Basis::kFree, amount.resource, cell));
    if (free / amount.value < fewest) {
      fewest = free / amount.value;
      limiting = amount.resource.str();
    }
  }
  return limiting;
}

std::int64_t sum_of(const std::vector<std::int64_t>& pods, DomainRange range) {
  std::int64_t sum = 0;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    sum = topology::saturating_add(sum, pods[d]);
  }
  return sum;
}

std::int64_t most_of(const std::vector<std::int64_t>& pods, DomainRange range) {
  std::int64_t most = 0;
  for (std::uint32_t d = range.begin; d < range.end; ++d) most = std::max(most, pods[d]);
  return most;
}

}  // namespace

std::optional<Scene> find_scene(const Decision& decision, const Workload& workload,
                                const PlanQueue& queue, std::span<const Flavor> flavors) {
  const auto scene = [&](FlavorId flavor, std::size_t pod_set) {
    const bool open = !workload.gang.pod_sets[pod_set].topology.explicit_request();
    return Scene{flavor, open, pod_set};
  };
  for (const auto* rejections : {&decision.rejections, &decision.never_rejections}) {
    for (const FlavorRejection& rejection : *rejections) {
      if (rejection.refusal)
        return scene(*find_flavor(flavors, rejection.flavor), rejection.pod_set);
    }
  }
  for (const FlavorRejection& rejection : decision.rejections) {
    const std::optional<FlavorId> flavor = find_flavor(flavors, rejection.flavor);
    if (flavor && flavors[index(*flavor)].topology) return scene(*flavor, rejection.pod_set);
  }
  for (const PlanGroup& group : queue.groups) {
    for (const FlavorId flavor : group.flavors) {
      if (flavors[index(flavor)].topology && !workload.gang.pod_sets.empty()) {
        return scene(flavor, decision.failed_pod_set);
      }
    }
  }
  return std::nullopt;
}

Explainer::Explainer(const Workload& workload, const Scene& scene, std::span<const Flavor> flavors,
                     Worlds& worlds, const Positions& positions)
    : workload_(&workload),
      scene_(scene),
      flavor_(&flavors[index(scene.flavor)]),
      worlds_(&worlds),
      positions_(&positions) {
  const solver::PodSet& pod_set = workload.gang.pod_sets[scene.pod_set];
  view_ = worlds.current().cluster().view(scene.flavor, scene.open);
  healthy_view_ = worlds.healthy().cluster().view(scene.flavor, scene.open);
  room_ = count_leaf_room(*view_, worlds.current(), pod_set);
  const auto resolved = solver::resolve(pod_set.topology, view_->tree().topology());
  const auto* request = std::get_if<solver::ResolvedRequest>(&resolved);
  if (!request) return;
  now_ = roll_up(view_->tree(), room_, request->layers);
  empty_ =
      roll_up(view_->tree(), count_leaf_room(*view_, worlds.empty(), pod_set), request->layers);
  healthy_ = roll_up(healthy_view_->tree(),
                     count_leaf_room(*healthy_view_, worlds.healthy(), pod_set), request->layers);
  for (const Need& need : needs(*request, pod_set.count)) levels_.push_back(level_evidence(need));
  const auto is_short = [](const LevelEvidence& level) { return level.have < level.need; };
  const auto at = std::find_if(levels_.begin(), levels_.end(), is_short);
  if (at != levels_.end()) contested_ = at->best;
}

std::vector<Explainer::Need> Explainer::needs(const solver::ResolvedRequest& request,
                                              std::int64_t count) {
  std::vector<Need> needs;
  const bool together = !request.unconstrained;
  for (auto layer = request.layers.rbegin(); layer != request.layers.rend(); ++layer) {
    if (!together || layer->level != request.level)
      needs.push_back({layer->level, layer->size, false});
  }
  if (together) {
    const int top = request.required ? 0 : 1;
    for (int level = request.level; level >= top; --level) needs.push_back({level, count, false});
  }
  const bool listed = !needs.empty() && needs.back().level == 0;
  if (!request.required && !listed) needs.push_back({0, count, true});
  return needs;
}

LevelEvidence Explainer::level_evidence(const Need& need) const {
  const DomainRange range = view_->tree().level(need.level);
  const DomainRange healthy_range = healthy_view_->tree().level(need.level);
  LevelEvidence evidence;
  evidence.level = need.level;
  evidence.need = need.pods;
  if (need.spread) {
    evidence.have = sum_of(now_, range);
    evidence.healthy_have = sum_of(healthy_, healthy_range);
    return evidence;
  }
  evidence.healthy_have = most_of(healthy_, healthy_range);
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const auto better = [&](std::uint32_t than) {
      return now_[d] != now_[than] ? now_[d] > now_[than] : empty_[d] > empty_[than];
    };
    if (!evidence.best || better(topology::index(*evidence.best))) evidence.best = DomainId{d};
  }
  if (evidence.best) evidence.have = now_[topology::index(*evidence.best)];
  return evidence;
}

Evidence Explainer::explain() const {
  Evidence evidence;
  evidence.flavor = flavor_->record.name;
  evidence.open = scene_.open && worlds_->current().cluster().has_open(scene_.flavor);
  evidence.levels = levels_;
  const topology::DomainTree& healthy = healthy_view_->tree();
  evidence.whole_hosts = healthy.topology().host_level() && !healthy_.empty() &&
                         most_of(healthy_, healthy.level(healthy.leaf_level())) == 1;
  evidence.looked_at = static_cast<std::int64_t>(view_->tree().shown_leaf_count());
  node_causes(evidence);
  evidence.blockers = blockers();
  return evidence;
}

void Explainer::node_causes(Evidence& evidence) const {
  const solver::PodSet& pod_set = workload_->gang.pod_sets[scene_.pod_set];
  const Amounts per_pod = solver::pod_amounts(pod_set.request);
  const std::shared_ptr<const solver::FilterClass> filter = view_->filter_class(pod_set.filter);
  const auto& causes = filter->causes;
  std::map<std::string, std::vector<Symbol>> without_room, left_out;
  for (std::uint32_t leaf = 0; leaf < room_.pods.size(); ++leaf) {
    if (room_.pods[leaf] > 0 || room_.verdict[leaf] == solver::FilterClass::kAbsentLeaf) continue;
    const std::string text = room_.verdict[leaf] != 0
                                 ? cause_text(causes[room_.verdict[leaf] - 1U])
                                 : "resource " + limiting_resource(worlds_->current().capacity(),
                                                                   view_->cells()[leaf], per_pod);
    std::vector<Symbol>& names = without_room[text];
    for (const topology::NodeId node : view_->tree().nodes(topology::LeafId{leaf})) {
      names.push_back(view_->nodes()[topology::index(node)].name);
    }
  }
  for (const topology::LeftOutNode& node : view_->tree().left_out()) {
    left_out[left_out_text(node, *flavor_)].push_back(
        view_->nodes()[topology::index(node.node)].name);
  }
  evidence.without_room = in_order(std::move(without_room));
  evidence.left_out = in_order(std::move(left_out));
}

std::vector<Blocker> Explainer::blockers() const {
  if (levels_.empty()) return {};
  const topology::DomainTree& tree = view_->tree();
  std::map<std::uint32_t, topology::LeafId> leaf_of_node;
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    for (const topology::NodeId node : tree.nodes(topology::LeafId{leaf})) {
      leaf_of_node.emplace(topology::index(node), topology::LeafId{leaf});
    }
  }
  const int level = contested_ ? tree.level_of(*contested_) : 0;
  std::map<std::size_t, Blocker> by_workload;
  const auto add = [&](GangId gang, const Held::Pods& part) {
    // Compares nodes, not cells: the part may be booked through another flavor.
    for (const topology::NodeId node : worlds_->current().capacity().cells().nodes(part.cell)) {
      const auto leaf = leaf_of_node.find(topology::index(node));
      if (leaf == leaf_of_node.end()) continue;
      const DomainId domain = tree.ancestor(tree.domain_of(leaf->second), level);
      if (contested_ && domain != *contested_) continue;
      const std::size_t workload = positions_->at(gang);
      const auto at = by_workload.try_emplace(workload, Blocker{gang, workload, 0, domain});
      at.first->second.pods = topology::saturating_add(at.first->second.pods, part.pods);
      break;
    }
  };
  for (const auto& [gang, held] : worlds_->current().held()) {
    for (const Held::Pods& part : held.pods) add(gang, part);
  }
  std::vector<Blocker> blockers;
  for (const auto& [workload, blocker] : by_workload) blockers.push_back(blocker);
  std::stable_sort(blockers.begin(), blockers.end(),
                   [](const Blocker& a, const Blocker& b) { return a.pods > b.pods; });
  return blockers;
}

}  // namespace tessera::core
