// SPDX-License-Identifier: Apache-2.0
// What `explain` says of gang trees, and gangs in two topologies at once.
#include <gtest/gtest.h>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

std::string node(const std::string& name, const std::string& rack, const std::string& row) {
  return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":")" + name +
         R"(","labels":{"rack":")" + rack + R"(","row":")" + row +
         R"("}},"status":{"allocatable":{"cpu":"64","nvidia.com/gpu":"4","pods":"110"},)"
         R"("conditions":[{"type":"Ready","status":"True"}]}})"
         "\n";
}

std::string topology(const std::string& name, const std::string& label) {
  return R"({"apiVersion":"kai.scheduler/v1alpha1","kind":"Topology","metadata":{"name":")" + name +
         R"("},"spec":{"levels":[{"nodeLabel":")" + label +
         R"("}]}})"
         "\n";
}

/// Racks r1 (n1, n2) and r2 (n3, n4); rows x (n1, n3) and y (n2, n4).
std::string cluster() {
  return topology("fabric", "rack") + topology("power", "row") +
         R"({"apiVersion":"scheduling.run.ai/v2","kind":"Queue","metadata":{"name":"q"},"spec":)"
         R"({"resources":{"cpu":{"limit":-1},"memory":{"limit":-1},"gpu":{"limit":-1}}}})"
         "\n" +
         node("n1", "r1", "x") + node("n2", "r1", "y") + node("n3", "r2", "x") +
         node("n4", "r2", "y");
}

std::string pod(const std::string& name, const std::string& group, int gpus,
                const std::string& on = "") {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":")" + name +
         R"(","annotations":{"pod-group-name":"g"},"labels":{"kai.scheduler/subgroup-name":")" +
         group + R"("}},"spec":{"schedulerName":"kai-scheduler","nodeName":")" + on +
         R"(","containers":[{"name":"m","resources":{"requests":{"nvidia.com/gpu":")" +
         std::to_string(gpus) +
         R"("}}}]}})"
         "\n";
}

/// The whole gang in one row; its groups in a rack each.
std::string gang(const std::string& groups, const std::string& pods) {
  return R"({"apiVersion":"scheduling.run.ai/v2alpha2","kind":"PodGroup","metadata":{"name":"g"},)"
         R"("spec":{"queue":"q","topologyConstraint":{"topology":"power",)"
         R"("requiredTopologyLevel":"row"},"subGroups":[)" +
         groups + "]}}\n" + pods;
}

std::string group(const std::string& name, int pods) {
  return R"({"name":")" + name + R"(","minMember":)" + std::to_string(pods) +
         R"(,"topologyConstraint":{"topology":"fabric","requiredTopologyLevel":"rack"}})";
}

std::string answer(const std::vector<std::string>& command, const std::string& gangs) {
  const Scratch scratch;
  std::vector<std::string> words = command;
  for (const auto& [flag, name, text] :
       {std::tuple("-C", "cluster.jsonl", cluster()), std::tuple("-f", "gangs.jsonl", gangs)}) {
    words.emplace_back(flag);
    words.push_back(scratch.file(name, text));
  }
  return tessera(words).out;
}

TEST(TwoTopologies, BindOneGang) {
  const std::string gangs =
      gang(group("a", 1) + "," + group("b", 1), pod("a0", "a", 4) + pod("b0", "b", 3));
  const std::string out = answer({"schedule", "-o", "pods", "--no-headers"}, gangs);
  // In one row there is one host of each rack.
  EXPECT_NE(out.find("a0  n1"), std::string::npos) << out;
  EXPECT_NE(out.find("b0  n3"), std::string::npos) << out;
}

TEST(TwoTopologies, AreBothNamedWhereTheyRefuse) {
  const std::string gangs = gang(group("a", 2), pod("a0", "a", 4) + pod("a1", "a", 4));
  const std::string out = answer({"explain", "g"}, gangs);
  EXPECT_NE(out.find("group a needs 2 pods in one rack: r1 has room for them, but none has that "
                     "the groups above allow"),
            std::string::npos)
      << out;
}

TEST(ExplainTree, SaysThatPodsRunApart) {
  const std::string gangs =
      gang(group("a", 3), pod("a0", "a", 1, "n1") + pod("a1", "a", 1, "n3") + pod("a2", "a", 1));
  const std::string out = answer({"explain", "g"}, gangs);
  EXPECT_NE(out.find(" waits "), std::string::npos) << out;
  EXPECT_NE(out.find("but its pods run in more than one already"), std::string::npos) << out;
}

}  // namespace
}  // namespace tessera::app_test
