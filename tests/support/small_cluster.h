// SPDX-License-Identifier: Apache-2.0
// SmallCluster: a cluster of a few nodes, flavors over the same nodes, and workloads that compete
// for them, as plain data: what the engine's whole answers are compared on with brute force.
//
// Flavors take all nodes or the half with a label; their topologies end at the host or at the rack,
// so that leaves above hosts overlap with hosts and with each other. Workloads have one to three
// pod sets, slices and minimum counts. The same seed gives the same cluster everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/inventory.h"
#include "tests/support/random_world.h"

namespace tessera::test {

inline constexpr std::size_t kSmallLevels = 3;  // block, rack, host

struct SmallCluster {
  struct Node {
    std::string name;
    std::string path[kSmallLevels];  // block, rack, host
    bool half = false;               // has the label that some flavors ask for
    std::int64_t cpu = 0, gpu = 0;
  };
  struct Flavor {
    std::string name;
    bool half = false;   // only nodes with the label
    bool hosts = false;  // the topology ends at the host; false: at the rack
  };
  struct Pods {
    std::int64_t count = 1;
    std::optional<std::int64_t> least;
    std::int64_t cpu = 0, gpu = 0;
    std::optional<std::size_t> required, preferred;  // level
    std::optional<std::size_t> slice_level;
    std::int64_t slice = 1;
  };
  struct Work {
    std::string name;
    std::vector<std::size_t> flavors;  // of its queue, in order
    std::vector<Pods> pods;
  };

  std::vector<Node> nodes;
  std::vector<Flavor> flavors;
  std::vector<Work> works;  // the oldest first
};

SmallCluster small_cluster(Dice& dice);

/// What an engine reads of it. Every workload has a queue of its own, whose quota is never short.
core::Inventory inventory_of(const SmallCluster& cluster);

/// For people: one line for each node, flavor and workload.
std::string text(const SmallCluster& cluster);

}  // namespace tessera::test
