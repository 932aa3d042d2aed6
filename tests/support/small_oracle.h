// SPDX-License-Identifier: Apache-2.0
// SmallOracle: says by trying everything whether a workload can be placed in a SmallCluster, and
// how many of its pods a domain takes.
//
// Shares no code with the solver, the flavors, the planner or the books. Knows only the meaning: a
// pod on a leaf may use any node of the leaf, pods on different leaves never use the same room
// twice, required pods share a domain, a leader is in the domain of its workers, a slice shares a
// domain, quota is not exceeded. For a few nodes and pods only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/small_cluster.h"

namespace tessera::test {

class SmallOracle {
 public:
  explicit SmallOracle(const SmallCluster& cluster) : cluster_(&cluster) {}

  using Nodes = std::uint32_t;  // as bits
  using Path = std::vector<std::string>;
  /// Pods of one kind on one leaf.
  struct Held {
    Nodes leaf = 0;
    std::int64_t cpu = 0, gpu = 0, pods = 0;  // all pods together
    std::string holder;
  };
  struct Amounts {
    std::int64_t cpu = 0, gpu = 0;
  };
  /// What is there and what is taken.
  struct World {
    Nodes usable = 0;
    std::vector<Held> held;
    std::map<std::pair<std::size_t, std::size_t>, Amounts> spent;  // by queue and flavor
    bool any_quota = false;                                        // quota does not count
    bool any_cpu = false, any_gpu = false, any_pods = false;       // never runs out
  };
  /// With what the holders hold.
  World now() const;
  /// Nothing is held. `healthy`: and every node is usable.
  World empty(bool healthy) const;

  /// True if no set of nodes gives more than it has.
  bool fits(const World& world) const;

  struct Leaf {
    Nodes nodes = 0;
    Path path;  // down to the leaf
  };
  std::vector<Leaf> leaves(const World& world, std::size_t flavor) const;
  /// The leaf of a flavor by its path; 0: there is none.
  Nodes leaf(const World& world, std::size_t flavor, const Path& path) const;
  /// True if the topology of the flavor has the levels that the pods name.
  bool knows(std::size_t flavor, const SmallCluster::Pods& pods) const;

  /// What is placed at once: a pod set, or a leader and its workers.
  struct Unit {
    std::size_t workers = 0;
    std::optional<std::size_t> leader;
  };
  static std::vector<Unit> units(const SmallCluster::Work& work);

  /// True if all pod sets, with these counts, can be placed in the world.
  bool possible(const SmallCluster::Work& work, const std::vector<std::int64_t>& counts,
                const World& world) const;
  /// The counts that one pod set may have: whole slices from the minimum to the full count, the
  /// largest first.
  static std::vector<std::int64_t> counts(const SmallCluster::Pods& pods);
  /// The smallest counts of a workload; empty: a pod set has none.
  static std::vector<std::int64_t> fewest(const SmallCluster::Work& work);

  /// How many pods of a unit one domain takes.
  struct Room {
    Path path;
    std::int64_t pods = 0;
    bool leads = true;  // the leader finds a place in it, beside the pods
  };
  /// By domain of a level of the flavor; without a level, one for the whole cluster. `slices`:
  /// whole slices with the leader; false: pods alone. The leader is on `leader_flavor`.
  std::vector<Room> rooms(const SmallCluster::Work& work, const Unit& unit, std::size_t flavor,
                          std::size_t leader_flavor, std::optional<std::size_t> level, bool slices,
                          const World& world) const;

 private:
  using Then = std::function<bool(World&)>;
  struct Task;
  bool place_units(const Task& task, std::size_t unit, World& world) const;
  bool place_on(const Task& task, const Unit& unit, std::size_t flavor, std::size_t leader_flavor,
                World& world, const Then& then) const;
  bool place_pods(const SmallCluster::Work& work, const SmallCluster::Pods& pods,
                  std::size_t flavor, std::int64_t count, const std::optional<Path>& domain,
                  World& world, const Then& then) const;
  bool deal(const SmallCluster::Pods& pods, const std::vector<Leaf>& leaves, std::size_t at,
            std::int64_t left, std::int64_t in_slice, World& world, const Then& then) const;
  bool within_quota(const SmallCluster::Work& work, std::size_t flavor, const World& world) const;
  std::vector<Leaf> leaves_in(const World& world, std::size_t flavor,
                              const SmallCluster::Pods& pods,
                              const std::optional<Path>& domain) const;
  /// Pairs of flavors for the workers and the leader.
  std::vector<std::pair<std::size_t, std::size_t>> flavors_of(const SmallCluster::Work& work,
                                                              const Unit& unit) const;

  const SmallCluster* cluster_;
};

}  // namespace tessera::test
