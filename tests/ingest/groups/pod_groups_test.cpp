// SPDX-License-Identifier: Apache-2.0
// PodGroups of KAI with their pods: who is a member, which pods wait and which run, and the levels
// that groups name.
#include "ingest/groups/pod_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/ingest/kinds/gang_text.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

const std::string kTree = pod_group(
    "subGroups: [{name: d}, {name: d-l, parent: d, minMember: 1}, {name: d-w, parent: d, "
    "minMember: 2}, {name: p, minMember: 1}]");

std::string requests(const std::string& amounts) {
  return "containers: [{name: c, resources: {requests: {" + amounts + "}}}]";
}

std::string ended_pod(const std::string& name, const std::string& phase) {
  return member_pod(name) + "status: {phase: " + phase + "}\n";
}

struct MemberCase {
  const char* name;
  std::string objects;
  const char* gang;
  const char* list;  // "place", "settled" or "held by ..."
};

std::string list_of(const ingest::Loaded& loaded) {
  if (!loaded.settled_request.empty()) return "settled";
  const std::string& held_by = group_workload(loaded).held_by;
  return held_by.empty() ? "place" : "held by " + held_by;
}

const MemberCase kMembers[] = {
    {"equal pods are one pod set, by name",
     pod_group("minMember: 2") + member_pod("p-2") + member_pod("p-10") + member_pod("p-1"),
     ". 2 pods [default: p-1 p-10 p-2]", "place"},
    {"pods of two sizes stand where their first pod stands",
     pod_group("") + member_pod("a", "", requests("cpu: 2")) +
         member_pod("b", "", requests("cpu: 1")) +
         member_pod("c", "", requests("cpu: 2000m, memory: 0")) +
         member_pod("d", "", requests("cpu: '2'")),
     ". 1 pod [default: a d] [default-2: b] [default-3: c]", "place"},
    {"a node selector makes another pod set",
     pod_group("") + member_pod("a") + member_pod("b", "", "nodeSelector: {x: z}"),
     ". 1 pod [default: a] [default-2: b]", "place"},
    {"older pods come first",
     pod_group("") + member_pod("a", "", "", "creationTimestamp: '2026-01-02T00:00:00Z'") +
         member_pod("b", "", "", "creationTimestamp: '2026-01-01T00:00:00Z'"),
     ". 1 pod [default: b a]", "place"},
    {"a task priority comes before age",
     pod_group("") + member_pod("a", "", "", "creationTimestamp: '2026-01-01T00:00:00Z'") +
         member_pod("b", "", "", "labels: {kai.scheduler/task-priority: '-3'}") +
         member_pod("c", "", "", "labels: {kai.scheduler/task-priority: '7'}"),
     ". 1 pod [default: c b a]", "place"},
    {"pods are in their leaves",
     kTree + member_pod("w0", "d-w") + member_pod("x", "p") + member_pod("l", "d-l") +
         member_pod("w1", "d-w"),
     ". 2 groups; d 2 groups; d-l 1 pod [d-l: l]; d-w 2 pods [d-w: w0 w1]; p 1 pod [p: x]",
     "place"},
    {"a pod set has no name of another group",
     pod_group("subGroups: [{name: a}, {name: a-2}]") + member_pod("x", "a") +
         member_pod("z", "a", requests("cpu: 1")) + member_pod("w", "a-2"),
     ". 2 groups; a 0 pods [a: x] [a-3: z]; a-2 0 pods [a-2: w]", "place"},
    {"pods that run are noted by node",
     kTree + member_pod("w0", "d-w", "nodeName: n2") + member_pod("w1", "d-w") +
         member_pod("w2", "d-w", "nodeName: n1"),
     ". 2 groups; d 2 groups; d-l 1 pod; d-w 2 pods [d-w: w1] runs n2 n1; p 1 pod", "place"},
    {"all pods run", pod_group("") + member_pod("a", "", "nodeName: n1"), ". 1 pod runs n1",
     "settled"},
    {"all pods have ended", pod_group("") + ended_pod("a", "Succeeded") + ended_pod("b", "Failed"),
     ". 1 pod", "settled"},
    {"ended pods count for nothing", pod_group("") + ended_pod("a", "Succeeded") + member_pod("b"),
     ". 1 pod [default: b]", "place"},
    {"no pod is there", pod_group(""), ". 1 pod",
     "held by its pods, of which none is in the input"},
    {"all pods have gates", pod_group("") + member_pod("a", "", "schedulingGates: [{name: x}]"),
     ". 1 pod", "held by scheduling gates or the deletion of 1 pod"},
    {"a pod that is being deleted is not placed",
     pod_group("") + member_pod("a") +
         member_pod("b", "", "", "deletionTimestamp: '2026-01-01T00:00:00Z'") +
         member_pod("c", "", "nodeName: n1", "deletionTimestamp: '2026-01-01T00:00:00Z'"),
     ". 1 pod [default: a]", "place"},
    {"the label default in a gang without groups", pod_group("") + member_pod("a", "default"),
     ". 1 pod [default: a]", "place"},
    {"a pod without a label in the leaf default",
     pod_group("subGroups: [{name: default}, {name: b}]") + member_pod("a"),
     ". 2 groups; b 0 pods; default 0 pods [default: a]", "place"},
};

TEST(PodGroups, TakeTheirPodsIn) {
  for (const MemberCase& c : kMembers) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects);
    EXPECT_EQ(texts(loaded.errors), "");
    EXPECT_EQ(gang_of(loaded), c.gang);
    EXPECT_EQ(list_of(loaded), c.list);
  }
}

TEST(PodGroups, KeepTheUseOfPodsThatRun) {
  const ingest::Loaded loaded = load(
      "", pod_group("queue: q") + member_pod("a", "", "nodeName: n1") + member_pod("b") +
              member_pod("c", "", "nodeName: n2", "deletionTimestamp: '2026-01-01T00:00:00Z'"));
  EXPECT_EQ(pod_links(loaded.inventory), "a>ns/podgroup-g c") << "c is no member any more";
  for (const core::PodRecord& pod : loaded.inventory.pods) EXPECT_EQ(pod.kai_queue.view(), "q");
  EXPECT_EQ(group_workload(loaded).quota_requests.size(), 1u);
  EXPECT_EQ(group_workload(loaded).templates.size(), 1u);
}

struct AstrayCase {
  const char* name;
  std::string objects;
  const char* error;
};
#define TESSERA_LABEL "metadata.labels[\"kai.scheduler/subgroup-name\"]: "
const AstrayCase kAstray[] = {
    {"a group that is not there", kTree + member_pod("x", "d-k"),
     "request.yaml:7:1: Pod ns/x: " TESSERA_LABEL
     "\"d-k\" is no subGroup of PodGroup ns/g (did you mean \"d-l\"?)\n"},
    {"a group of groups", kTree + member_pod("x", "d"),
     "request.yaml:7:1: Pod ns/x: " TESSERA_LABEL
     "\"d\" is a group of groups in PodGroup ns/g: a pod is in one of d-l, d-w\n"},
    {"no label", kTree + member_pod("x"),
     "request.yaml:7:1: Pod ns/x: " TESSERA_LABEL
     "is missing: PodGroup ns/g has subGroups, and each pod is in one of d-l, d-w, p\n"},
    {"a label where there are no groups", pod_group("") + member_pod("x", "d"),
     "request.yaml:7:1: Pod ns/x: " TESSERA_LABEL
     "\"d\" is no group of PodGroup ns/g, which has no subGroups\n"},
};

TEST(PodGroups, RefuseAPodWithoutALeafAndKeepTheOthers) {
  for (const AstrayCase& c : kAstray) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects + member_pod("v", "p") + member_pod("z"));
    const std::string errors = texts(loaded.errors);
    EXPECT_EQ(errors.substr(0, errors.find('\n') + 1), c.error);
    EXPECT_EQ(list_of(loaded), "place");
  }
  const ingest::Loaded alone = load("", kTree + member_pod("x"));
  EXPECT_EQ(list_of(alone), "held by its pods, of which none names a leaf of it");
}

TEST(PodGroups, NameTheFirstPodsWithoutALeaf) {
  std::string objects = kTree;
  for (int i = 10; i < 25; ++i) objects += member_pod("x" + std::to_string(i));
  const ingest::Loaded loaded = load("", objects);
  ASSERT_EQ(loaded.errors.size(), 11u);
  EXPECT_EQ(loaded.errors.back().text(),
            "request.yaml:2:1: PodGroup ns/g: spec.subGroups: 5 more pods name no leaf of it");
}

TEST(PodGroups, TakeNoPodOfAnotherSchedulerOrNamespace) {
  const std::string other =
      "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: a, annotations: "
      "{pod-group-name: g}}\nspec: {containers: [{name: c}]}\n";
  ingest::Loaded loaded = load("", pod_group("") + other);
  EXPECT_EQ(gang_of(loaded), ". 1 pod");
  EXPECT_EQ(texts(loaded.warnings),
            "1 pod names a PodGroup, but only pods of schedulerName kai-scheduler are placed with "
            "it: ns/a\n");
  std::string elsewhere = member_pod("a");
  elsewhere.replace(elsewhere.find("namespace: ns"), 13, "namespace: n2");
  loaded = load("", pod_group("") + elsewhere);
  EXPECT_EQ(gang_of(loaded), ". 1 pod");
  EXPECT_EQ(texts(loaded.warnings),
            "1 pod without a node waits for a PodGroup that is not in the input or was refused: "
            "n2/g (annotation pod-group-name)\n");
}

TEST(PodGroups, SayWhichPodsAreNotPlaced) {
  const ingest::Loaded loaded =
      load("", pod_group("") + member_pod("a") +
                   member_pod("b", "", "schedulingGates: [{name: kueue.x-k8s.io/topology}]"));
  EXPECT_EQ(texts(loaded.warnings),
            "request.yaml:2:1: PodGroup ns/g: 1 pod of it has scheduling gates or is being deleted "
            "and is not placed\n");
}

TEST(PodGroups, SayWhatOfTheirPodsIsNotHonoured) {
  const ingest::Loaded loaded = load(
      "", kTree +
              "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: a, annotations: "
              "{pod-group-name: g, gpu-fraction: '0.5', kai.scheduler/topology: t, "
              "kueue.x-k8s.io/podset-required-topology: r}, labels: "
              "{kai.scheduler/subgroup-name: p}}\nspec: {schedulerName: kai-scheduler, "
              "hostNetwork: true, containers: [{name: c, ports: [{containerPort: 1}]}]}\n");
  EXPECT_THAT(group_workload(loaded).not_honoured,
              ::testing::ElementsAre("host ports", "annotation gpu-fraction",
                                     "topology annotations of Kueue on pods of a PodGroup"));
}

TEST(PodGroups, AreOfTheRequestIfAPodOfThemIs) {
  const ingest::Loaded loaded = load(pod_group(""), member_pod("a"));
  EXPECT_EQ(keys(loaded, loaded.to_place), "ns/podgroup-g");
  const ingest::Loaded state = load(pod_group("") + member_pod("a"));
  EXPECT_EQ(keys(state, state.waiting_state), "ns/podgroup-g");
}

TEST(PodGroups, StandForTheJobThatOwnsThem) {
  const std::string job =
      "---\napiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ns, name: j, uid: u1}\n"
      "spec: {parallelism: 2, template: {spec: {containers: [{name: c}]}}}\nstatus: {active: 2}\n";
  const std::string owned =
      "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u1, controller: true}]";
  const ingest::Loaded loaded =
      load("", job + pod_group("", owned) + member_pod("a", "", "", owned) +
                   member_pod("b", "", "nodeName: n1", owned));
  EXPECT_EQ(texts(loaded.errors), "");
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  EXPECT_EQ(gang_of(loaded), ". 1 pod [default: a] runs n1");
  EXPECT_EQ(keys(loaded, loaded.to_place), "ns/podgroup-g");
}

TEST(PodGroups, BelongToTheWorkloadThatWasWrittenForThem) {
  const std::string workload =
      "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: ns, name: "
      "podgroup-g, ownerReferences: [{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, "
      "name: "
      "g}]}\nspec: {podSets: [{name: default, count: 2, template: {spec: {containers: [{name: "
      "c}]}}}]}\n";
  const std::string admitted =
      "status: {admission: {clusterQueue: q, podSetAssignments: [{name: default, count: 2}]}, "
      "conditions: [{type: QuotaReserved, status: 'True'}]}\n";
  const std::string pods = pod_group("minMember: 2") + member_pod("a") + member_pod("b");
  const ingest::Loaded waits = load("", workload + pods);
  ASSERT_EQ(waits.inventory.workloads.size(), 1u);
  EXPECT_EQ(gang_of(waits), ". 2 pods [default: a b]") << "the Workload does not know its groups";
  EXPECT_EQ(keys(waits, waits.to_place), "ns/podgroup-g");
  const ingest::Loaded holds =
      load("", workload + admitted + pods + member_pod("c", "", "nodeName: n1"));
  EXPECT_EQ(texts(holds.errors), "");
  ASSERT_EQ(holds.inventory.workloads.size(), 1u);
  EXPECT_EQ(keys(holds, holds.settled_request), "ns/podgroup-g");
  EXPECT_EQ(pod_links(holds.inventory), "c>ns/podgroup-g") << "the admission stands for it";
}

const std::string kTopology =
    "---\napiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: cluster}\nspec: "
    "{levels: [{nodeLabel: example.com/zone, alias: z}, {nodeLabel: example.com/rack}]}\n";
const std::string kOther =
    "---\napiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: ring}\nspec: "
    "{levels: [{nodeLabel: example.com/ring}]}\n";

std::string levels(const std::string& required, const std::string& preferred = "",
                   const std::string& topology = "") {
  std::string text = "topologyConstraint: {";
  if (!topology.empty()) text += "topology: " + topology + ", ";
  if (!required.empty()) text += "requiredTopologyLevel: " + required + ", ";
  if (!preferred.empty()) text += "preferredTopologyLevel: " + preferred + ", ";
  return text + "}";
}

struct LevelCase {
  const char* name;
  std::string objects;
  const char* gang;
  const char* found;  // what is invalid, or the warnings
};
const LevelCase kLevels[] = {
    {"by label", kTopology + pod_group(levels("example.com/rack")),
     ". 1 pod required example.com/rack", ""},
    {"by alias", kTopology + pod_group(levels("z", "example.com/rack", "cluster")),
     ". 1 pod in cluster required example.com/zone preferred example.com/rack", ""},
    {"a level that is not there", kTopology + pod_group(levels("example.com/rak")),
     ". 1 pod required example.com/rak",
     "request.yaml:10:29: PodGroup ns/g: spec.topologyConstraint.requiredTopologyLevel: Invalid "
     "value: \"example.com/rak\": topology cluster has no such level (levels: z, example.com/rack, "
     "host) (did "
     "you mean \"example.com/rack\"?)\n"},
    {"a topology that is not there", kTopology + pod_group(levels("z", "", "cluste")),
     ". 1 pod in cluste required z",
     "request.yaml:10:29: PodGroup ns/g: spec.topologyConstraint.topology: Invalid value: "
     "\"cluste\": no Topology of the input has this name (did you mean \"cluster\"?)\n"},
    {"one of several topologies", kTopology + kOther + pod_group(levels("example.com/ring")),
     ". 1 pod required example.com/ring",
     "request.yaml:15:8: PodGroup ns/g: spec.topologyConstraint.topology: Required value: the "
     "input has several topologies: cluster, ring\n"},
    {"two topologies in one gang",
     kTopology + kOther +
         pod_group(levels("z", "", "cluster") + ", subGroups: [{name: a, " +
                   levels("example.com/ring", "", "ring") + "}]"),
     ". 1 group in cluster required example.com/zone; a 0 pods in ring required example.com/ring",
     ""},
    {"no topology in the input", pod_group(levels("any")), ". 1 pod required any", ""},
    {"a level of a group that adds nothing",
     kTopology +
         pod_group(levels("example.com/rack") + ", subGroups: [{name: a, " + levels("z") + "}]"),
     ". 1 group required example.com/rack; a 0 pods required example.com/zone",
     "request.yaml:10:116: PodGroup ns/g: spec.subGroups[0].topologyConstraint."
     "requiredTopologyLevel: is coarser than the required level of the whole gang and adds "
     "nothing\n"},
    {"a preferred level that adds nothing", kTopology + pod_group(levels("example.com/rack", "z")),
     ". 1 pod required example.com/rack preferred example.com/zone",
     "request.yaml:10:70: PodGroup ns/g: spec.topologyConstraint.preferredTopologyLevel: is "
     "coarser "
     "than the required level of the group and adds nothing\n"},
};

TEST(PodGroups, NameTopologiesAndLevels) {
  for (const LevelCase& c : kLevels) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects);
    EXPECT_EQ(texts(loaded.errors), "");
    EXPECT_EQ(gang_of(loaded), c.gang);
    EXPECT_EQ(texts(group_workload(loaded).invalid) + texts(loaded.warnings), c.found);
  }
}

std::string node(const std::string& name, const std::string& labels) {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {" + labels +
         "}}\nstatus: {allocatable: {cpu: 8, pods: 110}, conditions: [{type: Ready, status: "
         "'True'}]}\n";
}

TEST(PodGroups, UseLevelsOfNodeLabelsIfTheInputHasNoTopology) {
  const std::string nodes =
      node("n1", "topology.kubernetes.io/zone: z, kubernetes.io/hostname: n1");
  const ingest::Loaded loaded = load(
      nodes, pod_group(levels("topology.kubernetes.io/zone", "", "cluster")) + member_pod("a"));
  EXPECT_EQ(gang_of(loaded), ". 1 pod required topology.kubernetes.io/zone [default: a]");
  EXPECT_THAT(texts(loaded.warnings),
              HasSubstr("request.yaml:2:1: PodGroup ns/g: Topology cluster is not in the input: "
                        "levels are those derived from node labels\n"));
  const ingest::Loaded unknown =
      load(nodes, pod_group(levels("example.com/rack", "", "cluster")) + member_pod("a"));
  EXPECT_THAT(texts(group_workload(unknown).invalid),
              HasSubstr("\"example.com/rack\": topology default has no such level"));
}

TEST(PodGroups, NameATopologyThatWasRefused) {
  const ingest::Loaded loaded =
      load("", kOther +
                   "---\napiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: "
                   "cluster}\nspec: {levels: []}\n" +
                   pod_group(levels("z", "", "cluster")));
  EXPECT_THAT(texts(group_workload(loaded).invalid),
              HasSubstr("\"cluster\": this Topology was refused with an error"));
}

TEST(PodGroups, DoNotDependOnTheOrderOfTheInput) {
  std::vector<std::string> objects = {
      pod_group("subGroups: [{name: d}, {name: d-l, parent: d, minMember: 1}, {name: d-w, parent: "
                "d, minMember: 2}, {name: p, minMember: 1}]"),
      kTopology,
      kOther,
      member_pod("l", "d-l"),
      member_pod("w0", "d-w"),
      member_pod("w1", "d-w", requests("cpu: 1")),
      member_pod("w2", "d-w"),
      member_pod("w3", "d-w", requests("cpu: 1")),
      member_pod("w4", "d-w", "nodeName: n3"),
      member_pod("w5", "d-w", "nodeName: n1"),
      member_pod("x", "p"),
      member_pod("v", "p"),
      member_pod("z", "nowhere")};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::mt19937_64 random(seed);
    std::string text;
    for (const std::string& object : objects) text += object;
    const ingest::Loaded loaded = load("", text);
    ASSERT_EQ(gang_of(loaded),
              ". 2 groups; d 2 groups; d-l 1 pod [d-l: l]; d-w 2 pods [d-w: w0 w2] [d-w-2: w1 w3] "
              "runs n3 n1; p 1 pod [p: v x]");
    std::shuffle(objects.begin(), objects.end(), random);
  }
}

}  // namespace
}  // namespace tessera::test
