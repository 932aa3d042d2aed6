// SPDX-License-Identifier: Apache-2.0
// What is named besides: jobs whose owner is not there, queues that are lost, keys where they have
// no effect, pods of -f that run or have ended, objects that are being deleted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/ingest/link/waiting_objects.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

struct HeldCase {
  const char* name;
  std::string objects;
  const char* held_by;
};
const HeldCase kHeld[] = {
    {"a JobSet that is not there", waiting_job(owned_by("jobset.x-k8s.io/v1alpha2", "JobSet")),
     "jobset/bert, which owns it and is not in the input"},
    {"a kind that is not read", waiting_job(owned_by("kubeflow.org/v2beta1", "MPIJob")),
     "mpijob/bert, which owns it and is of a kind that is not read"},
    {"a JobSet with a fault",
     waiting_job(owned_by("jobset.x-k8s.io/v1alpha2", "JobSet"), "",
                 "---\n{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: bert, "
                 "namespace: ns}, spec: {}}\n"),
     "jobset/bert, which owns it and was refused with an error"},
    {"a CronJob", waiting_job(owned_by("batch/v1", "CronJob")), ""},
    {"a workflow", waiting_job(owned_by("argoproj.io/v1alpha1", "Workflow")), ""},
    {"a prebuilt Workload", waiting_job("labels: {kueue.x-k8s.io/prebuilt-workload-name: w}"),
     "workload/w, its prebuilt Workload, which is not in the input"},
    {"nobody", waiting_job(""), ""},
};

TEST(Dropped, AJobWaitsForTheOwnerThatMakesAGangOfIt) {
  for (const HeldCase& c : kHeld) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load("", c.objects);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    EXPECT_EQ(loaded.inventory.workloads[0].held_by, c.held_by);
  }
}

TEST(Dropped, AJobIsItsPrebuiltWorkload) {
  const ingest::Loaded loaded = load(
      "", waiting_job("labels: {kueue.x-k8s.io/prebuilt-workload-name: w}", "",
                      "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: "
                      "{name: w, namespace: ns}, spec: {podSets: [{name: m, template: {spec: {" +
                          std::string(kSpec) + "}}}]}}\n"));
  EXPECT_EQ(keys(loaded, loaded.to_place), "ns/w");
}

struct QueueCase {
  const char* name;
  std::string objects;
  const char* warnings;
};
const std::string kLocalQueue =
    "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: q, namespace: "
    "ns}, "
    "spec: {clusterQueue: main}}\n";
const std::string kAdmitted =
    "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ns}, "
    "spec: {podSets: [{name: m, template: {spec: {containers: [{name: c}]}}}]}, status: "
    "{conditions: [{type: QuotaReserved, status: 'True'}], admission: {clusterQueue: main, "
    "podSetAssignments: [{name: m}]}}}\n";
std::string cluster_queue(const std::string& name, const std::string& spec) {
  return "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: " + name +
         "}, spec: {" + spec + "}}\n";
}
const QueueCase kQueues[] = {
    {"there", cluster_queue("main", "") + kLocalQueue + kAdmitted, ""},
    {"named by a LocalQueue", cluster_queue("mian", "") + kLocalQueue,
     "ClusterQueue main is not in the input (did you mean \"mian\"?): LocalQueue ns/q leads "
     "nowhere\n"},
    {"named by both", cluster_queue("x", "") + kLocalQueue + kAdmitted,
     "ClusterQueue main is not in the input: LocalQueue ns/q leads nowhere, and the quota that "
     "ns/w holds there counts nowhere\n"},
    {"refused", cluster_queue("main", "queueingStrategy: Fifo") + kAdmitted,
     "ClusterQueue main was refused with an error: the quota that ns/w holds there counts "
     "nowhere\n"},
    {"a LocalQueue alone", kLocalQueue, ""},
    {"no queues at all", kAdmitted, ""},
};

TEST(Dropped, ALostClusterQueueIsNamed) {
  for (const QueueCase& c : kQueues) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(texts(load(c.objects).warnings), c.warnings);
  }
}

struct PlaceCase {
  const char* name;
  std::string job;
  const char* warning;
};
const PlaceCase kPlaces[] = {
    {"a label as an annotation", waiting_job("annotations: {kueue.x-k8s.io/queue-name: q}"),
     "metadata.annotations[\"kueue.x-k8s.io/queue-name\"]: has no effect as an annotation: it is a "
     "label"},
    {"an annotation as a label",
     waiting_job("", "labels: {kueue.x-k8s.io/podset-required-topology: r}"),
     "spec.template.metadata.labels[\"kueue.x-k8s.io/podset-required-topology\"]: has no effect as "
     "a label: it is an annotation"},
    {"the job's label on the template", waiting_job("", "labels: {kueue.x-k8s.io/queue-name: q}"),
     "spec.template.metadata.labels[\"kueue.x-k8s.io/queue-name\"]: has no effect here: it is read "
     "from the Job itself (write it at metadata.labels[\"kueue.x-k8s.io/queue-name\"])"},
    {"the job's annotation on the template",
     waiting_job("", "annotations: {kueue.x-k8s.io/job-min-parallelism: '1'}"),
     "has no effect here: it is read from the Job itself (write it at metadata.annotations["},
    {"on both",
     waiting_job("labels: {kueue.x-k8s.io/queue-name: q}",
                 "labels: {kueue.x-k8s.io/queue-name: q}"),
     ""},
    {"a pod group of a job's pods", waiting_job("", "labels: {kueue.x-k8s.io/pod-group-name: g}"),
     "has no effect here: pods of a Job are a group already"},
    {"the template of a Workload",
     "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ns}, "
     "spec: {podSets: [{name: m, template: {metadata: {annotations: "
     "{kueue.x-k8s.io/podset-required-topology: r}}, spec: {containers: [{name: c}]}}}]}}\n",
     "has no effect here: of a Workload, spec.podSets[0].topologyRequest is read"},
    {"the queue label of a Workload",
     "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ns, "
     "labels: {kueue.x-k8s.io/queue-name: q}}, spec: {podSets: [{name: m, template: {spec: "
     "{containers: [{name: c}]}}}]}}\n",
     "has no effect here: of a Workload, spec.queueName is read"},
};

TEST(Dropped, AKeyWhereItHasNoEffectIsNamed) {
  for (const PlaceCase& c : kPlaces) {
    SCOPED_TRACE(c.name);
    const std::string warnings = texts(load("", c.job).warnings);
    if (*c.warning == '\0') {
      EXPECT_EQ(warnings, "");
    } else {
      EXPECT_THAT(warnings, HasSubstr(c.warning));
    }
  }
}

std::string pod_in_phase(const std::string& name, const std::string& metadata,
                         const std::string& spec, const std::string& phase) {
  return "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: " + name + metadata +
         "}\nspec: {" + spec + kSpec + "}\nstatus: {phase: " + phase + "}\n";
}

TEST(Dropped, PodsOfTheRequestThatRunOrHaveEndedAreNamed) {
  const ingest::Loaded loaded =
      load("", pod_in_phase("p", "", "nodeName: n1, ", "Running") +
                   pod_in_phase("q", "", "", "Succeeded") +
                   pod_in_phase("r", "", "nodeName: n2, ", "Failed") + "---\n" + waiting_job("") +
                   pod_in_phase("s", ", labels: {batch.kubernetes.io/job-name: a}",
                                "nodeName: n1, ", "Running"));
  EXPECT_THAT(loaded.notes, ::testing::IsSupersetOf({"1 pod of -f runs already: ns/p on n1",
                                                     "2 pods of -f have ended: ns/q, ns/r"}));
  EXPECT_THAT(load(pod_in_phase("p", "", "nodeName: n1, ", "Running")).notes,
              ::testing::Not(::testing::Contains(HasSubstr("of -f"))));
}

TEST(Dropped, WhatIsBeingDeletedWaits) {
  const std::string deleted = "deletionTimestamp: '2026-01-01T00:00:00Z'";
  for (const std::string& object :
       {waiting_job(deleted), pod_in_phase("p", ", " + deleted, "", "Pending")}) {
    const ingest::Loaded loaded = load("", object);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    EXPECT_EQ(loaded.inventory.workloads[0].held_by, "its deletion (metadata.deletionTimestamp)");
  }
}

/// An error in the object is told, and its node does not read as empty.
TEST(Dropped, AnAdmittedWorkloadWithAFaultKeepsWhatItHolds) {
  const ingest::Loaded loaded = load(
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: w, namespace: ns}\n"
      "spec: {podSets: [{name: m, count: 2, template: {spec: {containers: [{name: c, resources: "
      "{requests: {cpu: 8x, memory: 5}}}]}}}]}\nstatus: {conditions: [{type: QuotaReserved, "
      "status: 'True'}], admission: {clusterQueue: q, podSetAssignments: [{name: m, count: 2, "
      "flavors: {cpu: f}, resourceUsage: {cpu: 3}, topologyAssignment: {levels: "
      "[kubernetes.io/hostname], slices: [{domainCount: 1, valuesPerLevel: [{universal: n1}], "
      "podCounts: {universal: 2}}]}}]}}\n");
  EXPECT_THAT(texts(loaded.errors), HasSubstr("\"8x\" is not a quantity"));
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  const core::Workload& workload = loaded.inventory.workloads[0];
  ASSERT_TRUE(workload.status.admission);
  const topology::Amounts& request = workload.gang.pod_sets[0].request;
  EXPECT_EQ(request.get(topology::cpu_resource()), 1500) << "its share of resourceUsage";
  EXPECT_EQ(request.get(topology::Symbol("memory")), 5) << "as it is written";
}

}  // namespace
}  // namespace tessera::test
