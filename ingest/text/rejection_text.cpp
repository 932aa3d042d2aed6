// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/rejection_text.h"

#include <algorithm>
#include <vector>

#include "ingest/text/kueue_text.h"
#include "ingest/text/names.h"
#include "topology/text/nearest.h"

namespace tessera::encode {
namespace {

using core::FlavorRejection;
using Kind = FlavorRejection::Kind;

/// Also names the owner of a quota: the flavor, or the KAI Queue that limits.
std::string in_flavor(const FlavorRejection& r) {
  return r.limiting_queue.empty() ? " in flavor " + r.flavor : " in Queue " + r.limiting_queue;
}

std::string quantity(const FlavorRejection& r, std::int64_t amount) {
  return topology::amount_text(r.resource.view(), amount);
}

std::string kueue_taint(const topology::Taint& taint) {
  static constexpr const char* kEffects[] = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  return "untolerated taint {" + taint.key.str() + " " + taint.value.str() + " " +
         kEffects[static_cast<std::size_t>(taint.effect)] + " <nil>}";
}

std::string placement(const core::ClusterView& cluster, const FlavorRejection& r) {
  const topology::TopologySpec* topology = topology_of(cluster, r.flavor);
  return topology != nullptr && r.refusal ? kueue_text(*r.refusal, *topology) : std::string();
}

std::string topology_named_by(const core::ClusterView& cluster, const std::string& flavor) {
  for (const core::FlavorRecord& record : cluster.flavors()) {
    if (record.name == flavor) return record.topology;
  }
  return {};
}

/// `level "rak" is not in topology nvl72 (levels: zone, rack, host) (did you mean "rack"?)`
std::string unknown_level(const core::ClusterView& cluster, const FlavorRejection& r) {
  const std::string level = "level \"" + r.level.str() + "\" is not in ";
  const topology::TopologySpec* topology = topology_of(cluster, r.flavor);
  if (topology == nullptr) return level + "the topology of flavor " + r.flavor;
  std::vector<std::string> known;
  std::string list;
  for (int i = 0; i < static_cast<int>(topology->levels.size()); ++i) {
    known.push_back(level_name(*topology, i));
    list += (list.empty() ? "" : ", ") + known.back();
  }
  return level + "topology " + topology->name + " (levels: " + list + ")" +
         did_you_mean(r.level.view(), known);
}

}  // namespace

const topology::TopologySpec* topology_of(const core::ClusterView& cluster,
                                          const std::string& flavor) {
  const solver::FlavorView* view = cluster.view(flavor);
  return view == nullptr ? nullptr : &view->tree().topology();
}

std::string absent_text(const core::ClusterView& cluster, const std::string& kind,
                        const std::string& namespace_name, const std::string& name,
                        const std::string& said) {
  const auto refused = cluster.refused();
  const bool faulty = std::any_of(refused.begin(), refused.end(), [&](const auto& each) {
    return each.kind == kind && each.namespace_name == namespace_name && each.name == name;
  });
  return said + (faulty ? " was refused with an error" : " is not in the input");
}

std::string kueue_rejection(const core::ClusterView& cluster, const FlavorRejection& r) {
  const std::string quoted = "Flavor \"" + r.flavor + "\" ";
  switch (r.kind) {
    case Kind::kMissing:
      return "flavor " + r.flavor + " not found";
    case Kind::kNotTopologyAware:
      return quoted + "does not support TopologyAwareScheduling";
    case Kind::kOnlyTopologyAware:
      return quoted + "supports only TopologyAwareScheduling";
    case Kind::kUnknownLevel:
      return quoted + "does not contain the requested level";
    case Kind::kNoTopology:
      return quoted + "information missing in TAS cache";
    case Kind::kTaint:
      return kueue_taint(r.taint) + in_flavor(r);
    case Kind::kAffinity:
      return "flavor " + r.flavor + " doesn't match node affinity";
    case Kind::kOverMaximum:
      return "insufficient quota for " + r.resource.str() + in_flavor(r) +
             ", previously considered podsets requests (" + quantity(r, r.previous) +
             ") + current podset request (" + quantity(r, r.request) + ") > maximum capacity (" +
             quantity(r, r.limit) + ")";
    case Kind::kNoUnusedQuota:
      return "insufficient unused quota for " + r.resource.str() + in_flavor(r) + ", " +
             quantity(r, r.missing) + " more needed";
    case Kind::kPlacement:
      return placement(cluster, r);
    case Kind::kNoTopologyFlavor:
      return "no TAS flavor assigned";
    case Kind::kSeveralTopologyFlavors:
      return "more than one TAS flavor assigned: " + r.flavor;
    case Kind::kUncovered:
      return "resource " + r.resource.str() + " unavailable in ClusterQueue";
    case Kind::kNotNominated:
      return "skipping flavor " + r.flavor +
             " as it is not found in the nomination mapping for resource " + r.resource.str();
  }
  return {};
}

std::string clear_rejection(const core::ClusterView& cluster, const FlavorRejection& r) {
  const std::string flavor = "flavor " + r.flavor;
  const std::string quota =
      r.resource.str() + in_flavor(r) + ": asks " + quantity(r, r.previous + r.request);
  switch (r.kind) {
    case Kind::kMissing:
      return absent_text(cluster, "ResourceFlavor", "", r.flavor, flavor);
    case Kind::kNotTopologyAware:
      return flavor + " names no topology, which the request needs";
    case Kind::kOnlyTopologyAware:
      return flavor + " takes only pod sets with a topology request";
    case Kind::kUnknownLevel:
      return unknown_level(cluster, r);
    case Kind::kNoTopology:
      return absent_text(cluster, "Topology", "", topology_named_by(cluster, r.flavor),
                         "the topology of " + flavor);
    case Kind::kTaint:
      return "taint " + r.taint.text() + " of " + flavor + " is not tolerated";
    case Kind::kAffinity:
      return "node selector or affinity excludes " + flavor;
    case Kind::kOverMaximum:
      return quota + ", can never get more than " + quantity(r, r.limit);
    case Kind::kNoUnusedQuota:
      if (!r.limiting_queue.empty()) {
        return quota + ", " + quantity(r, r.used) + " of at most " + quantity(r, r.limit) +
               " are used";
      }
      return quota + ", " + quantity(r, r.missing) + " more than is unused";
    case Kind::kPlacement:
      return flavor + ": " + placement(cluster, r);
    case Kind::kNoTopologyFlavor:
      return "the resources of the pod set lead to no flavor with a topology";
    case Kind::kSeveralTopologyFlavors:
      return "the resources of the pod set lead to several flavors with a topology: " + r.flavor;
    case Kind::kUncovered:
      return "no quota of the queue covers " + r.resource.str();
    case Kind::kNotNominated:
      return flavor + " was not its choice for " + r.resource.str() + " when the round began";
  }
  return {};
}

}  // namespace tessera::encode
