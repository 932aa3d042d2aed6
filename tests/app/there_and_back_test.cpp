// SPDX-License-Identifier: Apache-2.0
// `schedule -o json` fed back with -f: what a workload asks for and why it waits are the same the
// second time. And text from the input never reaches the terminal raw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string cluster(const std::string& cpu, const std::string& queue = "") {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}}\n---\n"
         "{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, spec: {" +
         queue +
         "namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
         "resources: [{name: cpu, nominalQuota: '" +
         cpu +
         "'}]}]}]}}\n---\n"
         "{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q, namespace: "
         "ml}, spec: {clusterQueue: q}}\n---\n"
         "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}, "
         "status: {allocatable: {cpu: '8', pods: '110'}, conditions: [{type: Ready, status: "
         "'True'}]}}\n";
}

/// A Workload of `count` pods; `metadata`, `spec` and `status` go into these maps.
std::string workload(const std::string& name, int count, const std::string& metadata,
                     const std::string& spec, const std::string& status) {
  return "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: " + name +
         ", namespace: ml" + metadata + "}\nspec: {queueName: q" + spec +
         ", podSets: [{name: main, count: " + std::to_string(count) +
         ", template: {spec: {containers: [{name: c, resources: {requests: {cpu: '1'}}}]}}}]}\n"
         "status: {" +
         status + "}\n";
}

std::string condition(const std::string& type, const std::string& status,
                      const std::string& reason) {
  return "{type: " + type + ", status: '" + status + "', reason: " + reason +
         ", message: m, lastTransitionTime: '2026-05-01T00:00:00Z'}";
}

struct BackCase {
  const char* name;
  std::string workload;
  const char* reason;  // why it waits, the first time and the second
};
const BackCase kBack[] = {
    {"inactive", workload("w", 1, "", ", active: false", ""), "Inactive"},
    {"gated",
     workload("w", 1, ", annotations: {kueue.x-k8s.io/admission-gated-by: x.io/budget}", "", ""),
     "Gated"},
    {"waits for replacements",
     workload("w", 1, "", "",
              "conditions: [" + condition("WaitingForReplacementPods", "True", "R") + "]"),
     "Gated"},
    {"backs off",
     workload("w", 1, ", creationTimestamp: '2026-01-01T00:00:00Z'", "",
              "requeueState: {count: 3, requeueAt: '2026-05-01T01:00:00Z'}, conditions: [" +
                  condition("Evicted", "True", "PodsReadyTimeout") + ", " +
                  condition("Requeued", "False", "PodsReadyTimeout") + "]"),
     "Backoff"},
    {"a check to be retried",
     workload("w", 1, "", "", "admissionChecks: [{name: c, state: Retry}]"), "AdmissionCheck"},
    {"some pods ended", workload("w", 12, "", "", "reclaimablePods: [{name: main, count: 2}]"),
     "Quota"},
};

std::string job(const std::string& metadata, const std::string& spec, const std::string& pod_spec,
                const std::string& annotations = "") {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: ml, labels: "
         "{kueue.x-k8s.io/queue-name: q}" +
         metadata + "}\nspec: {parallelism: 12, completions: 12" + spec +
         ", template: {metadata: {annotations: {" + annotations +
         "}}, spec: {containers: [{name: c, resources: {requests: {cpu: '2'}}}, {name: d, "
         "resources: "
         "{requests: {cpu: '2'}}}]" +
         pod_spec + "}}}\n";
}

const BackCase kJobsBack[] = {
    {"a size that is no number",
     job("", "", "",
         "kueue.x-k8s.io/podset-slice-required-topology: r, kueue.x-k8s.io/podset-slice-size: 'x'"),
     "Invalid"},
    {"two levels at once",
     job("", "", "",
         "kueue.x-k8s.io/podset-required-topology: r, kueue.x-k8s.io/podset-preferred-topology: r"),
     "Invalid"},
    {"a minimum above the count",
     job(", annotations: {kueue.x-k8s.io/job-min-parallelism: '77'}", "", ""), "Invalid"},
    {"a name of a queue that cannot be",
     "---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: ml, labels: "
     "{kueue.x-k8s.io/queue-name: Q_1}}\nspec: {template: {spec: {containers: [{name: c}]}}}\n",
     "Invalid"},
    {"requests above limits",
     job("", "",
         ", initContainers: [{name: i, resources: {requests: {cpu: 3}, limits: {cpu: 1}}}]"),
     "LimitRange"},
    {"requests that are not honoured",
     job("", "",
         ", topologySpreadConstraints: [{maxSkew: 1, topologyKey: t}], runtimeClassName: x"),
     "Quota"},
    {"an owner that is not there",
     job(", ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: "
         "u, controller: true}]",
         "", ""),
     "Gated"},
    {"a priority of the pods", job("", "", ", priorityClassName: low"), "Quota"},
    {"an offset of the ranks",
     job("", ", completionMode: Indexed", "", "kueue.x-k8s.io/pod-index-offset: '3'"), "Quota"},
    {"containers within a LimitRange", job("", "", ""), "Quota"},
    {"a gate of a pod",
     "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml, labels: "
     "{kueue.x-k8s.io/queue-name: q}}\nspec: {schedulingGates: [{name: x.io/g}], containers: "
     "[{name: c}]}\n",
     "Gated"},
};

/// A priority class of each kind with one name, and a LimitRange that two containers keep and their
/// sum does not.
const std::string kClassesAndLimits =
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: "
    "0}\n"
    "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: WorkloadPriorityClass, metadata: {name: low}, "
    "value: 9}\n"
    "---\n{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: ml}, spec: {limits: "
    "[{type: Container, max: {cpu: '3'}}]}}\n";

json only_item(const Answer& run) {
  const json list = json::parse(run.out);
  EXPECT_EQ(list["items"].size(), 1u);
  return list["items"].empty() ? json() : list["items"][0];
}

void remove_times_of_the_run(json& item) {
  for (json& one : item["status"]["conditions"]) {
    if (one["type"] == "QuotaReserved") one.erase("lastTransitionTime");
  }
  for (json& one : item["status"]["admissionChecks"]) one.erase("lastTransitionTime");
}

TEST(ThereAndBack, AWorkloadThatWaitsIsWrittenAsItWasRead) {
  for (const BackCase& c : kBack) {
    SCOPED_TRACE(c.name);
    const Scratch scratch;
    const std::string state = scratch.file("c.yaml", cluster("4"));
    const auto place = [&](const std::string& request) {
      return only_item(tessera({"schedule", "-C", state, "-f", request, "-o", "json"}));
    };
    json first = place(scratch.file("w.yaml", c.workload));
    json second = place(scratch.file("first.json", first.dump()));
    EXPECT_EQ(json::parse(first["metadata"]["annotations"]["tessera.dev/explanation"]
                              .get<std::string>())["reason"],
              c.reason);
    remove_times_of_the_run(first);
    remove_times_of_the_run(second);
    EXPECT_EQ(first, second);
  }
}

TEST(ThereAndBack, AJobThatWaitsWaitsForTheSame) {
  for (const char* version : {"v1beta1", "v1beta2"}) {
    for (const BackCase& c : kJobsBack) {
      SCOPED_TRACE(std::string(c.name) + " " + version);
      const Scratch scratch;
      const std::string state = scratch.file("c.yaml", cluster("4") + kClassesAndLimits);
      const auto place = [&](const std::string& request) {
        return tessera({"schedule", "-C", state, "-f", request, "-o", "json",
                        "--assignment-version", version});
      };
      const Answer there = place(scratch.file("j.yaml", c.workload));
      json first = only_item(there);
      const Answer back = place(scratch.file("first.json", first.dump()));
      json second = only_item(back);
      EXPECT_EQ(json::parse(first["metadata"]["annotations"]["tessera.dev/explanation"]
                                .get<std::string>())["reason"],
                c.reason);
      remove_times_of_the_run(first);
      remove_times_of_the_run(second);
      EXPECT_EQ(first, second);
      EXPECT_EQ(there.exit, back.exit);
      EXPECT_EQ(there.err.find("not honoured") == std::string::npos,
                back.err.find("not honoured") == std::string::npos);
    }
  }
}

TEST(ThereAndBack, WhatIsNoRequestOfOursIsAFault) {
  const Scratch scratch;
  const std::string state = scratch.file("c.yaml", cluster("4"));
  for (const char* text : {"x", "[]", "7", "''"}) {
    SCOPED_TRACE(text);
    const std::string request = scratch.file(
        "w.yaml",
        workload("w", 1, std::string(", annotations: {tessera.dev/request: \"") + text + "\"}", "",
                 ""));
    const Answer run = tessera({"schedule", "-C", state, "-f", request});
    EXPECT_EQ(run.exit, 3);
    EXPECT_THAT(run.err, HasSubstr("metadata.annotations[\"tessera.dev/request\"]"));
  }
}

TEST(ThereAndBack, ACorrectedObjectIsJudgedByWhatItSays) {
  const Scratch scratch;
  const std::string state = scratch.file("c.yaml", cluster("40"));
  const auto place = [&](const std::string& request) {
    return tessera({"schedule", "-C", state, "-f", request, "-o", "json"});
  };
  const std::string annotations =
      "kueue.x-k8s.io/podset-required-topology: kubernetes.io/hostname, "
      "kueue.x-k8s.io/podset-slice-required-topology: kubernetes.io/hostname, "
      "kueue.x-k8s.io/podset-slice-size: 'x'";
  json item = only_item(place(scratch.file("j.yaml", job("", "", "", annotations))));
  EXPECT_EQ(item["status"]["conditions"][0]["reason"], "Invalid");
  const Answer again = place(scratch.file("again.json", item.dump()));
  EXPECT_THAT(again.err, HasSubstr("until you correct the spec or remove this annotation"));
  item["spec"]["podSets"][0]["topologyRequest"]["podSetSliceSize"] = 2;
  const Answer corrected = place(scratch.file("corrected.json", item.dump()));
  EXPECT_NE(corrected.exit, 3) << corrected.err;
  EXPECT_THAT(corrected.err, HasSubstr("tessera.dev/request"));
  EXPECT_NE(only_item(corrected)["status"]["conditions"][0]["reason"], "Invalid");
}

TEST(ThereAndBack, TheFieldsAreThoseThatWereRead) {
  const Scratch scratch;
  const std::string state = scratch.file("c.yaml", cluster("4"));
  const std::string request = scratch.file(
      "w.yaml", workload("w", 12, ", uid: u7, creationTimestamp: '2026-01-01T00:00:00Z'",
                         ", priority: 3", "reclaimablePods: [{name: main, count: 2}]"));
  const json item = only_item(tessera({"schedule", "-C", state, "-f", request, "-o", "json"}));
  EXPECT_EQ(item["metadata"]["creationTimestamp"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(item["metadata"]["uid"], "u7");
  EXPECT_EQ(item["spec"]["priority"], 3);
  EXPECT_EQ(item["spec"]["podSets"][0]["count"], 12);
  EXPECT_EQ(item["status"]["reclaimablePods"], json::parse(R"([{"name": "main", "count": 2}])"));
  const json placed = only_item(
      tessera({"schedule", "-C", scratch.file("d.yaml", cluster("40")), "-f",
               scratch.file("v.yaml",
                            workload("v", 4, "", "", "reclaimablePods: [{name: main, count: 1}]")),
               "-o", "json"}));
  EXPECT_EQ(placed["spec"]["podSets"][0]["count"], 4) << "of a placed workload too";
  EXPECT_EQ(placed["status"]["admission"]["podSetAssignments"][0]["count"], 3);
  EXPECT_FALSE(placed["metadata"].contains("creationTimestamp")) << "none was read";
}

TEST(ThereAndBack, TheOlderWorkloadStaysFirst) {
  const Scratch scratch;
  const std::string full = scratch.file("full.yaml", cluster("0"));
  const std::string room = scratch.file("room.yaml", cluster("1"));
  const std::string request = scratch.file(
      "w.yaml", workload("a", 1, ", creationTimestamp: '2026-02-02T00:00:00Z'", "", "") +
                    workload("z", 1, ", creationTimestamp: '2026-01-01T00:00:00Z'", "", ""));
  const Answer first = tessera({"schedule", "-C", full, "-f", request, "-o", "json"});
  const Answer second =
      tessera({"schedule", "-C", room, "-f", scratch.file("first.json", first.out), "-o", "json"});
  const json list = json::parse(second.out);
  ASSERT_EQ(list["items"].size(), 2u);
  EXPECT_EQ(list["items"][0]["metadata"]["name"], "z");
  EXPECT_TRUE(list["items"][0]["status"].contains("admission"));
}

TEST(ThereAndBack, ANewJobDoesNotPassTheHeadOfAStrictQueue) {
  const Scratch scratch;
  const std::string state = scratch.file(
      "c.yaml", cluster("4", "queueingStrategy: StrictFIFO, ") +
                    workload("head", 9, ", creationTimestamp: '2026-01-01T00:00:00Z'", "", ""));
  const std::string request = scratch.file("w.yaml", workload("new", 1, "", "", ""));
  const Answer run = tessera({"explain", "new", "-C", state, "-f", request});
  EXPECT_EQ(run.exit, 7);
  EXPECT_THAT(run.out, HasSubstr("BehindHead"));
}

TEST(Printed, NothingOfTheInputIsPrintedRaw) {
  const std::string evil = "x\\e[31m\\nml  job/fake \\u009b \\u202e \\a\\r\\0";
  const Scratch scratch;
  const std::string state = scratch.file(
      "c.yaml",
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: \"t" + evil +
          "\"}, spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}}\n---\n"
          "{apiVersion: v1, kind: Node, metadata: {name: \"n" +
          evil + "\", labels: {kubernetes.io/hostname: \"h" + evil + "\", rack: \"r" + evil +
          "\"}}, status: {allocatable: {cpu: '8', pods: '110'}, conditions: [{type: Ready, status: "
          "'True'}]}}\n");
  const std::string request = scratch.file(
      "j.yaml",
      "{apiVersion: batch/v1, kind: Job, metadata: {name: \"j" + evil + "\", namespace: \"s" +
          evil + "\", labels: {kueue.x-k8s.io/queue-name: \"q" + evil +
          "\"}}, spec: {parallelism: 9, \"f" + evil +
          "\": 1, template: {metadata: {annotations: {kueue.x-k8s.io/podset-required-topology: "
          "\"l" +
          evil + "\"}}, spec: {containers: [{name: c, resources: {requests: {\"g" + evil +
          "\": 1, cpu: \"1" + evil +
          "\"}}}]}}}}\n---\n"
          "{apiVersion: v1, kind: Pod, metadata: {name: \"p" +
          evil + "\", namespace: ml}, spec: {containers: [{name: c}]}}\n");
  const std::vector<std::vector<std::string>> commands = {
      {"schedule", "-C", state, "-f", request},
      {"schedule", "-C", state, "-f", request, "-o", "wide"},
      {"schedule", "-C", state, "-f", request, "-o", "json"},
      {"schedule", "-C", state, "-f", request, "-o", "pods"},
      {"schedule", "-C", state, "-f", request, "-o", "name"},
      {"explain", "-C", state, "-f", request, "pod/x"},
      {"rackmap", "-C", state, "-f", request, "--by", "gang"},
      {"topology", "show", "-C", state},
      {"validate", "-C", state, "-f", request},
  };
  for (const std::vector<std::string>& command : commands) {
    const Answer run = tessera(command);
    const std::string text = run.out + run.err;
    SCOPED_TRACE(command[0] + " " + command.back() + "\n" + text);
    for (const char* raw : {"\x1b", "\a", "\r", "\xc2\x9b", "\xe2\x80\xae"}) {
      EXPECT_EQ(text.find(raw), std::string::npos);
    }
    EXPECT_EQ(text.find('\0'), std::string::npos);
    for (const std::string& line : lines_of(text)) {
      EXPECT_NE(line.substr(0, 12), "ml  job/fake");
    }
  }
}

}  // namespace
}  // namespace tessera::app_test
