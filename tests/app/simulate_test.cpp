// SPDX-License-Identifier: Apache-2.0
// `simulate` as a user runs it: figures, decision log, exit codes, and what a fault says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/small_simulation.h"

namespace tessera::app_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST(Simulate, FiguresAreThoseWorkedOutByHand) {
  const Scratch scratch;
  const Answer run = tessera(simulate(scratch, kThree, {"-o", "json"}));
  EXPECT_EQ(run.exit, 0) << run.err;
  const json out = json::parse(run.out);
  EXPECT_EQ(out["kind"], "Simulation");
  EXPECT_EQ(std::string(out["decisionHash"]).size(), 64u);
  EXPECT_EQ(out["finished"], 3);
  EXPECT_GE(out["decisions"], 3);
  EXPECT_EQ(out["waitSeconds"], json({{"p50", 8.0}, {"p95", 9.0}, {"p99", 9.0}}));
  EXPECT_EQ(out["makespanSeconds"], 30.0);
  EXPECT_DOUBLE_EQ(out["gpuUse"], (80.0 + 80.0 + 20.0) / 240.0);
  EXPECT_THAT(run.err, HasSubstr("1 line of the trace not in the order of time: sorted"));
}

TEST(Simulate, NodesThatTakeNoPodsCountForNothing) {
  const Scratch scratch;
  const Answer run = tessera({"simulate", "-C", source_file("examples/gb200/cluster"), "--trace",
                              scratch.file("t.jsonl", line(0, 10, job("a", 1))), "-o", "json"});
  const json out = json::parse(run.out);
  // 72 nodes; one is cordoned, two are not ready, one has a GPU less.
  EXPECT_EQ(out["nodes"], 69);
  EXPECT_EQ(out["gpus"], 275);
}

TEST(Simulate, DecisionLogTellsStartsAndEndsInOrder) {
  const Scratch scratch;
  const std::string file = scratch.path("decisions.jsonl");
  EXPECT_EQ(tessera(simulate(scratch, kThree, {"--decisions", file})).exit, 0);
  std::string log;
  std::uint64_t seq = 0;
  for (const std::string& text : lines_of(read_file(file))) {
    const json one = json::parse(text);
    EXPECT_EQ(one["seq"], ++seq);
    log += one["time"].dump() + " " + std::string(one["workload"]) + " " +
           std::string(one["event"]) + "\n";
    EXPECT_EQ(one.contains("assignment"), one["event"] == "Admitted");
    if (one.contains("assignment")) {
      EXPECT_EQ(one["assignment"]["main"]["levels"], json({"kubernetes.io/hostname"}));
    }
  }
  EXPECT_EQ(log,
            "0 default/job-a Admitted\n10 default/job-a Finished\n10 default/job-c Admitted\n"
            "10 default/job-b Admitted\n15 default/job-c Finished\n30 default/job-b Finished\n");
}

TEST(Simulate, SameDecisionsForEveryNumberOfThreads) {
  const Scratch scratch;
  std::map<std::string, int> hashes;
  for (const char* threads : {"{solver: 1, actors: 1}", "{solver: 2, actors: 4}"}) {
    const std::string config =
        scratch.file("c.yaml", "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\nthreads: " +
                                   std::string(threads) + "\n");
    const Answer run = tessera(simulate(scratch, kThree, {"-o", "json", "--config", config}));
    ++hashes[json::parse(run.out)["decisionHash"]];
  }
  EXPECT_EQ(hashes.size(), 1u);
}

/// 200 jobs of one small pod that all have room, and those of 4 GPUs that wait for each other.
TEST(Simulate, TheBatchOfTheProfileCutsCyclesAndChangesNoDecision) {
  const Scratch scratch;
  std::string trace = kThree;
  for (int i = 0; i < 200; ++i) {
    json small = job("s" + std::to_string(i), 1);
    small["spec"]["template"]["spec"]["containers"][0]["resources"]["requests"] = {{"cpu", "100m"}};
    trace += line(3, 1, small);
  }
  std::map<std::string, std::string> hashes, logs;
  std::map<std::string, int> cycles;
  for (const std::string batch : {"64", "256"}) {
    const std::string config =
        scratch.file("c.yaml",
                     "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n"
                     "profiles:\n- name: p\n  batch: " +
                         batch + "\n");
    const std::string file = scratch.path("decisions.jsonl");
    const Answer run = tessera(simulate(
        scratch, trace, {"-o", "json", "--config", config, "--profile", "p", "--decisions", file}));
    ASSERT_EQ(run.exit, 0) << run.err;
    const json out = json::parse(run.out);
    hashes[batch] = out["decisionHash"];
    cycles[batch] = out["counters"]["cycles"];
    logs[batch] = read_file(file);
  }
  EXPECT_EQ(logs["64"], logs["256"]);
  EXPECT_NE(hashes["64"], hashes["256"]) << "ends of cycles are part of it";
  EXPECT_GE(cycles["64"], cycles["256"] + 3) << "200 of a batch of 64 take 4 cycles";
}

std::string line_with_start(double time, double start, double run, const json& workload) {
  return json{{"time", time}, {"startSeconds", start}, {"runSeconds", run}, {"workload", workload}}
             .dump() +
         "\n";
}

std::string waits_five_seconds(const std::string& limit) {
  return "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\nwaitForPodsReady:\n  timeout: 5s\n"
         "  requeuingStrategy: {backoffBaseSeconds: 2, backoffLimitCount: " +
         limit + "}\n";
}

/// a is never ready in 5 s: b gets its room; a comes back after b, once.
TEST(Simulate, GangsThatAreNotReadyInTimeAreEvictedAndGivenUp) {
  const Scratch scratch;
  const std::string file = scratch.path("decisions.jsonl");
  const Answer run = tessera(simulate(
      scratch, line_with_start(0, 10, 10, job("a", 2)) + line_with_start(2, 1, 20, job("b", 1)),
      {"-o", "json", "--decisions", file, "--config",
       scratch.file("c.yaml", waits_five_seconds("1"))}));
  EXPECT_EQ(run.exit, 7) << run.err;
  std::string log;
  for (const std::string& text : lines_of(read_file(file))) {
    const json one = json::parse(text);
    log += one["time"].dump() + " " + std::string(one["workload"]) + " " +
           std::string(one["event"]) + "\n";
  }
  EXPECT_EQ(log,
            "0 default/job-a Admitted\n5 default/job-a Evicted\n5 default/job-b Admitted\n"
            "26 default/job-b Finished\n26 default/job-a Admitted\n31 default/job-a Evicted\n");
  const json out = json::parse(run.out);
  EXPECT_EQ(out["evictions"], 2);
  EXPECT_EQ(out["waiting"], 1);
  EXPECT_DOUBLE_EQ(out["gpuUse"], (5 * 8.0 + 21 * 4.0) / (26 * 8.0));
}

TEST(Simulate, PodsThatAreReadyInTimeRunFromThenOn) {
  const Scratch scratch;
  const Answer run = tessera(
      simulate(scratch, line_with_start(0, 4, 10, job("a", 2)),
               {"-o", "json", "--config", scratch.file("c.yaml", waits_five_seconds("null"))}));
  EXPECT_EQ(run.exit, 0) << run.err;
  const json out = json::parse(run.out);
  EXPECT_EQ(out["evictions"], 0);
  EXPECT_EQ(out["makespanSeconds"], 14.0);
}

TEST(Simulate, AGangThatWouldBeEvictedForEverIsRefused) {
  const Scratch scratch;
  const Answer run =
      tessera(simulate(scratch, line_with_start(0, 5, 10, job("a", 2)),
                       {"--config", scratch.file("c.yaml", waits_five_seconds("null"))}));
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(run.err, HasSubstr("startSeconds: is not below waitForPodsReady.timeout (5s)"));
}

TEST(Simulate, AShardLevelThatIsNoneIsWarnedOf) {
  const Scratch scratch;
  const std::string config = scratch.file(
      "c.yaml", "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\nshards: {level: hots}\n");
  const Answer run = tessera(simulate(scratch, kThree, {"--config", config}));
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("c.yaml:3:17: shards.level: \"hots\" is not a level of topology"));
}

TEST(Simulate, SummaryIsTheJsonBesideTheTable) {
  const Scratch scratch;
  const std::string file = scratch.path("s.json");
  const Answer run = tessera(simulate(scratch, kThree, {"--summary-json", file}));
  EXPECT_THAT(run.out, HasSubstr("PROFILE  GPU USE"));
  EXPECT_THAT(run.out, HasSubstr("3 finished, 0 still running, 0 waiting, 0 never fit"));
  EXPECT_EQ(json::parse(read_file(file))["finished"], 3);
}

struct EndCase {
  const char* name;
  std::string trace;
  std::vector<std::string> extra;
  int exit;
  const char* message;
};

TEST(Simulate, ExitCodeSaysWhatWasLeft) {
  const std::string ever = json{{"time", 0}, {"workload", job("ever", 2)}}.dump() + "\n";
  json uneven = job("uneven", 3);  // three pods in slices of two
  uneven["spec"]["template"]["metadata"]["annotations"] = {
      {"kueue.x-k8s.io/podset-required-topology", "kubernetes.io/hostname"},
      {"kueue.x-k8s.io/podset-slice-required-topology", "kubernetes.io/hostname"},
      {"kueue.x-k8s.io/podset-slice-size", "2"}};
  const EndCase cases[] = {
      {"too large", line(0, 1, job("wide", 3)), {}, 6, "1 can never fit: default/job/wide"},
      {"behind one that runs for ever",
       ever + line(1, 1, job("b", 1)),
       {},
       7,
       "1 still waiting at the end: default/job/b"},
      {"both",
       ever + line(1, 1, job("b", 1)) + line(1, 1, job("wide", 3)),
       {},
       6,
       "1 still waiting at the end"},
      {"exit zero", line(0, 1, job("wide", 3)), {"--exit-zero"}, 0, "1 can never fit"},
      {"twice the same name",
       ever + line(1, 1, job("b", 1)) + line(1, 1, job("b", 1)),
       {},
       7,
       "2 still waiting at the end"},
      {"a first line that is no object",
       "time run workload\n" + line(0, 1, job("a", 1)),
       {},
       3,
       "t.jsonl:1:"},
      {"two broken lines before the trace",
       "e\": 3}}\n\nrestarted\n" + line(0, 1, job("a", 1)),
       {},
       3,
       "t.jsonl:1:"},
      {"an invalid gang", line(0, 1, uneven), {}, 3, "1 invalid (validate says why)"},
      {"a faulty line", line(0, 1, job("a", 1)) + line(-1, 1, job("b", 1)), {}, 3, "t.jsonl:2:"},
  };
  for (const EndCase& c : cases) {
    const Scratch scratch;
    const Answer run = tessera(simulate(scratch, c.trace, c.extra));
    EXPECT_EQ(run.exit, c.exit) << c.name << "\n" << run.err;
    EXPECT_THAT(run.err, HasSubstr(c.message)) << c.name;
  }
}

TEST(Simulate, AfterABrokenFirstLineTheRestIsSimulated) {
  const Scratch scratch;
  const std::string broken = "no object\n" + line(0, 1, job("a", 1)) + line(0, 1, job("b", 1));
  const json out = json::parse(tessera(simulate(scratch, broken, {"-o", "json"})).out);
  EXPECT_EQ(out["gangs"], 2);
  EXPECT_EQ(out["finished"], 2);
}

TEST(Simulate, ThePlannedEndOfAnEvictedGangIsVoid) {
  const Scratch scratch;
  const std::string config =
      scratch.file("config.yaml",
                   "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n"
                   "waitForPodsReady: {timeout: 5s, requeuingStrategy: {backoffLimitCount: 0}}\n");
  json late = json::parse(line(0, 1000, job("late", 2)));
  late["startSeconds"] = 10;
  const Answer run =
      tessera(simulate(scratch, late.dump() + "\n", {"--config", config, "-o", "json"}));
  const json out = json::parse(run.out);
  EXPECT_EQ(out["evictions"], 1);
  EXPECT_EQ(out["makespanSeconds"], 5);
  EXPECT_DOUBLE_EQ(out["gpuUse"], 1);
}

TEST(Simulate, WhatRunsInTheStateHoldsItsPlaceForEver) {
  const Scratch scratch;
  const std::string pod =
      json{{"apiVersion", "v1"},
           {"kind", "Pod"},
           {"metadata", {{"name", "p"}}},
           {"spec",
            {{"nodeName", "h1"},
             {"containers", {{{"resources", {{"requests", {{"nvidia.com/gpu", "4"}}}}}}}}}}}
          .dump();
  const Answer run = tessera(simulate(scratch, line(0, 10, job("a", 1)) + line(0, 10, job("b", 1)),
                                      {"-C", scratch.file("pod.json", pod), "-o", "json"}));
  EXPECT_EQ(run.exit, 0) << run.err;
  const json out = json::parse(run.out);
  EXPECT_EQ(out["waitSeconds"]["p99"], 10.0);
  EXPECT_DOUBLE_EQ(out["gpuUse"], 1.0);
}

TEST(Simulate, AGangWithoutATopologyIsNamedSinceOnlyItsQuotaWasChecked) {
  const Scratch scratch;
  const std::string flavor = json{{"apiVersion", "kueue.x-k8s.io/v1beta2"},
                                  {"kind", "ResourceFlavor"},
                                  {"metadata", {{"name", "plain"}}},
                                  {"spec", {{"nodeLabels", {{"kubernetes.io/hostname", "h1"}}}}}}
                                 .dump();
  const std::string file = scratch.file("flavor.json", flavor);
  const Answer run = tessera(simulate(scratch, kThree, {"-C", file}));
  EXPECT_THAT(run.err,
              HasSubstr("note      default/job/a and 2 more: only quota was checked, not the room "
                        "on nodes (flavor plain, which names no topology)"));
  EXPECT_THAT(tessera(simulate(scratch, kThree)).err, testing::Not(HasSubstr("only quota")));
}

TEST(Simulate, ClusterAndTraceAreNeeded) {
  const Answer no_trace = tessera({"simulate", "-C", "x"});
  EXPECT_EQ(no_trace.exit, 2);
  EXPECT_THAT(no_trace.err, HasSubstr("--trace FILE"));
  EXPECT_EQ(tessera({"simulate", "--trace", "x"}).exit, 2);
  EXPECT_EQ(tessera({"simulate", "-C", "-", "--trace", "-"}).exit, 2);
}

}  // namespace
}  // namespace tessera::app_test
