// SPDX-License-Identifier: Apache-2.0
// `schedule -o json`: the shape of the items, what reads back, and that nothing but time changes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string kNodes = case_file("nodes-gb200-two-racks.yaml.gz");
const std::string kSetup = case_file("kueue-setup.yaml.gz");
const std::string kJobSet = case_file("jobset-two-level.yaml.gz");

Answer place(const std::vector<std::string>& extra) {
  std::vector<std::string> arguments = {"schedule", "-C",    kNodes, "-C",  kSetup,
                                        "-f",       kJobSet, "-o",   "json"};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return tessera(arguments);
}

json condition(const json& workload, const std::string& type) {
  for (const json& one : workload["status"]["conditions"]) {
    if (one["type"] == type) return one;
  }
  return {};
}

TEST(ScheduleJson, PlacedItemHasAdmissionAndConditions) {
  const Answer run = place({"--ignore-quota"});
  const json list = json::parse(run.out);
  EXPECT_EQ(list["apiVersion"], "v1");
  EXPECT_EQ(list["kind"], "List");
  ASSERT_EQ(list["items"].size(), 1u);
  const json& workload = list["items"][0];
  EXPECT_EQ(workload["apiVersion"], "kueue.x-k8s.io/v1beta2");
  EXPECT_EQ(workload["kind"], "Workload");
  EXPECT_EQ(workload["metadata"]["name"], "jobset-pretrain-70b-r3");
  EXPECT_EQ(workload["metadata"]["labels"]["tessera.dev/origin"], "jobset.pretrain-70b-r3");
  const json& admission = workload["status"]["admission"];
  EXPECT_EQ(admission["clusterQueue"], "train");
  ASSERT_EQ(admission["podSetAssignments"].size(), 2u);
  EXPECT_EQ(admission["podSetAssignments"][1]["name"], "workers");
  EXPECT_EQ(admission["podSetAssignments"][1]["count"], 32);
  EXPECT_TRUE(admission["podSetAssignments"][1]["topologyAssignment"].contains("slices"));
  EXPECT_EQ(condition(workload, "QuotaReserved")["status"], "True");
  EXPECT_EQ(condition(workload, "Admitted")["status"], "True");
}

TEST(ScheduleJson, OlderVersionListsDomains) {
  const json list = json::parse(place({"--ignore-quota", "--assignment-version", "v1beta1"}).out);
  const json& workload = list["items"][0];
  EXPECT_EQ(workload["apiVersion"], "kueue.x-k8s.io/v1beta1");
  const json& workers = workload["status"]["admission"]["podSetAssignments"][1];
  EXPECT_EQ(workers["topologyAssignment"]["domains"].size(), 32u);
}

TEST(ScheduleJson, RefusedItemHasTheReasonAndNoAdmission) {
  const Answer run = place({});
  EXPECT_EQ(run.exit, 6);
  const json workload = json::parse(run.out)["items"][0];
  EXPECT_FALSE(workload["status"].contains("admission"));
  EXPECT_EQ(condition(workload, "QuotaReserved")["status"], "False");
  EXPECT_EQ(condition(workload, "QuotaReserved")["reason"], "Quota");
  EXPECT_TRUE(workload["metadata"]["annotations"].contains("tessera.dev/explanation"));
}

TEST(ScheduleJson, AnswerReadBackAsStateHoldsItsPlace) {
  for (const char* version : {"v1beta1", "v1beta2"}) {
    const Scratch scratch;
    const std::string placed =
        scratch.file("placed.json", place({"--ignore-quota", "--assignment-version", version}).out);
    const Answer map = tessera({"rackmap", "-C", kNodes, "-C", kSetup, "-C", placed});
    EXPECT_THAT(map.err, HasSubstr("0 bound pods, 1 admitted workload;")) << version;
    EXPECT_THAT(map.out, HasSubstr("nvl-1  4444-444444!444444  64/67")) << version;
    EXPECT_THAT(map.out, HasSubstr("nvl-2  444444444x4444444   64/64")) << version;
  }
}

TEST(ScheduleJson, StateIsNeverListed) {
  const Scratch scratch;
  const std::string placed = scratch.file("placed.json", place({"--ignore-quota"}).out);
  const Answer run = tessera({"schedule", "-C", kNodes, "-C", kSetup, "-f", placed, "-o", "json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_TRUE(json::parse(run.out)["items"].empty());
}

TEST(ScheduleJson, TwoRunsDifferInTimeOnly) {
  const auto without_times = [](const std::string& text) {
    json list = json::parse(text);
    for (json& workload : list["items"]) {
      for (json& one : workload["status"]["conditions"]) one.erase("lastTransitionTime");
    }
    return list.dump();
  };
  EXPECT_EQ(without_times(place({"--ignore-quota"}).out),
            without_times(place({"--ignore-quota"}).out));
}

TEST(ScheduleJson, OrderOfPathsChangesNothing) {
  const std::vector<std::string> end = {"-f", kJobSet, "--ignore-quota", "-o", "pods"};
  std::vector<std::string> one = {"schedule", "-C", kNodes, "-C", kSetup};
  std::vector<std::string> other = {"schedule", "-C", kSetup, "-C", kNodes};
  one.insert(one.end(), end.begin(), end.end());
  other.insert(other.end(), end.begin(), end.end());
  EXPECT_EQ(tessera(one).out, tessera(other).out);
}

}  // namespace
}  // namespace tessera::app_test
