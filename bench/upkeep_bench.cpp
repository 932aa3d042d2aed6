// SPDX-License-Identifier: Apache-2.0
// Times what keeps the index true beside decisions: nodes that go and come, labels that move, keys
// that are not live, snapshots. Also measures the index's memory.

#include <array>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/rows.h"
#include "bench/world.h"
#include "solver/index/node_update.h"

namespace tessera::bench {
namespace {

using topology::NodeId;
using topology::NodeRecord;
using topology::Symbol;

constexpr std::int64_t kUsedPercent = 85;

void update(World& world, std::uint32_t node) {
  Cluster& cluster = world.cluster();
  const std::array views = {cluster.view.get()};
  if (solver::update_node(NodeId{node}, *cluster.tree, views, *cluster.capacity, &world.index())) {
    return;
  }
  std::cerr << "bench: node " << node << " cannot be changed in place\n";
  std::abort();
}

std::uint32_t random_usable_node(World& world) {
  const std::vector<NodeRecord>& nodes = world.cluster().nodes;
  for (;;) {
    const std::uint32_t node = world.random_below(static_cast<std::uint32_t>(nodes.size()));
    if (nodes[node].usable()) return node;
  }
}

/// A node becomes not ready and ready again, both in one timing. `hot`: always the same node, else
/// any.
void node_flap(benchmark::State& state, World& world, bool hot) {
  std::uint32_t node = random_usable_node(world);
  Timings timings(state);
  for (auto _ : state) {
    if (!hot) node = random_usable_node(world);
    NodeRecord& record = world.cluster().nodes[node];
    timings.time([&] {
      record.ready = false;
      update(world, node);
      record.ready = true;
      update(world, node);
    });
  }
  timings.report();
}

/// A node moves to the rack (and block) of another node, and back. Each move is one timing.
void label_move(benchmark::State& state, World& world, bool hot) {
  const Symbol rack("rack"), block("block");
  std::uint32_t node = 0, neighbour = 0;
  bool away = false;
  std::optional<NodeRecord> home;
  Timings timings(state);
  for (auto _ : state) {
    std::vector<NodeRecord>& nodes = world.cluster().nodes;
    if (!away && (!hot || !home)) {
      node = random_usable_node(world);
      do {
        neighbour = random_usable_node(world);
      } while (nodes[neighbour].labels.find(rack) == nodes[node].labels.find(rack));
      home = nodes[node];
    }
    const NodeRecord& like = away ? *home : nodes[neighbour];
    nodes[node].labels.set(rack, *like.labels.find(rack));
    nodes[node].labels.set(block, *like.labels.find(block));
    timings.time([&] { update(world, node); });
    away = !away;
  }
  timings.report();
}

/// A request that comes for the first time: a full count of all nodes. The index has room for one
/// key, so each key drops the key before.
void cold_key(benchmark::State& state, World& world, int threads) {
  solver::Index index({.max_keys = 1, .max_age_cycles = 10'000, .threads = threads});
  Timings timings(state);
  std::int64_t number = 0;
  for (auto _ : state) {
    const Order odd = order(odd_gang(++number), *world.cluster().view);
    std::optional<solver::Answer> answer;
    timings.time([&] {
      answer = place_gang(odd.gang, odd.counts, odd.targets, *world.cluster().capacity,
                          topology::Basis::kFree, {}, &index);
    });
  }
  timings.report();
  state.counters["threads_seen"] = index.threads_seen();
}

/// Times copies of capacity and index, or with `first_write` the first decision after a copy, which
/// copies the chunks that it writes.
void snapshot(benchmark::State& state, World& world, bool first_write) {
  const auto now = [&world] {
    return std::make_pair(topology::Capacity(*world.cluster().capacity),
                          solver::Index(world.index()));
  };
  const Order& sliced = world.orders()[kSlicedBlock];
  world.end_any(kSlicedBlock);  // its place is taken again and again
  Timings timings(state);
  for (auto _ : state) {
    std::optional<std::pair<topology::Capacity, solver::Index>> copy;
    if (!first_write) {
      timings.time([&] { copy.emplace(now()); });
      continue;
    }
    copy.emplace(now());
    std::optional<solver::Booking> booking;
    timings.time([&] { booking = world.decide(sliced, &world.index()); });
    copy.reset();
    if (booking) world.end(*booking, &world.index());
  }
  timings.report();
  world.start(kSlicedBlock);
}

void report_bytes(benchmark::State& state, double bytes, std::size_t nodes) {
  state.SetIterationTime(0);
  state.counters["bytes_a_node"] = bytes / static_cast<double>(nodes);
}

/// Books what runs in the world. Without it, the rows of the free amounts and of the empty cluster
/// would share their chunks.
void book_running(World& world, topology::Capacity& capacity) {
  for (std::size_t order = 0; order < world.orders().size(); ++order) {
    for (const solver::Booking& booking : world.running(order)) {
      for (const solver::Booking::Part& part : booking.parts) {
        capacity.book(part.cell, booking.requests[part.request], part.pods);
      }
    }
  }
}

/// Memory that a new capacity and an index with the 16 keys take.
void memory_of_index(benchmark::State& state, World& world) {
  const Cluster& cluster = world.cluster();
  for (auto _ : state) {
    const double before = resident();
    topology::Capacity capacity(cluster.cells, cluster.nodes);
    book_running(world, capacity);
    solver::Index index({.max_keys = 32, .max_age_cycles = 10'000, .threads = 1});
    for (const Order& each : world.orders()) {
      place_gang(each.gang, each.counts, each.targets, capacity, topology::Basis::kFree, {},
                 &index);
    }
    report_bytes(state, resident() - before, cluster.nodes.size());
  }
}

/// Memory of what is made from labels besides the tree: the map of cells, the view, the filter
/// classes of the 16 keys. All copies of a capacity and an index share it.
void memory_of_view(benchmark::State& state, World& world) {
  const Cluster& cluster = world.cluster();
  const topology::DomainTree* trees[] = {cluster.tree.get()};
  const std::uint32_t scopes[] = {0};
  for (auto _ : state) {
    const double before = resident();
    const topology::CellMap cells(trees, scopes, static_cast<std::uint32_t>(cluster.nodes.size()),
                                  topology::CellPolicy{});
    const solver::FlavorView view(*cluster.tree, cells.cells_of_tree(0), cluster.nodes, {});
    for (const Order& each : world.orders()) view.filter_class(each.gang.pod_sets[0].filter);
    report_bytes(state, resident() - before, cluster.nodes.size());
  }
}

/// Adds a row that runs on the shared world of this size.
template <class Run>
void add(const std::string& name, std::uint32_t nodes, const std::string& state, int timings,
         Run run) {
  add_row(name, nodes, state, timings, [nodes, run](benchmark::State& timed) {
    run(timed, World::shared({WorldSpec::Shape::kNvl, nodes, kUsedPercent}));
  });
}

}  // namespace

void add_upkeep_rows(std::uint32_t nodes) {
  for (const bool hot : {true, false}) {
    const char* const state = text(hot ? Traffic::kHot : Traffic::kRandom);
    add("BM_NodeFlap", nodes, state, 2'000,
        [hot](benchmark::State& timed, World& world) { node_flap(timed, world, hot); });
    add("BM_LabelMove", nodes, state, 2'000,
        [hot](benchmark::State& timed, World& world) { label_move(timed, world, hot); });
  }
  for (const int threads : {1, 2}) {
    if (nodes < 100'000) break;
    add("BM_ColdKey", nodes, std::to_string(threads) + (threads == 1 ? " thread" : " threads"), 50,
        [threads](benchmark::State& timed, World& world) { cold_key(timed, world, threads); });
  }
  add("BM_Snapshot", nodes, "copy", 200,
      [](benchmark::State& timed, World& world) { snapshot(timed, world, false); });
  add("BM_Snapshot", nodes, "first write", 200,
      [](benchmark::State& timed, World& world) { snapshot(timed, world, true); });
  add("BM_Memory", nodes, "index", 1, memory_of_index);
  add("BM_Memory", nodes, "view", 1, memory_of_view);
}

}  // namespace tessera::bench
