// SPDX-License-Identifier: Apache-2.0
#include "bench/world.h"

#include <string>
#include <utility>

namespace tessera::bench {
namespace {

using topology::Amounts;
using topology::CellId;
using topology::NodeRecord;
using topology::Symbol;
using Shape = WorldSpec::Shape;

constexpr solver::IndexLimits kLimits{.max_keys = 32, .max_age_cycles = 10'000, .threads = 1};

struct Layout {
  std::uint32_t nodes_in_rack, racks_in_block, cordoned_percent;
  std::int64_t milli_cpu, gpus, memory_gib;
};

constexpr Layout layout_of(Shape shape) {
  return shape == Shape::kNvl ? Layout{18, 8, 2, 143'900, 4, 920}
                              : Layout{16, 16, 0, 192'000, 8, 2'048};
}

std::string numbered(const char* prefix, std::uint32_t number) {
  const std::string digits = std::to_string(number);
  return prefix + std::string(digits.size() < 7 ? 7 - digits.size() : 0, '0') + digits;
}

NodeRecord make_node(const Layout& layout, std::uint32_t i, std::mt19937& random) {
  NodeRecord node;
  node.name = Symbol(numbered("n", i));
  const std::uint32_t rack = i / layout.nodes_in_rack;
  node.labels.set(topology::hostname_label(), node.name);
  node.labels.set(Symbol("rack"), Symbol(numbered("r", rack)));
  node.labels.set(Symbol("block"), Symbol(numbered("b", rack / layout.racks_in_block)));
  node.labels.set(product_label(), Symbol(random() % 200 == 0 ? "gb300" : "gb200"));
  if (random() % 100 == 0) node.taints.push_back(upkeep_taint());
  node.allocatable = Amounts{{topology::cpu_resource(), layout.milli_cpu},
                             {Symbol("memory"), layout.memory_gib << 30},
                             {topology::gpu_resource(), layout.gpus},
                             {topology::pods_resource(), 110}};
  node.ready = true;
  node.unschedulable = random() % 100 < layout.cordoned_percent;
  return node;
}

}  // namespace

topology::TopologySpec topology_of_worlds() {
  return {"nvl",
          {{Symbol("block"), "block", ""},
           {Symbol("rack"), "rack", ""},
           {topology::hostname_label(), "host", ""}}};
}

Cluster::Cluster(const WorldSpec& spec) {
  std::mt19937 random(7);
  const Layout layout = layout_of(spec.shape);
  nodes.reserve(spec.nodes);
  for (std::uint32_t i = 0; i < spec.nodes; ++i) nodes.push_back(make_node(layout, i, random));
  tree = std::make_unique<topology::DomainTree>(topology_of_worlds(), nodes,
                                                std::vector<std::pair<Symbol, Symbol>>{}, false,
                                                topology::TreeUse::kLive);
  const topology::DomainTree* trees[] = {tree.get()};
  const std::uint32_t scopes[] = {0};
  cells = std::make_shared<topology::CellMap>(trees, scopes, spec.nodes, topology::CellPolicy{});
  capacity = std::make_unique<topology::Capacity>(cells, nodes);
  for (std::uint32_t i = 0; i < spec.nodes; ++i) {
    const auto permille = static_cast<std::int64_t>(30 + random() % 41);  // 5 % in the mean
    capacity->add_pod(topology::NodeId{i},
                      {{topology::cpu_resource(), layout.milli_cpu * permille / 1'000},
                       {topology::pods_resource(), 3}});
  }
  view = std::make_unique<solver::FlavorView>(*tree, cells->cells_of_tree(0), nodes,
                                              std::vector<topology::Toleration>{});
}

World::World(const WorldSpec& spec)
    : counted_(spec.shape == Shape::kNvl ? topology::gpu_resource() : topology::cpu_resource()),
      cluster_(spec),
      index_(kLimits) {
  for (solver::Gang& gang : spec.shape == Shape::kNvl ? nvl_gangs() : kueue_gangs()) {
    orders_.push_back(order(std::move(gang), *cluster_.view));
  }
  running_.resize(orders_.size());
  fill(spec);
  make_live(index_);
}

void World::make_live(solver::Index& index) {
  for (const Order& each : orders_) {
    place_gang(each.gang, each.counts, each.targets, *cluster_.capacity, topology::Basis::kFree, {},
               &index);
  }
}

World& World::shared(const WorldSpec& spec) {
  static std::unique_ptr<World> world;
  static WorldSpec made;
  if (world == nullptr || made != spec) {
    world.reset();  // first, so that there are never two worlds of a million nodes
    world = std::make_unique<World>(spec);
    made = spec;
  }
  return *world;
}

std::optional<solver::Booking> World::decide(const Order& order, solver::Index* live) {
  const solver::Answer answer =
      place_gang(order.gang, order.counts, order.targets, *cluster_.capacity,
                 topology::Basis::kFree, order.options, live);
  const auto* placement = std::get_if<solver::Placement>(&answer);
  if (placement == nullptr) return std::nullopt;
  solver::Booking booking = book(order.gang, *placement, order.targets, *cluster_.capacity);
  if (live != nullptr && keys_follow_) solver::EveryKey(*live).follow(*cluster_.capacity);
  return booking;
}

void World::end(const solver::Booking& booking, solver::Index* live) {
  release(booking, *cluster_.capacity);
  if (live != nullptr && keys_follow_) solver::EveryKey(*live).follow(*cluster_.capacity);
}

void World::end_any(std::size_t order) {
  std::vector<solver::Booking>& gangs = running_[order];
  std::swap(gangs[random_below(static_cast<std::uint32_t>(gangs.size()))], gangs.back());
  end(gangs.back(), &index_);
  gangs.pop_back();
}

double World::used_share() const {
  const topology::Capacity& capacity = *cluster_.capacity;
  const auto row = static_cast<std::uint32_t>(capacity.row(counted_));
  const auto sum = [&](topology::Basis basis) {
    std::int64_t out = 0;
    const auto add = [&out](std::span<const std::int64_t> part) {
      for (const std::int64_t amount : part) out += amount;
    };
    const auto& rows = capacity.rows(basis);
    rows.for_each_part(row, 0, rows.cells(), add);
    return static_cast<double>(out);
  };
  return 1 - sum(topology::Basis::kFree) / sum(topology::Basis::kEmpty);
}

std::uint32_t World::random_below(std::uint32_t bound) {
  return static_cast<std::uint32_t>(random_() % bound);
}

bool World::start(std::size_t order) {
  std::optional<solver::Booking> booking = decide(orders_[order], &index_);
  if (booking) running_[order].push_back(std::move(*booking));
  return booking.has_value();
}

/// Nvl: a sliced gang leaves two trays free in each of its four racks, and four gangs of 8 pods
/// fill them. So full racks lie beside free ones, and either shape finds places.
void World::fill(const WorldSpec& spec) {
  const std::int64_t of_all = spec.nodes * spec.used_percent / 100;
  if (spec.shape == Shape::kKueue) {
    for (std::int64_t used = 256; used <= of_all; used += 256) start(kPreferredRack);
    return;
  }
  std::int64_t left = of_all;  // in nodes: gangs of 64 and of 2
  while (left >= 64 && start(kSlicedBlock)) {
    left -= 64;
    for (int i = 0; i < 4 && left >= 2 && start(kOneRack); ++i) left -= 2;
  }
  while (left >= 2 && start(kOneRack)) left -= 2;
}

}  // namespace tessera::bench
