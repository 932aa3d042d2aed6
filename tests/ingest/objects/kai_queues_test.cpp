// SPDX-License-Identifier: Apache-2.0
// KAI's Queue: units and defaults, faults where they stand, who is in which queue, and what a
// refusal by a limit says.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "actors/engine/engine.h"
#include "ingest/encode/workload_json.h"
#include "ingest/link/reference_check.h"
#include "ingest/text/decision_text.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

std::string amount_text(std::int64_t amount) {
  return amount == topology::kUnlimited ? "all" : std::to_string(amount);
}

std::string quota_text(const char* name, const core::KaiQuota& quota) {
  return std::string(" ") + name + "=" + amount_text(quota.deserved) + "/" +
         amount_text(quota.limit) + "x" + std::to_string(quota.over_quota_weight);
}

/// "name<parent p100 cpu=deserved/limit x weight memory=... gpu=...", one line a queue.
std::string reading(const ingest::Loaded& loaded) {
  std::string text;
  for (const core::KaiQueueRecord& queue : loaded.inventory.kai_queues) {
    text += queue.name + "<" + queue.parent + " p" + std::to_string(queue.priority);
    if (!queue.display_name.empty()) text += " '" + queue.display_name + "'";
    text += quota_text("cpu", queue.cpu) + quota_text("memory", queue.memory) +
            quota_text("gpu", queue.gpu) + "\n";
  }
  return text;
}

std::string queue(const std::string& name, const std::string& spec) {
  return "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: " + name + "}\nspec:\n" +
         spec + "\n---\n";
}

constexpr const char* kNoLimits =
    "  resources: {cpu: {limit: -1}, gpu: {limit: -1}, memory: {limit: -1}}";

struct ReadCase {
  const char* name;
  const char* spec;
  const char* reading;
};

void PrintTo(const ReadCase& tested, std::ostream* out) { *out << tested.name; }

const ReadCase kReadings[] = {
    {"AllFields",
     "  displayName: Team A\n  parentQueue: org\n  priority: 7\n  preemptMinRuntime: 5m\n"
     "  resources:\n    cpu: {quota: 1500, limit: 2000, overQuotaWeight: 1}\n"
     "    memory: {quota: 1000, limit: 2000, overQuotaWeight: 0.5}\n"
     "    gpu: {quota: 4, limit: 8, overQuotaWeight: 2}",
     "x<org p7 'Team A' cpu=1500/2000x1000 memory=1000000000/2000000000x500 gpu=4/8x2000\n"},
    {"UnsetIsZero", "  resources: {gpu: {quota: 4}}", "x< p100 cpu=0/0x0 memory=0/0x0 gpu=4/0x0\n"},
    {"MinusOneIsUnlimited",
     "  resources: {cpu: {quota: -1, limit: -1}, gpu: {limit: -1.0}, memory: {limit: -1}}",
     "x< p100 cpu=all/allx0 memory=0/allx0 gpu=0/allx0\n"},
    {"FractionsAreRoundedDownToWhatCanBeAsked",
     "  resources: {cpu: {limit: 0.5}, gpu: {quota: 0.5, limit: 2.5}, memory: {limit: 1.5}}",
     "x< p100 cpu=0/0x0 memory=0/1500000x0 gpu=0/2x0\n"},
    {"ExponentsAreNumbers", "  resources: {gpu: {limit: 1e3}, memory: {limit: 2.5e-3}}",
     "x< p100 cpu=0/0x0 memory=0/2500x0 gpu=0/1000x0\n"},
    {"WhatDoesNotFitIsUnlimited",
     "  resources: {cpu: {limit: 1e30}, gpu: {limit: 9223372036854775807}, memory: {limit: 1e13}}",
     "x< p100 cpu=0/allx0 memory=0/allx0 gpu=0/allx0\n"},
    {"EmptyResources", "  resources: {}", "x< p100 cpu=0/0x0 memory=0/0x0 gpu=0/0x0\n"},
};

class KaiReadings : public ::testing::TestWithParam<ReadCase> {};

TEST_P(KaiReadings, GiveTheExpectedRecord) {
  // The parent is there in every case.
  const ingest::Loaded loaded = load(queue("x", GetParam().spec) + queue("org", kNoLimits));
  EXPECT_EQ(texts(loaded.errors) + texts(loaded.warnings), "");
  EXPECT_EQ(reading(loaded),
            "org< p100 cpu=0/allx0 memory=0/allx0 gpu=0/allx0\n" + std::string(GetParam().reading));
  EXPECT_TRUE(loaded.inventory.has_queues);
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiReadings, ::testing::ValuesIn(kReadings),
                         [](const auto& tested) { return std::string(tested.param.name); });

struct FaultCase {
  const char* name;
  const char* spec;  // starts in line 5
  const char* finding;
};

void PrintTo(const FaultCase& tested, std::ostream* out) { *out << tested.name; }

const FaultCase kFaults[] = {
    {"NegativeLimit", "  resources: {gpu: {limit: -2}}",
     "state.yaml:5:21: Queue x: spec.resources.gpu.limit: \"-2\" is negative (right: -1 for "
     "unlimited, or from 0 on)\n"},
    {"NegativeFraction", "  resources: {cpu: {quota: -0.5}}",
     "state.yaml:5:21: Queue x: spec.resources.cpu.quota: \"-0.5\" is negative (right: -1 for "
     "unlimited, or from 0 on)\n"},
    {"NegativeWeight", "  resources: {cpu: {overQuotaWeight: -1}}",
     "state.yaml:5:21: Queue x: spec.resources.cpu.overQuotaWeight: \"-1\" is negative\n"},
    {"TextForNumber", "  resources: {memory: {limit: 4Gi}}",
     "state.yaml:5:24: Queue x: spec.resources.memory.limit: \"4Gi\" is not a number\n"},
    {"QuotedNumber", "  resources: {gpu: {limit: '8'}}",
     "state.yaml:5:21: Queue x: spec.resources.gpu.limit: \"8\" is not a number\n"},
    {"MapForNumber", "  resources: {gpu: {limit: {}}}",
     "state.yaml:5:21: Queue x: spec.resources.gpu.limit: must be a number\n"},
    {"NumberForMap", "  resources: {gpu: 8}",
     "state.yaml:5:15: Queue x: spec.resources.gpu: must be a map, is a number\n"},
    {"NoResources", "  displayName: x",
     "state.yaml:4:1: Queue x: spec.resources: is missing: without it nothing is allowed (limit: "
     "-1 is unlimited)\n"},
    {"PriorityNoNumber", "  priority: high\n  resources: {}",
     "state.yaml:5:3: Queue x: spec.priority: \"high\" is not a whole number in "
     "-2147483648..2147483647\n"},
    {"ParentNoText", "  parentQueue: 7\n  resources: {}",
     "state.yaml:5:3: Queue x: spec.parentQueue: must be a text, is a number (put it in quotes)\n"},
};

class KaiFaults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(KaiFaults, AreToldAndLeaveTheQueueOutButNotTheRest) {
  const ingest::Loaded loaded = load(queue("x", GetParam().spec) + queue("rest", kNoLimits));
  EXPECT_EQ(texts(loaded.errors), GetParam().finding);
  EXPECT_EQ(reading(loaded), "rest< p100 cpu=0/allx0 memory=0/allx0 gpu=0/allx0\n");
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiFaults, ::testing::ValuesIn(kFaults),
                         [](const auto& tested) { return std::string(tested.param.name); });

std::string child(const std::string& name, const std::string& parent) {
  return queue(name, "  parentQueue: " + parent + "\n" + kNoLimits);
}

struct TreeCase {
  const char* name;
  std::string state;
  const char* findings;
};

void PrintTo(const TreeCase& tested, std::ostream* out) { *out << tested.name; }

const TreeCase kTrees[] = {
    {"AnyDepthIsRight", queue("a", kNoLimits) + child("b", "a") + child("c", "b"), ""},
    {"UnknownParent", queue("research", kNoLimits) + child("b", "reserch"),
     "state.yaml:11:3: Queue b: spec.parentQueue: Queue \"reserch\" is not in the input (did you "
     "mean \"research\"?)\n"},
    {"OnlyTheQueueBelowTheUnknownIsTold", child("b", "nowhere") + child("c", "b"),
     "state.yaml:5:3: Queue b: spec.parentQueue: Queue \"nowhere\" is not in the input\n"},
    {"CycleIsToldOnce", child("c", "a") + child("a", "b") + child("b", "c") + child("d", "a"),
     "state.yaml:12:3: Queue a: spec.parentQueue: makes a cycle of parents: a < b < c < a\n"},
    {"OwnParent", child("a", "a"),
     "state.yaml:5:3: Queue a: spec.parentQueue: makes a cycle of parents: a < a\n"},
    {"NameOfAClusterQueue",
     queue("a", kNoLimits) +
         "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: a}\n",
     "state.yaml:1:1: Queue a: metadata.name: \"a\" is the name of a ClusterQueue too: no workload "
     "enters this one\n"},
};

class KaiTrees : public ::testing::TestWithParam<TreeCase> {};

TEST_P(KaiTrees, AreCheckedOnceAllIsRead) {
  EXPECT_EQ(texts(load(GetParam().state).errors), GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiTrees, ::testing::ValuesIn(kTrees),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(KaiQueues, MisspeltKeysAreWarnedOf) {
  const ingest::Loaded loaded =
      load(queue("x", "  parentqueue: a\n  resources: {GPU: {limit: 1}}"));
  EXPECT_EQ(texts(loaded.warnings),
            "state.yaml:5:3: Queue x: spec.parentqueue: unknown key (did you mean "
            "\"parentQueue\"?)\nstate.yaml:6:15: Queue x: spec.resources.GPU: unknown key (did you "
            "mean \"gpu\"?)\n");
}

std::string job(const std::string& labels, const std::string& template_labels, int gpus = 1) {
  return "{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ns, labels: {" + labels +
         "}}, spec: {parallelism: 1, template: {metadata: {labels: {" + template_labels +
         "}}, spec: {containers: [{name: c, resources: {limits: {nvidia.com/gpu: " +
         std::to_string(gpus) + "}}}]}}}}";
}

struct LabelCase {
  const char* name;
  const char* labels;
  const char* template_labels;
  const char* queue;  // "kai q" or "kueue q"
};

void PrintTo(const LabelCase& tested, std::ostream* out) { *out << tested.name; }

const LabelCase kLabels[] = {
    {"OfTheObject", "kai.scheduler/queue: q", "kai.scheduler/queue: other", "kai q"},
    {"OfThePods", "", "kai.scheduler/queue: q", "kai q"},
    {"OfOlderVersions", "runai/queue: q", "", "kai q"},
    {"TodaysLabelGoesFirst", "runai/queue: old, kai.scheduler/queue: q", "", "kai q"},
    {"EmptyIsNone", "kai.scheduler/queue: ''", "kai.scheduler/queue: q", "kai q"},
    {"KueuesGoesFirst", "kueue.x-k8s.io/queue-name: lq, kai.scheduler/queue: q", "", "kueue lq"},
    {"KueuesGoesBeforeThePods", "kueue.x-k8s.io/queue-name: lq", "kai.scheduler/queue: q",
     "kueue lq"},
    {"None", "", "", "kueue "},
};

class KaiLabels : public ::testing::TestWithParam<LabelCase> {};

TEST_P(KaiLabels, NameTheQueue) {
  const ingest::Loaded loaded = load("", job(GetParam().labels, GetParam().template_labels));
  const core::Workload& workload = loaded.inventory.workloads.at(0);
  EXPECT_EQ((workload.queue_is_kai ? "kai " : "kueue ") + workload.queue, GetParam().queue);
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiLabels, ::testing::ValuesIn(kLabels),
                         [](const auto& tested) { return std::string(tested.param.name); });

constexpr const char* kHost =
    "{apiVersion: v1, kind: Node, metadata: {name: a, labels: {kubernetes.io/hostname: a}}, "
    "status: {allocatable: {nvidia.com/gpu: 16, pods: 110}, conditions: [{type: Ready, status: "
    "'True'}]}}\n---\n";

std::string running_pod(const std::string& labels, int gpus) {
  return "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, labels: {" + labels +
         "}}, spec: {nodeName: a, containers: [{name: c, resources: {limits: {nvidia.com/gpu: " +
         std::to_string(gpus) + "}}}]}}\n---\n";
}

/// org (10 GPUs) over team-a (8), team-b (8).
std::string org() {
  const auto gpus = [](int limit) {
    return "  resources: {cpu: {limit: -1}, memory: {limit: -1}, gpu: {limit: " +
           std::to_string(limit) + "}}";
  };
  return kHost + queue("org", gpus(10)) + queue("team-a", "  parentQueue: org\n" + gpus(8)) +
         queue("team-b", "  parentQueue: org\n" + gpus(8));
}

struct TextCase {
  const char* name;
  std::string more_state;
  std::string request;
  const char* expected;  // result: words
};

void PrintTo(const TextCase& tested, std::ostream* out) { *out << tested.name; }

const TextCase kTexts[] = {
    {"Placed", "", job("kai.scheduler/queue: team-a", "", 8), "Placed -: "},
    {"OwnLimitUsedUp", running_pod("kai.scheduler/queue: team-a", 6),
     job("kai.scheduler/queue: team-a", "", 3),
     "Waits Quota: nvidia.com/gpu in Queue team-a: asks 3, 6 of at most 8 are used"},
    {"ParentsLimitUsedUp", running_pod("kai.scheduler/queue: team-a", 6),
     job("kai.scheduler/queue: team-b", "", 5),
     "Waits QuotaParent: nvidia.com/gpu in Queue org: asks 5, 6 of at most 10 are used"},
    {"MoreThanEver", "", job("kai.scheduler/queue: team-a", "", 9),
     "Never Quota: nvidia.com/gpu in Queue team-a: asks 9, can never get more than 8"},
    {"ParentTakesNone", "", job("kai.scheduler/queue: org", ""),
     "Waits QuotaParent: Queue org is the parent of team-a and team-b: only queues without any "
     "below take workloads"},
    {"UnknownQueue", "", job("kai.scheduler/queue: team-c", ""),
     "Waits QueueMissing: Queue team-c is not in the input"},
    {"NoQueue", "", job("", ""),
     "Waits QueueMissing: names no queue (label kueue.x-k8s.io/queue-name or "
     "kai.scheduler/queue)"},
};

class KaiTexts : public ::testing::TestWithParam<TextCase> {};

TEST_P(KaiTexts, NameTheQueueAndItsNumbers) {
  const ingest::Loaded loaded = load(org() + GetParam().more_state, GetParam().request);
  EXPECT_EQ(texts(loaded.errors), "");
  core::Engine engine(loaded.inventory, {});
  const core::Decision decision = engine.run(loaded.to_place).at(0);
  EXPECT_EQ(
      std::string(core::outcome_name(decision.outcome)) + " " +
          std::string(core::reason_name(decision.reason)) + ": " +
          encode::short_reason(engine, decision, engine.explain(decision, core::Depth::kRemedies)),
      GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(KaiQueues, KaiTexts, ::testing::ValuesIn(kTexts),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(KaiQueues, RunningPodIsInTheQueueOfItsJobBeforeThatOfItsOwnLabel) {
  const std::string owned =
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, labels: "
      "{kai.scheduler/queue: other}, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, "
      "controller: true}]}, spec: {nodeName: a, containers: [{name: c}]}}\n---\n";
  const ingest::Loaded loaded = load(owned + job("kai.scheduler/queue: team-a", ""));
  EXPECT_EQ(loaded.inventory.pods.at(0).kai_queue.str(), "team-a");
}

TEST(KaiQueues, OutputHoldsItsLimitWhenItIsReadAgain) {
  const std::string state = org();
  const ingest::Loaded first = load(state, job("kai.scheduler/queue: team-a", "", 6));
  core::Engine engine(first.inventory, {});
  const core::Decision decision = engine.run(first.to_place).at(0);
  const std::string written = encode::workload_json(engine, decision, {}, {}).dump();
  // Another job.
  std::string next = job("kai.scheduler/queue: team-a", "", 3);
  next.replace(next.find("name: j"), 7, "name: k");
  const ingest::Loaded second = load(state + written, next);
  core::Engine again(second.inventory, {});
  const core::Decision refused = again.run(second.to_place).at(0);
  EXPECT_EQ(encode::short_reason(again, refused, {}),
            "nvidia.com/gpu in Queue team-a: asks 3, 6 of at most 8 are used");
}

TEST(KaiQueues, ReferenceCheckTellsTheNearestQueue) {
  const ingest::Loaded loaded = load(org(), job("kai.scheduler/queue: team-aa", ""));
  EXPECT_NE(texts(ingest::check_references(loaded.inventory).warnings)
                .find("metadata.labels[\"kai.scheduler/queue\"]: Queue \"team-aa\" is not in the "
                      "input (did you mean \"team-a\"?)"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera::test
