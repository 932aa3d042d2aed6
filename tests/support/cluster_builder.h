// SPDX-License-Identifier: Apache-2.0
// ClusterBuilder: a small Inventory in a few words, for tests of core: hosts as
// "block/rack/host:gpus", flavors, queues, workloads.
//
// Levels are tessera.test/block, tessera.test/rack and kubernetes.io/hostname. Every host has 110
// pod slots, 64 cpu and the given GPUs. The builder adds nothing else: without queue() and flavor()
// the rules for inputs without queues and flavors apply.
#pragma once

#include <string>
#include <vector>

#include "actors/engine/engine.h"
#include "actors/records/inventory.h"

namespace tessera::test {

inline constexpr const char* kBlock = "tessera.test/block";
inline constexpr const char* kRack = "tessera.test/rack";
inline constexpr const char* kHost = "kubernetes.io/hostname";

/// One pod set: `count` pods of `gpus` GPUs.
solver::PodSet pods(const std::string& name, std::int64_t count, std::int64_t gpus);
solver::PodSet required(solver::PodSet pod_set, const char* level);
solver::PodSet preferred(solver::PodSet pod_set, const char* level);

topology::Taint taint(const char* key, const char* value);
topology::Toleration tolerates(const char* key);

class ClusterBuilder {
 public:
  ClusterBuilder();

  /// "b1/r1/a:4 b1/r1/b:4"; "//u:4": without block and rack.
  ClusterBuilder& hosts(const std::string& text);
  topology::NodeRecord& node(const std::string& name);

  /// A topology besides "levels", of these labels.
  ClusterBuilder& topology(const std::string& name, const std::vector<const char*>& levels);

  ClusterBuilder& flavor(const std::string& name, const std::string& topology = "levels");
  core::FlavorRecord& flavor_record(const std::string& name);
  /// A ClusterQueue and a LocalQueue of that name in namespace "ns"; all flavors cover gpu and cpu
  /// with the same nominal GPUs.
  core::ClusterQueueRecord& queue(const std::string& name, const std::vector<std::string>& flavors,
                                  std::int64_t nominal_gpus, const std::string& cohort = "");

  /// A Cohort object below another cohort. A cohort that a queue names needs no object.
  ClusterBuilder& cohort(const std::string& name, const std::string& parent);

  /// A KAI Queue that allows `gpus` and any cpu and memory.
  core::KaiQueueRecord& kai_queue(const std::string& name, std::int64_t gpus,
                                  const std::string& parent = "");

  /// A waiting workload in namespace "ns" and queue `queue`. A workload of an earlier call was
  /// created earlier.
  core::Workload& workload(const std::string& name, std::vector<solver::PodSet> pod_sets,
                           const std::string& queue = "q");
  /// The same in a KAI Queue.
  core::Workload& kai_workload(const std::string& name, std::vector<solver::PodSet> pod_sets,
                               const std::string& queue);
  /// A workload that holds `pods` of its one pod set on each host: "a:2 b:1".
  core::Workload& admitted(const std::string& name, solver::PodSet pod_set,
                           const std::string& hosts, const std::string& flavor = "default",
                           const std::string& queue = "q");
  core::PodRecord& bound_pod(const std::string& name, const std::string& node, std::int64_t gpus);

  /// The inventory, sorted as ingest sorts. The builder can go on after it.
  core::Inventory build() const;

 private:
  core::Inventory inventory_;
  std::int64_t clock_ = 1000;
};

/// Index of the workload of that name.
std::size_t find(const core::Inventory& inventory, const std::string& name);
/// The workloads that are neither admitted nor finished.
std::vector<std::size_t> waiting(const core::Inventory& inventory);

/// "x Placed main[a:2 b:1]" or "x Waits TopologyFit": a line for each decision, in order.
std::string text(const core::Engine& engine, const std::vector<core::Decision>& decisions);
/// The decisions of a new engine over `inventory` that plans everything that waits.
std::string schedule(const core::Inventory& inventory, core::EngineOptions options = {});

}  // namespace tessera::test
