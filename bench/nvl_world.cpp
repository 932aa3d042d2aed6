// SPDX-License-Identifier: Apache-2.0
#include "bench/nvl_world.h"

namespace tessera::bench {
namespace {

using topology::Amounts;
using topology::Symbol;

constexpr std::uint32_t kTraysInRack = 18, kRacksInBlock = 8;

std::string numbered(const char* prefix, std::uint32_t number) {
  std::string digits = std::to_string(number);
  return prefix + std::string(digits.size() < 6 ? 6 - digits.size() : 0, '0') + digits;
}

topology::NodeRecord tray(std::uint32_t i, bool cordoned) {
  topology::NodeRecord node;
  const std::string name = numbered("n", i);
  node.name = Symbol(name);
  node.labels.set(topology::hostname_label(), node.name);
  node.labels.set(Symbol("rack"), Symbol(numbered("r", i / kTraysInRack)));
  node.labels.set(Symbol("block"), Symbol(numbered("b", i / kTraysInRack / kRacksInBlock)));
  node.allocatable = Amounts{{topology::cpu_resource(), 143'900},
                             {Symbol("memory"), std::int64_t{920} << 30},
                             {topology::gpu_resource(), 4},
                             {topology::pods_resource(), 110}};
  node.ready = true;
  node.unschedulable = cordoned;
  return node;
}

void change(NvlWorld& world, const solver::Gang& gang, const solver::Placement& placement,
            bool take) {
  for (std::size_t i = 0; i < placement.pod_sets.size(); ++i) {
    const Amounts pod = solver::pod_amounts(gang.pod_sets[i].request);
    for (const solver::LeafPods& leaf : placement.pod_sets[i]) {
      const topology::CellId cell = world.view().cells()[index(leaf.leaf)];
      if (take) {
        world.capacity().book(cell, pod.times(leaf.pods));
      } else {
        world.capacity().release(cell, pod.times(leaf.pods));
      }
    }
  }
}

}  // namespace

NvlWorld::NvlWorld(std::uint32_t nodes, double used) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> share(0, 1);
  for (std::uint32_t i = 0; i < nodes; ++i) nodes_.push_back(tray(i, share(random) < 0.02));
  const topology::TopologySpec topology{"nvl",
                                        {{Symbol("block"), "block", ""},
                                         {Symbol("rack"), "rack", ""},
                                         {topology::hostname_label(), "host", ""}}};
  tree_ = std::make_unique<topology::DomainTree>(topology, nodes_,
                                                 std::vector<std::pair<Symbol, Symbol>>{}, false);
  const topology::DomainTree* trees[] = {tree_.get()};
  const std::uint32_t scopes[] = {0};
  cells_ = std::make_shared<topology::CellMap>(trees, scopes, nodes, topology::CellPolicy{});
  capacity_ = std::make_unique<topology::Capacity>(cells_, nodes_);
  view_ = std::make_unique<solver::FlavorView>(*tree_, cells_->cells_of_tree(0), nodes_,
                                               std::vector<topology::Toleration>{});
  const Amounts whole =
      solver::pod_amounts({{topology::gpu_resource(), 4}, {topology::cpu_resource(), 128'000}});
  bool rack_used = false;
  for (std::uint32_t leaf = 0; leaf < tree_->leaf_count(); ++leaf) {  // path order: rack by rack
    const topology::DomainId host = tree_->domain_of(topology::LeafId{leaf});
    if (tree_->children(*tree_->parent(host)).begin == index(host))
      rack_used = share(random) < used;
    if (rack_used) capacity_->book(view_->cells()[leaf], whole);
  }
}

solver::Gang gang(std::int64_t pods, std::int64_t gpus, const char* level, std::int64_t slice) {
  solver::PodSet pod_set;
  pod_set.name = "main";
  pod_set.count = pods;
  pod_set.request =
      Amounts{{topology::cpu_resource(), 32'000 * gpus}, {topology::gpu_resource(), gpus}};
  pod_set.topology.required = Symbol(level);
  if (slice > 0) pod_set.topology.layers.push_back({Symbol("rack"), slice});
  return {{pod_set}};
}

void book(NvlWorld& world, const solver::Gang& gang, const solver::Placement& placement) {
  change(world, gang, placement, true);
}

void release(NvlWorld& world, const solver::Gang& gang, const solver::Placement& placement) {
  change(world, gang, placement, false);
}

}  // namespace tessera::bench
