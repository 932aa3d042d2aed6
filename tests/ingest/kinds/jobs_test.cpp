// SPDX-License-Identifier: Apache-2.0
// Jobs, JobSets and pods as workloads.
#include <gtest/gtest.h>

#include "tests/ingest/objects/object_reading.h"
#include "tests/support/gzip_lines.h"

namespace tessera::test {
namespace {

std::string job_of(const std::string& spec, const std::string& own = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {" + own +
         "}}\nspec: {template: {spec: {containers: []}}" + (spec.empty() ? "" : ", ") + spec +
         "}\n";
}

struct CountCase {
  const char* name;
  const char* spec;
  std::int64_t count;
  bool indexed;
};
const CountCase kCounts[] = {
    {"one pod by default", "", 1, false},
    {"parallelism of a work queue", "parallelism: 5", 5, false},
    {"no more than completions", "parallelism: 5, completions: 3", 3, false},
    {"no more than parallelism", "parallelism: 5, completions: 30", 5, false},
    {"explicit zero stays zero", "parallelism: 0", 0, false},
    {"null is absent", "parallelism: null", 1, false},
    {"ranks only for Indexed", "parallelism: 2, completions: 2, completionMode: Indexed", 2, true},
};

TEST(BatchJob, CountsThePodsThatRunAtOnce) {
  for (const CountCase& c : kCounts) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(job_of(c.spec));
    ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
    const solver::PodSet& pods = context.jobs[0].workload.gang.pod_sets[0];
    EXPECT_EQ(pods.name, "main");
    EXPECT_EQ(pods.count, c.count);
    EXPECT_EQ(pods.index.has_value(), c.indexed);
    EXPECT_FALSE(pods.min_count.has_value());
  }
}

TEST(BatchJob, UnreadableCountsLeaveTheJobOutWithItsLine) {
  for (const char* bad :
       {"-3", "1.5", "many", "99999999999999999999", "2147483648", "\"4\"", "[1]", "1e3"}) {
    SCOPED_TRACE(bad);
    const ingest::ReadContext context = read_objects(job_of("parallelism: " + std::string(bad)));
    EXPECT_TRUE(context.jobs.empty());
    ASSERT_EQ(context.errors.size(), 1u);
    EXPECT_EQ(context.errors[0].where.file, "in.yaml");
    EXPECT_EQ(context.errors[0].where.line, 4);
    EXPECT_EQ(context.errors[0].where.field, "spec.parallelism");
  }
}

struct MinimumCase {
  const char* text;
  const char* finding;  // empty: it is the minimum
};
const MinimumCase kMinimums[] = {
    {"1", ""},
    {"3", ""},
    {"0", "should be between 0 and 3"},
    {"4", "should be between 0 and 3"},
    {"x", "must be an integer"},
};

TEST(BatchJob, PartialAdmissionHasARange) {
  for (const MinimumCase& c : kMinimums) {
    SCOPED_TRACE(c.text);
    const ingest::ReadContext context = read_objects(job_of(
        "parallelism: 4", "kueue.x-k8s.io/job-min-parallelism: \"" + std::string(c.text) + "\""));
    ASSERT_EQ(context.jobs.size(), 1u);
    const core::Workload& workload = context.jobs[0].workload;
    EXPECT_EQ(workload.gang.pod_sets[0].min_count.has_value(), *c.finding == '\0');
    EXPECT_NE(findings(workload.invalid).find(c.finding), std::string::npos);
    EXPECT_EQ(workload.invalid.empty(), *c.finding == '\0');
  }
}

struct StateCase {
  const char* name;
  const char* manifest;
  bool running, finished;
};
const StateCase kStates[] = {
    {"fresh Job", "kind: Job\nmetadata: {name: j}\nspec: &s {template: {spec: {containers: []}}}\n",
     false, false},
    {"Job with active pods",
     "kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: []}}}\nstatus: {active: "
     "2}\n",
     true, false},
    {"complete Job",
     "kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: []}}}\nstatus: "
     "{conditions: [{type: Complete, status: 'True'}]}\n",
     true, true},
    {"failed Job",
     "kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: []}}}\nstatus: "
     "{conditions: [{type: Failed, status: 'True'}]}\n",
     true, true},
    {"Job that did not fail",
     "kind: Job\nmetadata: {name: j}\nspec: {template: {spec: {containers: []}}}\nstatus: "
     "{conditions: [{type: Failed, status: 'False'}]}\n",
     false, false},
    {"JobSet with active jobs",
     "kind: JobSet\nmetadata: {name: j}\nspec: {replicatedJobs: [{name: a, template: {spec: "
     "{template: {spec: {containers: []}}}}}]}\nstatus: {replicatedJobsStatus: [{name: a, active: "
     "1}]}\n",
     true, false},
    {"completed JobSet",
     "kind: JobSet\nmetadata: {name: j}\nspec: {replicatedJobs: [{name: a, template: {spec: "
     "{template: {spec: {containers: []}}}}}]}\nstatus: {conditions: [{type: Completed, status: "
     "'True'}]}\n",
     true, true},
};

TEST(Jobs, WithPodsOrFinishedAreState) {
  for (const StateCase& c : kStates) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(c.manifest);
    ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
    EXPECT_EQ(context.jobs[0].running, c.running);
    EXPECT_EQ(context.jobs[0].workload.status.finished, c.finished);
  }
}

TEST(Jobs, NameWhatIsNotHonoured) {
  const ingest::ReadContext context = read_objects(R"(
kind: Job
metadata: {name: j}
spec:
  template:
    spec:
      containers: [{ports: [{containerPort: 1, hostPort: 1}]}]
      affinity:
        podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: h}]}
        podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: h}]}
      topologySpreadConstraints: [{maxSkew: 1}]
      resourceClaims: [{name: c}]
      schedulingGates: [{name: kueue.x-k8s.io/topology}]
      runtimeClassName: kata
      nodeName: n1
)");
  ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
  const std::vector<std::string> phrases = {
      "pod affinity", "pod anti-affinity", "topology spread constraints",
      "host ports",   "resource claims",   "the overhead of its runtime class",
      "spec.nodeName"};
  EXPECT_EQ(context.jobs[0].workload.not_honoured, phrases);
}

std::string sample(const std::string& name) {
  std::string text;
  for (const std::string& line : read_gzip_lines(TESSERA_TEST_DATA "/" + name + ".gz")) {
    text += line + "\n";
  }
  return text;
}

std::string gang_text(const core::Workload& workload) {
  std::string text;
  for (const solver::PodSet& p : workload.gang.pod_sets) {
    text += p.name + " " + std::to_string(p.count) + " [" + request_text(p) + "] " +
            amounts_text(p.request);
    if (p.index) {
      text += " rank " + p.index->label + "+" + std::to_string(p.index->offset);
      if (!p.index->sub_label.empty()) {
        text += " of " + p.index->sub_label + "/" + std::to_string(p.index->sub_count);
      }
    }
    text += "\n";
  }
  return text;
}

TEST(Samples, IndexedJobWithSlices) {  // samples/01, both Jobs
  const ingest::ReadContext context = read_objects(sample("cases/01-job-indexed-slices.yaml"));
  ASSERT_EQ(context.jobs.size(), 2u) << findings(context.errors);
  const core::Workload& first = context.jobs[0].workload;
  EXPECT_EQ(gang_text(first),
            "main 32 [required=backend.coreweave.cloud/superpod slice=nvidia.com/gpu.clique:16] "
            "cpu=128000 memory=858993459200 nvidia.com/gpu=4 rank "
            "batch.kubernetes.io/job-completion-index+0\n");
  EXPECT_EQ(first.queue, "foundation-lq");
  EXPECT_FALSE(first.gang.pod_sets[0].min_count.has_value());
  EXPECT_EQ(gang_text(context.jobs[1].workload),
            "main 96 [slice=backend.coreweave.cloud/superpod:48 slice=nvidia.com/gpu.clique:16] "
            "cpu=128000 memory=858993459200 nvidia.com/gpu=4 rank "
            "batch.kubernetes.io/job-completion-index+0\n");
  EXPECT_EQ(findings(context.warnings), "");
}

TEST(Samples, JobSetInTwoLevels) {  // samples/03
  const ingest::ReadContext context = read_objects(sample("cases/03-jobset-two-level.yaml"));
  ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
  const core::Workload& workload = context.jobs[0].workload;
  EXPECT_EQ(gang_text(workload),
            "coordinator 1 [-] cpu=4000 memory=17179869184 rank "
            "batch.kubernetes.io/job-completion-index+0 of jobset.sigs.k8s.io/job-index/1\n"
            "trainer 48 [preferred=backend.coreweave.cloud/superpod "
            "slice=nvidia.com/gpu.clique:16] cpu=128000 memory=858993459200 nvidia.com/gpu=4 rank "
            "batch.kubernetes.io/job-completion-index+0 of jobset.sigs.k8s.io/job-index/3\n");
  const std::vector<std::string> phrases = {
      "exclusive topology (alpha.jobset.sigs.k8s.io/exclusive-topology)",
      "annotation kai.scheduler/topology", "annotation kai.scheduler/topology-required-placement"};
  EXPECT_EQ(workload.not_honoured, phrases);
  EXPECT_EQ(findings(workload.invalid), "");
}

TEST(Samples, JobSetWithRequiredZone) {  // files/jobset-two-level.yaml
  const ingest::ReadContext context = read_objects(sample("cases/jobset-two-level.yaml"));
  ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
  const core::Workload& workload = context.jobs[0].workload;
  ASSERT_EQ(workload.gang.pod_sets.size(), 2u);
  EXPECT_EQ(workload.gang.pod_sets[0].count, 1);
  EXPECT_EQ(request_text(workload.gang.pod_sets[0]), "preferred=topology.kubernetes.io/zone");
  EXPECT_EQ(workload.gang.pod_sets[1].count, 32);
  EXPECT_EQ(request_text(workload.gang.pod_sets[1]),
            "required=topology.kubernetes.io/zone slice=nvidia.com/gpu.clique:8");
  EXPECT_EQ(amounts_text(workload.quota_requests[1]),
            "cpu=120000 memory=858993459200 nvidia.com/gpu=4 rdma/hca_shared=1");
  EXPECT_EQ(workload.gang.pod_sets[1].filter.tolerations.size(), 2u);
}

/// A JobSet of two replicated jobs, a (1 pod) and b (2 jobs of 2 pods), with annotations on the pod
/// templates.
std::string jobset(const std::string& a, const std::string& b) {
  return "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: js}\nspec:\n"
         "  replicatedJobs:\n"
         "  - name: a\n    template: {spec: {template: {metadata: {annotations: {" +
         a +
         "}}, spec: {containers: []}}}}\n"
         "  - name: b\n    replicas: 2\n    template: {spec: {parallelism: 2, template: {metadata: "
         "{annotations: {" +
         b + "}}, spec: {containers: []}}}}\n";
}

TEST(JobSet, ErrorsNameThePathInTheUsersFile) {  // cases.md C167
  const ingest::ReadContext context =
      read_objects(jobset("", "kueue.x-k8s.io/podset-required-topology: \"r k\""));
  ASSERT_EQ(context.jobs.size(), 1u);
  const std::vector<Error>& invalid = context.jobs[0].workload.invalid;
  ASSERT_EQ(invalid.size(), 1u);
  EXPECT_EQ(invalid[0].where.field,
            "spec.replicatedJobs[1].template.spec.template.metadata.annotations[\"kueue.x-k8s.io/"
            "podset-required-topology\"]");
  EXPECT_EQ(invalid[0].where.line, 10);
}

TEST(JobSet, SliceLevelWithoutSizeTakesOneChildJob) {  // kinds.md A2
  const ingest::ReadContext context =
      read_objects(jobset("", "kueue.x-k8s.io/podset-slice-required-topology: rack"));
  ASSERT_EQ(context.jobs.size(), 1u);
  EXPECT_EQ(findings(context.jobs[0].workload.invalid), "");
  EXPECT_EQ(request_text(context.jobs[0].workload.gang.pod_sets[1]), "slice=rack:2");
  EXPECT_NE(findings(context.warnings).find("slices of one child job each, 2 pod(s)"),
            std::string::npos);
}

struct GroupCase {
  const char* name;
  const char* a;
  const char* b;
  const char* words;
};
#define TESSERA_GROUP "kueue.x-k8s.io/podset-group-name: g"
#define TESSERA_REQUIRED "kueue.x-k8s.io/podset-required-topology: "
const GroupCase kGroups[] = {
    {"right", TESSERA_GROUP ", " TESSERA_REQUIRED "rack",
     TESSERA_GROUP ", " TESSERA_REQUIRED "rack", ""},
    {"V9 alone", "", TESSERA_GROUP ", " TESSERA_REQUIRED "rack",
     "groups of exactly 2 pod sets, got: 1 pod set(s)"},
    {"V9 unequal", TESSERA_GROUP ", " TESSERA_REQUIRED "rack",
     TESSERA_GROUP ", " TESSERA_REQUIRED "block", "topology consistent with"},
};

TEST(JobSet, GroupsAreALeaderAndItsWorkers) {
  for (const GroupCase& c : kGroups) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(jobset(c.a, c.b));
    ASSERT_EQ(context.jobs.size(), 1u) << findings(context.errors);
    const std::vector<Error>& invalid = context.jobs[0].workload.invalid;
    EXPECT_EQ(invalid.empty(), *c.words == '\0');
    EXPECT_NE(findings(invalid).find(c.words), std::string::npos) << findings(invalid);
  }
}

TEST(JobSet, HostileCountsDoNotOverflow) {
  const ingest::ReadContext context = read_objects(
      "kind: JobSet\nmetadata: {name: js}\nspec: {replicatedJobs: [{name: a, replicas: 2147483647, "
      "template: {spec: {parallelism: 2147483647, template: {spec: {containers: []}}}}}]}\n");
  EXPECT_TRUE(context.jobs.empty());
  EXPECT_NE(findings(context.errors).find("are more than 2147483647 pods"), std::string::npos);
}

TEST(Pods, AreUseWhereTheyAreBound) {
  const ingest::ReadContext context = read_objects(R"(
kind: Pod
metadata: {name: bound, deletionTimestamp: "2026-11-27T08:15:00Z"}
spec: {nodeName: n1, containers: [{resources: {requests: {cpu: 2}}}]}
status: {phase: Pending}
---
kind: Pod
metadata: {name: tas, annotations: {kueue.x-k8s.io/podset-slice-required-topology: rack}}
spec: {nodeName: n1, containers: []}
---
kind: Pod
metadata: {name: group, annotations: {kueue.x-k8s.io/podset-group-name: g}}
spec: {nodeName: n1, containers: []}
---
kind: Pod
metadata: {name: done}
spec: {nodeName: n1, containers: []}
status: {phase: Succeeded}
---
kind: Pod
metadata: {name: waits, annotations: {kueue.x-k8s.io/podset-required-topology: rack}}
spec: {containers: [{resources: {limits: {nvidia.com/gpu: 1}}}]}
)");
  ASSERT_EQ(context.pods.size(), 5u) << findings(context.errors);
  EXPECT_EQ(context.pods[0].record.node.view(), "n1");
  EXPECT_EQ(amounts_text(context.pods[0].record.request), "cpu=2000");
  EXPECT_FALSE(context.pods[0].ended);
  EXPECT_FALSE(context.pods[0].record.tas_annotated);
  EXPECT_FALSE(context.pods[0].gang.has_value());
  EXPECT_TRUE(context.pods[1].record.tas_annotated);
  EXPECT_FALSE(context.pods[2].record.tas_annotated);
  EXPECT_TRUE(context.pods[3].ended);
  ASSERT_TRUE(context.pods[4].gang.has_value());
  EXPECT_EQ(gang_text(*context.pods[4].gang), "main 1 [required=rack] nvidia.com/gpu=1\n");
}

TEST(Pods, UnreadableAmountDoesNotFreeTheNode) {
  const ingest::ReadContext context = read_objects(
      "kind: Pod\nmetadata: {name: p}\nspec: {nodeName: n1, containers: [{resources: {requests: "
      "{cpu: 2, memory: 4x}}}]}\n");
  ASSERT_EQ(context.pods.size(), 1u);
  EXPECT_EQ(amounts_text(context.pods[0].record.request), "cpu=2000");
  EXPECT_EQ(context.errors.size(), 1u);
}

}  // namespace
}  // namespace tessera::test
