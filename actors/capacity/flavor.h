// SPDX-License-Identifier: Apache-2.0
// Flavor: a ResourceFlavor with the topology it names, and which pod sets it may serve.
//
// Built once for each Inventory by resolve_flavors(). Indexes are FlavorId, in byte order of names.
// Immutable, read on any thread. Does not know quota or capacity.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "actors/records/decision.h"
#include "actors/records/inventory.h"

namespace tessera::core {

enum class FlavorId : std::uint32_t {};
inline std::size_t index(FlavorId id) { return static_cast<std::size_t>(id); }

struct Flavor {
  FlavorRecord record;
  Symbol name;  // record.name
  std::optional<topology::TopologySpec>
      topology;  // of a topology flavor; absent when it does not exist

  bool topology_aware() const { return !record.topology.empty(); }
};

/// The flavors of the input, sorted by name. An input without flavors has one, `default`, that
/// matches every node. The topology of a flavor is the one with the name that the flavor gives; if
/// the input has no Topology at all, the derived one; else it is missing.
std::vector<Flavor> resolve_flavors(const Inventory& inventory);

/// The flavor of that name, if any.
std::optional<FlavorId> find_flavor(std::span<const Flavor> flavors, std::string_view name);

/// Why a flavor cannot serve a pod set, in the order of queues.md 7.2 step 2; nothing if it can.
/// `flavor` and `pod_set` of the answer are not filled. `implied`: the queue has topology flavors
/// only (placement.md 1.6). `own_resources`: some requested resource of the group is requested by
/// the pods themselves, not made by a transformation.
std::optional<FlavorRejection> mismatch(const Flavor& flavor, const solver::PodSet& pod_set,
                                        bool implied, bool own_resources);

}  // namespace tessera::core
