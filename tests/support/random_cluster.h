// SPDX-License-Identifier: Apache-2.0
// Random small clusters with flavors, queues and cohorts, and random traces of gangs over them, for
// property tests of the engine.
//
// Nodes of two kinds in six racks. Up to three flavors, each of one kind of nodes or of all. Up to
// four queues, in cohorts or below a KAI Queue. Gangs of five shapes. A seed always gives the same
// cluster and trace.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "actors/engine/driver.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/random_world.h"

namespace tessera::test {

enum class Kinds {
  kAll,
  kMonotone,  // one pod set, one group of resources, no partial admission
};

class RandomCluster {
 public:
  /// `dice` outlives it.
  RandomCluster(Dice& dice, Kinds kinds);

  std::shared_ptr<const core::Workload> workload(std::size_t number);
  /// Cordons a node, or ends its cordon.
  core::NodeUpdate node_update();
  core::Inventory build() const { return builder_.build(); }

 private:
  void add_queue(std::int64_t q, std::vector<std::string> flavors);
  std::vector<solver::PodSet> shape();
  solver::PodSet pod_set(const char* name);

  Dice& dice_;
  Kinds kinds_;
  ClusterBuilder builder_;
  std::int64_t hosts_ = 0, queues_ = 0;
  bool is_kai_ = false;
  std::vector<std::vector<solver::PodSet>> shapes_;
};

/// Arrivals, ends, evictions and now and then a node, instant by instant.
class RandomTrace {
 public:
  /// Both outlive it.
  RandomTrace(Dice& dice, RandomCluster& cluster) : dice_(dice), cluster_(cluster) {}

  std::vector<core::Input> instant(std::int64_t most_arrivals, int percent_ends);
  /// Takes the gangs that came, with the ids that the engine gave, and the gangs that were
  /// admitted.
  void take(const std::vector<core::Submitted>& submitted,
            const std::vector<core::Admitted>& admitted);
  /// How many gangs have ended after they were admitted.
  std::size_t ends() const { return ends_; }

 private:
  Dice& dice_;
  RandomCluster& cluster_;
  std::set<core::GangId> waiting_, live_;
  std::size_t next_ = 0, ends_ = 0;
};

}  // namespace tessera::test
