// SPDX-License-Identifier: Apache-2.0
// Random admissions over lost flavors, labels and nodes, with bound pods anywhere, against a plain
// sum over nodes: a node is held by what assignments name there, and by the pods beyond that.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "actors/planner/planner_state.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;

const Symbol kDevice("nvidia.com/gpu"), kPoolLabel("pool");
constexpr std::int64_t kGpus = 8;

/// A world, and what each node should have left.
struct World {
  Inventory inventory;
  std::map<std::string, std::int64_t> free;  // by Node name
};

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  World make() {
    make_nodes();
    builder_.flavor("f", "levels").flavor_record("f").node_labels = {{kPoolLabel, Symbol("p")}};
    builder_.flavor("g", "hosts").flavor_record("g").node_labels = {{kPoolLabel, Symbol("g")}};
    builder_.queue("q", {"f", "g"}, 1000);
    for (int w = below(4); w >= 0; --w) make_workload("w" + std::to_string(w));
    for (int p = below(3); p > 0; --p) {
      const std::string node = any_node();
      builder_.bound_pod("other" + std::to_string(p), node, 1);
      world_.free[node] -= 1;
    }
    world_.inventory = builder_.build();
    topology::TopologySpec hosts;
    hosts.name = "hosts";
    hosts.levels = {{topology::hostname_label(), "", ""}};
    world_.inventory.topologies.push_back(hosts);
    std::sort(world_.inventory.topologies.begin(), world_.inventory.topologies.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    return std::move(world_);
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
  std::string any_node() { return "n" + std::to_string(below(kNodes)); }

  void make_nodes() {
    for (int n = 0; n < kNodes; ++n) {
      const std::string name = "n" + std::to_string(n);
      builder_.hosts("b/r" + std::to_string(n / 2) + "/" + name + ":8");
      topology::Labels& labels = builder_.node(name).labels;
      hostnames_.push_back(below(3) == 0 ? "host-" + name : name);
      labels.set(Symbol(test::kHost), Symbol(hostnames_.back()));
      const char* const pools[] = {"p", "p", "g", "x"};
      labels.set(kPoolLabel, Symbol(pools[below(4)]));
      if (below(5) == 0) labels.set(Symbol(test::kRack), Symbol("r9"));
      world_.free[name] = kGpus;
    }
  }

  void make_workload(const std::string& name) {
    Workload& workload = builder_.admitted(name, test::pods("0", 1, 1), "a:1", "f");
    workload.gang.pod_sets.clear();
    workload.quota_requests.clear();
    workload.status.admission->pod_sets.clear();
    std::map<std::pair<int, int>, std::int64_t> seats;  // (node, GPUs of a pod)
    for (int gpus = 1; gpus <= 1 + below(2); ++gpus) {
      workload.gang.pod_sets.push_back(test::pods(std::to_string(gpus), 1, gpus));
      workload.quota_requests.push_back(workload.gang.pod_sets.back().request);
      workload.status.admission->pod_sets.push_back(assign(gpus, seats));
    }
    std::map<std::pair<int, int>, std::int64_t> running;
    for (int p = below(8); p > 0; --p) {
      const int node = below(kNodes + 1);  // the last is not in the input
      const int gpus = 1 + below(static_cast<int>(workload.gang.pod_sets.size()));
      builder_.bound_pod(name + "-" + std::to_string(p), "n" + std::to_string(node), gpus)
          .workload = workload.key();
      if (node < kNodes) ++running[{node, gpus}];
    }
    for (const auto& [where, pods] : seats) {
      world_.free["n" + std::to_string(where.first)] -= pods * where.second;
    }
    for (const auto& [where, pods] : running) {
      world_.free["n" + std::to_string(where.first)] -=
          std::max<std::int64_t>(0, pods - seats[where]) * where.second;
    }
  }

  PodSetAssignment assign(int gpus, std::map<std::pair<int, int>, std::int64_t>& seats) {
    PodSetAssignment assignment;
    assignment.name = std::to_string(gpus);
    const char* const flavors[] = {"f", "g", "gone"};
    assignment.flavors = {{"nvidia.com/gpu", flavors[below(3)]}};
    const bool whole = below(2) == 0;
    if (whole) assignment.levels = {Symbol(test::kBlock), Symbol(test::kRack)};
    assignment.levels.push_back(topology::hostname_label());
    for (int node = 0; node <= kNodes; ++node) {
      if (below(3) != 0) continue;
      std::vector<Symbol> values;
      if (whole) values = {Symbol("b"), Symbol("r0")};
      const bool known = node < kNodes;
      values.emplace_back(known ? hostnames_[static_cast<std::size_t>(node)] : "gone");
      const std::int64_t pods = 1 + below(3);
      assignment.domains.add(values, pods);
      assignment.count += pods;
      if (known) seats[{node, gpus}] += pods;
    }
    return assignment;
  }

  static constexpr int kNodes = 6;
  std::mt19937 random_;
  ClusterBuilder builder_;
  std::vector<std::string> hostnames_;
  World world_;
};

TEST(RandomAdmissions, HoldWhatTheyNameAndWherePodsRun) {
  std::int64_t looked_at = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    World world = Maker(seed).make();
    const std::map<std::string, std::int64_t> free = std::move(world.free);
    const PlannerState planner(std::make_shared<const Definitions>(
                                   std::make_shared<const Inventory>(std::move(world.inventory))),
                               {});
    const Books& books = planner.worlds().current();
    const topology::CellMap& cells = books.capacity().cells();
    for (std::uint32_t n = 0; n < books.cluster().nodes().size(); ++n) {
      for (const topology::CellId cell : cells.cells_of_node(topology::NodeId{n})) {
        ++looked_at;
        const std::string name = books.cluster().nodes()[n].name.str();
        ASSERT_EQ(books.capacity().amount(topology::Basis::kFree, kDevice, cell), free.at(name))
            << "seed " << seed << ", node " << name;
      }
    }
  }
  EXPECT_GT(looked_at, 9000);
}

}  // namespace
}  // namespace tessera::core
