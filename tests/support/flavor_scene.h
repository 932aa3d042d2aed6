// SPDX-License-Identifier: Apache-2.0
// FlavorScene: one workload and its queue, for tests of flavors and nomination: the workload "w",
// the ClusterQueue "q", and books in which everything is booked that the builder admitted.
//
// Built from a ClusterBuilder; stays in place, since its parts point at each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/books/books.h"
#include "actors/flavors/flavor_problem.h"
#include "tests/support/cluster_builder.h"

namespace tessera::test {

class FlavorScene {
 public:
  explicit FlavorScene(const ClusterBuilder& builder);
  FlavorScene(const FlavorScene&) = delete;
  FlavorScene& operator=(const FlavorScene&) = delete;

  const core::Workload& workload() const { return *workload_; }
  const core::PlanQueue& queue() const { return directory_.queues().at("q"); }
  const std::vector<core::Flavor>& flavors() const { return flavors_; }
  core::Books& books() { return books_; }
  /// All pods of the workload in its queue.
  core::FlavorProblem problem(core::QuotaRule rule = core::QuotaRule::kAvailable) const;
  /// "gpu=f1 cpu=f2 | gpu=f2": the flavors of each pod set.
  std::string text(const core::FlavorChoice& choice) const;

 private:
  core::Inventory inventory_;
  std::vector<core::Flavor> flavors_;
  core::Ledger ledger_;
  core::Directory directory_;
  core::Cluster cluster_;
  core::Books books_;
  const core::Workload* workload_;
  std::vector<std::int64_t> counts_;
};

}  // namespace tessera::test
