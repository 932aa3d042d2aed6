// SPDX-License-Identifier: Apache-2.0
// The rejection of one flavor in words: in Kueue's (queues.md 10.1, placement.md M6) and in ours.
#pragma once

#include <string>

#include "actors/explain/cluster_view.h"
#include "actors/records/decision.h"

namespace tessera::encode {

/// Byte for byte as Kueue says it, without the wrapping that names the pod set.
std::string kueue_rejection(const core::ClusterView& cluster,
                            const core::FlavorRejection& rejection);

/// For people: "nvidia.com/gpu in flavor gb200: asks 128, can never get more than 64". If the
/// placement failed: what the flavor's topology refuses.
std::string clear_rejection(const core::ClusterView& cluster,
                            const core::FlavorRejection& rejection);

/// The topology of a flavor; null if it has none.
const topology::TopologySpec* topology_of(const core::ClusterView& cluster,
                                          const std::string& flavor);

/// "ResourceFlavor f is not in the input", or that it was refused with an error. `kind`: as in the
/// object; `said`: how the text names it.
std::string absent_text(const core::ClusterView& cluster, const std::string& kind,
                        const std::string& namespace_name, const std::string& name,
                        const std::string& said);

}  // namespace tessera::encode
