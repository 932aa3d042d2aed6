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

/// One host of 80 GPUs of which 70 pods hold one each, and a job that wants all of them.
std::vector<std::string> crowded_host(const Scratch& scratch) {
  json nodes = json::array();
  nodes.push_back({{"apiVersion", "v1"},
                   {"kind", "Node"},
                   {"metadata", {{"name", "n0"}, {"labels", {{"kubernetes.io/hostname", "n0"}}}}},
                   {"status",
                    {{"allocatable", {{"cpu", "500"}, {"nvidia.com/gpu", "80"}, {"pods", "200"}}},
                     {"conditions", json::array({{{"type", "Ready"}, {"status", "True"}}})}}}});
  const auto containers = [](const std::string& gpus) {
    return json::array(
        {{{"name", "c"}, {"resources", {{"requests", {{"nvidia.com/gpu", gpus}}}}}}});
  };
  for (int i = 0; i < 70; ++i) {
    nodes.push_back({{"apiVersion", "v1"},
                     {"kind", "Pod"},
                     {"metadata", {{"name", "p" + std::to_string(i)}, {"namespace", "default"}}},
                     {"spec", {{"nodeName", "n0"}, {"containers", containers("1")}}},
                     {"status", {{"phase", "Running"}}}});
  }
  const json job = {
      {"apiVersion", "batch/v1"},
      {"kind", "Job"},
      {"metadata", {{"name", "all"}, {"namespace", "default"}}},
      {"spec",
       {{"template",
         {{"metadata",
           {{"annotations",
             {{"kueue.x-k8s.io/podset-required-topology", "kubernetes.io/hostname"}}}}},
          {"spec", {{"restartPolicy", "Never"}, {"containers", containers("80")}}}}}}}};
  return {"-C",
          scratch.file("nodes.json",
                       json{{"apiVersion", "v1"}, {"kind", "List"}, {"items", nodes}}.dump()),
          "-f",
          scratch.file("job.json", job.dump()),
          "--ignore-quota",
          "-o",
          "json"};
}

TEST(ScheduleJson, AnAnnotationListsSixtyFourHoldersAndSaysHowManyThereAre) {
  const Scratch scratch;
  std::vector<std::string> arguments = crowded_host(scratch);
  arguments.insert(arguments.begin(), "schedule");
  const json workload = json::parse(tessera(arguments).out)["items"][0];
  const json& annotations = workload["metadata"]["annotations"];
  const json held = json::parse(annotations["tessera.dev/explanation"].get<std::string>());
  EXPECT_EQ(held["blockedBy"].size(), 64U);
  EXPECT_EQ(held["blockedByCount"], 70);
  arguments[0] = "explain";
  arguments.insert(arguments.begin() + 1, "job/all");
  const json whole = json::parse(tessera(arguments).out);
  EXPECT_EQ(whole["blockedBy"].size(), 70U);
  EXPECT_FALSE(whole.contains("blockedByCount"));
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
