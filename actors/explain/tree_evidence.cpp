// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/tree_evidence.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "actors/shortage/counted_pods.h"
#include "actors/shortage/held_parts.h"
#include "solver/search/place.h"
#include "solver/trees/tree_reasons.h"

namespace tessera::core {
namespace {

using solver::GangTree;
using topology::NodeId;

const FlavorRejection* tree_rejection(const Decision& decision) {
  const auto& all = decision.outcome == Outcome::kNever && !decision.never_rejections.empty()
                        ? decision.never_rejections
                        : decision.rejections;
  const auto at = std::find_if(
      all.begin(), all.end(), [](const FlavorRejection& each) { return each.refusal.has_value(); });
  return at == all.end() ? nullptr : &*at;
}

class TreeExplainer {
 public:
  explicit TreeExplainer(const RefusedCase& refused)
      : refused_(refused), gang_(refused.workload().gang) {}

  Evidence run(Depth depth) {
    const FlavorRejection* rejection = tree_rejection(*refused_.decision);
    if (rejection == nullptr) return {};
    evidence_.flavor = rejection->flavor;
    evidence_.open = true;
    evidence_.tree.emplace();
    const solver::Refusal& refusal = *rejection->refusal;
    switch (refusal.obstacle) {
      case solver::Obstacle::kTreeShortOfPods:
      case solver::Obstacle::kTreeUnknownLevel:
        evidence_.tree->group = group_path(gang_, refusal.group);
        evidence_.tree->need = refusal.need;
        evidence_.tree->fits = refusal.fits;
        evidence_.tree->short_of_pods = true;
        break;
      default:
        find_reasons();
        evidence_.tree->exhaustive =
            evidence_.tree->exhaustive && refusal.obstacle == solver::Obstacle::kTreeDoesNotFit;
        if (depth != Depth::kReason && refused_.decision->outcome == Outcome::kWaits) {
          find_blockers();
        }
    }
    return std::move(evidence_);
  }

  /// The books hold the gang: what it has counts as running.
  Evidence run_left_out() {
    const Admission held = held_by(*refused_.decision);
    std::optional<GangTree> tree = refused_.planner->tree_problem(
        refused_.workload(), *refused_.queue, refused_.worlds->current(), &held);
    if (!tree) return {};
    solver::TreeOptions options;
    options.max_steps = refused_.profile->search_tree_steps;
    for (std::uint32_t g = 1; g < tree->problem.groups.size();) {
      const bool own = g == 1 || tree->names.group_of[g] != tree->names.group_of[g - 1];
      if (!own || !left_out(tree->names.group_of[g])) {
        ++g;
        continue;
      }
      const solver::TreeReasons reasons = solver::why_left_out(tree->problem, g, options);
      TreeEvidence& told = *(evidence_.tree = TreeEvidence{});
      tell(*tree, reasons);
      told.left_out = group_path(gang_, tree->names.group_of[g]);
      evidence_.groups_left_out.push_back(std::move(told));
      g = tree->problem.groups[g].end;
    }
    evidence_.tree.reset();
    return std::move(evidence_);
  }

 private:
  /// The admission of a decision, as far as the search of trees asks for it.
  Admission held_by(const Decision& decision) const {
    Admission held;
    const Cluster& cluster = refused_.worlds->current().cluster();
    for (const PodSetDecision& each : decision.pod_sets) {
      PodSetAssignment& assignment = held.pod_sets.emplace_back();
      assignment.count = each.count;
      const std::optional<FlavorId> flavor = find_flavor(refused_.flavors, each.topology_flavor);
      if (!flavor) continue;
      const topology::DomainTree& tree = cluster.view(*flavor, each.open)->tree();
      for (const solver::LeafPods& leaf : each.placement) {
        const Symbol host = tree.value(tree.domain_of(leaf.leaf));
        assignment.domains.add({&host, 1}, leaf.pods);
      }
    }
    return held;
  }

  /// True if a group needs pods and got none.
  bool left_out(std::uint32_t group) const {
    const solver::GangGroup& each = gang_.groups[group];
    std::int64_t needs = 0, got = 0;
    for (std::uint32_t g = group; g < each.end; ++g) {
      needs += gang_.groups[g].min_pods;
      got += static_cast<std::int64_t>(gang_.groups[g].running.size());
      for (std::uint32_t p = gang_.groups[g].pods_begin; p < gang_.groups[g].pods_end; ++p) {
        got += refused_.decision->pod_sets[p].count;
      }
    }
    return needs > 0 && got == 0;
  }

  void find_reasons() {
    const bool ever = refused_.decision->outcome == Outcome::kNever;
    Books& books = ever ? refused_.worlds->healthy() : refused_.worlds->current();
    std::optional<GangTree> tree =
        refused_.planner->tree_problem(refused_.workload(), *refused_.queue, books);
    if (!tree) return;
    solver::TreeOptions options;
    options.max_steps = refused_.profile->search_tree_steps;
    const solver::TreeReasons reasons = solver::why_refused(tree->problem, options);
    tell(*tree, reasons);
    if (!reasons.level || !reasons.best) return note_all_hosts(books);
    const topology::DomainRuns& runs =
        *tree->problem.runs[static_cast<std::size_t>(reasons.level.runs)];
    const auto& domain = runs.level(reasons.level.level)[*reasons.best];
    for (std::uint32_t at = domain.begin; at < domain.end; ++at) hosts_.push_back(runs.order()[at]);
  }

  /// The reasons by names.
  void tell(const GangTree& of, const solver::TreeReasons& reasons) {
    const GangTree* tree = &of;
    TreeEvidence& told = *evidence_.tree;
    told.group = group_path(gang_, tree->names.group_of[reasons.group]);
    told.need = reasons.need;
    told.fits = reasons.fits;
    told.exhaustive = reasons.exhaustive;
    told.torn = reasons.torn;
    told.several_topologies = tree->problem.runs.size() > 1;
    const std::uint32_t pod_set = tree->names.pod_set_of[reasons.leaf];
    if (pod_set != UINT32_MAX) told.pod_set = gang_.pod_sets[pod_set].name;
    std::set<std::string> blocking;
    for (const std::uint32_t each : reasons.blocked_by) {
      blocking.insert(group_path(gang_, tree->names.group_of[each]));
    }
    told.blocked_by.assign(blocking.begin(), blocking.end());
    if (!reasons.level) return;
    name_level(*tree, reasons);
    if (!reasons.best) return;
    told.best = tree->problem.runs[static_cast<std::size_t>(reasons.level.runs)]->path_text(
        reasons.level.level, *reasons.best);
  }

  void note_all_hosts(const Books& books) {
    for (std::uint32_t n = 0; n < books.cluster().nodes().size(); ++n) hosts_.push_back(n);
  }

  /// The level by its alias; the label if it has none.
  void name_level(const GangTree& tree, const solver::TreeReasons& reasons) {
    for (std::uint32_t g = reasons.group;; g = tree.problem.groups[g].parent) {
      const solver::GangGroup& group = gang_.groups[tree.names.group_of[g]];
      const topology::TopologySpec* spec = refused_.planner->topology_of(group);
      if (tree.problem.groups[g].required == reasons.level && spec != nullptr) {
        const auto& level = spec->levels[static_cast<std::size_t>(reasons.level.level)];
        evidence_.tree->level = level.alias.empty() ? level.label.str() : level.alias;
        evidence_.tree->topology = spec->name;
        return;
      }
      if (g == 0) return;
    }
  }

  /// Who holds, on the hosts of the best domain, something that the gang asks for.
  void find_blockers() {
    std::set<Symbol, topology::ByText> asked;
    for (const solver::PodSet& pod_set : gang_.pod_sets) {
      for (const topology::Amount& amount : solver::pod_amounts(pod_set.request)) {
        if (amount.value > 0) asked.insert(amount.resource);
      }
    }
    const auto matters = [&](const Amounts& held) {
      return std::any_of(asked.begin(), asked.end(),
                         [&](Symbol resource) { return held.get(resource) > 0; });
    };
    std::map<std::pair<std::string, std::string>, Blocker> found;
    const auto of = [&](const std::string& space, const std::string& name) -> Blocker& {
      Blocker& blocker = found[{space, name}];
      blocker.namespace_name = space;
      blocker.name = name;
      return blocker;
    };
    for (const std::uint32_t host : hosts_) {
      for (const std::uint32_t at : refused_.held_parts->on(NodeId{host})) {
        const HeldParts::Part& part = refused_.held_parts->all()[at];
        if (!matters(part.held->requests[part.pods->pod_set]->amounts)) continue;
        const std::size_t position = refused_.positions->at(part.gang);
        const Workload& workload = refused_.inventory->workloads[position];
        Blocker& blocker = of(workload.namespace_name, display_name(workload));
        blocker.gang = part.gang;
        blocker.workload = position;
        blocker.pods += part.pods->pods;
      }
      for (const std::size_t position : refused_.counted_pods->on(NodeId{host})) {
        const PodRecord& pod = refused_.inventory->pods[position];
        if (!matters(solver::pod_amounts(pod.request))) continue;
        Blocker& blocker = of(pod.namespace_name, refused_.counted_pods->name_of(position));
        if (!blocker.workload) blocker.workload = refused_.counted_pods->workload_of(position);
        ++blocker.pods;
      }
    }
    for (auto& [name, blocker] : found) {
      const auto bound = refused_.counted_pods->of(name.first, name.second);
      blocker.bound.assign(bound.begin(), bound.end());
      evidence_.blockers.push_back(std::move(blocker));
    }
    std::stable_sort(evidence_.blockers.begin(), evidence_.blockers.end(),
                     [](const Blocker& a, const Blocker& b) { return a.pods > b.pods; });
  }

  const RefusedCase& refused_;
  const solver::Gang& gang_;
  Evidence evidence_;
  std::vector<std::uint32_t> hosts_;  // of the best domain
};

}  // namespace

std::string group_path(const solver::Gang& gang, std::uint32_t group) {
  std::string path;
  for (std::uint32_t g = group; g != 0; g = gang.groups[g].parent) {
    path = path.empty() ? gang.groups[g].name : gang.groups[g].name + "/" + path;
  }
  return path.empty() ? "." : path;
}

Evidence explain_left_out(const RefusedCase& placed) {
  return TreeExplainer(placed).run_left_out();
}

Evidence explain_tree(const RefusedCase& refused, Depth depth) {
  return TreeExplainer(refused).run(depth);
}

}  // namespace tessera::core
