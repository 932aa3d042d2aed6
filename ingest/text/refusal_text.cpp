// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/refusal_text.h"

#include <algorithm>
#include <optional>

#include "ingest/text/binding_text.h"
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

/// "taint k=v:NoSchedule" or "node selector": what kept leaves out, as a reason names it.
std::optional<std::string> filter_of(const solver::CauseCount& cause, Reason reason) {
  using CauseKind = solver::CauseCount::Kind;
  switch (cause.kind) {
    case CauseKind::kTaint:
      return reason == Reason::kTaint ? std::optional("taint " + cause.detail) : std::nullopt;
    case CauseKind::kNodeSelector:
      return reason == Reason::kNodeSelector ? std::optional<std::string>("its node selector")
                                             : std::nullopt;
    case CauseKind::kAffinity:
      return reason == Reason::kAffinity ? std::optional<std::string>("its node affinity")
                                         : std::nullopt;
    case CauseKind::kResource:
      break;
  }
  return std::nullopt;
}

/// The first placement that failed; null: none did.
const FlavorRejection* failed_placement(const Decision& decision) {
  const std::vector<FlavorRejection>& all = standing(decision);
  const auto at = std::find_if(all.begin(), all.end(), [](const FlavorRejection& r) {
    return r.kind == Kind::kPlacement && r.refusal;
  });
  return at == all.end() ? nullptr : &*at;
}

}  // namespace

const std::vector<FlavorRejection>& standing(const Decision& decision) {
  return decision.outcome == Outcome::kNever && !decision.never_rejections.empty()
             ? decision.never_rejections
             : decision.rejections;
}

std::string cause_counts(const std::vector<core::NodeCause>& causes) {
  std::string out;
  for (const core::NodeCause& cause : causes) {
    out += (out.empty() ? "" : ", ") + std::to_string(cause.count) + " " + cause.text;
  }
  return out;
}

std::string filter_text(const ClusterView& cluster, const Decision& decision,
                        const Evidence& evidence) {
  const solver::Gang& gang = cluster.workload(decision.workload).gang;
  const FlavorRejection* failed = failed_placement(decision);
  if (failed == nullptr) {
    return standing(decision).empty() ? "does not fit"
                                      : clear_rejection(cluster, standing(decision).front());
  }
  std::string out, room;
  for (const solver::CauseCount& cause : failed->refusal->causes) {
    if (const auto filter = filter_of(cause, decision.reason)) {
      out += (out.empty() ? "" : ", ") + *filter + " on " + std::to_string(cause.leaves) + " of " +
             counted(failed->refusal->leaves, "node", "nodes");
    } else if (cause.kind == solver::CauseCount::Kind::kResource) {
      room += "; " + counted(cause.leaves, "has", "have") + " too little " + cause.detail;
    }
  }
  const std::size_t pod_set = evidence.binding ? evidence.binding->pod_set : failed->pod_set;
  return "pod set " + gang.pod_sets[pod_set].name +
         (decision.reason == Reason::kTaint ? " does not tolerate " : " is kept out by ") + out +
         room;
}

std::string remainder_text(const core::Workload& workload, std::size_t pod_set, std::int64_t size,
                           std::int64_t pods) {
  const bool layers = workload.gang.pod_sets[pod_set].topology.layers.size() > 1;
  const bool object = workload.origin_label.empty();
  std::string field = object ? "podSetSliceSize" : "kueue.x-k8s.io/podset-slice-size";
  if (layers) {
    field = object ? "podsetSliceRequiredTopologyConstraints: slice size"
                   : "kueue.x-k8s.io/podset-slice-required-topology-constraints: slice size";
  }
  return field + " " + std::to_string(size) + " does not divide " + counted(pods, "pod", "pods");
}

std::string tree_text(const core::TreeEvidence& tree) {
  const std::string group = tree.group == "." ? "the gang" : "group " + tree.group;
  if (tree.short_of_pods) {
    return group + " has " + std::to_string(tree.fits) + " of the " + std::to_string(tree.need) +
           " pods or groups that it needs";
  }
  std::string out = group + " needs " + counted(tree.need, "pod", "pods");
  if (!tree.pod_set.empty() && tree.pod_set != tree.group) out += " of " + tree.pod_set;
  out += tree.level.empty() ? " in the cluster" : " in one " + tree.level;
  if (tree.torn) {
    out += ", but its pods run in more than one already";
  } else if (!tree.blocked_by.empty()) {
    out += ", which fit alone but not beside ";
    for (std::size_t i = 0; i < tree.blocked_by.size(); ++i) {
      out += (i == 0 ? "" : ", ") + tree.blocked_by[i];
    }
    if (!tree.best.empty()) out += " (best: " + tree.best + ")";
  } else if (tree.level.empty()) {
    out += ", which has room for " + std::to_string(tree.fits);
  } else if (tree.best.empty()) {
    out += ", and none has room for a pod";
  } else if (tree.fits == tree.need && tree.several_topologies) {
    out += ": " + tree.best + " has room for them, but none has that the groups above allow";
  } else if (tree.fits == tree.need) {
    out += ": its pod sets fit one by one in " + tree.best + ", but not together";
  } else {
    out += ": the best, " + tree.best + ", has room for " + std::to_string(tree.fits);
  }
  if (!tree.exhaustive) out += "; not proved: the search ran out of steps";
  return out;
}

std::string failed_placement_text(const ClusterView& cluster, const Decision& decision,
                                  const Evidence& evidence) {
  const FlavorRejection* failed = failed_placement(decision);
  if (failed == nullptr) {
    return standing(decision).empty() ? "does not fit"
                                      : clear_rejection(cluster, standing(decision).front());
  }
  if (evidence.tree) return tree_text(*evidence.tree);
  const core::Workload& workload = cluster.workload(decision.workload);
  const solver::Obstacle obstacle = failed->refusal->obstacle;
  if (obstacle == solver::Obstacle::kSliceRemainder) {
    return remainder_text(workload, failed->pod_set, failed->refusal->slice_size,
                          failed->refusal->need);
  }
  const solver::FlavorView* view = cluster.view(evidence.flavor, evidence.open);
  if (solver::is_invalid(obstacle) || view == nullptr) return kueue_rejection(cluster, *failed);
  if (obstacle == solver::Obstacle::kNoDomains) return "no usable node in flavor " + failed->flavor;
  std::string text = binding_text(*view, workload.gang, evidence);
  if (obstacle == solver::Obstacle::kOverbooked) text += ", less what overlapping flavors hold";
  if (decision.reason == Reason::kNodeHealth) text += "; " + cause_counts(evidence.left_out);
  return text;
}

}  // namespace tessera::encode
