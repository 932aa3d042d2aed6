// SPDX-License-Identifier: Apache-2.0
// SmallOracle: says by trying everything whether a workload can be placed in a SmallCluster.
//
// Shares no code with the solver, the flavors or the books. Knows only the meaning: a pod on a leaf
// may use any node of the leaf, pods on different leaves never use the same room twice, required
// pods share a domain, a slice shares a domain. For a few nodes and pods only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/small_cluster.h"

namespace tessera::test {

class SmallOracle {
 public:
  explicit SmallOracle(const SmallCluster& cluster) : cluster_(cluster) {}

  /// Pods of one kind on one leaf. `leaf`: the nodes, as bits.
  struct Held {
    std::uint32_t leaf = 0;
    std::int64_t cpu = 0, gpu = 0, pods = 0;  // all pods together
  };
  /// True if no set of nodes gives more than it has.
  bool fits(const std::vector<Held>& held) const;
  /// The leaf of a flavor by its path; 0: there is none.
  std::uint32_t leaf(std::size_t flavor, const std::vector<std::string>& path) const;
  /// True if all pod sets, with these counts, can be placed beside what is held.
  bool possible(const SmallCluster::Work& work, const std::vector<std::int64_t>& counts,
                const std::vector<Held>& held) const;
  /// The counts that one pod set may have: whole slices from the minimum to the full count, the
  /// largest first.
  static std::vector<std::int64_t> counts(const SmallCluster::Pods& pods);
  /// The smallest counts of a workload; empty: a pod set has none.
  static std::vector<std::int64_t> fewest(const SmallCluster::Work& work);

  struct Leaf {
    std::uint32_t nodes = 0;
    std::vector<std::string> path;  // down to the leaf
  };
  std::vector<Leaf> leaves(std::size_t flavor) const;

 private:
  struct Task;
  bool place_set(const Task& task, std::size_t set, std::vector<Held>& held) const;
  bool deal(const Task& task, std::size_t set, const std::vector<Leaf>& leaves, std::size_t at,
            std::int64_t left, std::int64_t in_slice, std::vector<Held>& held) const;

  const SmallCluster& cluster_;
};

}  // namespace tessera::test
