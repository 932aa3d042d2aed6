// SPDX-License-Identifier: Apache-2.0
// Names of levels and domains as people see them.
//
// A level is shown by its alias, a domain by the value of the level's display label where nodes
// carry one. Messages in Kueue's words use labels and raw values instead (kueue_text.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "solver/gang/answer.h"
#include "solver/gang/flavor_view.h"

namespace tessera::encode {

/// Alias of a level, or its label.
std::string level_name(const topology::TopologySpec& topology, int level);

/// "zone > rack > host"
std::string levels_text(const topology::TopologySpec& topology);

/// The shown value of one domain.
std::string domain_name(const solver::FlavorView& view, topology::DomainId domain);

/// The level whose domains group hosts in tables: the finest above the host level; -1 for flat
/// topologies. For topologies that end above the host, their last level.
int grouping_level(const topology::TopologySpec& topology);

enum class HostNames { kHostnameLabel, kNodeName };

/// "nvl-1: gb-r01-n[01-04]; nvl-2: gb-r02-n[01-09]"; without `fold` every host is listed.
/// Topologies that end above the host give "b1/r1 x4; b1/r2 x2" with pods per leaf.
std::string placement_text(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                           HostNames names, bool fold);

/// Number of distinct domains of `level` that hold pods.
std::int64_t domains_used(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                          int level);

/// "5m12s", "2h05m", "3d4h": an age in kubectl's manner.
std::string age_text(std::int64_t seconds);

}  // namespace tessera::encode
