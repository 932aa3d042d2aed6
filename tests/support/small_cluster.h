// SPDX-License-Identifier: Apache-2.0
// SmallCluster: a cluster of a few nodes, flavors over the same nodes, what is held already, and
// workloads that compete for the rest, as plain data: what the engine's whole answers are compared
// on with brute force.
//
// Flavors take all nodes or the half with a label. Their topologies end at the host or at the rack,
// or know hosts alone, so that leaves above hosts overlap with hosts and with each other. Nodes are
// tainted, cordoned or not ready, or have lost their rack. Holders are admissions whose flavor,
// labels or levels have changed since, and bound pods. Queues have quota. Workloads have one to
// three pod sets, groups, slices and minimum counts. The same seed gives the same cluster
// everywhere.
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
  enum class Health : std::uint8_t { kGood, kCordoned, kNotReady };
  struct Node {
    std::string name;
    std::string path[kSmallLevels];  // block, rack, host
    bool half = false;               // has the label that some flavors ask for
    std::int64_t cpu = 0, gpu = 0;
    Health health = Health::kGood;
    bool tainted = false;
    bool rackless = false;  // lost its rack label
  };
  enum class Leaves : std::uint8_t {
    kRacks,      // levels block, rack
    kHosts,      // levels block, rack, host
    kHostsOnly,  // one level, host
  };
  struct Flavor {
    std::string name;
    bool half = false;  // only nodes with the label
    Leaves leaves = Leaves::kHosts;
  };
  /// Room that is taken before anything is planned.
  struct Holder {
    enum class Kind : std::uint8_t {
      kPods,         // bound pods that belong to nothing
      kFlavorGone,   // admitted on hosts of a flavor that is not in the input
      kFlavorLeft,   // ... of a flavor that no node has the label of
      kOtherLevels,  // ... of a flavor whose topology has other levels now
      kRacksGone,    // admitted on racks of a flavor that is not in the input; its pods are bound
    };
    std::string name;
    Kind kind = Kind::kPods;
    std::size_t node = 0;
    std::int64_t pods = 1;
    std::int64_t cpu = 0, gpu = 0;     // of one pod
    std::size_t flavor = 0;            // kOtherLevels
    bool bound = false;                // its pods are in the input, on the node
    std::optional<std::size_t> stray;  // another node on which one of its pods runs
  };
  struct Pods {
    std::int64_t count = 1;
    std::optional<std::int64_t> least;
    std::int64_t cpu = 0, gpu = 0;
    std::optional<std::size_t> required, preferred;  // level
    std::optional<std::size_t> slice_level;
    std::int64_t slice = 1;
    bool tolerates = false;
  };
  struct Queue {
    std::string name;
    std::vector<std::size_t> flavors;  // in order
    /// cpu comes from the first flavor, GPUs from the second: two resource groups.
    bool split = false;
    std::optional<std::int64_t> cpu, gpu;  // quota of each flavor; nothing: never short
  };
  struct Work {
    std::string name;
    std::size_t queue = 0;
    std::vector<Pods> pods;
    bool grouped = false;  // the first two pod sets are a leader and its workers
  };

  std::vector<Node> nodes;
  std::vector<Flavor> flavors;
  std::vector<Holder> holders;
  std::vector<Queue> queues;
  std::vector<Work> works;  // the oldest first
};

SmallCluster small_cluster(Dice& dice);

/// What an engine reads of it.
core::Inventory inventory_of(const SmallCluster& cluster);

/// For people: one line for each node, holder, queue and workload.
std::string text(const SmallCluster& cluster);

}  // namespace tessera::test
