// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/workload_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ingest/annotations/carried_request.h"
#include "ingest/annotations/kept_fields.h"
#include "ingest/encode/explanation_json.h"
#include "ingest/encode/placed_assignment.h"
#include "ingest/encode/pod_set_json.h"
#include "ingest/fields/timestamp.h"
#include "ingest/text/decision_text.h"

namespace tessera::encode {
namespace {

using Json = nlohmann::ordered_json;
using core::ClusterView;
using core::Decision;
using core::Outcome;

constexpr const char* kExplanationKey = "tessera.dev/explanation";

/// "job.a" for a Workload object of the input that was written here for job/a; else empty. Its name
/// shows that: Kueue's names end in a hash.
std::string made_from(const core::Workload& workload) {
  const std::string origin = workload.origin.display();
  const std::size_t slash = origin.find('/');
  if (slash == std::string::npos || workload.origin.kind == "Workload") return {};
  const std::string kind = origin.substr(0, slash), name = origin.substr(slash + 1);
  return workload.name == kind + "-" + name ? kind + "." + name : std::string();
}

/// `spec`: what is written beside the metadata.
Json metadata_json(const core::Workload& workload, const Json& spec) {
  Json out{{"name", workload.name}, {"namespace", workload.namespace_name}};
  if (!workload.uid.empty()) out["uid"] = workload.uid;
  if (workload.made != INT64_MIN) {
    out["creationTimestamp"] = ingest::timestamp_text(workload.made);
  }
  if (!workload.origin_label.empty()) {
    out["labels"]["tessera.dev/origin"] = workload.origin_label;
  } else if (const std::string made = made_from(workload); !made.empty()) {
    out["labels"]["tessera.dev/origin"] = made;
  }
  if (workload.queue_is_kai) out["labels"]["kai.scheduler/queue"] = workload.queue;
  if (!workload.admission_gated_by.empty()) {
    out["annotations"]["kueue.x-k8s.io/admission-gated-by"] = workload.admission_gated_by;
  }
  const std::string spec_text = ingest::carries_faults(workload)
                                    ? spec.dump(-1, ' ', false, Json::error_handler_t::replace)
                                    : std::string();
  if (std::string carried = ingest::carried_request_text(workload, spec_text); !carried.empty()) {
    out["annotations"][ingest::kCarriedRequest] = std::move(carried);
  }
  const core::Origin& origin = workload.origin;
  if (!origin.kind.empty() && origin.kind != "Workload") {
    Json owner{{"apiVersion", origin.api_version}, {"kind", origin.kind}, {"name", origin.name}};
    if (!origin.uid.empty()) owner["uid"] = origin.uid;
    out["ownerReferences"].push_back(std::move(owner));
  }
  return out;
}

/// The entry of status.reclaimablePods that lowered the count of the pod set. Null if there is
/// none, or if the count was changed since (`--replicas`).
const core::ReclaimablePods* reclaimed(const solver::PodSet& pod_set,
                                       const core::WorkloadStatus& status) {
  for (const core::ReclaimablePods& pods : status.reclaimable) {
    const std::int64_t left = std::max<std::int64_t>(0, pods.asked - pods.count);
    if (pods.pod_set == pod_set.name && pod_set.count == left) return &pods;
  }
  return nullptr;
}

/// The pod set with the count that its object asks for.
solver::PodSet as_asked(solver::PodSet pod_set, const core::WorkloadStatus& status) {
  if (const core::ReclaimablePods* pods = reclaimed(pod_set, status)) {
    pod_set.count = pods->asked;
    pod_set.min_count = pods->asked_min;
  }
  return pod_set;
}

Json spec_json(const core::Workload& workload, AssignmentVersion version) {
  Json out = Json::object();
  if (!workload.queue_is_kai) out["queueName"] = workload.queue;
  if (!workload.active) out["active"] = false;
  out["priority"] = workload.priority;
  if (!workload.priority_class.empty()) {
    if (version == AssignmentVersion::kV1Beta1) {
      out["priorityClassName"] = workload.priority_class;
      out["priorityClassSource"] = workload.pod_priority_class
                                       ? "scheduling.k8s.io/priorityclass"
                                       : "kueue.x-k8s.io/workloadpriorityclass";
    } else {
      const bool of_pods = workload.pod_priority_class;
      out["priorityClassRef"] = Json{{"group", of_pods ? "scheduling.k8s.io" : "kueue.x-k8s.io"},
                                     {"kind", of_pods ? "PriorityClass" : "WorkloadPriorityClass"},
                                     {"name", workload.priority_class}};
    }
  }
  out["podSets"] = Json::array();
  for (const solver::PodSet& pod_set : workload.gang.pod_sets)
    out["podSets"].push_back(pod_set_json(as_asked(pod_set, workload.status)));
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

/// What a decision does not change: the pods that are not needed any more, and the admission
/// checks.
void add_kept_status(const core::Workload& workload, const std::string& now, Json& status) {
  static constexpr const char* kStates[] = {"Pending", "Ready", "Retry", "Rejected"};
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    if (const core::ReclaimablePods* pods = reclaimed(pod_set, workload.status)) {
      status["reclaimablePods"].push_back(Json{{"name", pods->pod_set}, {"count", pods->count}});
    }
  }
  for (const core::WorkloadCheck& check : workload.status.checks) {
    Json out{{"name", check.name}, {"state", kStates[static_cast<std::size_t>(check.state)]}};
    if (!now.empty()) out["lastTransitionTime"] = now;
    out["message"] = "";
    status["admissionChecks"].push_back(std::move(out));
  }
}

/// What a workload that goes on waiting keeps besides.
void add_waiting_status(const core::WorkloadStatus& status, Json& out) {
  for (const core::WorkloadCondition& kept : status.conditions) {
    Json one{{"type", kept.type}, {"status", kept.status}};
    if (kept.since != INT64_MIN) one["lastTransitionTime"] = ingest::timestamp_text(kept.since);
    one["reason"] = kept.reason;
    one["message"] = kept.message;
    out["conditions"].push_back(std::move(one));
  }
  if (status.requeues == 0 && status.requeue_at == INT64_MIN) return;
  Json& state = out["requeueState"] = Json{{"count", status.requeues}};
  if (status.requeue_at != INT64_MIN) {
    state["requeueAt"] = ingest::timestamp_text(status.requeue_at);
  }
}

/// What the object of the workload says besides (ingest/annotations/kept_fields.h).
Json kept_of(const core::Workload& workload, const WorkloadJsonOptions& options) {
  if (options.kept_fields == nullptr) return Json::object();
  const auto found = options.kept_fields->find(workload.key());
  return found == options.kept_fields->end() ? Json::object() : Json::parse(found->second);
}

/// Adds what `out` does not say itself. Entries of a list go with those of the same name or type,
/// or else the same position; a list that `out` lacks is taken whole.
void add_kept(const Json& kept, Json& out) {
  if (kept.is_null()) return;
  if (out.is_null()) out = kept;
  if (kept.is_object() && out.is_object()) {
    for (const auto& [key, value] : kept.items()) {
      if (key == ingest::kKeptWhole) continue;
      if (value.is_object() && value.contains(ingest::kKeptWhole)) {
        out[key] = value[ingest::kKeptWhole];
      } else {
        add_kept(value, out[key]);
      }
    }
  } else if (kept.is_array() && out.is_array()) {
    for (std::size_t i = 0; i < std::min(kept.size(), out.size()); ++i) add_kept(kept[i], out[i]);
  }
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
  Json spec = spec_json(workload, options.version);
  Json kept = kept_of(workload, options);
  add_kept(kept["spec"], spec);
  Json out{{"apiVersion", old ? "kueue.x-k8s.io/v1beta1" : "kueue.x-k8s.io/v1beta2"},
           {"kind", "Workload"},
           {"metadata", metadata_json(workload, spec)},
           {"spec", std::move(spec)}};
  add_kept(kept["metadata"], out["metadata"]);
  if (decision.outcome == Outcome::kPlaced) {
    out["status"] = placed_status(cluster, decision, options);
    add_kept_status(workload, options.now, out["status"]);
    if (kept.contains("status")) kept["status"].erase("conditions");
    add_kept(kept["status"], out["status"]);
    return out;
  }
  const Json explanation = explanation_json(cluster, decision, evidence, core::kMostNamedNodes);
  const bool kueue = cluster.profile().messages == config::Messages::kKueue;
  out["metadata"]["annotations"][kExplanationKey] = explanation.dump();
  const std::string reason =
      kueue ? kueue_reason(cluster, decision) : std::string(core::reason_name(decision.reason));
  const std::string message =
      kueue ? kueue_message(cluster, decision) : clear_message(cluster, decision, evidence);
  out["status"]["conditions"] =
      Json::array({condition("QuotaReserved", false, reason, message, options.now)});
  add_waiting_status(workload.status, out["status"]);
  add_kept_status(workload, options.now, out["status"]);
  add_kept(kept["status"], out["status"]);
  return out;
}

}  // namespace tessera::encode
