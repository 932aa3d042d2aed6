// SPDX-License-Identifier: Apache-2.0
// What was dropped without a word: pods of other systems' groups and of kinds that are not read,
// KAI's requests, gates, nodes that share a hostname or take no pod, jobs of -f that run already,
// and the age of a new job.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/link/waiting_objects.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

std::string waiting_pod(const std::string& metadata, const std::string& spec = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: p" +
         (metadata.empty() ? "" : ", " + metadata) + "}\nspec: {" +
         (spec.empty() ? "" : spec + ", ") + kSpec + "}\n";
}

struct PodCase {
  const char* name;
  std::string pod;
  const char* to_place;
  const char* warning;  // its end; empty: no warning
};
const PodCase kPods[] = {
    {"coscheduling", waiting_pod("labels: {scheduling.x-k8s.io/pod-group: ring}"), "-",
     "ns/ring (label scheduling.x-k8s.io/pod-group)"},
    {"KAI", waiting_pod("annotations: {pod-group-name: ring}"), "-",
     "ns/ring (annotation pod-group-name)"},
    {"Volcano", waiting_pod("annotations: {scheduling.k8s.io/group-name: ring}"), "-",
     "ns/ring (annotation scheduling.k8s.io/group-name)"},
    {"Volcano's other key", waiting_pod("annotations: {scheduling.volcano.sh/group-name: ring}"),
     "-", "ns/ring (annotation scheduling.volcano.sh/group-name)"},
    {"Kubernetes 1.36", waiting_pod("", "schedulingGroup: {podGroupName: ring}"), "-",
     "ns/ring (spec.schedulingGroup)"},
    {"Kubernetes 1.35", waiting_pod("", "workloadRef: {name: ring, podGroup: g}"), "-",
     "ns/ring/g (spec.workloadRef)"},
    {"a group that a PyTorchJob owns",
     waiting_pod("labels: {scheduling.x-k8s.io/pod-group: ring}, " +
                 owned_by("kubeflow.org/v1", "PyTorchJob")),
     "-", "ns/ring (label scheduling.x-k8s.io/pod-group)"},
    {"an empty mark", waiting_pod("labels: {scheduling.x-k8s.io/pod-group: ''}"), "ns/pod-p", ""},
    {"a bound pod of a group", waiting_pod("annotations: {pod-group-name: ring}", "nodeName: n"),
     "-", ""},
    {"a PyTorchJob", waiting_pod(owned_by("kubeflow.org/v1", "PyTorchJob")), "-",
     "are not placed: pytorchjob/bert"},
    {"a StatefulSet", waiting_pod(owned_by("apps/v1", "StatefulSet")), "-",
     "are not placed: statefulset/bert"},
    {"a ReplicaSet of another group", waiting_pod(owned_by("x.io/v1", "ReplicaSet")), "-",
     "are not placed: replicaset/bert"},
    {"a ReplicaSet", waiting_pod(owned_by("apps/v1", "ReplicaSet")), "ns/pod-p",
     "placed on its own: ReplicaSet"},
    {"a ReplicationController", waiting_pod(owned_by("v1", "ReplicationController")), "ns/pod-p",
     "placed on its own: ReplicationController"},
    {"nobody", waiting_pod(""), "ns/pod-p", ""},
};

TEST(Dropped, PodsOfGroupsAndOfUnreadKindsAreNamedAndNotPlaced) {
  for (const PodCase& c : kPods) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.pod);
    EXPECT_EQ(keys(loaded, loaded.to_place), c.to_place);
    const std::string warnings = texts(loaded.warnings);
    if (*c.warning == '\0') {
      EXPECT_EQ(warnings, "");
    } else {
      EXPECT_THAT(warnings, HasSubstr(std::string(c.warning) + "\n"));
    }
  }
}

struct RequestCase {
  const char* name;
  std::string job;
  const char* not_honoured;  // joined by "; "
};
const RequestCase kRequests[] = {
    {"on the job",
     waiting_job(
         "annotations: {kai.scheduler/topology: t, kai.scheduler/topology-required-placement: r}"),
     "annotation kai.scheduler/topology; annotation kai.scheduler/topology-required-placement"},
    {"on the template", waiting_job("", "annotations: {gpu-fraction: 0.5}"),
     "annotation gpu-fraction"},
    {"on both, once",
     waiting_job("annotations: {gpu-memory: '1'}", "annotations: {gpu-memory: '1'}"),
     "annotation gpu-memory"},
    {"segments", waiting_job("", "annotations: {kai.scheduler/segment-size: '4'}"),
     "annotation kai.scheduler/segment-size"},
    {"a label", waiting_job("", "labels: {kai.scheduler/subgroup-name: s}"),
     "label kai.scheduler/subgroup-name"},
    {"a pod group of the template",
     waiting_job("", "annotations: {scheduling.k8s.io/group-name: ring}"),
     "pod group ring (annotation scheduling.k8s.io/group-name)"},
    {"the queue is honoured", waiting_job("labels: {kai.scheduler/queue: q}"), ""},
    {"a mark without a value", waiting_job("annotations: {gpu-fraction: ''}"), ""},
};

TEST(Dropped, RequestsThatOnlyKaiHonoursAreNamed) {
  for (const RequestCase& c : kRequests) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.job);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    std::string phrases;
    for (const std::string& phrase : loaded.inventory.workloads[0].not_honoured) {
      phrases += (phrases.empty() ? "" : "; ") + phrase;
    }
    EXPECT_EQ(phrases, c.not_honoured);
  }
}

TEST(Dropped, NodesThatKueueWantsReplacedAreNamed) {
  const auto phrases = [](const std::string& status) {
    return load(
               "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {namespace: ns, "
               "name: w}\nspec: {podSets: [{name: m, count: 1, template: {spec: {containers: "
               "[{name: c}]}}}]}\nstatus: {" +
                   status + "}\n",
               "")
        .inventory.workloads.at(0)
        .not_honoured;
  };
  EXPECT_THAT(phrases("unhealthyNodes: [{name: n1}]"),
              ::testing::ElementsAre("status.unhealthyNodes"));
  EXPECT_THAT(phrases("unhealthyNodes: []"), ::testing::IsEmpty());
}

TEST(Dropped, MisspeltKeysOfKueueAndKaiAreNamed) {
  EXPECT_THAT(texts(load("", waiting_job("labels: {kueue.x-k8s.io/queue-nme: q}")).warnings),
              HasSubstr("metadata.labels[\"kueue.x-k8s.io/queue-nme\"]: unknown key (did you mean "
                        "\"kueue.x-k8s.io/queue-name\"?)"));
  EXPECT_THAT(texts(load("", waiting_job("annotations: {kai.scheduler/topolgy: t}")).warnings),
              HasSubstr("unknown key (did you mean \"kai.scheduler/topology\"?)"));
  EXPECT_EQ(texts(load("", waiting_job("labels: {kueue.x-k8s.io/managed: 'true', "
                                       "kueue.x-k8s.io/pod-group-pod-index: '1'}"))
                      .warnings),
            "");
}

TEST(Dropped, TheGateOfAJobOrPodIsThatOfItsWorkload) {
  const std::string gate = "annotations: {kueue.x-k8s.io/admission-gated-by: x.io/budget}";
  for (const std::string& object : {waiting_job(gate), waiting_pod(gate)}) {
    const ingest::Loaded loaded = load("", object);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    EXPECT_EQ(loaded.inventory.workloads[0].admission_gated_by, "x.io/budget");
  }
}

TEST(Dropped, AForeignSchedulingGateIsNamed) {
  const ingest::Loaded loaded = load(
      "", waiting_pod("", "schedulingGates: [{name: x.io/g}, {name: kueue.x-k8s.io/topology}]"));
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  EXPECT_EQ(loaded.inventory.workloads[0].held_by, "scheduling gate x.io/g") << "it waits";
  const ingest::Loaded job =
      load("",
           "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ns, name: a}\nspec: {template: "
           "{spec: {schedulingGates: [{name: x.io/g}], containers: [{name: c}]}}}\n");
  EXPECT_EQ(job.inventory.workloads.at(0).held_by, "") << "its pods are made when it is admitted";
  EXPECT_THAT(job.inventory.workloads[0].not_honoured,
              ::testing::ElementsAre("scheduling gate x.io/g"));
}

std::string node(const std::string& name, const std::string& host, const std::string& pods) {
  return "---\napiVersion: v1\nkind: Node\nmetadata: {name: " + name +
         (host.empty() ? "" : ", labels: {kubernetes.io/hostname: " + host + "}") +
         "}\nstatus: {allocatable: {cpu: 1" + (pods.empty() ? "" : ", pods: " + pods) + "}}\n";
}

struct NodeCase {
  const char* name;
  std::string nodes;
  const char* warnings;
};
const NodeCase kNodes[] = {
    {"each its own", node("n1", "h1", "9") + node("n2", "h2", "9"), ""},
    {"without a hostname", node("n1", "", "9") + node("n2", "", "9"), ""},
    {"two of one hostname, the smaller name last", node("n2", "h7", "9") + node("n1", "h7", "9"),
     "nodes n1 and n2 have the same kubernetes.io/hostname \"h7\": they count as one host, with "
     "the labels and taints of n1\n"},
    {"three of one hostname", node("c", "h", "9") + node("a", "h", "9") + node("b", "h", "9"),
     "nodes a and b, c have the same kubernetes.io/hostname \"h\": they count as one host, with "
     "the labels and taints of a\n"},
    {"no pods", node("n1", "h1", "") + node("n2", "h2", "9"),
     "1 node has no allocatable pods and takes none: n1\n"},
    {"zero pods", node("n1", "h1", "0") + node("n2", "h2", "0"),
     "2 nodes have no allocatable pods and take none: n1, n2\n"},
};

TEST(Dropped, NodesThatShareAHostnameOrTakeNoPodAreNamed) {
  for (const NodeCase& c : kNodes) {
    SCOPED_TRACE(c.name);
    std::string warnings;
    for (const Error& warning : load(c.nodes).warnings) {
      if (warning.message.find("is derived") == std::string::npos)
        warnings += warning.text() + "\n";
    }
    EXPECT_EQ(warnings, c.warnings);
  }
}

TEST(Dropped, WorkloadsOfTheRequestThatRunOrAreFinishedAreListed) {
  const std::string state =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: a-0, labels: "
      "{batch.kubernetes.io/job-name: a}}\nspec: {nodeName: n1}\n";
  const ingest::Loaded runs = load(state, waiting_job("", "", "status: {active: 1}"));
  EXPECT_EQ(keys(runs, runs.to_place), "-");
  EXPECT_EQ(keys(runs, runs.settled_request), "ns/job-a");
  const ingest::Loaded ended =
      load("", waiting_job("", "", "status: {conditions: [{type: Failed, status: 'True'}]}"));
  EXPECT_EQ(keys(ended, ended.settled_request), "ns/job-a");
  const ingest::Loaded of_state = load(waiting_job("", "", "status: {active: 1}"), "");
  EXPECT_EQ(keys(of_state, of_state.settled_request), "-") << "it was not asked for";
}

std::string made_at(const std::string& time) {
  return time.empty() ? "" : "creationTimestamp: '" + time + "'";
}

TEST(Dropped, ANewJobOfTheRequestIsTheNewest) {
  const std::string old = "---\n" + waiting_job(made_at("2026-01-01T00:00:00Z"));
  const auto created = [](const std::string& state, const std::string& request) {
    const ingest::Loaded loaded = load(state, request);
    std::map<std::string, std::int64_t> times;
    for (const core::Workload& workload : loaded.inventory.workloads) {
      times[workload.name] = workload.created;
    }
    return times;
  };
  auto times = created(old, waiting_pod(""));
  EXPECT_GT(times["pod-p"], times["job-a"]) << "made now";
  times = created(waiting_pod(""), old);
  EXPECT_LT(times["pod-p"], times["job-a"]) << "state without a time is the oldest";
  times = created("", waiting_pod(""));
  EXPECT_EQ(times["pod-p"], INT64_MIN) << "nothing to compare with";
  times = created(old, waiting_pod(made_at("2025-01-01T00:00:00Z")));
  EXPECT_LT(times["pod-p"], times["job-a"]) << "a time that is written counts";
}

}  // namespace
}  // namespace tessera::test
