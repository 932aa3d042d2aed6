// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/decision_text.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ingest/text/refusal_text.h"
#include "ingest/text/rejection_text.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

using core::ClusterView;
using core::Decision;
using core::Evidence;
using core::FlavorRejection;
using core::Outcome;
using core::Reason;
using Kind = FlavorRejection::Kind;

const core::Workload& workload_of(const ClusterView& cluster, const Decision& decision) {
  return cluster.workload(decision.workload);
}

bool is_quota(const FlavorRejection& r) {
  return r.kind == Kind::kOverMaximum || r.kind == Kind::kNoUnusedQuota;
}

/// The resource to name when several are short: the one that most flavors refuse; of equals, a
/// device before other resources.
topology::Symbol scarcest(const std::vector<FlavorRejection>& rejections) {
  std::map<std::string_view, std::set<std::string>> flavors;  // by resource name
  for (const FlavorRejection& r : rejections) {
    if (is_quota(r)) flavors[r.resource.view()].insert(r.flavor);
  }
  std::string_view best;
  const auto rank = [&](std::string_view name) {
    return std::make_pair(flavors[name].size(), name.find('/') != std::string_view::npos);
  };
  for (const auto& [name, of] : flavors) {
    if (best.empty() || rank(name) > rank(best)) best = name;
  }
  return topology::Symbol(best);
}

std::string quota_text(const ClusterView& cluster, const Decision& decision) {
  if (decision.uncovered_resource) {
    return "no quota of ClusterQueue " + decision.cluster_queue + " covers " +
           decision.uncovered_resource->str();
  }
  const std::vector<FlavorRejection>& rejections = standing(decision);
  const topology::Symbol resource = scarcest(rejections);
  std::set<std::string> told;
  std::string out;
  for (const FlavorRejection& r : rejections) {
    if (!is_quota(r) || r.resource != resource || !told.insert(r.flavor).second) continue;
    out += (out.empty() ? "" : "; ") + clear_rejection(cluster, r);
  }
  if (!out.empty() && !decision.detail.empty()) out += "; ";
  return out + decision.detail;
}

/// `flavor` is empty if the queue takes any flavor and there is none: all were refused.
std::string missing_flavor_text(const ClusterView& cluster, const std::string& flavor) {
  if (!flavor.empty())
    return absent_text(cluster, "ResourceFlavor", "", flavor, "ResourceFlavor " + flavor);
  std::vector<std::string> names;
  for (const core::RefusedObject& each : cluster.refused()) {
    if (each.kind == "ResourceFlavor") names.push_back(each.name);
  }
  if (names.empty()) return "there is no ResourceFlavor";
  return (names.size() == 1 ? "ResourceFlavor " : "ResourceFlavors ") + joined_with_and(names) +
         (names.size() == 1 ? " was" : " were") + " refused with an error";
}

/// "LocalQueue lq" or "ClusterQueue cq": a kind and a name.
std::string missing_queue_text(const ClusterView& cluster, const Decision& decision) {
  const std::size_t space = decision.detail.find(' ');
  if (space == std::string::npos) return decision.detail + " is not in the input";
  const std::string kind = decision.detail.substr(0, space);
  const std::string& own = workload_of(cluster, decision).namespace_name;
  return absent_text(cluster, kind, kind == "LocalQueue" ? own : "",
                     decision.detail.substr(space + 1), decision.detail);
}

std::string flavor_text(const ClusterView& cluster, const Decision& decision) {
  if (decision.rejections.empty()) return missing_flavor_text(cluster, decision.detail);
  std::string out;
  for (const FlavorRejection& r : standing(decision)) {
    out += (out.empty() ? "" : "; ") + clear_rejection(cluster, r);
  }
  return out;
}

/// True if what refused the workload is about nodes, so that it may be that there are none.
bool lacks_nodes(const Decision& decision) {
  return std::any_of(standing(decision).begin(), standing(decision).end(),
                     [](const FlavorRejection& r) {
                       return r.kind == Kind::kPlacement || r.kind == Kind::kUnknownLevel;
                     }) &&
         decision.outcome != Outcome::kInvalid;
}

/// Kueue's text for workloads that it does not nominate (queues.md 10.2).
std::string not_nominated(const ClusterView& cluster, const Decision& decision) {
  const std::string& detail = decision.detail;
  switch (decision.reason) {
    case Reason::kQueueMissing:
      return detail.empty() ? "LocalQueue  doesn't exist" : detail + " doesn't exist";
    case Reason::kQueueStopped:
      return detail + " is inactive";
    case Reason::kNamespace:
      return "workload namespace doesn't match ClusterQueue selector";
    case Reason::kInactive:
      return "The workload is deactivated";
    case Reason::kGated:
      // Kueue says nothing of a workload that waits for its pods to be replaced, or is held.
      if (workload_of(cluster, decision).admission_gated_by.empty()) return {};
      return "Admission is gated by: " + detail;
    case Reason::kLimitRange:
      return detail;
    case Reason::kAdmissionCheck:
      return "The workload has failed admission checks";
    case Reason::kFlavor:
    case Reason::kTopologyMissing:
    case Reason::kQuotaParent:
      return "ClusterQueue " + decision.cluster_queue + " is inactive";
    case Reason::kInvalid:
      return workload_of(cluster, decision).invalid.empty()
                 ? detail
                 : workload_of(cluster, decision).invalid_text();
    default:
      return {};
  }
}

/// How severe one rejection is for its flavor (queues.md 10.3).
int severity(const FlavorRejection& r) {
  switch (r.kind) {
    case Kind::kPlacement:
      return 0;
    case Kind::kNoUnusedQuota:
      return 1;
    case Kind::kOverMaximum:
      return 2;
    default:
      return 3;
  }
}

std::string reason_text(const ClusterView& cluster, const Decision& decision,
                        const Evidence& evidence) {
  if (decision.waits_in_rounds && decision.waits_in_rounds->lost) return decision.detail;
  if (cluster.nodes().empty() && lacks_nodes(decision)) return "the input has no nodes";
  switch (decision.reason) {
    case Reason::kNone:
      return {};
    case Reason::kQuota:
    case Reason::kQuotaParent:
      return quota_text(cluster, decision);
    case Reason::kTopologyFit:
    case Reason::kFragmented:
    case Reason::kNodeHealth:
    case Reason::kExclusive:
    case Reason::kSpread:
    case Reason::kMinMembers:
    case Reason::kBudget:
      return failed_placement_text(cluster, decision, evidence);
    case Reason::kTaint:
    case Reason::kAffinity:
    case Reason::kNodeSelector:
      return filter_text(cluster, decision, evidence);
    case Reason::kFlavor:
      return flavor_text(cluster, decision);
    case Reason::kTopologyMissing:
      return absent_text(cluster, "Topology", "", decision.detail, "Topology " + decision.detail);
    case Reason::kQueueMissing:
      return decision.detail.empty()
                 ? "names no queue (label kueue.x-k8s.io/queue-name or kai.scheduler/queue)"
                 : missing_queue_text(cluster, decision);
    case Reason::kQueueStopped:
      return decision.detail + " is stopped";
    case Reason::kBehindHead:
      if (decision.detail.empty()) return "its turn did not come in these rounds";
      return (decision.waits_in_rounds ? "behind " : "StrictFIFO: behind ") + decision.detail;
    case Reason::kInactive:
      return "spec.active is false";
    case Reason::kGated:
      return "gated by " + decision.detail;
    case Reason::kAdmissionCheck:
      return "admission check " + decision.detail + " stands in the way";
    case Reason::kInvalid: {
      const core::Workload& workload = workload_of(cluster, decision);
      if (!workload.invalid.empty()) return workload.invalid_text();
      return decision.rejections.empty() ? decision.detail
                                         : failed_placement_text(cluster, decision, evidence);
    }
    default:
      return decision.detail;
  }
}

}  // namespace

std::string short_reason(const ClusterView& cluster, const Decision& decision,
                         const Evidence& evidence) {
  const std::string reason = reason_text(cluster, decision, evidence);
  return decision.orders_only ? reason + ", in every order of the pod sets that was tried" : reason;
}

std::string clear_message(const ClusterView& cluster, const Decision& decision,
                          const Evidence& evidence) {
  if (decision.outcome == Outcome::kPlaced) return {};
  const core::Workload& workload = workload_of(cluster, decision);
  std::string out = short_reason(cluster, decision, evidence);
  const bool several = workload.gang.pod_sets.size() > 1 && !decision.rejections.empty();
  if (several && !evidence.tree && out.compare(0, 8, "pod set ") != 0)
    out = "pod set " + workload.gang.pod_sets[decision.failed_pod_set].name + ": " + out;
  if (!evidence.without_room.empty()) {
    out += "; " + counted(evidence.looked_at, "node", "nodes") +
           " looked at: " + cause_counts(evidence.without_room);
  }
  if (!evidence.left_out.empty()) out += "; left out: " + cause_counts(evidence.left_out);
  return out;
}

std::string kueue_message(const ClusterView& cluster, const Decision& decision) {
  if (decision.outcome == Outcome::kPlaced || decision.reason == Reason::kBehindHead) return {};
  const auto& in_rounds = decision.waits_in_rounds;
  if (in_rounds && in_rounds->round == 0) return {};
  if (in_rounds && in_rounds->lost) {
    return "Workload no longer fits after processing another workload";
  }
  const core::Workload& workload = workload_of(cluster, decision);
  // Kueue knows no gang trees: what refused one is told in our words.
  if (workload.gang.is_tree() && !decision.rejections.empty() && decision.rejections[0].refusal) {
    return kueue_rejection(cluster, decision.rejections[0]);
  }
  std::map<std::size_t, std::vector<std::string>> reasons;  // by pod set, spec order
  // If one flavor has quota, Kueue drops the reasons of the others, and says only why the placement
  // failed.
  const auto placement =
      std::find_if(decision.rejections.begin(), decision.rejections.end(),
                   [](const FlavorRejection& r) { return r.kind == Kind::kPlacement; });
  if (placement != decision.rejections.end() && !in_rounds) {
    return "couldn't assign flavors to pod set " + workload.gang.pod_sets[placement->pod_set].name +
           ": " + kueue_rejection(cluster, *placement);
  }
  for (const FlavorRejection& r : decision.rejections) {
    if (r.kind == Kind::kNoTopologyFlavor || r.kind == Kind::kSeveralTopologyFlavors) {
      return "failed to assign flavors to pod set " + workload.gang.pod_sets[r.pod_set].name +
             ": " + kueue_rejection(cluster, r);
    }
    reasons[r.pod_set].push_back(kueue_rejection(cluster, r));
  }
  if (decision.uncovered_resource && !in_rounds) {
    reasons[decision.failed_pod_set].push_back("resource " + decision.uncovered_resource->str() +
                                               " unavailable in ClusterQueue");
  }
  if (reasons.empty()) return not_nominated(cluster, decision);
  std::string out;
  for (auto& [pod_set, texts] : reasons) {
    std::sort(texts.begin(), texts.end());
    out += (out.empty() ? "" : "; ") +
           ("couldn't assign flavors to pod set " + workload.gang.pod_sets[pod_set].name + ": ");
    for (std::size_t i = 0; i < texts.size(); ++i) out += (i == 0 ? "" : ", ") + texts[i];
  }
  return out;
}

std::string kueue_reason(const ClusterView& cluster, const Decision& decision) {
  static constexpr const char* kNames[] = {"TopologyPlacementFailed", "WaitingForQuota",
                                           "ExceedsMaxQuota", "NoMatchingFlavor"};
  switch (decision.reason) {
    case Reason::kQueueStopped:
    case Reason::kFlavor:
    case Reason::kTopologyMissing:
    case Reason::kQuotaParent:
      if (decision.rejections.empty()) return "Suspended";
      break;
    case Reason::kQueueMissing:
    case Reason::kNamespace:
    case Reason::kLimitRange:
    case Reason::kInvalid:
      if (decision.rejections.empty()) return "Misconfigured";
      break;
    case Reason::kInactive:
      return "Deactivated";
    case Reason::kGated:
      return workload_of(cluster, decision).admission_gated_by.empty() ? "Pending"
                                                                       : "AdmissionGated";
    case Reason::kAdmissionCheck:
      return "PendingEvaluation";
    case Reason::kBackoff:
    case Reason::kBehindHead:
      return "Pending";
    default:
      break;
  }
  if (decision.waits_in_rounds && decision.waits_in_rounds->severity) {
    return kNames[static_cast<std::size_t>(*decision.waits_in_rounds->severity)];
  }
  // The least severe flavor of the failing pod set decides. A flavor is as severe as its most
  // severe resource.
  std::map<std::string, int> by_flavor;
  for (const FlavorRejection& r : decision.rejections) {
    if (r.pod_set != decision.failed_pod_set) continue;
    int& worst = by_flavor[r.flavor];
    worst = std::max(worst, severity(r));
  }
  int least = by_flavor.empty() ? 3 : 4;
  for (const auto& [flavor, worst] : by_flavor) least = std::min(least, worst);
  return kNames[std::min(least, 3)];
}

}  // namespace tessera::encode
