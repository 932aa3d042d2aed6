// SPDX-License-Identifier: Apache-2.0
// A job, its Workload and its pods are one workload (ux.md rule 1), whatever part of them the input
// holds; bound pods are use of their nodes (rule 2).
#include "ingest/link/link.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;

constexpr char kContainers[] = "containers: [{name: c, resources: {requests: {cpu: 1}}}]";

/// `metadata` goes into the metadata map: "uid: u1, labels: {a: b}".
std::string object(const std::string& type, const std::string& name, const std::string& metadata,
                   const std::string& rest) {
  return "---\n" + type + "\nmetadata: {namespace: ns, name: " + name +
         (metadata.empty() ? "" : ", " + metadata) + "}\n" + rest;
}

std::string job(const std::string& name, const std::string& metadata = "",
                const std::string& status = "{}") {
  return object("apiVersion: batch/v1\nkind: Job", name, metadata,
                std::string("spec: {parallelism: 2, template: {spec: {") + kContainers +
                    "}}}\nstatus: " + status + "\n");
}

std::string jobset(const std::string& name, const std::string& metadata = "",
                   const std::string& status = "{}") {
  return object("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet", name, metadata,
                std::string("spec: {replicatedJobs: [{name: w, replicas: 2, template: {spec: "
                            "{parallelism: 1, template: {spec: {") +
                    kContainers + "}}}}}]}\nstatus: " + status + "\n");
}

std::string pod(const std::string& name, const std::string& metadata = "",
                const std::string& node = "", const std::string& phase = "Running") {
  return object(
      "apiVersion: v1\nkind: Pod", name, metadata,
      "spec: {nodeName: '" + node + "', " + kContainers + "}\nstatus: {phase: " + phase + "}\n");
}

std::string workload(const std::string& name, const std::string& metadata = "",
                     const std::string& conditions = "") {
  std::string status = "status: {conditions: [" + conditions + "]";
  if (conditions.find("QuotaReserved") != std::string::npos) {
    status +=
        ", admission: {clusterQueue: q, podSetAssignments: [{name: main, count: 2, flavors: {cpu: "
        "f}}]}";
  }
  return object("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload", name, metadata,
                std::string("spec: {podSets: [{name: main, count: 2, template: {spec: {") +
                    kContainers + "}}}]}\n" + status + "}\n");
}

/// An owner reference: "Job/a" with uid, or without if it is empty.
std::string owned(const std::string& kind, const std::string& name, const std::string& uid) {
  const std::string version = kind == "JobSet"       ? "jobset.x-k8s.io/v1alpha2"
                              : kind == "Job"        ? "batch/v1"
                              : kind == "PyTorchJob" ? "kubeflow.org/v1"
                              : kind == "Pod"        ? "v1"
                                                     : "apps/v1";
  return "ownerReferences: [{apiVersion: " + version + ", kind: " + kind + ", name: " + name +
         (uid.empty() ? "" : ", uid: " + uid) + ", controller: true}]";
}

const std::string kReserved = "{type: QuotaReserved, status: 'True'}";
const std::string kFinished = "{type: Finished, status: 'True'}";

struct LinkCase {
  const char* name;
  std::string state, request;
  const char* to_place;
  const char* waiting;
  const char* pods;
  const char* all = nullptr;  // all workloads, if others than those to place and waiting
};

void PrintTo(const LinkCase& tested, std::ostream* out) { *out << tested.name; }

const LinkCase kLinks[] = {
    {"JobOfTheRequestIsPlaced", "", job("a"), "ns/job-a", "-", "-"},
    {"JobOfTheStateWaits", job("a"), "", "-", "ns/job-a", "-"},
    {"RunningJobIsState", "", job("a", "", "{active: 1}"), "-", "-", "-", "ns/job-a"},
    {"FinishedJobIsState", "", job("a", "", "{conditions: [{type: Complete, status: 'True'}]}"),
     "-", "-", "-", "ns/job-a"},
    {"JobWithABoundPodIsState", "", job("a", "uid: u1") + pod("p", owned("Job", "a", "u1"), "x"),
     "-", "-", "p>ns/job-a", "ns/job-a"},
    {"UnboundPodsOfAJobAreNoGangs", "", job("a", "uid: u1") + pod("p", owned("Job", "a", "u1")),
     "ns/job-a", "-", "-"},
    {"EndedPodHoldsNothing", "",
     job("a", "uid: u1") + pod("p", owned("Job", "a", "u1"), "x", "Succeeded"), "ns/job-a", "-",
     "-"},
    {"WorkloadStandsForItsJobByUid", "",
     job("a", "uid: u1") + workload("w", owned("Job", "other", "u1")), "ns/w", "-", "-"},
    {"WorkloadStandsForItsJobByName", "", job("a") + workload("w", owned("Job", "a", "u1")), "ns/w",
     "-", "-"},
    {"WorkloadOfAnotherJobWithTheNameIsNotIts", "",
     job("a", "uid: u2") + workload("w", owned("Job", "a", "u1")), "ns/job-a ns/w", "-", "-"},
    {"WaitingWorkloadOfTheStateIsPlacedWithItsJob", workload("w", owned("Job", "a", "u1")),
     job("a", "uid: u1"), "ns/w", "-", "-"},
    {"ReservedWorkloadIsState", "",
     job("a", "uid: u1") + workload("w", owned("Job", "a", "u1"), kReserved), "-", "-", "-",
     "ns/w"},
    {"EvictedWorkloadWithReservationIsState", "",
     workload("w", "", kReserved + ", {type: Evicted, status: 'True'}"), "-", "-", "-", "ns/w"},
    {"FinishedWorkloadIsState", "", workload("w", "", kFinished), "-", "-", "-", "ns/w"},
    {"AnnotationLinksAPod",
     workload("w", "", kReserved) +
         pod("p", "annotations: {kueue.x-k8s.io/workload: w}, " + owned("Job", "gone", "u9"), "x"),
     "", "-", "-", "p>ns/w", "ns/w"},
    {"SharedOwnerUidLinksAPod",
     workload("w", owned("Job", "a", "u1"), kReserved) + pod("p", owned("Job", "a", "u1"), "x"), "",
     "-", "-", "p>ns/w", "ns/w"},
    {"PlainPodIsOwnerOfItsWorkload",
     workload("w", owned("Pod", "p", "u1"), kReserved) + pod("p", "uid: u1", "x"), "", "-", "-",
     "p>ns/w", "ns/w"},
    {"JobNameLabelLinksAPod",
     workload("w", owned("Job", "a", "u1"), kReserved) +
         pod("p", "labels: {batch.kubernetes.io/job-name: a}", "x"),
     "", "-", "-", "p>ns/w", "ns/w"},
    {"JobSetLabelLinksAPodOverItsAbsentJob",
     workload("w", owned("JobSet", "s", "u1"), kReserved) +
         pod("p", "labels: {jobset.sigs.k8s.io/jobset-name: s}, " + owned("Job", "s-w-0", "u2"),
             "x"),
     "", "-", "-", "p>ns/w", "ns/w"},
    {"ChainOfOwnersLinksAPod",
     jobset("s", "uid: u1") + job("s-w-0", "uid: u2, " + owned("JobSet", "s", "u1")) +
         pod("p", owned("Job", "s-w-0", "u2"), "x"),
     "", "-", "-", "p>ns/jobset-s", "ns/jobset-s"},
    {"JobOfAJobSetIsNoGangOfItsOwn", "",
     jobset("s", "uid: u1") + job("s-w-0", "uid: u2, " + owned("JobSet", "s", "u1")), "ns/jobset-s",
     "-", "-"},
    {"JobOfAnAbsentJobSetIsAGang", "", job("s-w-0", owned("JobSet", "s", "u1")), "ns/job-s-w-0",
     "-", "-"},
    {"JobOfAnAbsentJobSetBelongsToItsWorkload",
     workload("w", owned("JobSet", "s", "u1"), kReserved), job("s-w-0", owned("JobSet", "s", "u1")),
     "-", "-", "-", "ns/w"},
    {"JobSetWithARunningJobIsState", "",
     jobset("s", "uid: u1") + job("s-w-0", "uid: u2, " + owned("JobSet", "s", "u1"), "{active: 1}"),
     "-", "-", "-", "ns/jobset-s"},
    {"JobSetWithAFinishedJobGoesOn", "",
     jobset("s", "uid: u1") + job("s-w-0", "uid: u2, " + owned("JobSet", "s", "u1"),
                                  "{conditions: [{type: Complete, status: 'True'}]}"),
     "ns/jobset-s", "-", "-"},
    {"OwnersInACircleEnd", "",
     job("a", "uid: u1, " + owned("Job", "b", "u2")) +
         job("b", "uid: u2, " + owned("Job", "a", "u1")),
     "ns/job-b", "-", "-"},
    {"BoundPodOfAnAbsentJobIsUse", pod("p", owned("Job", "a", "u1"), "x"), "", "-", "-", "p!job/a"},
    {"BoundPodOfAnUnreadKindNamesItsOwner", pod("p", owned("PyTorchJob", "t", "u1"), "x"), "", "-",
     "-", "p!pytorchjob/t"},
    {"BoundPodOfADaemonSetIsNobodysGang", pod("p", owned("DaemonSet", "d", "u1"), "x"), "", "-",
     "-", "p"},
    {"PodOfAnOlderJobOfThatNameIsNotLinked",
     job("a", "uid: u2") + pod("p", owned("Job", "a", "u1"), "x"), "", "-", "ns/job-a", "p!job/a"},
    {"PodOfAnotherNamespaceIsNotLinked",
     workload("w", owned("Job", "a", "u1"), kReserved) +
         "---\napiVersion: v1\nkind: Pod\nmetadata: {namespace: m, name: p, annotations: "
         "{kueue.x-k8s.io/workload: w}}\nspec: {nodeName: x, " +
         kContainers + "}\n",
     "", "-", "-", "p!workload/w", "ns/w"},
    {"LonePodIsAGangOfOne", "", pod("p"), "ns/pod-p", "-", "-"},
    {"BoundLonePodIsUse", "", pod("p", "", "x"), "-", "-", "p"},
    {"UnboundPodOfAnAbsentJobIsNotPlaced", "", pod("p", owned("Job", "a", "u1")), "-", "-", "-"},
    {"PodOfAPodGroupIsNotPlaced", "", pod("p", "labels: {kueue.x-k8s.io/pod-group-name: g}"), "-",
     "-", "-"},
};

class Linking : public ::testing::TestWithParam<LinkCase> {};

TEST_P(Linking, GivesOneWorkloadForAllItsParts) {
  const LinkCase& c = GetParam();
  const ingest::Loaded loaded = load(c.state, c.request);
  EXPECT_EQ(texts(loaded.errors), "");
  EXPECT_EQ(keys(loaded, loaded.to_place), c.to_place);
  EXPECT_EQ(keys(loaded, loaded.waiting_state), c.waiting);
  EXPECT_EQ(pod_links(loaded.inventory), c.pods);
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < loaded.inventory.workloads.size(); ++i) all.push_back(i);
  if (c.all != nullptr) {
    EXPECT_EQ(keys(loaded, all), c.all);
  } else {
    EXPECT_EQ(all.size(), loaded.to_place.size() + loaded.waiting_state.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Link, Linking, ::testing::ValuesIn(kLinks),
                         [](const auto& tested) { return std::string(tested.param.name); });

struct EndedCase {
  const char* name;
  std::string state;
  bool finished;
  const char* notes;
};

void PrintTo(const EndedCase& tested, std::ostream* out) { *out << tested.name; }

const EndedCase kEnded[] = {
    {"JobIsComplete",
     workload("w", owned("Job", "a", "u1"), kReserved) +
         job("a", "uid: u1", "{conditions: [{type: Complete, status: 'True'}]}"),
     true, "1 workload is admitted though the job is finished, and holds nothing: ns/w (job/a)"},
    {"JobFailed",
     workload("w", owned("Job", "a", ""), kReserved) +
         job("a", "", "{conditions: [{type: Failed, status: 'True'}]}"),
     true, "1 workload is admitted though the job is finished, and holds nothing: ns/w (job/a)"},
    {"JobSetFailed",
     workload("w", owned("JobSet", "s", "u1"), kReserved) +
         jobset("s", "uid: u1", "{conditions: [{type: Failed, status: 'True'}]}"),
     true, "1 workload is admitted though the job is finished, and holds nothing: ns/w (jobset/s)"},
    {"JobIsAboutToEnd",
     workload("w", owned("Job", "a", "u1"), kReserved) +
         job("a", "uid: u1",
             "{conditions: [{type: FailureTarget, status: 'True'}, {type: SuccessCriteriaMet, "
             "status: 'True'}, {type: Complete, status: 'False'}]}"),
     false, ""},
    {"OnlyAJobOfTheJobSetIsComplete",
     workload("w", owned("JobSet", "s", "u1"), kReserved) + jobset("s", "uid: u1") +
         job("s-w-0", owned("JobSet", "s", "u1"),
             "{conditions: [{type: Complete, status: 'True'}]}"),
     false, ""},
    {"AnOlderJobOfThatNameIsComplete",
     workload("w", owned("Job", "a", "u2"), kReserved) +
         job("a", "uid: u1", "{conditions: [{type: Complete, status: 'True'}]}"),
     false, ""},
    {"AWaitingWorkloadOfACompleteJobEndsWithoutANote",
     workload("w", owned("Job", "a", "u1")) +
         job("a", "uid: u1", "{conditions: [{type: Complete, status: 'True'}]}"),
     true, ""},
};
class Ended : public ::testing::TestWithParam<EndedCase> {};

TEST_P(Ended, JobsEndTheirWorkload) {
  const ingest::Loaded loaded = load(GetParam().state, "");
  EXPECT_EQ(texts(loaded.errors), "");
  for (const core::Workload& read : loaded.inventory.workloads) {
    if (read.name == "w") {
      EXPECT_EQ(read.status.finished, GetParam().finished);
    }
  }
  std::string notes;
  for (const std::string& note : loaded.notes) {
    if (note.find("in the input") == std::string::npos) notes += note;
  }
  EXPECT_EQ(notes, GetParam().notes);
}

INSTANTIATE_TEST_SUITE_P(Link, Ended, ::testing::ValuesIn(kEnded),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Link, CountsPodsThatAreNotPlacedInOneWarningEach) {
  const ingest::Loaded loaded =
      load("", pod("p", owned("Job", "a", "u1")) + pod("q", owned("Job", "a", "u1")) +
                   pod("r", "labels: {kueue.x-k8s.io/pod-group-name: g}") +
                   pod("s", owned("ReplicaSet", "d", "u2")));
  EXPECT_EQ(texts(loaded.warnings),
            "2 pods without a node belong to workloads that are not in the input and are not "
            "placed: job/a\n"
            "1 pod of plain pod groups, which this version does not place: ns/g\n"
            "1 pod without a node is owned by a kind that is not read and placed on its own: "
            "ReplicaSet\n");
}

struct PriorityCase {
  const char* name;
  std::string objects;
  std::int64_t priority;
  const char* warning;
};

void PrintTo(const PriorityCase& tested, std::ostream* out) { *out << tested.name; }

std::string priority_class(const std::string& name, int value, const std::string& more = "") {
  return "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name +
         "}\nvalue: " + std::to_string(value) + "\n" + more;
}

std::string job_with_class(const std::string& name) {
  return "---\napiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ns, name: a}\n"
         "spec: {template: {spec: {priorityClassName: " +
         name + ", " + kContainers + "}}}\n";
}

const std::string kWorkloadClass =
    "---\napiVersion: kueue.x-k8s.io/v1beta1\nkind: WorkloadPriorityClass\n"
    "metadata: {name: high}\nvalue: 7\n";
const std::string kLabelled = "labels: {kueue.x-k8s.io/priority-class: high}";

const PriorityCase kPriorities[] = {
    {"NoneIsZero", job("a"), 0, ""},
    {"GlobalDefault", job("a") + priority_class("d", 3, "globalDefault: true\n"), 3, ""},
    {"LowestOfSeveralDefaults",
     job("a") + priority_class("d", 3, "globalDefault: true\n") +
         priority_class("e", 2, "globalDefault: true\n"),
     2, ""},
    {"ClassOfThePods", job_with_class("p") + priority_class("p", -5), -5, ""},
    {"BuiltIn", job_with_class("system-cluster-critical"), 2'000'000'000, ""},
    {"LabelGoesBeforeAll",
     job("a", kLabelled) + kWorkloadClass + priority_class("d", 3, "globalDefault: true\n"), 7, ""},
    {"MissingWorkloadClass", job("a", kLabelled), 0,
     "WorkloadPriorityClass \"high\" is not in the input: its priority counts as 0"},
    {"MissingPodClass", job_with_class("hihg") + priority_class("high", 4), 0,
     "PriorityClass \"hihg\" is not in the input: its priority counts as 0 (did you mean "
     "\"high\"?)"},
};

class PriorityOf : public ::testing::TestWithParam<PriorityCase> {};

TEST_P(PriorityOf, TheWorkload) {
  const ingest::Loaded loaded = load("", GetParam().objects);
  EXPECT_EQ(texts(loaded.errors), "");
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  EXPECT_EQ(loaded.inventory.workloads[0].priority, GetParam().priority);
  ASSERT_EQ(loaded.warnings.size(), *GetParam().warning == '\0' ? 0u : 1u);
  if (!loaded.warnings.empty()) {
    EXPECT_EQ(loaded.warnings[0].message, GetParam().warning);
  }
}

INSTANTIATE_TEST_SUITE_P(Link, PriorityOf, ::testing::ValuesIn(kPriorities),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Link, TheOrderOfTheInputDoesNotMatter) {
  std::vector<std::string> parts = {jobset("s", "uid: u1"),
                                    job("s-w-0", "uid: u2, " + owned("JobSet", "s", "u1")),
                                    pod("p", owned("Job", "s-w-0", "u2"), "x"),
                                    workload("job-a"),
                                    job("a"),
                                    pod("lone")};
  std::sort(parts.begin(), parts.end());
  std::string first;
  do {
    std::string text;
    for (const std::string& part : parts) text += part;
    const ingest::Loaded loaded = load("", text);
    const std::string result = keys(loaded, loaded.to_place) + " | " + pod_links(loaded.inventory);
    if (first.empty()) first = result;
    ASSERT_EQ(result, first);
  } while (std::next_permutation(parts.begin(), parts.end()));
  EXPECT_THAT(first, HasSubstr("ns/pod-lone"));
}

}  // namespace
}  // namespace tessera::test
