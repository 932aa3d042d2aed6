// SPDX-License-Identifier: Apache-2.0
// Names of levels and domains as people see them.
//
// A level is shown by its alias, a domain by the value of the level's display label where nodes
// carry one. Messages in Kueue's words use labels and raw values instead (kueue_text.h).
#pragma once

#include <cstddef>
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

/// The shown value of one domain. If another domain of the level has the same: with as many levels
/// above as tell them apart, "east/rack-1".
std::string domain_name(const solver::FlavorView& view, topology::DomainId domain);
/// The same of many domains of one level, in their order: the level is looked through once.
std::vector<std::string> domain_names(const solver::FlavorView& view,
                                      std::span<const topology::DomainId> domains);

/// The level whose domains group hosts in tables: the finest above the host level; -1 for flat
/// topologies. For topologies that end above the host, their last level.
int grouping_level(const topology::TopologySpec& topology);

enum class HostNames { kHostnameLabel, kNodeName };

/// "nvl-1: gb-r01-n[01-04]; nvl-2: gb-r02-n[01-09]"; without `fold` every host is listed.
/// Topologies that end above the host give "b1/r1 x4; b1/r2 x2" with pods per leaf. `most`: about
/// so many characters, what is left out is counted.
std::string placement_text(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                           HostNames names, bool fold, std::size_t most = SIZE_MAX);

/// The same in at most `most` characters where that is possible: whole if it fits, else
/// "nvl-1, nvl-2 (32 hosts)", else "32 hosts".
std::string short_placement(const solver::FlavorView& view,
                            std::span<const solver::LeafPods> leaves, HostNames names,
                            std::size_t most);

/// Number of distinct domains of `level` that hold pods.
std::int64_t domains_used(const solver::FlavorView& view, std::span<const solver::LeafPods> leaves,
                          int level);

/// "5m12s", "2h05m", "3d4h": an age in kubectl's manner.
std::string age_text(std::int64_t seconds);

}  // namespace tessera::encode
