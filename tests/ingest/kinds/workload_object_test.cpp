// SPDX-License-Identifier: Apache-2.0
// Workload objects of both versions: requests, state, and what they hold.
#include <gtest/gtest.h>

#include "tests/ingest/objects/object_reading.h"

namespace tessera::test {
namespace {

core::Workload read_one(const std::string& text) {
  const ingest::ReadContext context = read_objects(text);
  EXPECT_EQ(findings(context.errors), "");
  EXPECT_EQ(context.workload_objects.size(), 1u);
  return context.workload_objects.empty() ? core::Workload() : context.workload_objects[0].second;
}

/// Everything that is read of a workload, for comparing.
std::string workload_text(const core::Workload& w) {
  std::string text =
      w.key() + " uid " + w.uid + " queue " + w.queue + " priority " + std::to_string(w.priority) +
      " " + w.priority_class + " created " + std::to_string(w.created) +
      (w.active ? " active" : "") + (w.status.quota_reserved ? " reserved" : "") +
      (w.status.finished ? " finished" : "") + (w.status.evicted ? " evicted" : "") + "\n";
  for (const solver::PodSet& p : w.gang.pod_sets) {
    text += p.name + " " + std::to_string(p.count) + " min " +
            std::to_string(p.min_count.value_or(-1)) + " [" + request_text(p) + "] " +
            amounts_text(p.request) + "\n";
  }
  for (const core::WorkloadCheck& check : w.status.checks) {
    text += "check " + check.name + " " + std::to_string(static_cast<int>(check.state)) + "\n";
  }
  if (!w.status.admission) return text;
  text += "in " + w.status.admission->cluster_queue + "\n";
  for (const core::PodSetAssignment& a : w.status.admission->pod_sets) {
    text += a.name + " " + std::to_string(a.count) + " " + amounts_text(a.usage);
    for (const auto& [resource, flavor] : a.flavors)
      text += " " + resource.str() + "@" + flavor.str();
    for (const topology::Symbol level : a.levels) text += " " + level.str();
    for (const core::DomainList::Domain domain : a.domains) {
      text += " ";
      for (const topology::Symbol value : domain.values) text += value.str() + "/";
      text += std::to_string(domain.pods);
    }
    text += "\n";
  }
  return text;
}

const char* const kSpec = R"(
metadata:
  {name: w, namespace: team, uid: u-1, creationTimestamp: "2026-11-27T08:15:00Z"}
spec:
  queueName: lq
  priority: 100
  %CLASS%
  podSets:
  - name: workers
    count: 3
    minCount: 2
    template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}
    topologyRequest:
      required: block
      podSetSliceRequiredTopology: rack
      podSetSliceSize: 1
      podSetGroupName: g
status:
  conditions:
  - {type: QuotaReserved, status: "True"}
  - {type: Admitted, status: "True"}
  admissionChecks: [{name: c, state: Ready}]
  admission:
    clusterQueue: cq
    podSetAssignments:
    - name: workers
      count: 3
      flavors: {cpu: f}
      resourceUsage: {cpu: 3}
      topologyAssignment: %ASSIGNMENT%
)";

std::string versioned(const std::string& version, const std::string& priority_class,
                      const std::string& assignment) {
  std::string text = "apiVersion: kueue.x-k8s.io/" + version + "\nkind: Workload" + kSpec;
  text.replace(text.find("%CLASS%"), 7, priority_class);
  text.replace(text.find("%ASSIGNMENT%"), 12, assignment);
  return text;
}

TEST(WorkloadObject, BothVersionsReadTheSame) {
  const std::string before = workload_text(read_one(
      versioned("v1beta1", "priorityClassName: high",
                "{levels: [h], domains: [{values: [n1], count: 2}, {values: [n2], count: 1}]}")));
  const std::string now = workload_text(read_one(versioned(
      "v1beta2",
      "priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}",
      "{levels: [h], slices: [{domainCount: 2, valuesPerLevel: [{individual: {prefix: \"n\", "
      "roots: [\"1\", \"2\"]}}], podCounts: {individual: [2, 1]}}]}")));
  EXPECT_EQ(now, before);
  EXPECT_EQ(
      now,
      "team/w uid u-1 queue lq priority 100 high created 1795767300000000000 active reserved\n"
      "workers 3 min 2 [required=block slice=rack:1 group=g] cpu=1000\n"
      "check c 1\n"
      "in cq\n"
      "workers 3 cpu=3000 cpu@f h n1/2 n2/1\n");
}

std::string request(const std::string& fields) {
  return "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{name: a, count: 4, template: "
         "{spec: {containers: []}}, topologyRequest: {" +
         fields + "}}]}\n";
}

struct RequestCase {
  const char* name;
  const char* fields;
  const char* request;
  const char* finding;  // empty: valid
};
const RequestCase kRequests[] = {
    {"index label alone", "podIndexLabel: l, subGroupIndexLabel: s, subGroupCount: 2", "-", ""},
    {"false alone", "unconstrained: false", "constrained", ""},
    {"layers with the lower-case s",
     "podsetSliceRequiredTopologyConstraints: [{topology: b, size: 4}, {topology: r, size: 2}]",
     "slice=b:4 slice=r:2", ""},
    {"layers win over the pair",
     "podSetSliceRequiredTopology: x, podSetSliceSize: 1, podsetSliceRequiredTopologyConstraints: "
     "[{topology: r, size: 2}]",
     "slice=r:2", ""},
    {"a group with slices is no error here (V11 only)",
     "required: b, podSetGroupName: g, podSetSliceRequiredTopology: r, podSetSliceSize: 2",
     "required=b slice=r:2 group=g", ""},
    {"a level without size is left to the search, which refuses it where it matters",
     "podSetSliceRequiredTopology: r", "slice=r:0", ""},
    {"a size without level has no effect", "required: b, podSetSliceSize: 2", "required=b", ""},
    {"V11 size 0", "podSetSliceRequiredTopology: r, podSetSliceSize: 0", "slice=r:0",
     "must be greater than 0"},
    {"V11 layer of 0", "podsetSliceRequiredTopologyConstraints: [{topology: r, size: 0}]",
     "slice=r:0", "podsetSliceRequiredTopologyConstraints[0].size: Invalid value"},
    {"four layers",
     "podsetSliceRequiredTopologyConstraints: [{topology: a, size: 1}, {topology: b, size: 1}, "
     "{topology: c, size: 1}, {topology: d, size: 1}]",
     "-", "must have at most 3 items"},
};

TEST(WorkloadObject, TopologyRequests) {
  for (const RequestCase& c : kRequests) {
    SCOPED_TRACE(c.name);
    const core::Workload workload = read_one(request(c.fields));
    ASSERT_EQ(workload.gang.pod_sets.size(), 1u);
    EXPECT_EQ(request_text(workload.gang.pod_sets[0]), c.request);
    EXPECT_EQ(workload.invalid.empty(), *c.finding == '\0') << findings(workload.invalid);
    EXPECT_NE(findings(workload.invalid).find(c.finding), std::string::npos)
        << findings(workload.invalid);
  }
}

std::string with_status(const std::string& status, const std::string& annotations = "") {
  return "kind: Workload\nmetadata: {name: w, creationTimestamp: \"2026-11-27T08:15:00Z\", "
         "annotations: {" +
         annotations +
         "}}\nspec: {active: false, podSets: [{name: a, count: 4, template: {spec: {containers: "
         "[{resources: {requests: {cpu: 1}}}]}}}]}\nstatus:\n" +
         status;
}

struct EvictionCase {
  const char* reason;
  const char* status;
  std::int64_t created;
};
const EvictionCase kEvictions[] = {
    {"PodsReadyTimeout", "True", 1795770900000000000},
    {"AdmissionCheck", "True", 1795770900000000000},
    {"Preempted", "True", 1795767300000000000},
    {"PodsReadyTimeout", "False", 1795767300000000000},
};

TEST(WorkloadObject, QueueOrderTimeIsThatOfAnEvictionOnlyWhereKueueSaysSo) {  // queues.md 1.1
  for (const EvictionCase& c : kEvictions) {
    SCOPED_TRACE(std::string(c.reason) + " " + c.status);
    const core::Workload workload = read_one(with_status(
        "  conditions: [{type: Evicted, status: '" + std::string(c.status) +
        "', reason: " + c.reason + ", lastTransitionTime: \"2026-11-27T09:15:00Z\"}]\n"));
    EXPECT_EQ(workload.created, c.created);
  }
}

TEST(WorkloadObject, StateIsRead) {
  const core::Workload workload =
      read_one(with_status("  conditions: [{type: Finished, status: 'True'}]\n",
                           "kueue.x-k8s.io/admission-gated-by: team-a"));
  EXPECT_TRUE(workload.status.finished);
  EXPECT_FALSE(workload.active);
  EXPECT_EQ(workload.admission_gated_by, "team-a");
}

constexpr const char* kAssigned =
    "  admission: {clusterQueue: cq, podSetAssignments: [{name: a, count: 4, flavors: {cpu: f}, "
    "topologyAssignment: {levels: [h], domains: [{values: [x], count: 4}]}}]}\n";

struct AdmittedCase {
  const char* conditions;
  std::int64_t at;
  bool ready;
};
constexpr std::int64_t kNine = 1795770000000000000, kTen = 1795773600000000000;
const AdmittedCase kAdmittedCases[] = {
    {"", INT64_MIN, false},
    {"{type: QuotaReserved, status: 'True', lastTransitionTime: \"2026-11-27T09:00:00Z\"}", kNine,
     false},
    {"{type: Admitted, status: 'True', lastTransitionTime: \"2026-11-27T10:00:00Z\"}, "
     "{type: QuotaReserved, status: 'True', lastTransitionTime: \"2026-11-27T09:00:00Z\"}",
     kTen, false},
    {"{type: Admitted, status: 'True', lastTransitionTime: null}", INT64_MIN, false},
    {"{type: Admitted, status: 'False', lastTransitionTime: \"2026-11-27T10:00:00Z\"}", INT64_MIN,
     false},
    {"{type: PodsReady, status: 'True'}", INT64_MIN, true},
    {"{type: PodsReady, status: 'False'}", INT64_MIN, false},
};

TEST(WorkloadObject, TheTimeOfTheAdmissionIsThatOfItsCondition) {
  for (const AdmittedCase& c : kAdmittedCases) {
    SCOPED_TRACE(c.conditions);
    const std::string conditions = c.conditions;
    const bool reserved = conditions.find("QuotaReserved") != std::string::npos;
    const core::Workload workload =
        read_one(with_status("  conditions: [" + conditions + "]\n" + (reserved ? kAssigned : "")));
    EXPECT_EQ(workload.status.admitted_at, c.at);
    EXPECT_EQ(workload.status.pods_ready, c.ready);
  }
}

TEST(WorkloadObject, ReclaimablePodsFreeQuotaButNoDomains) {  // queues.md 4, placement.md 2.4
  const core::Workload held = read_one(with_status(
      "  conditions: [{type: QuotaReserved, status: 'True'}]\n  reclaimablePods: [{name: a, "
      "count: 3}]\n" +
      std::string(kAssigned)));
  ASSERT_TRUE(held.status.admission.has_value());
  EXPECT_EQ(amounts_text(held.status.admission->pod_sets[0].usage), "cpu=1000");
  EXPECT_EQ(held.status.admission->pod_sets[0].domains[0].pods, 4);
  EXPECT_EQ(held.gang.pod_sets[0].count, 4);

  const core::Workload waiting =
      read_one(with_status("  reclaimablePods: [{name: a, count: 3}]\n"));
  EXPECT_EQ(waiting.gang.pod_sets[0].count, 1);
}

TEST(WorkloadObject, WithoutTheConditionNothingIsHeld) {
  const core::Workload workload = read_one(with_status(kAssigned));
  EXPECT_FALSE(workload.status.admission.has_value());
}

TEST(WorkloadObject, ItsBackOffIsRead) {  // queues.md 3.2
  const core::Workload workload =
      read_one(with_status("  requeueState: {count: 3, requeueAt: \"2026-11-27T09:15:00Z\"}\n"));
  EXPECT_EQ(workload.status.requeues, 3);
  EXPECT_EQ(workload.status.requeue_at, 1795770900000000000);
  const core::Workload over =
      read_one(with_status("  requeueState: {count: 3, requeueAt: null}\n"));
  EXPECT_EQ(over.status.requeue_at, INT64_MIN);
}

struct BadCase {
  const char* name;
  const char* status;
  const char* finding;
  int line;
};
const BadCase kBad[] = {
    {"assignment",
     "  admission:\n    podSetAssignments:\n    - name: a\n      topologyAssignment:\n"
     "        levels: [h]\n        domains:\n        - values: [x]\n          count: -1\n",
     "status.admission.podSetAssignments[0].topologyAssignment.domains[0].count: must be an "
     "integer",
     12},
    {"check state", "  admissionChecks: [{name: c, state: Redy}]\n", "did you mean \"Ready\"", 5},
    {"reserved without admission", "  conditions: [{type: QuotaReserved, status: 'True'}]\n",
     "status.admission: must be set", 4},
    {"reclaimable", "  reclaimablePods: [{name: zz, count: 1}]\n", "is no pod set", 5},
    {"back-off without end", "  requeueState: {requeueAt: soon}\n",
     "status.requeueState.requeueAt: \"soon\" is not a time", 5},
    {"back-offs below none", "  requeueState: {count: -1}\n", "status.requeueState.count", 5},
    {"time",
     "  conditions: [{type: Evicted, status: 'True', reason: AdmissionCheck, lastTransitionTime: "
     "noon}]\n",
     "is not a time", 5},
};

TEST(WorkloadObject, UnreadableStateLeavesItOutWithItsLine) {
  for (const BadCase& c : kBad) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(with_status(c.status));
    EXPECT_TRUE(context.workload_objects.empty());
    ASSERT_EQ(context.errors.size(), 1u) << findings(context.errors);
    EXPECT_NE(findings(context.errors).find(c.finding), std::string::npos)
        << findings(context.errors);
    EXPECT_EQ(context.errors[0].where.line, c.line);
    EXPECT_EQ(context.errors[0].where.object, "Workload default/w");
  }
}

TEST(WorkloadObject, NeedsPodSetsWithNamesOfTheirOwn) {
  EXPECT_NE(findings(read_objects("kind: Workload\nmetadata: {name: w}\nspec: {}\n").errors)
                .find("spec.podSets: needs at least one pod set"),
            std::string::npos);
  EXPECT_NE(findings(read_objects("kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{name: a, "
                                  "count: 1}, {name: a, count: 1}]}\n")
                         .errors)
                .find("is the name of another pod set"),
            std::string::npos);
  EXPECT_NE(findings(read_objects("kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{name: a, "
                                  "count: -1}]}\n")
                         .errors)
                .find("podSets[0].count"),
            std::string::npos);
}

}  // namespace
}  // namespace tessera::test
