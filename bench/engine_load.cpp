// SPDX-License-Identifier: Apache-2.0
#include "bench/engine_load.h"

#include <algorithm>
#include <string>
#include <utility>

#include "actors/engine/local_engine.h"
#include "actors/runtime/system.h"
#include "bench/gangs.h"
#include "bench/world.h"

namespace tessera::bench {
namespace {

using topology::Symbol;

constexpr const char* kFlavor = "gb200";
constexpr std::size_t kInstant = 4'000;  // gangs of one instant while the cluster is filled

std::string queue_name(std::size_t i) { return "q" + std::to_string(i + 10); }

core::ClusterQueueRecord cluster_queue(std::size_t i, std::int64_t gpus) {
  core::ClusterQueueRecord record;
  record.name = queue_name(i);
  record.cohort = "c" + std::to_string(i % EngineLoad::kCohorts);
  record.namespace_selector = topology::LabelSelector{};
  core::ResourceGroup group;
  group.covered = {topology::cpu_resource(), Symbol("memory"), topology::gpu_resource()};
  group.flavors.push_back({kFlavor,
                           {{topology::cpu_resource(), topology::kUnlimited, {}, {}},
                            {Symbol("memory"), topology::kUnlimited, {}, {}},
                            {topology::gpu_resource(), gpus, {}, {}}}});
  record.groups.push_back(std::move(group));
  return record;
}

std::shared_ptr<const core::Inventory> make_inventory(std::uint32_t nodes) {
  core::Inventory inventory;
  inventory.nodes = Cluster({WorldSpec::Shape::kNvl, nodes, 0}).nodes;
  inventory.topologies.push_back(topology_of_worlds());
  core::FlavorRecord flavor;
  flavor.name = kFlavor;
  flavor.topology = topology_of_worlds().name;
  inventory.flavors.push_back(std::move(flavor));
  inventory.namespaces.push_back({"ns", {}});
  constexpr std::int64_t kGpus = 4;
  for (std::size_t i = 0; i < EngineLoad::kQueues; ++i) {
    inventory.cluster_queues.push_back(cluster_queue(i, nodes * kGpus / EngineLoad::kQueues));
    inventory.local_queues.push_back({"ns", queue_name(i), queue_name(i), core::StopPolicy::kNone});
  }
  inventory.has_queues = inventory.has_flavors = true;
  return std::make_shared<const core::Inventory>(std::move(inventory));
}

std::unique_ptr<core::Driver> make_driver(const std::shared_ptr<const core::Inventory>& inventory,
                                          EngineSpec& spec) {
  core::EngineOptions options;
  if (spec.balanced) options.profile.balanced_placement = config::BalancedPlacement::kWhenFewer;
  options.profile.search_max_steps = spec.max_steps;
  if (spec.runner == Runner::kLocal) {
    return std::make_unique<core::LocalEngine>(std::make_shared<const core::Definitions>(inventory),
                                               options, core::CycleLimits{});
  }
  actors::SystemOptions system;
  system.engine = options;
  system.journal = std::move(spec.journal);
  return std::make_unique<actors::System>(inventory, std::move(system));
}

}  // namespace

const char* text(Runner runner) { return runner == Runner::kLocal ? "local" : "actors"; }

EngineLoad::EngineLoad(EngineSpec spec)
    : inventory_(make_inventory(spec.nodes)), shape_(nvl_gangs()[kOneRack]), random_(spec.seed) {
  for (const topology::NodeRecord& node : inventory_->nodes) {
    if (node.usable()) gpus_ += node.allocatable.get(topology::gpu_resource());
  }
  driver_ = make_driver(inventory_, spec);
}

core::Input EngineLoad::arrival(const solver::Gang& gang) {
  auto workload = std::make_shared<core::Workload>();
  const std::size_t number = arrivals_++;
  workload->namespace_name = "ns";
  workload->name = "gang-" + std::to_string(number);
  workload->uid = "uid-" + std::to_string(number);
  workload->origin = {"batch/v1", "Job", workload->name, workload->uid};
  workload->queue = queue_name(number % kQueues);
  workload->created = static_cast<std::int64_t>(number);
  workload->gang = gang;
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    workload->quota_requests.push_back(pod_set.request);
  }
  last_arrival_ = workload;
  return core::Submit{std::move(workload)};
}

core::Input EngineLoad::end_of_any() {
  std::swap(live_[random_below(static_cast<std::uint32_t>(live_.size()))], live_.back());
  const core::GangId gang = live_.back();
  live_.pop_back();
  return core::Finish{gang};
}

std::vector<core::Input> EngineLoad::instant(std::size_t arrivals) {
  std::vector<core::Input> inputs;
  for (std::size_t i = 0; i < arrivals; ++i) {
    inputs.push_back(end_of_any());
    inputs.push_back(arrival(shape_));
  }
  return inputs;
}

std::size_t EngineLoad::take(const std::vector<std::shared_ptr<const core::CycleRecord>>& records) {
  std::size_t admitted = 0;
  for (const auto& record : records) {
    admitted += record->admitted.size();
    for (const core::Admitted& each : record->admitted) live_.push_back(each.gang);
  }
  return admitted;
}

std::size_t EngineLoad::run(std::vector<core::Input> inputs) {
  driver_->submit(std::move(inputs));
  return take(driver_->settle());
}

void EngineLoad::fill(std::int64_t percent) {
  const std::int64_t gang_gpus =
      shape_.pod_sets[0].count * shape_.pod_sets[0].request.get(topology::gpu_resource());
  auto left = static_cast<std::size_t>(gpus_ * percent / 100 / gang_gpus);
  while (left > 0) {
    std::vector<core::Input> inputs;
    for (std::size_t i = 0; i < std::min(left, kInstant); ++i) inputs.push_back(arrival(shape_));
    left -= inputs.size();
    run(std::move(inputs));
  }
}

solver::Gang waiting_gang() { return nvl_gangs()[kWholeRack]; }

solver::Gang adversary(std::uint32_t nodes, std::size_t i) {
  constexpr std::size_t kKinds = 3;
  const auto odd = static_cast<std::int64_t>(i);  // no two are alike
  if (i % kKinds == 0) return sliced_gang((nodes / 48 + odd % 97) * 16, false);
  solver::Gang gang = odd_gang(odd);
  if (i % kKinds == 1) {
    gang.pod_sets[0].count = 73 + odd % 97;
    return gang;
  }
  gang.pod_sets[0].count = 400;
  gang.pod_sets[0].topology = {};
  gang.pod_sets[0].topology.required = Symbol("block");
  for (const char* name : {"second", "third"}) {
    gang.pod_sets.push_back(gang.pod_sets[0]);
    gang.pod_sets.back().name = name;
  }
  return gang;
}

solver::Gang hard_adversary(std::size_t i) {
  constexpr std::size_t kPodSets = 64, kShapes = 8;
  const auto odd = static_cast<std::int64_t>(i);
  solver::Gang gang = odd_gang(odd);
  solver::PodSet last = gang.pod_sets[0];
  last.name = "rack";
  last.count = 73 + odd % 97;
  gang.pod_sets.clear();
  for (std::size_t s = 0; s < kPodSets; ++s) {
    gang.pod_sets.push_back(odd_gang(odd + static_cast<std::int64_t>(s % kShapes)).pod_sets[0]);
    gang.pod_sets.back().name = "set-" + std::to_string(s);
    gang.pod_sets.back().count = 1;
    gang.pod_sets.back().topology = {};
  }
  gang.pod_sets.push_back(last);
  return gang;
}

}  // namespace tessera::bench
