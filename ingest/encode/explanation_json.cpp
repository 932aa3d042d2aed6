// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/explanation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "ingest/encode/assignment_json.h"
#include "ingest/encode/placed_assignment.h"
#include "ingest/encode/pod_set_json.h"
#include "ingest/text/binding_text.h"
#include "ingest/text/decision_text.h"
#include "ingest/text/explanation.h"
#include "ingest/text/rejection_text.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;
using core::ClusterView;
using core::Decision;
using core::Evidence;

Json path_json(const solver::FlavorView& view, topology::DomainId domain) {
  Json out = Json::array();
  for (topology::Symbol value : view.tree().path(domain)) out.push_back(value.str());
  return out;
}

Json levels_json(const solver::FlavorView& view, const Evidence& evidence) {
  Json out = Json::array();
  for (const core::LevelEvidence& level : evidence.levels) {
    const topology::TopologyLevel& named =
        view.tree().topology().levels[static_cast<std::size_t>(level.level)];
    Json entry{{"level", named.label.str()}};
    if (!named.alias.empty()) entry["alias"] = named.alias;
    if (level.cluster) entry["scope"] = "cluster";
    entry["need"] = level.need;
    entry["have"] = level.have;
    entry["short"] = core::short_of(level);
    if (level.slice > 1) entry["sliceSize"] = level.slice;
    if (level.best) entry["best"] = path_json(view, *level.best);
    entry["haveWhenEmptyAndHealthy"] = level.healthy_have;
    out.push_back(std::move(entry));
  }
  return out;
}

Json binding_json(const solver::FlavorView& view, const core::Workload& workload,
                  const Evidence& evidence) {
  const core::Binding& binding = *evidence.binding;
  const core::LevelEvidence& level = evidence.levels[binding.level];
  const std::int64_t lacks = binding.need > binding.have ? binding.need - binding.have : 0;
  Json out{{"podSet", workload.gang.pod_sets[binding.pod_set].name},
           {"level", row_name(view, level)},
           {"need", binding.need},
           {"have", binding.have},
           {"short", lacks}};
  if (level.slice > 1) out["sliceSize"] = level.slice;
  if (binding.leader_short) out["leader"] = workload.gang.pod_sets[*binding.leader].name;
  if (!binding.resource.empty()) out["resource"] = binding.resource.str();
  return out;
}

Json causes_json(const std::vector<core::NodeCause>& causes, std::size_t most_listed) {
  Json out = Json::array();
  for (const core::NodeCause& cause : causes) {
    Json nodes = Json::array();
    const std::size_t named = std::min(cause.nodes.size(), most_listed);
    for (std::size_t i = 0; i < named; ++i) nodes.push_back(cause.nodes[i].str());
    out.push_back(Json{{"cause", cause.text}, {"count", cause.count}, {"nodes", std::move(nodes)}});
  }
  return out;
}

Json remedies_json(const Evidence& evidence) {
  static constexpr const char* kKinds[] = {"Finish", "Uncordon", "Repair",
                                           "Relax",  "Tolerate", "Quota"};
  Json out = Json::array();
  for (const core::Remedy& remedy : evidence.remedies) {
    Json entry{{"kind", kKinds[static_cast<std::size_t>(remedy.kind)]},
               {"subject", remedy.subject},
               {"checked", true},
               {"enough", remedy.enough}};
    if (!remedy.enough) {
      entry["fits"] = remedy.fits;
      entry["need"] = remedy.need;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

Json tree_json(const core::TreeEvidence& tree) {
  Json out{{"group", tree.group}, {"need", tree.need}, {"fits", tree.fits}};
  if (!tree.left_out.empty()) out["leftOut"] = tree.left_out;
  if (tree.short_of_pods) out["shortOfPods"] = true;
  if (!tree.level.empty()) out["level"] = tree.level;
  if (!tree.topology.empty()) out["topology"] = tree.topology;
  if (!tree.best.empty()) out["best"] = tree.best;
  if (tree.torn) out["runsInSeveralDomains"] = true;
  if (!tree.pod_set.empty()) out["podSet"] = tree.pod_set;
  out["blockedByGroups"] = tree.blocked_by;
  out["search"] = tree.exhaustive ? "exhaustive" : "bounded";
  return out;
}

void add_evidence(const ClusterView& cluster, const Decision& decision, const Evidence& evidence,
                  std::size_t most_listed, Json& out) {
  if (const solver::FlavorView* view = cluster.view(evidence.flavor, evidence.open)) {
    out["flavor"] = evidence.flavor;
    out["topology"] = view->tree().topology().name;
    out["unit"] = evidence.whole_hosts ? "host" : "pod";
    out["levels"] = levels_json(*view, evidence);
    const core::Workload& workload = cluster.workload(decision.workload);
    if (evidence.binding) out["binding"] = binding_json(*view, workload, evidence);
    Json blockers = Json::array();
    const std::size_t listed = std::min(evidence.blockers.size(), most_listed);
    for (const core::Blocker& blocker : std::span(evidence.blockers).first(listed)) {
      Json entry{{"workload", blocker.workload ? cluster.workload(*blocker.workload).key()
                                               : blocker.namespace_name + "/" + blocker.name},
                 {"origin", blocker.name},
                 {"pods", blocker.pods}};
      if (blocker.domain) entry["domain"] = path_json(*view, *blocker.domain);
      blockers.push_back(std::move(entry));
    }
    out["blockedBy"] = std::move(blockers);
    if (listed < evidence.blockers.size()) out["blockedByCount"] = evidence.blockers.size();
  }
  if (evidence.tree) out["tree"] = tree_json(*evidence.tree);
  out["nodesLookedAt"] = evidence.looked_at;
  out["withoutRoom"] = causes_json(evidence.without_room, most_listed);
  out["leftOut"] = causes_json(evidence.left_out, most_listed);
  out["remedies"] = remedies_json(evidence);
  Json tried = Json::array();
  for (const core::FlavorRejection& rejection : decision.rejections)
    tried.push_back(clear_rejection(cluster, rejection));
  out["tried"] = std::move(tried);
}

}  // namespace

Json explanation_json(const ClusterView& cluster, const Decision& decision,
                      const Evidence& evidence, std::size_t most_listed) {
  const core::Workload& workload = cluster.workload(decision.workload);
  Json out{{"apiVersion", "tessera.dev/v1alpha1"},
           {"kind", "Explanation"},
           {"workload", workload.key()},
           {"origin", workload.origin.display()},
           {"result", core::outcome_name(decision.outcome)},
           {"reason", core::reason_name(decision.reason)},
           {"profile", cluster.profile().name}};
  if (!decision.cluster_queue.empty()) out["clusterQueue"] = decision.cluster_queue;
  if (!workload.not_honoured.empty()) out["notHonoured"] = workload.not_honoured;
  if (decision.outcome == core::Outcome::kPlaced) {
    for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
      const core::PodSetDecision& placed = decision.pod_sets[i];
      out["podSets"].push_back(
          Json{{"name", workload.gang.pod_sets[i].name},
               {"count", placed.count},
               {"flavors", flavors_json(placed.flavors)},
               {"topologyAssignment",
                assignment_json(assignment_of(cluster, placed), AssignmentVersion::kV1Beta1)}});
    }
    for (const core::TreeEvidence& group : evidence.groups_left_out) {
      out["groupsLeftOut"].push_back(tree_json(group));
    }
    return out;
  }
  out["message"] = clear_message(cluster, decision, evidence);
  out["kueueReason"] = kueue_reason(cluster, decision);
  out["kueueMessage"] = kueue_message(cluster, decision);
  const std::size_t pod_set =
      evidence.binding ? evidence.binding->pod_set : decision.failed_pod_set;
  if (pod_set < workload.gang.pod_sets.size()) out["podSet"] = workload.gang.pod_sets[pod_set].name;
  add_evidence(cluster, decision, evidence, most_listed, out);
  return out;
}

}  // namespace tessera::encode
