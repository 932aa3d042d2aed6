// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/workload_json.h"

#include <nlohmann/json.hpp>

#include "ingest/encode/explanation_json.h"
#include "ingest/encode/placed_assignment.h"
#include "ingest/encode/pod_set_json.h"
#include "ingest/text/decision_text.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;
using core::ClusterView;
using core::Decision;
using core::Outcome;

constexpr const char* kExplanationKey = "tessera.dev/explanation";
constexpr std::size_t kMostNodesInAnnotation = 64;

Json metadata_json(const core::Workload& workload) {
  Json out{{"name", workload.name}, {"namespace", workload.namespace_name}};
  if (!workload.uid.empty()) out["uid"] = workload.uid;
  if (!workload.origin_label.empty()) out["labels"]["tessera.dev/origin"] = workload.origin_label;
  if (workload.queue_is_kai) out["labels"]["kai.scheduler/queue"] = workload.queue;
  const core::Origin& origin = workload.origin;
  if (!origin.kind.empty() && origin.kind != "Workload") {
    Json owner{{"apiVersion", origin.api_version}, {"kind", origin.kind}, {"name", origin.name}};
    if (!origin.uid.empty()) owner["uid"] = origin.uid;
    out["ownerReferences"].push_back(std::move(owner));
  }
  return out;
}

Json spec_json(const core::Workload& workload, AssignmentVersion version) {
  Json out = Json::object();
  if (!workload.queue_is_kai) out["queueName"] = workload.queue;
  out["priority"] = workload.priority;
  if (!workload.priority_class.empty()) {
    if (version == AssignmentVersion::kV1Beta1) {
      out["priorityClassName"] = workload.priority_class;
    } else {
      out["priorityClassRef"] = Json{{"group", "kueue.x-k8s.io"},
                                     {"kind", "WorkloadPriorityClass"},
                                     {"name", workload.priority_class}};
    }
  }
  out["podSets"] = Json::array();
  for (const solver::PodSet& pod_set : workload.gang.pod_sets)
    out["podSets"].push_back(pod_set_json(pod_set));
  return out;
}

Json condition(const char* type, bool holds, std::string reason, std::string message,
               const std::string& now) {
  Json out{{"type", type}, {"status", holds ? "True" : "False"}};
  if (!now.empty()) out["lastTransitionTime"] = now;
  out["reason"] = std::move(reason);
  out["message"] = std::move(message);
  return out;
}

Json admission_json(const ClusterView& cluster, const Decision& decision,
                    AssignmentVersion version) {
  const core::Workload& workload = cluster.workload(decision.workload);
  Json assignments = Json::array();
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const core::PodSetDecision& placed = decision.pod_sets[i];
    Json out{{"name", workload.gang.pod_sets[i].name},
             {"flavors", flavors_json(placed.flavors)},
             {"resourceUsage", amounts_json(placed.usage)},
             {"count", placed.count}};
    if (!placed.topology_flavor.empty())
      out["topologyAssignment"] = assignment_json(assignment_of(cluster, placed), version);
    assignments.push_back(std::move(out));
  }
  return Json{{"clusterQueue", decision.cluster_queue},
              {"podSetAssignments", std::move(assignments)}};
}

Json placed_status(const ClusterView& cluster, const Decision& decision,
                   const WorkloadJsonOptions& options) {
  Json out{{"admission", admission_json(cluster, decision, options.version)}};
  Json conditions = Json::array(
      {condition("QuotaReserved", true, "QuotaReserved",
                 "Quota reserved in ClusterQueue " + decision.cluster_queue, options.now)});
  conditions.push_back(
      decision.waits_for_checks.empty()
          ? condition("Admitted", true, "Admitted", "The workload is admitted", options.now)
          : condition("Admitted", false, "UnsatisfiedAdmissionChecks",
                      "The workload has not all checks ready", options.now));
  out["conditions"] = std::move(conditions);
  return out;
}

}  // namespace

Json workload_json(const ClusterView& cluster, const Decision& decision,
                   const core::Evidence& evidence, const WorkloadJsonOptions& options) {
  const core::Workload& workload = cluster.workload(decision.workload);
  const bool old = options.version == AssignmentVersion::kV1Beta1;
  Json out{{"apiVersion", old ? "kueue.x-k8s.io/v1beta1" : "kueue.x-k8s.io/v1beta2"},
           {"kind", "Workload"},
           {"metadata", metadata_json(workload)},
           {"spec", spec_json(workload, options.version)}};
  if (decision.outcome == Outcome::kPlaced) {
    out["status"] = placed_status(cluster, decision, options);
    return out;
  }
  const Json explanation = explanation_json(cluster, decision, evidence, kMostNodesInAnnotation);
  const bool kueue = cluster.profile().messages == config::Messages::kKueue;
  out["metadata"]["annotations"][kExplanationKey] = explanation.dump();
  const std::string reason =
      kueue ? kueue_reason(cluster, decision) : std::string(core::reason_name(decision.reason));
  const std::string message =
      kueue ? kueue_message(cluster, decision) : clear_message(cluster, decision, evidence);
  out["status"]["conditions"] =
      Json::array({condition("QuotaReserved", false, reason, message, options.now)});
  return out;
}

}  // namespace tessera::encode
