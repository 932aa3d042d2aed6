// SPDX-License-Identifier: Apache-2.0
// Times decisions on gang trees: the planner's whole evaluation (flavor, search, quota) and the
// booking of what it found, on a cluster that gangs of the timed shapes use to 85 %. Gangs end at
// random between two timings, untimed.
#include <tbb/global_control.h>

#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "actors/planner/planner_state.h"
#include "bench/rows.h"
#include "bench/world.h"

namespace tessera::bench {
namespace {

using core::GangId;
using topology::Symbol;

constexpr double kUsedShare = 0.85;

solver::GangGroup group(std::string name, std::uint32_t self, std::uint32_t end,
                        const char* required) {
  solver::GangGroup out;
  out.name = std::move(name);
  out.end = end;
  out.topology.topology = "nvl";
  if (required != nullptr) out.topology.required = Symbol(required);
  out.pods_begin = out.pods_end = self == 0 ? 0 : self - 1;
  return out;
}

void add_leaf(core::Workload& workload, const char* name, const char* required, std::int64_t pods,
              std::int64_t gpus, std::int64_t cpu) {
  solver::Gang& gang = workload.gang;
  const auto self = static_cast<std::uint32_t>(gang.groups.size());
  gang.groups.push_back(group(std::string(name) + std::to_string(self), self, self + 1, required));
  gang.groups.back().min_pods = pods;
  gang.groups.back().pods_end = gang.groups.back().pods_begin + 1;
  gang.groups[0].end = self + 1;
  ++gang.groups[0].min_children;
  solver::PodSet pod_set;
  pod_set.name = gang.groups.back().name;
  pod_set.count = pods;
  pod_set.request.set(topology::cpu_resource(), cpu);
  if (gpus > 0) pod_set.request.set(topology::gpu_resource(), gpus);
  pod_set.topology.unconstrained = true;
  workload.quota_requests.push_back(pod_set.request);
  gang.pod_sets.push_back(std::move(pod_set));
}

core::Workload tree_workload(const char* required) {
  core::Workload workload;
  workload.namespace_name = "default";
  workload.name = "gang";
  workload.queue = "team";
  workload.queue_is_kai = true;
  workload.gang.groups.push_back(group("", 0, 1, required));
  return workload;
}

/// 16 segments of as many whole trays, each in one rack.
core::Workload segments(std::int64_t trays) {
  core::Workload workload = tree_workload(nullptr);
  for (int i = 0; i < 16; ++i) add_leaf(workload, "segment-", "rack", trays, 4, 64'000);
  return workload;
}

/// A serving gang in one block: prefill and decode groups in a rack each, a cache, and routers.
core::Workload serving() {
  core::Workload workload = tree_workload("block");
  add_leaf(workload, "prefill-", "rack", 4, 4, 64'000);
  add_leaf(workload, "decode-", "rack", 8, 2, 32'000);
  add_leaf(workload, "cache-", "rack", 3, 1, 16'000);
  add_leaf(workload, "router-", nullptr, 2, 0, 8'000);
  return workload;
}

/// Fits nowhere, and no bound says so: a rack takes two of these groups, a block 16, and there are
/// 17. Each kind alone would fit, and so would the sums.
core::Workload unplaceable() {
  core::Workload workload = tree_workload("block");
  for (int i = 0; i < 9; ++i) add_leaf(workload, "seven-", "rack", 7, 4, 64'000);
  for (int i = 0; i < 8; ++i) add_leaf(workload, "eight-", "rack", 8, 4, 64'000);
  return workload;
}

/// The planner's books of a cluster of the shape kNvl, with gangs in it.
class TreeWorld {
 public:
  explicit TreeWorld(std::uint32_t nodes)
      : state_(definitions_of(nodes), core::EngineOptions{}), queue_(queue_of(state_)) {}

  bool decide(const core::Workload& workload, std::vector<core::PodSetDecision>& out) {
    core::Attempt attempt =
        state_.planner().evaluate(workload, *queue_, books(), core::QuotaRule::kAvailable);
    if (!attempt.placed) return false;
    out = std::move(attempt.pod_sets);
    return true;
  }
  GangId book(const core::Workload& workload, std::vector<core::PodSetDecision> pod_sets) {
    core::Decision decision;
    decision.cluster_queue = queue_->name;
    decision.pod_sets = std::move(pod_sets);
    const GangId gang{next_++};
    for (const auto& pod_set : decision.pod_sets) {
      used_ += pod_set.usage.get(topology::gpu_resource());
    }
    books().place(gang, workload, decision);
    return gang;
  }
  void end(GangId gang, const core::Workload& workload) {
    books().release(gang);
    for (const auto& each : workload.gang.pod_sets) {
      used_ -= each.request.get(topology::gpu_resource()) * each.count;
    }
  }
  double used_share() const { return static_cast<double>(used_) / static_cast<double>(all_gpus_); }
  std::uint32_t random_below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(random_() % bound);
  }

 private:
  std::shared_ptr<const core::Definitions> definitions_of(std::uint32_t nodes) {
    const Cluster cluster({WorldSpec::Shape::kNvl, nodes, 0});
    core::Inventory inventory;
    inventory.nodes = cluster.nodes;
    for (const auto& node : inventory.nodes) {
      if (node.usable()) all_gpus_ += node.allocatable.get(topology::gpu_resource());
    }
    inventory.topologies.push_back(topology_of_worlds());
    inventory.topologies.back().unlabelled = topology::UnlabelledNodes::kKept;
    core::KaiQueueRecord queue;
    queue.name = "team";
    queue.cpu.limit = queue.memory.limit = queue.gpu.limit = topology::kUnlimited;
    inventory.kai_queues.push_back(std::move(queue));
    inventory.has_queues = true;
    return std::make_shared<const core::Definitions>(std::move(inventory));
  }
  static const core::PlanQueue* queue_of(core::PlannerState& state) {
    return &state.definitions().directory.queues().at("team");
  }
  core::Books& books() { return state_.worlds().current(); }

  std::int64_t all_gpus_ = 0, used_ = 0;
  core::PlannerState state_;
  const core::PlanQueue* queue_;
  std::uint32_t next_ = 1;
  std::mt19937 random_{17};
};

/// Times decisions on the first shape in a cluster that gangs of all shapes fill.
void decide(benchmark::State& state, std::uint32_t nodes, std::vector<core::Workload> shapes) {
  TreeWorld world(nodes);
  std::vector<std::vector<GangId>> running(shapes.size());
  std::vector<core::PodSetDecision> found;
  for (std::size_t k = 0, refused = 0; world.used_share() < kUsedShare && refused < shapes.size();
       ++k) {
    const std::size_t shape = k % shapes.size();
    if (world.decide(shapes[shape], found)) {
      running[shape].push_back(world.book(shapes[shape], std::move(found)));
      refused = 0;
    } else {
      ++refused;
    }
  }
  const std::size_t before = running[0].size();
  const std::size_t batch = std::clamp<std::size_t>(before / 16, 1, 32);
  std::int64_t placed = 0;
  std::size_t next_end = 0;
  Timings timings(state);
  for (auto _ : state) {
    if (next_end-- == 0) {
      while (running[0].size() + batch > before && !running[0].empty()) {
        const std::uint32_t which =
            world.random_below(static_cast<std::uint32_t>(running[0].size()));
        world.end(running[0][which], shapes[0]);
        running[0][which] = running[0].back();
        running[0].pop_back();
      }
      next_end = batch - 1;
    }
    bool fits = false;
    GangId gang{};
    timings.time([&] {
      fits = world.decide(shapes[0], found);
      if (fits) gang = world.book(shapes[0], std::move(found));
    });
    if (!fits) continue;
    ++placed;
    running[0].push_back(gang);
  }
  timings.report();
  state.counters["used_share"] = world.used_share();
  state.counters["placed_share"] =
      static_cast<double>(placed) / static_cast<double>(state.iterations());
}

/// Times refusals of a gang that fits nowhere, in a cluster that is hardly used: nearly every block
/// must be searched.
void refuse(benchmark::State& state, std::uint32_t nodes, int threads) {
  const tbb::global_control most(tbb::global_control::max_allowed_parallelism,
                                 static_cast<std::size_t>(threads));
  TreeWorld world(nodes);
  std::vector<core::PodSetDecision> found;
  const core::Workload small = serving(), gang = unplaceable();
  for (std::uint32_t i = 0; i < nodes / 2'000 && world.decide(small, found); ++i) {
    world.book(small, std::move(found));
  }
  std::int64_t refused = 0;
  Timings timings(state);
  for (auto _ : state) {
    bool fits = true;
    timings.time([&] { fits = world.decide(gang, found); });
    if (!fits) ++refused;
  }
  timings.report();
  state.counters["used_share"] = world.used_share();
  state.counters["refused_share"] =
      static_cast<double>(refused) / static_cast<double>(state.iterations());
}

}  // namespace

void add_tree_rows(std::uint32_t nodes) {
  constexpr int kTimings = 1'000, kRefusals = 20;
  add_row("BM_TreeSegments16", nodes, "random", kTimings, [=](benchmark::State& state) {
    decide(state, nodes, {segments(16), serving()});
  });
  add_row("BM_TreeSegments4", nodes, "random", kTimings, [=](benchmark::State& state) {
    decide(state, nodes, {segments(4), serving()});
  });
  add_row("BM_TreeServing", nodes, "random", kTimings, [=](benchmark::State& state) {
    decide(state, nodes, {serving(), segments(4)});
  });
  for (const int threads : {1, 2}) {
    add_row("BM_TreeCannotFit", nodes,
            std::to_string(threads) + " thread" + (threads > 1 ? "s" : ""), kRefusals,
            [=](benchmark::State& state) { refuse(state, nodes, threads); });
  }
}

}  // namespace tessera::bench
