// SPDX-License-Identifier: Apache-2.0
// Caps: what is above one is left out, the last by name, with one error a kind.
#include "ingest/link/caps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

namespace tessera::ingest {
namespace {

using topology::Symbol;

core::ClusterQueueRecord queue(const std::string& name, const std::vector<std::string>& flavors) {
  core::ClusterQueueRecord queue;
  queue.name = name;
  core::ResourceGroup& group = queue.groups.emplace_back();
  for (const std::string& flavor : flavors) {
    group.flavors.emplace_back();
    group.flavors.back().flavor = flavor;
    group.flavors.back().resources.emplace_back();
    group.flavors.back().resources.back().resource = Symbol("cpu");
  }
  return queue;
}

/// Names of what is left, and the errors.
struct CapCase {
  std::string what;
  Caps caps;
  std::string left, errors;
};
void PrintTo(const CapCase& c, std::ostream* out) { *out << c.what; }

class KeepCaps : public testing::TestWithParam<CapCase> {};

TEST_P(KeepCaps, LeavesOutTheLastByNameAndSaysSo) {
  ReadContext context;
  core::Inventory& inventory = context.inventory;
  for (const char* name : {"a", "b", "c"}) {
    inventory.flavors.emplace_back().name = name;
    inventory.topologies.emplace_back().name = name;
  }
  inventory.nodes.resize(2);
  inventory.cohorts.emplace_back().name = "co";
  inventory.cluster_queues = {queue("q1", {"a"}), queue("q2", {"a", "b"}), queue("q3", {"a"})};
  keep_caps(context, GetParam().caps);
  std::string left, errors;
  for (const auto& one : inventory.flavors) left += one.name;
  left += " ";
  for (const auto& one : inventory.topologies) left += one.name;
  for (const auto& one : inventory.cluster_queues) left += " " + one.name;
  for (const Error& error : context.errors) errors += error.text() + "\n";
  EXPECT_EQ(left, GetParam().left);
  EXPECT_EQ(errors, GetParam().errors);
}

const CapCase kCases[] = {
    {"nothing above a cap", {}, "abc abc q1 q2 q3", ""},
    {"as many as the caps allow", {3, 6, 3, 8}, "abc abc q1 q2 q3", ""},
    {"one flavor too many",
     {2, 100, 3, 100},
     "ab abc q1 q2 q3",
     "ResourceFlavor c: left out: at most 2 are read\n"},
    {"flavors times nodes",
     {3, 3, 3, 100},
     "a abc q1 q2 q3",
     "ResourceFlavor b and 1 more: left out: flavors times nodes may be 3 in all\n"},
    {"topologies",
     {3, 100, 1, 100},
     "abc a q1 q2 q3",
     "Topology b and 1 more: left out: at most 1 are read\n"},
    // q1 has 1 pair and q2 has 2; in a table with rows for co, q1 and q2 they would take 6 cells.
    {"quotas that fit as lists, where a table would be too large",
     {3, 100, 3, 4},
     "abc abc q1 q2 q3",
     ""},
    {"a queue whose flavors are too many, but not the one after it",
     {3, 100, 3, 2},
     "abc abc q1 q3",
     "ClusterQueue q2: left out: the pairs of flavor and resource in the quotas of queues and "
     "cohorts, each counted again for each cohort above, may be 2 in all\n"},
};
INSTANTIATE_TEST_SUITE_P(Lists, KeepCaps, testing::ValuesIn(kCases));

TEST(KeepCaps, WhatIsLeftOutCountsAsRefusedSoThatNoMessageSaysItIsNotInTheInput) {
  ReadContext context;
  for (const char* name : {"a", "b"}) context.inventory.flavors.emplace_back().name = name;
  keep_caps(context, {1, 100, 1, 1});
  ASSERT_EQ(context.inventory.refused.size(), 1u);
  EXPECT_EQ(context.inventory.refused[0].kind, "ResourceFlavor");
  EXPECT_EQ(context.inventory.refused[0].name, "b");
}

TEST(KeepCaps, PairsCountAgainForEachCohortAboveUnlessATableIsSmaller) {
  const auto left = [](std::size_t most) {
    ReadContext context;
    core::Inventory& inventory = context.inventory;
    inventory.cohorts.resize(2);
    inventory.cohorts[0].name = "in";
    inventory.cohorts[0].parent = "top";
    inventory.cohorts[1].name = "top";
    inventory.cluster_queues = {queue("q1", {"a"}), queue("q2", {"b"})};
    for (auto& each : inventory.cluster_queues) each.cohort = "in";
    keep_caps(context, {9, 99, 9, most});
    return inventory.cluster_queues.size();
  };
  EXPECT_EQ(left(6), 2u);  // (q1, in, top) and (q2, in, top); a table has 4 rows and 2 columns
  EXPECT_EQ(left(5), 1u);
  EXPECT_EQ(left(3), 1u);
  EXPECT_EQ(left(2), 0u);
}

}  // namespace
}  // namespace tessera::ingest
