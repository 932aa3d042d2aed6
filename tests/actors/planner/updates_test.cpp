// SPDX-License-Identifier: Apache-2.0
// Nodes, pods and definitions change while the engine runs. Afterwards everything is as if the
// engine had been started on the final state.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "actors/engine/local_engine.h"
#include "actors/records/broken_invariant.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using topology::NodeRecord;

const Symbol kGpu("nvidia.com/gpu");

/// A running engine, and a plain record of all its inputs.
class Running {
 public:
  explicit Running(Inventory inventory)
      : nodes_(inventory.nodes),
        pods_(inventory.pods),
        definitions_(std::make_shared<Inventory>(std::move(inventory))) {
    CycleLimits limits;
    EngineOptions options;
    options.live = true;
    engine_ = std::make_unique<LocalEngine>(std::make_shared<const Definitions>(definitions_),
                                            options, limits);
  }

  void submit(const Workload& workload) {
    tell(Submit{std::make_shared<const Workload>(workload)});
  }
  void tell(Input input) {
    std::vector<Input> instant;
    instant.push_back(std::move(input));
    engine_->submit(std::move(instant));
    for (const auto& record : engine_->settle()) {
      for (const Submitted& each : record->submitted()) gangs_.push_back(each.gang);
    }
  }
  void update(const NodeRecord& record) {
    const auto same = std::find_if(nodes_.begin(), nodes_.end(),
                                   [&](const NodeRecord& n) { return n.name == record.name; });
    same == nodes_.end() ? nodes_.push_back(record) : void(*same = record);
    tell(NodeUpdate{record});
  }
  void delete_node(Symbol name) {
    nodes_.erase(std::find_if(nodes_.begin(), nodes_.end(),
                              [&](const NodeRecord& n) { return n.name == name; }));
    tell(NodeDelete{name});
  }
  void update(const PodRecord& record) {
    delete_pod_record(record.name);
    pods_.push_back(record);
    tell(PodUpdate{record});
  }
  void delete_pod(std::string name) {
    delete_pod_record(name);
    tell(PodDelete{"ns", std::move(name)});
  }
  void redefine(Inventory inventory) {
    definitions_ = std::make_shared<Inventory>(std::move(inventory));
    tell(Redefine{definitions_});
  }

  LocalEngine& engine() { return *engine_; }
  std::vector<NodeRecord>& nodes() { return nodes_; }
  const std::vector<PodRecord>& pods() const { return pods_; }
  const Inventory& definitions() const { return *definitions_; }
  const std::unordered_map<GangId, Admitted>& live() { return engine_->planner().worlds().live(); }
  /// All that were submitted.
  const std::vector<GangId>& gangs() const { return gangs_; }

  /// An engine that is started now.
  Inventory as_read() {
    Inventory inventory = *definitions_;
    inventory.nodes = nodes_;
    std::sort(inventory.nodes.begin(), inventory.nodes.end(),
              [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
    inventory.pods = pods_;
    inventory.workloads.clear();
    for (const auto& [number, admitted] : live()) {
      inventory.workloads.push_back(*admitted.workload);
      inventory.workloads.back().status.admission = *admitted.admission;
    }
    return inventory;
  }

 private:
  void delete_pod_record(const std::string& name) {
    pods_.erase(std::remove_if(pods_.begin(), pods_.end(),
                               [&](const PodRecord& pod) { return pod.name == name; }),
                pods_.end());
  }

  std::vector<NodeRecord> nodes_;
  std::vector<PodRecord> pods_;
  std::shared_ptr<const Inventory> definitions_;
  std::unique_ptr<LocalEngine> engine_;
  std::vector<GangId> gangs_;
};

/// "h1=3 h2=-1": free GPUs of every node that is in the tree of flavor f.
std::string free_text(const PlannerState& planner) {
  std::string text;
  const Books& books = planner.worlds().current();
  const solver::FlavorView& view = *books.cluster().view(FlavorId{0}, false);
  std::vector<std::string> parts;
  for (std::uint32_t leaf = 0; leaf < view.tree().leaf_count(); ++leaf) {
    const topology::LeafId id{leaf};
    if (!view.tree().shown(id)) continue;
    std::string part;
    for (const Symbol value : view.tree().path(view.tree().domain_of(id))) {
      part += "/" + value.str();
    }
    parts.push_back(
        part + "=" +
        std::to_string(books.capacity().amount(topology::Basis::kFree, kGpu, view.cells()[leaf])));
  }
  std::sort(parts.begin(), parts.end());
  for (const std::string& part : parts) text += part + " ";
  for (const PlanQueue* queue : planner.definitions().queues) {
    if (!queue->quota) continue;
    const auto column = books.ledger().column(*queue->quota, Symbol("f"), kGpu);
    text += queue->name + ":" +
            std::to_string(column ? books.ledger().usage(*queue->quota, *column) : 0) + " ";
  }
  return text;
}

/// Where a probe would go, or why not, on the books of a planner.
std::string probe(PlannerState& planner, const Workload& workload) {
  const Directory::Entry entry = planner.definitions().directory.enter(workload);
  if (!entry.stands) return "outside";
  Books& books = planner.worlds().current();
  const Attempt attempt =
      planner.planner().evaluate(workload, *entry.queue, books, QuotaRule::kAvailable);
  if (!attempt.placed) return "refused " + std::to_string(attempt.rejections.size());
  std::string text;
  const solver::FlavorView& view = *books.cluster().view(FlavorId{0}, false);
  for (const PodSetDecision& pod_set : attempt.pod_sets) {
    for (const solver::LeafPods& leaf : pod_set.placement) {
      text += view.tree().path_text(view.tree().domain_of(leaf.leaf)) + ":" +
              std::to_string(leaf.pods) + " ";
    }
  }
  return text;
}

void expect_as_if_started_now(Running& running, std::mt19937& random, const std::string& what) {
  PlannerState& planner = running.engine().planner();
  const Inventory inventory = running.as_read();
  PlannerState fresh(std::make_shared<const Definitions>(inventory), {});
  ASSERT_EQ(free_text(planner), free_text(fresh)) << what;

  const Books& books = planner.worlds().current();
  const topology::CellMap& cells = books.capacity().cells();
  const Owners& owners = running.engine().owners();
  for (std::uint32_t c = 0; c < cells.cell_count(); ++c) {
    const topology::CellId cell{c};
    if (cells.nodes(cell).empty()) continue;
    ASSERT_EQ(owners.shards[index(planner.layout().of(cell))]->free(cell, kGpu),
              books.capacity().left(static_cast<std::uint32_t>(books.capacity().row(kGpu)), cell))
        << what << ", cell " << c;
  }
  for (int i = 0; i < 4; ++i) {
    solver::PodSet pod_set = test::pods("main", 1 + static_cast<int>(random() % 6), 1 + i % 3);
    if (i % 2 == 0) pod_set = test::required(pod_set, i == 0 ? test::kRack : test::kBlock);
    Workload workload;
    workload.namespace_name = "ns";
    workload.name = "probe";
    workload.queue = "q";
    workload.gang.pod_sets = {pod_set};
    workload.quota_requests = {pod_set.request};
    ASSERT_EQ(probe(planner, workload), probe(fresh, workload)) << what;
  }
}

ClusterBuilder base(int nominal) {
  ClusterBuilder builder;
  builder.hosts(
      "b1/r1/h1:4 b1/r1/h2:4 b1/r1/h3:4 b1/r2/h4:4 b1/r2/h5:4 b2/r3/h6:4 b2/r3/h7:2 b2/r4/h8:8");
  builder.flavor("f");
  builder.queue("q", {"f"}, nominal, "co");
  builder.queue("p", {"f"}, 6, "co");
  return builder;
}

std::size_t below(std::mt19937& random, std::size_t bound) { return random() % bound; }

/// One random change of a node.
void change_node(Running& running, std::mt19937& random, std::string& what) {
  NodeRecord node = running.nodes()[below(random, running.nodes().size())];
  switch (below(random, 6)) {
    case 0:
      node.ready = !node.ready;
      what = "ready";
      break;
    case 1:
      node.unschedulable = !node.unschedulable;
      what = "cordon";
      break;
    case 2: {
      const char* const racks[] = {"r1", "r2", "r3", "r9"};
      node.labels.set(Symbol(test::kRack), Symbol(racks[below(random, 4)]));
      what = "rack";
      break;
    }
    case 3:
      node.allocatable.set(kGpu, static_cast<std::int64_t>(below(random, 9)));
      what = "resize";
      break;
    case 4:
      node.taints.empty() ? node.taints.push_back(test::taint("t", "v")) : node.taints.clear();
      what = "taint";
      break;
    default:
      node.name = Symbol("h" + std::to_string(20 + below(random, 3)));
      node.labels.set(Symbol(test::kHost), node.name);
      what = "new node";
      break;
  }
  what += " of " + node.name.str();
  running.update(node);
}

void change_pod(Running& running, std::mt19937& random) {
  if (!running.pods().empty() && below(random, 2) == 0) {
    return running.delete_pod(running.pods()[below(random, running.pods().size())].name);
  }
  PodRecord pod;
  pod.namespace_name = "ns";
  pod.name = "p" + std::to_string(below(random, 5));
  pod.node = running.nodes()[below(random, running.nodes().size())].name;
  pod.request = {{kGpu, static_cast<std::int64_t>(below(random, 3))}};
  // Some belong to gangs that come and go.
  if (below(random, 2) == 0) pod.workload = "ns/w" + std::to_string(below(random, 40));
  running.update(pod);
}

/// Something happens to a gang that may hold something, wait, be suspended or have ended.
void change_life(Running& running, std::mt19937& random) {
  const GangId gang = running.gangs()[below(random, running.gangs().size())];
  switch (below(random, 6)) {
    case 0:
      return running.tell(Started{gang});
    case 1:
      return running.tell(Evict{gang, INT64_MIN, true});
    case 2:
      return running.tell(Suspend{gang});
    case 3:
      return running.tell(Resume{gang});
    default:
      return running.tell(PodsGone{gang});
  }
}

void change_gang(Running& running, std::mt19937& random) {
  if (!running.gangs().empty() && below(random, 3) == 0) return change_life(running, random);
  if (!running.live().empty() && below(random, 2) == 0) {
    const std::vector<GangId> gangs = gangs_of(running.live());
    const GangId gang = gangs[below(random, gangs.size())];
    return below(random, 4) == 0 ? running.tell(Evict{gang, INT64_MIN})
                                 : running.tell(Finish{gang});
  }
  ClusterBuilder builder = base(10);
  solver::PodSet pod_set = test::pods("main", 1 + static_cast<int>(below(random, 4)),
                                      1 + static_cast<int>(below(random, 2)));
  if (below(random, 2) == 0) pod_set = test::required(pod_set, test::kRack);
  Workload workload = builder.workload("w" + std::to_string(running.gangs().size()), {pod_set},
                                       below(random, 2) == 0 ? "q" : "p");
  running.submit(workload);
}

TEST(LiveUpdates, AnyStreamEndsAsIfTheEngineWereStartedOnItsOutcome) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    Running running(base(10).build());
    for (int step = 0; step < 40; ++step) {
      std::string what;
      switch (below(random, 8)) {
        case 0:
        case 1:
          change_node(running, random, what);
          break;
        case 2:
          change_pod(running, random);
          what = "pod";
          break;
        case 3:
          if (below(random, 6) == 0 && running.nodes().size() > 4) {
            running.delete_node(running.nodes()[below(random, running.nodes().size())].name);
            what = "delete node";
          } else if (below(random, 3) == 0) {
            running.redefine(base(static_cast<int>(4 + below(random, 12))).build());
            what = "redefine";
          }
          break;
        default:
          change_gang(running, random);
          what = "gang";
          break;
      }
      expect_as_if_started_now(
          running, random,
          "seed " + std::to_string(seed) + " step " + std::to_string(step) + " " + what);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

Workload gang(const std::string& name, std::int64_t count, std::int64_t gpus) {
  ClusterBuilder builder;
  return builder.workload(name, {test::pods("main", count, gpus)});
}

TEST(LiveUpdates, AWaitingGangStartsWhenANodeComesBack) {
  ClusterBuilder builder = base(100);
  builder.node("h8").ready = false;
  Running running(builder.build());
  running.submit(gang("w", 1, 8));
  EXPECT_TRUE(running.live().empty());
  NodeRecord node = builder.node("h8");
  node.ready = true;
  running.update(node);
  EXPECT_EQ(running.live().size(), 1U);
}

TEST(LiveUpdates, AWaitingGangStartsWhenQuotaIsRaised) {
  Running running(base(0).build());
  running.submit(gang("w", 4, 4));
  EXPECT_TRUE(running.live().empty());
  running.redefine(base(16).build());
  EXPECT_EQ(running.live().size(), 1U);
}

TEST(LiveUpdates, AGangInANewQueueStartsWhenTheQueueComes) {
  Running running(base(16).build());
  Workload workload = gang("w", 1, 1);
  workload.queue = "later";
  running.submit(workload);
  EXPECT_EQ(running.engine().cycle().look().outside.size(), 1U);
  ClusterBuilder builder = base(16);
  builder.queue("later", {"f"}, 4);
  running.redefine(builder.build());
  EXPECT_EQ(running.live().size(), 1U);
}

TEST(LiveUpdates, AnEvictedGangWaitsForTheEndOfItsBackOff) {
  Running running(base(100).build());
  running.submit(gang("w", 1, 1));
  running.tell(Advance{100});
  running.tell(Evict{running.gangs()[0], 500});
  EXPECT_TRUE(running.live().empty());
  EXPECT_EQ(running.engine().next_deadline(), 500);
  running.tell(Advance{499});
  EXPECT_TRUE(running.live().empty());
  running.tell(Advance{500});
  EXPECT_EQ(running.live().size(), 1U);
}

TEST(LiveUpdates, AnEngineThatIsNotLiveRefusesThem) {
  const Inventory inventory = base(10).build();
  LocalEngine engine(std::make_shared<const Definitions>(inventory), {}, {});
  engine.submit({NodeDelete{Symbol("h1")}});
  EXPECT_THROW(engine.settle(), BrokenInvariant);
}

}  // namespace
}  // namespace tessera::core
