// SPDX-License-Identifier: Apache-2.0
// `simulate` as a user runs it: figures, decision log, exit codes, and what a fault says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Two hosts of 4 GPUs.
std::string two_hosts() {
  std::string text;
  for (const char* name : {"h1", "h2"}) {
    text += json{{"apiVersion", "v1"},
                 {"kind", "Node"},
                 {"metadata", {{"name", name}, {"labels", {{"kubernetes.io/hostname", name}}}}},
                 {"status",
                  {{"allocatable", {{"cpu", "64"}, {"nvidia.com/gpu", "4"}, {"pods", "110"}}},
                   {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}}
                .dump() +
            "\n";
  }
  return text;
}

/// `pods` pods of 4 GPUs each.
json job(const std::string& name, int pods) {
  const json container = {{"name", "main"},
                          {"resources", {{"requests", {{"nvidia.com/gpu", "4"}}}}}};
  return {{"apiVersion", "batch/v1"},
          {"kind", "Job"},
          {"metadata", {{"name", name}}},
          {"spec",
           {{"parallelism", pods},
            {"completions", pods},
            {"template", {{"spec", {{"containers", {container}}}}}}}}};
}

std::string line(double time, double run, const json& workload) {
  return json{{"time", time}, {"runSeconds", run}, {"workload", workload}}.dump() + "\n";
}

/// Arguments of a run over two hosts and `trace`.
std::vector<std::string> simulate(const Scratch& scratch, const std::string& trace,
                                  const std::vector<std::string>& extra = {}) {
  std::vector<std::string> arguments = {"simulate", "-C", scratch.file("nodes.json", two_hosts()),
                                        "--trace", scratch.file("t.jsonl", trace)};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return arguments;
}

// a holds both hosts 0..10; b waits 8 s, on one host 10..30; c as well 9 s, 10..15.
const std::string kThree =
    line(0, 10, job("a", 2)) + line(2, 20, job("b", 1)) + line(1, 5, job("c", 1));

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

TEST(Simulate, AnOutputNeverOverwritesAnInputOrAnotherOutput) {
  const Scratch scratch;
  const std::string trace = scratch.path("t.jsonl"), nodes = scratch.path("nodes.json");
  const std::string link = scratch.path("link.jsonl"), hard = scratch.path("hard.jsonl");
  const std::string config =
      scratch.file("config.yaml", "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n");
  simulate(scratch, kThree);  // writes the files
  std::filesystem::create_symlink(trace, link);
  std::filesystem::create_hard_link(nodes, hard);
  const std::string folder = std::filesystem::path(trace).parent_path().string();
  const std::vector<std::string> cases[] = {
      {"--decisions", trace},
      {"--summary-json", nodes},
      {"--summary-json", folder + "/./nodes.json"},
      {"--decisions", link},
      {"--decisions", hard},
      {"--decisions", folder + "/new", "--summary-json", folder + "/./new"},
      {"--config", config, "--decisions", config},
      // stdout and stderr of these runs are regular files.
      {"--decisions", "/dev/stdout"},
      {"--summary-json", "/dev/stderr"},
  };
  const std::string before = read_file(nodes);
  for (const std::vector<std::string>& extra : cases) {
    const Answer run = tessera(simulate(scratch, kThree, extra));
    EXPECT_EQ(run.exit, 2) << testing::PrintToString(extra) << run.err;
    EXPECT_THAT(run.err, HasSubstr("would overwrite")) << testing::PrintToString(extra);
    EXPECT_EQ(read_file(trace), kThree) << testing::PrintToString(extra);
    EXPECT_EQ(read_file(nodes), before) << testing::PrintToString(extra);
  }
  EXPECT_EQ(
      tessera(simulate(scratch, kThree, {"-C", folder, "--decisions", folder + "/d.log"})).exit,
      3)  // the trace is no state, but the log may lie beside it
      << "a file that is no input may lie in the folder of -C";
  EXPECT_EQ(tessera(simulate(scratch, kThree,
                             {"--decisions", "/dev/null", "--summary-json", "/dev/null"}))
                .exit,
            0);
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

TEST(Simulate, DecisionsThatCannotBeWrittenAreAnErrorAndLeaveNoFile) {
  const Scratch scratch;
  EXPECT_EQ(tessera(simulate(scratch, kThree, {"--decisions", "/nowhere/d"})).exit, 4);
  std::vector<std::string> command = {
      "/bin/sh", "-c", "(trap '' XFSZ; ulimit -f 0; \"$0\" \"$@\" 2>&1; echo code $?) | cat",
      TESSERA_BINARY};
  const std::string file = scratch.path("full.jsonl");
  for (const std::string& word : simulate(scratch, kThree, {"--decisions", file})) {
    command.push_back(word);
  }
  const Answer run = execute(command);
  EXPECT_THAT(run.out, HasSubstr(file + ": cannot be written"));
  EXPECT_THAT(run.out, HasSubstr("3 finished"));
  EXPECT_THAT(run.out, HasSubstr("code 1\n"));
  EXPECT_EQ(execute({"/bin/sh", "-c", "ls \"$0\"*", file}).out, "");
}

/// Runs tessera from a shell: `script` names it and its arguments "$0" "$@".
Answer in_shell(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {"/bin/sh", "-c", script, TESSERA_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command);
}

TEST(Simulate, TwoNamesOfOneNewFileInTheWorkingFolderAreOneFile) {
  const Scratch scratch;
  std::vector<std::string> arguments = simulate(scratch, kThree);
  const std::string folder = std::filesystem::path(scratch.path("x")).parent_path().string();
  for (const char* name : {"new", "./new"}) {
    arguments.insert(arguments.end(), {name[0] == '.' ? "--summary-json" : "--decisions", name});
  }
  const std::string binary = std::filesystem::absolute(TESSERA_BINARY).string();
  const Answer run = in_shell("cd " + folder + " && " + binary + " \"$@\"", arguments);
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("would overwrite the file of --decisions"));
}

TEST(Simulate, StdoutIsNeverAnInputThatIsWrittenOver) {
  const Scratch scratch;
  const std::vector<std::string> arguments = simulate(scratch, kThree);
  const std::string trace = scratch.path("t.jsonl"), nodes = scratch.path("nodes.json");
  for (const std::string& where : {">>" + trace, ">>" + nodes, "2>>" + trace, "1<>" + nodes}) {
    const Answer run = in_shell("\"$0\" \"$@\" " + where, arguments);
    EXPECT_EQ(run.exit, 2) << where;
    EXPECT_EQ(read_file(nodes), two_hosts()) << where;
  }
  EXPECT_THAT(read_file(trace), HasSubstr("would overwrite the input " + trace))
      << "stderr itself was sent there";
}

TEST(Simulate, AClosedStdoutIsAnErrorAndNoFileTakesItsPlace) {
  const Scratch scratch;
  const std::string file = scratch.path("d.jsonl");
  const Answer run =
      in_shell("\"$0\" \"$@\" >&-", simulate(scratch, kThree, {"--decisions", file}));
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_THAT(run.err, HasSubstr("stdout: cannot be written"));
  EXPECT_EQ(lines_of(read_file(file)).size(), 6u);
}

TEST(Simulate, ASignalLeavesNoPartialFile) {
  const Scratch scratch;
  std::string trace;
  for (int i = 0; i < 4'000; ++i) trace += line(i, 1, job("j", 1));
  const std::string file = scratch.path("d.jsonl");
  const std::vector<std::string> arguments = simulate(scratch, trace, {"--decisions", file});
  const std::string folder = std::filesystem::path(file).parent_path().string();
  for (const char* signal : {"HUP", "INT", "QUIT", "TERM", "USR1", "XCPU"}) {
    // The signal is sent once the temporary file is there, or too late, which is right as well.
    const Answer run = in_shell(
        "\"$0\" \"$@\" >/dev/null & p=$!; "
        "while kill -0 $p && ! ls " +
            folder +
            " | grep -q tmp; do :; done 2>/dev/null; "
            "kill -" +
            std::string(signal) + " $p 2>/dev/null; wait $p; echo code $?; ls " + folder,
        arguments);
    EXPECT_THAT(run.out, testing::MatchesRegex("code (130|0)\n(d.jsonl\n)?nodes.json\nt.jsonl\n"))
        << signal;
    std::filesystem::remove(file);
  }
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
