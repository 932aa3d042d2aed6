// SPDX-License-Identifier: Apache-2.0
// Decisions are told from a ClusterView that no Engine fills, as a server's will be.
#include "actors/explain/cluster_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "config/profile.h"
#include "ingest/encode/workload_json.h"
#include "ingest/text/decision_table.h"
#include "ingest/text/node_summary.h"
#include "ingest/text/rack_map.h"

namespace tessera::encode {
namespace {

using ::testing::HasSubstr;
using topology::Symbol;

topology::NodeRecord node(const char* name, const char* rack) {
  topology::NodeRecord node;
  node.name = Symbol(name);
  node.labels.set(Symbol("rack"), Symbol(rack));
  node.labels.set(topology::hostname_label(), node.name);
  node.allocatable.set(topology::gpu_resource(), 4);
  node.allocatable.set(topology::pods_resource(), 110);
  node.capacity = node.allocatable;
  node.ready = true;
  return node;
}

topology::TopologySpec racks() {
  topology::TopologySpec spec;
  spec.name = "t";
  spec.levels = {{Symbol("rack"), "", ""}, {topology::hostname_label(), "", ""}};
  return spec;
}

/// Hosts a1, a2 and b1 in racks a and b; workload 7, whatever else the provider knows.
class KeptCluster : public core::ClusterView {
 public:
  KeptCluster() {
    flavor_.name = "f";
    flavor_.topology = "t";
    workload_.name = "w";
    workload_.namespace_name = "ns";
    workload_.queue = "q";
    workload_.origin = {"batch/v1", "Job", "train", ""};
    solver::PodSet pods;
    pods.name = "main";
    pods.count = 3;
    pods.request.set(topology::gpu_resource(), 2);
    workload_.gang.pod_sets.push_back(pods);
  }

  const core::Workload& workload(std::size_t id) const override {
    EXPECT_EQ(id, 7u);
    return workload_;
  }
  const config::Profile& profile() const override { return profile_; }
  std::span<const topology::NodeRecord> nodes() const override { return nodes_; }
  std::span<const core::FlavorRecord> flavors() const override { return {&flavor_, 1}; }
  std::span<const core::RefusedObject> refused() const override { return {}; }
  const solver::FlavorView* view(const std::string& flavor, bool) const override {
    return flavor == "f" ? &view_ : nullptr;
  }
  std::vector<std::string> topology_flavors() const override { return {"f"}; }
  const topology::Capacity& capacity() const override { return capacity_; }
  std::vector<core::Holding> holdings() const override {
    return {{7, 0, view_.cells()[0], 2}, {7, 0, view_.cells()[2], 1}};
  }

 private:
  config::Profile profile_ = config::default_profile();
  core::Workload workload_;
  core::FlavorRecord flavor_;
  std::vector<topology::NodeRecord> nodes_ = {node("a1", "a"), node("a2", "a"), node("b1", "b")};
  topology::DomainTree tree_{racks(), nodes_, {}, false};
  std::shared_ptr<const topology::CellMap> cells_ = std::make_shared<const topology::CellMap>(
      std::array<const topology::DomainTree*, 1>{&tree_}, std::array<std::uint32_t, 1>{0}, 3u,
      topology::CellPolicy{});
  topology::Capacity capacity_{cells_, nodes_};
  solver::FlavorView view_{tree_, cells_->cells_of_tree(0), nodes_, {}};
};

core::Decision placed() {
  core::Decision decision;
  decision.workload = 7;
  decision.outcome = core::Outcome::kPlaced;
  decision.cluster_queue = "cq";
  core::PodSetDecision pods;
  pods.count = 3;
  pods.topology_flavor = "f";
  pods.placement = {{topology::LeafId{0}, 2}, {topology::LeafId{2}, 1}};
  decision.pod_sets.push_back(pods);
  return decision;
}

TEST(ClusterView, IsAllThatTheTableNeeds) {
  const KeptCluster cluster;
  const auto no_evidence = [](const core::Decision&) -> core::Evidence {
    ADD_FAILURE() << "a placed workload has no evidence";
    return {};
  };
  const std::array<core::Decision, 1> decisions = {placed()};
  const std::string table = decision_table(cluster, decisions, no_evidence, {});
  EXPECT_THAT(table, HasSubstr("job/train"));
  EXPECT_THAT(table, HasSubstr("a: a1; b: b1"));
  EXPECT_EQ(total(cluster, decisions).gpus, 6);
}

TEST(ClusterView, AsksForTheEvidenceOfARefusalOnce) {
  const KeptCluster cluster;
  core::Decision refused;
  refused.workload = 7;
  refused.reason = core::Reason::kGated;
  int asked = 0;
  const auto evidence_of = [&asked](const core::Decision&) {
    ++asked;
    return core::Evidence{};
  };
  decision_table(cluster, std::array<core::Decision, 1>{refused}, evidence_of, {});
  EXPECT_EQ(asked, 1);
}

TEST(ClusterView, ATableForANarrowTerminalHasReasonsBelowTheRows) {
  const KeptCluster cluster;
  core::Decision waits = placed();
  waits.waits_for_checks = {"the-check-of-the-provisioning-team"};
  const std::array<core::Decision, 2> decisions = {placed(), waits};
  DecisionTableOptions options;
  const auto table = [&](std::size_t width) {
    options.width = width;
    return decision_table(
        cluster, decisions, [](const core::Decision&) { return core::Evidence{}; }, options);
  };
  const std::string row = "ns         job/train  q      3/3      6  Placed  2      a: a1; b: b1";
  EXPECT_EQ(table(80),
            "NAMESPACE  WORKLOAD   QUEUE  PODS  GPUS  RESULT  RACKS  DOMAIN\n"
            "  REASON\n" +
                row + "\n" + row +
                "\n"
                "  admission waits for check the-check-of-the-provisioning-team\n");
  EXPECT_THAT(table(140), HasSubstr(row + "  admission waits for check"));
  EXPECT_THAT(table(140), HasSubstr("DOMAIN        REASON\n"));
}

/// Racks r0, r1, .. of two blocks: half of the names stand in both, and two blocks have one name.
TEST(DomainNames, OfManyDomainsAreThoseOfEachAlone) {
  std::vector<topology::NodeRecord> nodes;
  for (int i = 0; i < 60; ++i) {
    const std::string name = "n" + std::to_string(i);
    nodes.push_back(node(name.c_str(), ("r" + std::to_string(i % 40)).c_str()));
    nodes.back().labels.set(Symbol("zone"), Symbol(i < 50 ? "east" : "west"));
    nodes.back().labels.set(Symbol("block"), Symbol(i % 20 < 7 ? "b1" : "b2"));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
  topology::TopologySpec spec;
  spec.name = "t";
  spec.levels = {{Symbol("zone"), "", ""},
                 {Symbol("block"), "", ""},
                 {Symbol("rack"), "", ""},
                 {topology::hostname_label(), "", ""}};
  const topology::DomainTree tree(spec, nodes, {}, false);
  const topology::CellMap cells(std::array<const topology::DomainTree*, 1>{&tree},
                                std::array<std::uint32_t, 1>{0}, 60u, topology::CellPolicy{});
  const solver::FlavorView view{tree, cells.cells_of_tree(0), nodes, {}};
  std::vector<topology::DomainId> racks;
  std::vector<std::string> names;
  for (std::uint32_t d = tree.level(2).begin; d < tree.level(2).end; ++d) {
    racks.push_back(topology::DomainId{d});
    names.push_back(domain_name(view, racks.back()));
  }
  ASSERT_GT(racks.size(), 40u);
  EXPECT_EQ(domain_names(view, racks), names);
  EXPECT_THAT(names, testing::Contains(testing::StartsWith("east/b")));
}

TEST(ClusterView, IsAllThatAWorkloadObjectNeeds) {
  const KeptCluster cluster;
  const nlohmann::ordered_json written =
      workload_json(cluster, placed(), {}, {AssignmentVersion::kV1Beta1, ""});
  const auto& assignment = written["status"]["admission"]["podSetAssignments"][0];
  EXPECT_EQ(assignment["topologyAssignment"]["domains"].dump(),
            R"([{"values":["a1"],"count":2},{"values":["b1"],"count":1}])");
}

TEST(ClusterView, IsAllThatNodesAndRacksNeed) {
  const KeptCluster cluster;
  EXPECT_EQ(summarize_nodes(cluster, HostNames::kNodeName).gpus, 12);
  const std::vector<Census> censuses = take_census(cluster, own_shape(cluster.nodes()));
  ASSERT_EQ(censuses.size(), 1u);
  EXPECT_THAT(rack_map(cluster, censuses[0], 0, MapBy::kGang, true), HasSubstr("a job/train"));
}

}  // namespace
}  // namespace tessera::encode
