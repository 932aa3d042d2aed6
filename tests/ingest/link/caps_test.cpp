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
    // A row for co, q1, q2 and q3; a column for (a, cpu) and (b, cpu): q2 would make 6 cells.
    {"a queue whose flavors are too many, but not the one after it",
     {3, 100, 3, 5},
     "abc abc q1 q3",
     "ClusterQueue q2: left out: queues and cohorts, times the pairs of flavor and resource in "
     "their quotas, may be 5 in all\n"},
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

}  // namespace
}  // namespace tessera::ingest
