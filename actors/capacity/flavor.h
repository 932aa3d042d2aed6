// SPDX-License-Identifier: Apache-2.0
// Flavor: a ResourceFlavor with the topology it names, and which pod sets it may serve.
//
// Built once for each Inventory by resolve_flavors(). Indexes are FlavorId, in byte order of names.
// Immutable, read on any thread. Does not know quota or capacity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/engine/engine.h"
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

/// The first cause why a flavor cannot serve a pod set, in the order of queues.md 7.2 step 2;
/// nothing if it can. `flavor` and `pod_set` of the answer are not filled. `implied`: the queue has
/// topology flavors only (placement.md 1.6). `own_resources`: the pods themselves request a
/// resource of the group; a transformation did not make all of them.
std::optional<FlavorRejection> mismatch(const Flavor& flavor, const solver::PodSet& pod_set,
                                        bool implied, bool own_resources);

}  // namespace tessera::core
