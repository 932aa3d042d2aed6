// SPDX-License-Identifier: Apache-2.0
#include "bench/gangs.h"

#include <utility>

namespace tessera::bench {
namespace {

using solver::Gang;
using solver::PodSet;
using topology::Amounts;
using topology::Symbol;

constexpr std::size_t kKeys = 16;

/// A part of a tray with 4 GPUs.
Amounts tray_part(std::int64_t gpus, std::int64_t milli_cpu) {
  return {{topology::cpu_resource(), milli_cpu},
          {Symbol("memory"), gpus * (std::int64_t{200} << 30)},
          {topology::gpu_resource(), gpus}};
}

Amounts cpu_pod(std::int64_t milli_cpu) {
  return {{topology::cpu_resource(), milli_cpu}, {Symbol("memory"), std::int64_t{8} << 30}};
}

Gang in_rack(std::int64_t pods, Amounts request) {
  PodSet pod_set;
  pod_set.name = "main";
  pod_set.count = pods;
  pod_set.request = std::move(request);
  pod_set.topology.required = Symbol("rack");
  return {{std::move(pod_set)}};
}

Gang near_rack(std::int64_t pods, std::int64_t milli_cpu) {
  Gang out = in_rack(pods, cpu_pod(milli_cpu));
  std::swap(out.pod_sets[0].topology.required, out.pod_sets[0].topology.preferred);
  return out;
}

void tolerate_upkeep(PodSet& pod_set) {
  pod_set.filter.tolerations.push_back(
      {upkeep_taint().key, topology::TolerationOperator::kExists, {}, {}, {}});
}

void tolerate_upkeep(Gang& gang) { tolerate_upkeep(gang.pod_sets[0]); }

void select_product(Gang& gang) {
  gang.pod_sets[0].filter.node_selector.emplace_back(product_label(), Symbol("gb200"));
}

}  // namespace

Order order(Gang gang, const solver::FlavorView& view) {
  Order out;
  for (const PodSet& pod_set : gang.pod_sets) {
    out.counts.push_back(pod_set.count);
    out.targets.push_back({&view, "gb200"});
  }
  out.gang = std::move(gang);
  return out;
}

Order balanced(Order order) {
  order.options.balanced = solver::BalancedPlacement::kKueue;
  return order;
}

Symbol product_label() { return Symbol("nvidia.com/gpu.product"); }

topology::Taint upkeep_taint() {
  return {Symbol("upkeep"), Symbol("soon"), topology::TaintEffect::kNoSchedule};
}

Gang sliced_gang(std::int64_t pods, bool required) {
  Gang out = in_rack(pods, tray_part(4, 128'000));
  tolerate_upkeep(out);
  select_product(out);
  solver::TopologyRequest& topology = out.pod_sets[0].topology;
  topology = {};
  (required ? topology.required : topology.preferred) = Symbol("block");
  topology.layers.push_back({Symbol("rack"), 16});
  return out;
}

Gang led_gang() {
  Gang out = near_rack(2'304, 19'500);
  PodSet leader = out.pod_sets[0];
  leader.name = "leader";
  leader.count = 1;
  leader.request = cpu_pod(500);
  out.pod_sets.push_back(std::move(leader));
  for (PodSet& pod_set : out.pod_sets) pod_set.unit = "all";
  return out;
}

Gang whole_block_gang(bool led) {
  Gang out = led ? led_gang() : near_rack(2'304, 19'500);
  for (PodSet& pod_set : out.pod_sets) tolerate_upkeep(pod_set);
  return out;
}

Gang odd_gang(std::int64_t number) {
  Gang out = in_rack(8, tray_part(1, 20'000 + number % 12'000));
  select_product(out);
  return out;
}

std::vector<Gang> nvl_gangs() {
  std::vector<Gang> out{sliced_gang(64, true), in_rack(8, tray_part(1, 32'000)),
                        in_rack(19, tray_part(4, 120'000))};
  tolerate_upkeep(out[kOneRack]);
  while (out.size() < kKeys) {
    const auto i = static_cast<std::int64_t>(out.size());
    const std::int64_t gpus = i % 4 + 1;
    Gang more = in_rack(8, tray_part(gpus, gpus * (8'000 + 1'000 * i)));
    if (i % 2 == 0) tolerate_upkeep(more);
    if (i % 3 == 0) select_product(more);
    out.push_back(std::move(more));
  }
  return out;
}

std::vector<Gang> kueue_gangs() {
  std::vector<Gang> out{near_rack(2'304, 19'500)};
  while (out.size() < kKeys) {
    const auto i = static_cast<std::int64_t>(out.size());
    Gang more = near_rack(64, 2'000 * i);
    if (i % 2 == 0) tolerate_upkeep(more);
    if (i % 3 == 0) select_product(more);
    out.push_back(std::move(more));
  }
  return out;
}

}  // namespace tessera::bench
