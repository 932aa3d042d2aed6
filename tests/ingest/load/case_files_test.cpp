// SPDX-License-Identifier: Apache-2.0
// Files in the shape in which people post them give the reading that was stated for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>

#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using topology::NodeRecord;
using topology::Symbol;

ingest::Loaded read(std::initializer_list<const char*> state,
                    std::initializer_list<const char*> request = {}) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  const std::string folder = std::string(TESSERA_TEST_DATA) + "/cases/";
  for (const char* file : state) loader.read_path(folder + file, ingest::Role::kState);
  for (const char* file : request) loader.read_path(folder + file, ingest::Role::kRequest);
  return loader.finish();
}

std::string label(const NodeRecord& node, const char* key) {
  const auto value = node.labels.find(Symbol(key));
  return value ? value->str() : "(none)";
}

/// "usable nodes/their GPUs" by the value of a label, nodes without it left aside.
std::map<std::string, std::string> usable_by(const core::Inventory& inventory, const char* key) {
  std::map<std::string, std::pair<int, std::int64_t>> sums;
  for (const NodeRecord& node : inventory.nodes) {
    if (!node.usable() || !node.labels.find(Symbol(key))) continue;
    auto& [nodes, gpus] = sums[label(node, key)];
    ++nodes;
    gpus += node.allocatable.get(topology::gpu_resource());
  }
  std::map<std::string, std::string> text;
  for (const auto& [value, sum] : sums) {
    text[value] = std::to_string(sum.first) + "/" + std::to_string(sum.second);
  }
  return text;
}

const NodeRecord& by_hostname(const core::Inventory& inventory, const std::string& hostname) {
  for (const NodeRecord& node : inventory.nodes) {
    if (label(node, "kubernetes.io/hostname") == hostname) return node;
  }
  ADD_FAILURE() << "no node " << hostname;
  return inventory.nodes.front();
}

TEST(CaseFiles, TwoRacksOfGb200Nodes) {
  const ingest::Loaded loaded = read({"nodes-gb200-two-racks.yaml.gz"});
  const core::Inventory& inventory = loaded.inventory;
  EXPECT_THAT(loaded.errors, IsEmpty());
  ASSERT_EQ(inventory.nodes.size(), 36u);
  EXPECT_THAT(usable_by(inventory, "nvidia.com/gpu.clique"),
              ElementsAre(testing::Pair("5c1f0d3e-7a42-4b1e-9f0c-21d7a0c4e911.32766", "17/67"),
                          testing::Pair(testing::StartsWith("c07b9a54-"), "16/64")));
  const NodeRecord& degraded = by_hostname(inventory, "gb-r01-n12");
  EXPECT_EQ(degraded.allocatable.get(topology::gpu_resource()), 3);
  EXPECT_EQ(degraded.capacity.get(topology::gpu_resource()), 4);
  EXPECT_TRUE(by_hostname(inventory, "gb-r01-n05").unschedulable);
  EXPECT_FALSE(by_hostname(inventory, "gb-r02-n10").ready);
  EXPECT_EQ(label(by_hostname(inventory, "gb-r02-n18"), "nvidia.com/gpu.clique"), "(none)");
  const NodeRecord& first = by_hostname(inventory, "gb-r01-n01");
  EXPECT_EQ(first.name.str(), "ip-10-42-11-3.compute.internal");
  EXPECT_EQ(label(first, "network.topology.nvidia.com/leaf"), "010");
  EXPECT_EQ(first.allocatable.get(Symbol("rdma/hca_shared")), 1000);
  EXPECT_EQ(first.allocatable.get(topology::cpu_resource()), 143'900);
  EXPECT_EQ(first.taints.size(), 2u);
}

TEST(CaseFiles, KueueSetupHasEightObjects) {
  const ingest::Loaded loaded = read({"kueue-setup.yaml.gz"});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_THAT(loaded.warnings, IsEmpty());
  EXPECT_EQ(loaded.objects, 8);
  ASSERT_EQ(loaded.inventory.cluster_queues.size(), 2u);
  EXPECT_EQ(queue_text(loaded.inventory.cluster_queues[0]),
            "serve cohort=ai best-effort stop=0 selector=0 preempt-next preempts "
            "[cpu memory nvidia.com/gpu | gb200-shared cpu=2300000 memory=16492674416640 "
            "nvidia.com/gpu=64G32]");
  EXPECT_EQ(queue_text(loaded.inventory.cluster_queues[1]),
            "train cohort=ai best-effort stop=0 selector=0 borrow-next preempt-next preempts "
            "[cpu memory nvidia.com/gpu | gb200-reserved cpu=2300000 memory=16492674416640 "
            "nvidia.com/gpu=64L0| gb200-shared cpu=0 memory=0 nvidia.com/gpu=0]");
  ASSERT_EQ(loaded.inventory.flavors.size(), 2u);
  EXPECT_EQ(loaded.inventory.flavors[0].node_labels, loaded.inventory.flavors[1].node_labels);
  EXPECT_EQ(loaded.inventory.flavors[0].topology, "nvl72");
  EXPECT_EQ(loaded.inventory.local_queues.size(), 2u);
  ASSERT_EQ(loaded.inventory.topologies.size(), 1u);
  EXPECT_EQ(levels_text(loaded.inventory.topologies[0]),
            "topology.kubernetes.io/zone > nvidia.com/gpu.clique > kubernetes.io/hostname");
}

TEST(CaseFiles, JobSetOfTwoLevels) {
  const ingest::Loaded loaded = read({}, {"jobset-two-level.yaml.gz"});
  EXPECT_THAT(loaded.errors, IsEmpty());
  ASSERT_EQ(keys(loaded, loaded.to_place), "ml-train/jobset-pretrain-70b-r3");
  const core::Workload& workload = loaded.inventory.workloads[0];
  EXPECT_THAT(workload.invalid, IsEmpty());
  EXPECT_EQ(workload.queue, "gb200-train");
  EXPECT_EQ(workload.origin.display(), "jobset/pretrain-70b-r3");
  ASSERT_EQ(workload.gang.pod_sets.size(), 2u);
  EXPECT_EQ(workload.gang.pod_sets[0].count, 1);
  EXPECT_EQ(workload.gang.pod_sets[1].count, 32);
  const solver::TopologyRequest& request = workload.gang.pod_sets[1].topology;
  ASSERT_EQ(request.layers.size(), 1u);
  EXPECT_EQ(request.layers[0].size, 8);
  EXPECT_EQ(request.layers[0].level.str(), "nvidia.com/gpu.clique");
  EXPECT_EQ(workload.total_gpus(), 128);
  EXPECT_THAT(texts(loaded.warnings), HasSubstr("WorkloadPriorityClass \"train-high\""));
}

TEST(CaseFiles, SampleOfIndexedJobs) {
  const ingest::Loaded loaded = read({}, {"01-job-indexed-slices.yaml.gz"});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(keys(loaded, loaded.to_place),
            "foundation/job-pretrain-400b foundation/job-pretrain-70b");
  const solver::PodSet& layered = loaded.inventory.workloads[0].gang.pod_sets.at(0);
  const solver::PodSet& sliced = loaded.inventory.workloads[1].gang.pod_sets.at(0);
  EXPECT_EQ(layered.count, 96);
  ASSERT_EQ(layered.topology.layers.size(), 2u);
  EXPECT_EQ(layered.topology.layers[0].size, 48);
  EXPECT_EQ(layered.topology.layers[1].size, 16);
  EXPECT_EQ(sliced.count, 32);
  ASSERT_EQ(sliced.topology.layers.size(), 1u);
  EXPECT_EQ(sliced.topology.layers[0].size, 16);
  EXPECT_EQ(sliced.request.get(topology::gpu_resource()), 4);
}

TEST(CaseFiles, SampleOfAJobSet) {
  const ingest::Loaded loaded = read({}, {"03-jobset-two-level.yaml.gz"});
  EXPECT_THAT(loaded.errors, IsEmpty());
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  const auto& pod_sets = loaded.inventory.workloads[0].gang.pod_sets;
  ASSERT_EQ(pod_sets.size(), 2u);
  EXPECT_EQ(pod_sets[0].count, 1);
  EXPECT_EQ(pod_sets[1].count, 48);
}

TEST(CaseFiles, SampleOfNodesInFiveDialects) {
  const ingest::Loaded loaded = read({"17-nodes-gb200.yaml.gz"});
  EXPECT_THAT(loaded.errors, IsEmpty());
  EXPECT_EQ(loaded.inventory.nodes.size(), 10u);
  EXPECT_THAT(usable_by(loaded.inventory, "backend.coreweave.cloud/superpod"),
              ElementsAre(testing::Pair("7", "4/15")));
  EXPECT_EQ(levels_text(loaded.inventory.topologies.at(0)),
            "backend.coreweave.cloud/superpod > nvidia.com/gpu.clique > kubernetes.io/hostname");
}

TEST(CaseFiles, SlurmTopologyIsAClearErrorForEachEntry) {
  const ingest::Loaded loaded = read({"topology.yaml.gz"});
  ASSERT_EQ(loaded.errors.size(), 3u);
  EXPECT_THAT(loaded.errors[0].text(), HasSubstr("topology.yaml.gz:3:3: kind: is missing"));
}

// cases.md C163.
TEST(CaseFiles, CliquesThatDifferBeforeTheDotStayApart) {
  std::string text;
  const char* const cliques[] = {"3183419e-0000-4f0e-86e8-d895a9fb06be.17044",
                                 "bbc2edac-0000-43a0-9053-cae96152c90a.17044", "\"7e3.0\"",
                                 "\"7000.0\""};
  for (const char* clique : cliques) {
    text += "---\napiVersion: v1\nkind: Node\nmetadata: {name: n" + std::to_string(text.size()) +
            ", labels: {nvidia.com/gpu.clique: " + clique + "}}\n";
  }
  std::map<std::string, int> values;
  const ingest::Loaded loaded = load(text);
  for (const NodeRecord& node : loaded.inventory.nodes) {
    ++values[label(node, "nvidia.com/gpu.clique")];
  }
  EXPECT_EQ(values.size(), 4u);
}

// cases.md C161.
TEST(CaseFiles, UnusualQuantitiesOfNodesAreExact) {
  const ingest::Loaded loaded = load(
      "apiVersion: v1\nkind: Node\nmetadata: {name: a}\nstatus:\n"
      "  allocatable: {cpu: 143900m, memory: 128974848Ki, a: 1.5Gi, b: 1e3, c: 2M, d: 100, "
      "nvidia.com/gpu: '4', pods: '110'}\n"
      "  capacity: {cpu: 144}\n");
  ASSERT_EQ(texts(loaded.errors), "");
  const topology::Amounts& amounts = loaded.inventory.nodes.at(0).allocatable;
  EXPECT_EQ(amounts.get(topology::cpu_resource()), 143'900);
  EXPECT_EQ(amounts.get(Symbol("memory")), 132'070'244'352);
  EXPECT_EQ(amounts.get(Symbol("a")), 1'610'612'736);
  EXPECT_EQ(amounts.get(Symbol("b")), 1000);
  EXPECT_EQ(amounts.get(Symbol("c")), 2'000'000);
  EXPECT_EQ(amounts.get(Symbol("d")), 100);
}

}  // namespace
}  // namespace tessera::test
