// SPDX-License-Identifier: Apache-2.0
// `schedule` on posted files (cases.md): what it prints where, and with which exit code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

const std::string kNodes = case_file("nodes-gb200-two-racks.yaml.gz");
const std::string kSetup = case_file("kueue-setup.yaml.gz");
const std::string kJobSet = case_file("jobset-two-level.yaml.gz");

/// Smaller worlds for single rules.
constexpr const char* kNode =
    "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {kubernetes.io/hostname: a}}\n"
    "status:\n  allocatable: {cpu: '8', pods: '110'}\n"
    "  conditions: [{type: Ready, status: 'True'}]\n";
std::string job(const std::string& name, int pods, const std::string& resource = "cpu: 1") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: " + name +
         ", namespace: ns}\nspec:\n  parallelism: " + std::to_string(pods) +
         "\n  template: {spec: {containers: [{name: c, image: i, resources: {requests: {" +
         resource + "}}}]}}\n";
}

TEST(Schedule, PrintsTheMockUpOfTwoRacks) {
  const Answer run =
      tessera({"schedule", "-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota"});
  EXPECT_EQ(run.exit, 0);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], testing::MatchesRegex("NAMESPACE +WORKLOAD +QUEUE +PODS +GPUS +RESULT "
                                              "+RACKS +DOMAIN +REASON"));
  EXPECT_THAT(lines[1],
              testing::MatchesRegex("ml-train +jobset/pretrain-70b-r3 +gb200-train +33/33 +128 "
                                    "+Placed +2 +nvl-1: gb-r01-n.01-04,06-11,13-18.; nvl-2: "
                                    "gb-r02-n.01-09,11-17. +-"));
  EXPECT_THAT(lines[2], HasSubstr("1 placed, 0 wait, 0 never fit; 33 pods, 128 of 131 GPUs; 1 "
                                  "decision in "));
}

TEST(Schedule, AccountsForEveryNodeOnStderr) {
  const Answer run =
      tessera({"schedule", "-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota"});
  EXPECT_THAT(run.err, HasSubstr("36 nodes: 33 usable, 131 GPUs (cordoned 1: gb-r01-n05; not ready "
                                 "1: gb-r02-n10; no nvidia.com/gpu.clique 1: gb-r02-n18; degraded "
                                 "1: gb-r01-n12 3/4)"));
  EXPECT_THAT(run.err, HasSubstr("0 bound pods, 0 admitted workloads; 1 workload to place    "
                                 "topology nvl72: zone > rack > host"));
  EXPECT_THAT(run.err, HasSubstr("warning   no pods in the input: every node is taken as empty"));
  EXPECT_THAT(run.err, HasSubstr("note      quota is not checked (--ignore-quota)"));
  EXPECT_THAT(run.out, Not(HasSubstr("usable")));
}

TEST(Schedule, PlacesTheCoordinatorAndSixteenTraysInEachRack) {
  const Answer run = tessera({"schedule", "-C", kNodes, "-C", kSetup, "-f", kJobSet,
                              "--ignore-quota", "-o", "pods", "--no-headers"});
  EXPECT_EQ(run.exit, 0);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 33u);
  // The Node of hostname gb-r02-n01 is ip-10-42-12-3.
  EXPECT_THAT(lines[0], testing::MatchesRegex(
                            "ml-train +jobset/pretrain-70b-r3 +coordinator "
                            "+pretrain-70b-r3-coordinator-0-0 +ip-10-42-12-3.compute.internal"));
  const auto in_rack = [&](const std::string& part) {
    return std::count_if(lines.begin() + 1, lines.end(), [&](const std::string& line) {
      return line.find(part) != std::string::npos;
    });
  };
  EXPECT_EQ(in_rack("ip-10-42-11-"), 16);
  EXPECT_EQ(in_rack("ip-10-42-12-"), 16);
  EXPECT_THAT(lines, Contains(HasSubstr("pretrain-70b-r3-workers-3-7")));
}

TEST(Schedule, WideNamesNodesAsKubectlDoes) {
  const Answer run = tessera(
      {"schedule", "-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota", "-o", "wide"});
  EXPECT_THAT(run.out, HasSubstr("ip-10-42-11-3.compute.internal"));
  EXPECT_THAT(run.out, Not(HasSubstr("gb-r01-n01")));
}

struct ExitCase {
  const char* name;
  std::vector<std::string> arguments;
  int exit;
  const char* word;  // on stdout or stderr

  friend std::ostream& operator<<(std::ostream& out, const ExitCase& c) { return out << c.name; }
};

class ScheduleExit : public testing::TestWithParam<ExitCase> {};

TEST_P(ScheduleExit, IsTheDocumentedCode) {
  std::vector<std::string> arguments = {"schedule"};
  arguments.insert(arguments.end(), GetParam().arguments.begin(), GetParam().arguments.end());
  const Answer run = tessera(arguments);
  EXPECT_EQ(run.exit, GetParam().exit) << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr(GetParam().word));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ScheduleExit,
    testing::Values(
        ExitCase{"never_by_quota", {"-C", kNodes, "-C", kSetup, "-f", kJobSet}, 6, "Quota: "},
        ExitCase{"never_by_taint", {"-C", kNodes, "-f", kJobSet}, 6, "Taint: "},
        ExitCase{"never_with_exit_zero", {"-C", kNodes, "-f", kJobSet, "--exit-zero"}, 0, "Never"},
        ExitCase{"absent_path", {"-C", "no-such-file.yaml", "-f", kJobSet}, 4, "no-such-file.yaml"},
        ExitCase{"strict_warnings",
                 {"-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota", "--strict"},
                 3,
                 "warning"},
        ExitCase{"nothing_to_read", {}, 2, "nothing to read"},
        ExitCase{"unknown_flag", {"--requird", "rack"}, 2, "did you mean \"--required\"?"},
        ExitCase{"two_paths_after_one_flag", {"-f", kJobSet, kNodes}, 2, "unexpected argument"},
        ExitCase{"unknown_profile",
                 {"-C", kNodes, "-f", kJobSet, "--profile", "defalt"},
                 2,
                 "did you mean \"default\"?"},
        ExitCase{"unknown_format", {"-f", kJobSet, "-o", "xml"}, 2, "xml"},
        ExitCase{"unknown_level",
                 {"-C", kNodes, "-C", kSetup, "-f", kJobSet, "--required", "rak"},
                 2,
                 "level \"rak\" is not in topology nvl72 (levels: zone, rack, host)"},
        ExitCase{"slice_without_a_size",
                 {"-C", kNodes, "-f", kJobSet, "--slice", "rack"},
                 2,
                 "LEVEL:PODS"},
        ExitCase{"slice_larger_than_a_rack",
                 {"-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota", "--slice", "rack:32",
                  "--only", "ml-train/pretrain-70b-r3"},
                 6,
                 "TopologyFit"},
        ExitCase{"only_an_absent_workload",
                 {"-C", kNodes, "-f", kJobSet, "--only", "ml-train/pretrain-70b-r4"},
                 4,
                 "did you mean"}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Schedule, InvalidInputIsNamedAndTheRestAnswered) {
  const Scratch scratch;
  const std::string nodes =
      scratch.file("n.yaml", std::string(kNode) + "---\n" +
                                 "apiVersion: v1\nkind: Node\nmetadata: {name: b}\nstatus:\n"
                                 "  allocatable: {cpu: 4x}\n");
  const Answer run =
      tessera({"schedule", "-C", nodes, "-f", scratch.file("j.yaml", job("j", 1)), "--exit-zero"});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("n.yaml:12:17: Node b: status.allocatable"));
  EXPECT_THAT(run.out, HasSubstr("Placed"));
}

TEST(Schedule, WaitsBehindWhatRuns) {
  const Scratch scratch;
  const std::string pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: x}\nspec: {nodeName: a, "
      "containers: [{name: c, resources: {requests: {cpu: 6}}}]}\nstatus: {phase: Running}\n";
  const Answer run = tessera({"schedule", "-C", scratch.file("c.yaml", kNode + pod), "-f",
                              scratch.file("j.yaml", job("j", 4))});
  EXPECT_EQ(run.exit, 7) << run.out;
  EXPECT_THAT(run.err, HasSubstr("1 bound pod, 0 admitted workloads"));
  EXPECT_THAT(run.err, Not(HasSubstr("no pods in the input")));
}

TEST(Schedule, WhatIfReplicasChangeTheRequestOnly) {
  const Scratch scratch;
  const std::string nodes = scratch.file("c.yaml", kNode),
                    jobs = scratch.file("j.yaml", job("j", 9));
  EXPECT_EQ(tessera({"schedule", "-C", nodes, "-f", jobs}).exit, 6);
  const Answer run = tessera({"schedule", "-C", nodes, "-f", jobs, "--replicas", "8"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.out, HasSubstr("8/8"));
}

TEST(Schedule, OnlyAndNamespaceNarrowTheRequest) {
  const Scratch scratch;
  const std::string nodes = scratch.file("c.yaml", kNode);
  const std::string jobs = scratch.file("j.yaml", job("one", 1) + "---\n" + job("two", 1));
  const Answer only =
      tessera({"schedule", "-C", nodes, "-f", jobs, "--only", "ns/two", "-o", "name"});
  EXPECT_EQ(only.out, "workload.kueue.x-k8s.io/job-two\n");
  const Answer other =
      tessera({"schedule", "-C", nodes, "-f", jobs, "-n", "elsewhere", "-o", "name"});
  EXPECT_EQ(other.out, "");
  EXPECT_THAT(other.err, HasSubstr("no workloads to place"));
}

TEST(Schedule, WaitingWorkloadsOfTheStateArePlannedOnRequestOnly) {
  const Scratch scratch;
  const std::string state = scratch.file("c.yaml", std::string(kNode) + "---\n" + job("old", 1));
  const std::string jobs = scratch.file("j.yaml", job("new", 1));
  const Answer without = tessera({"schedule", "-C", state, "-f", jobs, "-o", "name"});
  EXPECT_EQ(without.out, "workload.kueue.x-k8s.io/job-new\n");
  EXPECT_THAT(without.err, HasSubstr("1 waiting workload in -C is not counted"));
  const Answer with =
      tessera({"schedule", "-C", state, "-f", jobs, "-o", "name", "--with-waiting"});
  EXPECT_THAT(with.out, HasSubstr("job-old"));
}

TEST(Schedule, GpusThatNoNodeHasAreNamed) {
  const Scratch scratch;
  const Answer run = tessera({"schedule", "-C", scratch.file("c.yaml", kNode), "-f",
                              scratch.file("j.yaml", job("j", 1, "nvidia.com/gpu: 1"))});
  EXPECT_THAT(run.err, HasSubstr("no node has nvidia.com/gpu, but ns/job/j asks for it"));
}

TEST(Schedule, QuietLeavesOnlyErrors) {
  const Answer run = tessera({"schedule", "-C", kNodes, "-f", kJobSet, "-q"});
  EXPECT_EQ(run.err, "");
}

TEST(Schedule, ProfileRulesThatDisagreeFallBackToDefault) {
  const Scratch scratch;
  const std::string config =
      scratch.file("config.yaml",
                   "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n"
                   "profileRules:\n- {kind: Job, profile: kueue-0.19}\n- {profile: default}\n");
  const std::string nodes = scratch.file("c.yaml", kNode);
  const std::string pod =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns}\nspec: {containers: "
      "[{name: c, resources: {requests: {cpu: 1}}}]}\n";
  const auto with = [&](const std::string& jobs) {
    return tessera(
        {"schedule", "-C", nodes, "-f", scratch.file("j.yaml", jobs), "--config", config, "-v"});
  };
  EXPECT_THAT(with(job("j", 1)).err, HasSubstr("profile kueue-0.19"));
  const Answer both = with(job("j", 1) + pod);
  EXPECT_THAT(both.err, HasSubstr("profileRules choose several profiles"));
  EXPECT_THAT(both.err, HasSubstr("profile default"));
}

TEST(Schedule, SummaryFileIsWholeAndTheOnlyFileLeft) {
  const Scratch scratch;
  const Answer run = tessera({"schedule", "-C", kNodes, "-C", kSetup, "-f", kJobSet,
                              "--ignore-quota", "--summary-json", scratch.path("summary.json")});
  EXPECT_EQ(run.exit, 0);
  const std::string summary = read_file(scratch.path("summary.json"));
  EXPECT_THAT(summary, HasSubstr("\"placedGpus\": 128"));
  EXPECT_EQ(summary.back(), '\n');
}

TEST(Schedule, ReadsTheRequestFromStdin) {
  const Scratch scratch;
  const Answer run =
      tessera({"schedule", "-C", scratch.file("c.yaml", kNode), "-f", "-"}, job("piped", 1));
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("job/piped"));
}

}  // namespace
}  // namespace tessera::app_test
