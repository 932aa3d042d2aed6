// SPDX-License-Identifier: Apache-2.0
// explain, validate, config, version, help, and what is said to a command line that is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kNodes = case_file("nodes-gb200-two-racks.yaml.gz");
const std::string kSetup = case_file("kueue-setup.yaml.gz");
const std::string kJobSet = case_file("jobset-two-level.yaml.gz");

struct CommandCase {
  const char* name;
  std::vector<std::string> arguments;
  int exit;
  const char* word;  // on stdout or stderr

  friend std::ostream& operator<<(std::ostream& out, const CommandCase& c) { return out << c.name; }
};

class Command : public testing::TestWithParam<CommandCase> {};

TEST_P(Command, AnswersWithCodeAndWord) {
  const Answer run = tessera(GetParam().arguments);
  EXPECT_EQ(run.exit, GetParam().exit) << run.err;
  EXPECT_THAT(run.out + run.err, HasSubstr(GetParam().word));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Command,
    testing::Values(
        CommandCase{"no_command", {}, 2, "a command is missing"},
        CommandCase{"misspelt_command", {"schedle"}, 2, "did you mean \"schedule\"?"},
        CommandCase{"misspelt_part", {"topology", "shwo"}, 2, "did you mean \"show\"?"},
        CommandCase{"part_missing", {"config"}, 2, "commands: view, check"},
        CommandCase{"flag_before_command", {"-C", "x", "schedule"}, 2, "before the command"},
        CommandCase{"value_missing", {"schedule", "-C"}, 2, "--cluster"},
        CommandCase{"stdin_twice", {"schedule", "-C", "-", "-f", "-"}, 2, "once only"},
        CommandCase{"wrong_timeout", {"schedule", "-f", "x", "--timeout", "soon"}, 2, "30s"},
        CommandCase{"help_reasons", {"help", "reasons"}, 0, "TopologyPlacementFailed"},
        CommandCase{"help_exit_codes", {"help", "exit-codes"}, 0, "something can never fit"},
        CommandCase{"help_command", {"help", "schedule"}, 0, "Examples:"},
        CommandCase{"help_unknown", {"help", "reason"}, 2, "did you mean \"reasons\"?"},
        CommandCase{"version", {"version"}, 0, "ff69552e"},
        CommandCase{"explain_absent", {"explain", "nix", "-f", kJobSet}, 4, "is not in the input"},
        CommandCase{"explain_near",
                    {"explain", "jobset/pretrain-70b-r4", "-f", kJobSet},
                    4,
                    "did you mean \"jobset/pretrain-70b-r3\"?"},
        CommandCase{
            "validate_good", {"validate", "-C", kSetup, "-f", kJobSet}, 0, "9 objects are valid"},
        CommandCase{"config_built_in", {"config", "view", "--effective"}, 0, "kueue-0.19"},
        CommandCase{"config_absent", {"config", "check", "no-such.yaml"}, 4, "no-such.yaml"}),
    [](const auto& instance) { return std::string(instance.param.name); });

class HelpOf : public testing::TestWithParam<const char*> {};

TEST_P(HelpOf, HasExamples) {
  std::vector<std::string> arguments;
  std::string word;
  for (const char c : std::string(GetParam()) + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    arguments.push_back(word);
    word.clear();
  }
  arguments.emplace_back("--help");
  const Answer run = tessera(arguments);
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.out, HasSubstr("Examples:"));
  EXPECT_THAT(run.out, HasSubstr(std::string("tessera ") + GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Commands, HelpOf,
                         testing::Values("schedule", "explain", "simulate", "validate",
                                         "topology show", "rackmap", "config view", "config check",
                                         "version", "help"));

TEST(Explain, TellsTheReasonOfANeverAndExitsWithSix) {
  const Answer run =
      tessera({"explain", "pretrain-70b-r3", "-n", "ml-train", "-C", kNodes, "-f", kJobSet});
  EXPECT_EQ(run.exit, 6);
  EXPECT_THAT(run.out, StartsWith("jobset/pretrain-70b-r3 can never fit   reason Taint"));
}

TEST(Explain, JsonIsAnExplanation) {
  const Answer run = tessera({"explain", "jobset/pretrain-70b-r3", "-C", kNodes, "-C", kSetup, "-f",
                              kJobSet, "--ignore-quota", "-o", "json"});
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(nlohmann::json::parse(run.out)["kind"], "Explanation");
}

TEST(Explain, SameNameInTwoNamespacesIsAmbiguous) {
  const Scratch scratch;
  std::string jobs;
  for (const char* ns : {"one", "two"}) {
    jobs += std::string("---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: ") +
            ns + "}\nspec: {template: {spec: {containers: [{name: c}]}}}\n";
  }
  const std::string file = scratch.file("j.yaml", jobs);
  const Answer run = tessera({"explain", "j", "-f", file});
  EXPECT_EQ(run.exit, 2);
  EXPECT_THAT(run.err, HasSubstr("is ambiguous (one/job/j, two/job/j)"));
  EXPECT_NE(tessera({"explain", "two/job/j", "-f", file}).exit, 2);
}

TEST(Explain, PlansTheWaitingWorkloadsOfTheState) {
  const Answer run = tessera(
      {"explain", "pretrain-70b-r3", "-C", kNodes, "-C", kSetup, "-C", kJobSet, "--ignore-quota"});
  EXPECT_EQ(run.exit, 0) << run.err;
}

TEST(Validate, UnknownLevelIsNamedWithTheUsersField) {  // cases.md C167
  const Scratch scratch;
  const auto replicated = [](const std::string& name, const std::string& level) {
    return "  - name: " + name +
           "\n    template: {spec: {template: {metadata: {annotations: "
           "{kueue.x-k8s.io/podset-required-topology: " +
           level + "}}, spec: {containers: [{name: c}]}}}}\n";
  };
  const std::string file =
      scratch.file("js.yaml",
                   "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: x, "
                   "namespace: ml-train}\n"
                   "spec:\n  replicatedJobs:\n" +
                       replicated("a", "nvidia.com/gpu.clique") + replicated("b", "rak"));
  const Answer run = tessera({"validate", "-C", kSetup, "-f", file});
  EXPECT_EQ(run.exit, 3);
  EXPECT_THAT(
      run.err,
      HasSubstr(
          "js.yaml:1:1: JobSet ml-train/x: "
          "spec.replicatedJobs[1].template.spec.template.metadata.annotations[\"kueue.x-k8s."
          "io/podset-required-topology\"]: level \"rak\" is not in topology nvl72 (levels: "));
  EXPECT_THAT(run.err, Not(HasSubstr("replicatedJobs[0]")));
}

TEST(Validate, AbsentQueueIsAWarningWithTheNearestName) {
  const Scratch scratch;
  const std::string file = scratch.file(
      "j.yaml",
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, namespace: ml-train, labels: "
      "{kueue.x-k8s.io/queue-name: gb200-trian}}\n"
      "spec: {template: {spec: {containers: [{name: c}]}}}\n");
  const Answer run = tessera({"validate", "-C", kSetup, "-f", file});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("\"gb200-trian\" is not in the input (did you mean "
                                 "\"gb200-train\"?)"));
  EXPECT_EQ(tessera({"validate", "-C", kSetup, "-f", file, "--strict"}).exit, 3);
}

TEST(ConfigCommand, ViewReadsBackAsTheSameConfiguration) {
  const Scratch scratch;
  const std::string config =
      scratch.file("config.yaml",
                   "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n"
                   "threads: {solver: 2}\n"
                   "profiles:\n- {name: mine, extends: kueue-0.19, messages: Clear, index: "
                   "{maxKeys: 0}}\n");
  const Answer first = tessera({"config", "view", "--config", config});
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("threads: {solver: 2, actors: 0}\n"));
  EXPECT_THAT(first.out, HasSubstr("  index:\n    maxKeys: 0\n    maxAgeCycles: 10000\n"));
  const std::string shown = scratch.file("shown.yaml", first.out);
  const Answer second = tessera({"config", "view", "--config", shown});
  EXPECT_EQ(second.exit, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(tessera({"config", "check", shown}).out, shown + ": valid\n");
}

TEST(ConfigCommand, EffectiveViewShowsTheDefaultsOfNumbersForBothBuiltIns) {
  const Answer run = tessera({"config", "view", "--effective"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("threads: {solver: 0, actors: 0}\n"));
  const std::string index = "  index:\n    maxKeys: 32\n    maxAgeCycles: 10000\n";
  EXPECT_THAT(run.out, HasSubstr(index + "- name: kueue-0.19\n"));
  EXPECT_THAT(run.out, EndsWith(index));
}

struct CheckCase {
  const char *name, *body, *error;
};
const CheckCase kCheckCases[] = {
    {"misspelt field", "profiles:\n- name: a\n  algoritm: {required: BestFit}\n",
     "c.yaml:5:3: profiles[0].algoritm: unknown field (did you mean \"algorithm\"?)"},
    {"no number", "profiles:\n- name: a\n  index: {maxKeys: many}\n",
     "c.yaml:5:20: profiles[0].index.maxKeys: \"many\" is not a whole number"},
    {"out of range", "threads: {solver: 1000}\n",
     "c.yaml:3:19: threads.solver: 1000 is not between 0 and 256"},
};

TEST(ConfigCommand, CheckNamesTheMistake) {
  for (const CheckCase& c : kCheckCases) {
    const Scratch scratch;
    const Answer run =
        tessera({"config", "check",
                 scratch.file("c.yaml", std::string("apiVersion: tessera.dev/v1alpha1\n"
                                                    "kind: Configuration\n") +
                                            c.body)});
    EXPECT_EQ(run.exit, 3) << c.name;
    EXPECT_THAT(run.err, HasSubstr(c.error)) << c.name;
    EXPECT_EQ(run.out, "") << c.name;
  }
}

TEST(Validate, ValueUnderTwoParentsIsAWarning) {
  const Scratch scratch;
  std::string objects =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\n"
      "spec: {levels: [{nodeLabel: block}, {nodeLabel: rack}]}\n";
  for (const char* block : {"b1", "b2"}) {
    objects += std::string("---\napiVersion: v1\nkind: Node\nmetadata: {name: n-") + block +
               ", labels: {block: " + block + ", rack: r1}}\n";
  }
  const Answer run = tessera({"validate", "-C", scratch.file("c.yaml", objects)});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("Topology t: rack \"r1\" occurs under several parents and counts "
                                 "as a domain of each: b1 (n-b1), b2 (n-b2)"));
}

/// stdin is a pipe that nobody writes to: the run ends by what the script does to it.
Answer with_silent_stdin(const std::string& script) {
  const Scratch scratch;
  return execute({"/bin/sh", "-c", "mkfifo \"$1\" && exec 3<>\"$1\" && " + script, TESSERA_BINARY,
                  scratch.path("pipe")});
}

TEST(Input, AFolderWithoutAFileThatIsReadIsNoted) {
  const Scratch scratch;
  scratch.file("notes.txt", "nothing to read");
  const std::string folder = scratch.path(".");
  const std::string note = "note      folder " + folder + " holds no file that is read (.yaml,";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"schedule", "-C", kNodes, "-f", folder},
        {"validate", "-C", folder}}) {
    const Answer run = tessera(arguments);
    EXPECT_EQ(run.exit, 0) << arguments[0];
    EXPECT_THAT(run.err, HasSubstr(note)) << arguments[0];
  }
}

TEST(Output, TimeLimitEndsWithTen) {
  const Answer run = with_silent_stdin("exec \"$0\" schedule -f - --timeout 20ms <&3");
  EXPECT_EQ(run.exit, 10);
  EXPECT_THAT(run.err, HasSubstr("--timeout"));
}

TEST(Output, InterruptEndsWithOneHundredThirty) {
  const Answer run = with_silent_stdin(
      "{ \"$0\" schedule -f - <&3 & } && while kill -INT $! 2>&-; do :; done; wait $!");
  EXPECT_EQ(run.exit, 130);
}

TEST(Output, ClosedPipeIsNoError) {
  const Answer run = execute(
      {"/bin/sh", "-c", "{ \"$0\" help reasons; echo \"code $?\" >&2; } | true", TESSERA_BINARY});
  EXPECT_EQ(run.err, "code 0\n");
}

TEST(Output, FullDeviceIsAnError) {
  const Answer run =
      execute({"/bin/sh", "-c", "exec \"$0\" help reasons >/dev/full", TESSERA_BINARY});
  EXPECT_EQ(run.exit, 1);
  EXPECT_THAT(run.err, HasSubstr("stdout: cannot be written"));
}

}  // namespace
}  // namespace tessera::app_test
