// SPDX-License-Identifier: Apache-2.0
// Lists that are compared with each other have a cap: a longer one is an error that names the
// field, and the rest of the input is read.
#include <gtest/gtest.h>

#include "ingest/fields/field_reader.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

constexpr std::size_t kMost = ingest::FieldReader::kMostEntries;

/// `entry` with {i} as a number, `count` times.
std::string repeated(const std::string& entry, std::size_t count) {
  std::string out;
  const std::size_t at = entry.find("{i}");
  for (std::size_t i = 0; i < count; ++i) {
    out += (i == 0 ? "" : ", ") + entry.substr(0, at) + std::to_string(i) + entry.substr(at + 3);
  }
  return out;
}

std::string node(const std::string& name, const std::string& taints, const std::string& resources) {
  return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + "}, spec: {taints: [" +
         taints + "]}, status: {allocatable: {" + resources + "}}}\n";
}

std::string job(const std::string& tolerations, const std::string& selector,
                const std::string& requests) {
  return "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: "
         "{tolerations: [" +
         tolerations + "], nodeSelector: {" + selector +
         "}, containers: [{name: c, resources: {requests: {" + requests + "}}}]}}}}\n";
}

struct CapCase {
  const char* name;
  std::string (*text)(std::size_t entries);
  const char* field;
};

const CapCase kCaps[] = {
    {"Taints",
     [](std::size_t n) {
       return node("node1", repeated("{key: k{i}, effect: NoSchedule}", n), "cpu: 1");
     },
     "spec.taints"},
    {"NodeResources", [](std::size_t n) { return node("node1", "", repeated("r/{i}: 1", n)); },
     "status.allocatable"},
    {"Tolerations",
     [](std::size_t n) { return job(repeated("{key: k{i}, operator: Exists}", n), "", "cpu: 1"); },
     "spec.template.spec.tolerations"},
    {"NodeSelector", [](std::size_t n) { return job("", repeated("k{i}: v", n), "cpu: 1"); },
     "spec.template.spec.nodeSelector"},
    {"Requests", [](std::size_t n) { return job("", "", repeated("s/{i}: 1", n)); },
     "spec.template.spec.containers[0].resources.requests"},
};

class Caps : public testing::TestWithParam<CapCase> {};

TEST_P(Caps, AListAtTheCapIsReadAndALongerOneIsAnError) {
  const std::string other = node("other", "", "r/0: 1");
  const ingest::Loaded at = load(other + GetParam().text(kMost));
  EXPECT_TRUE(at.errors.empty()) << at.errors[0].text();

  const ingest::Loaded over = load(other + GetParam().text(kMost + 1));
  ASSERT_EQ(over.errors.size(), 1U);
  EXPECT_EQ(over.errors[0].where.field, GetParam().field);
  EXPECT_EQ(over.errors[0].message, "has 1025 entries; at most 1024 are read");
  EXPECT_EQ(over.inventory.nodes.size(), 1U);
  EXPECT_TRUE(over.inventory.workloads.empty());
}

INSTANTIATE_TEST_SUITE_P(Caps, Caps, testing::ValuesIn(kCaps),
                         [](const auto& param) { return std::string(param.param.name); });

TEST(Caps, AllNodesTogetherHaveAtMostAsManyResources) {
  const std::string first = node("a", "", repeated("r/{i}: 1", 1000));
  const ingest::Loaded all = load(first + node("b", "", repeated("q/{i}: 1", 24) + ", r/7: 2"));
  EXPECT_TRUE(all.errors.empty());

  const ingest::Loaded over = load(first + node("b", "", repeated("q/{i}: 1", 25) + ", r/7: 2"));
  ASSERT_EQ(over.errors.size(), 1U);
  EXPECT_EQ(over.errors[0].message,
            "is left out: the nodes of the input have more than 1024 different resources");
  ASSERT_EQ(over.inventory.nodes.size(), 2U);  // the node stays, with the resources before
  EXPECT_EQ(over.inventory.nodes[1].allocatable.get(topology::Symbol("r/7")), 2);
}

}  // namespace
}  // namespace tessera::test
