// SPDX-License-Identifier: Apache-2.0
// An admission is read by what it carries, whatever else is wrong with its object.
#include <gtest/gtest.h>

#include "tests/ingest/load/loading.h"
#include "tests/ingest/objects/object_reading.h"

namespace tessera::test {
namespace {

struct HeldCase {
  const char* name;
  const char* pod_sets;
  const char* conditions;
  const char* assignments;
  const char* held;     // the pod sets of the workload, then the assignments
  const char* finding;  // one error or warning
};
constexpr const char* kMain =
    "{name: a, count: 2, template: {spec: {containers: [{resources: {requests: {cpu: 2}}}]}}}";
constexpr const char* kReserved = "[{type: QuotaReserved, status: 'True'}]";
constexpr const char* kOnX =
    "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
    "[h], domains: [{values: [x], count: 2}]}}";
const HeldCase kHeld[] = {
    {"a pod set that the spec lacks", kMain, kReserved,
     "{name: aa, count: 3, flavors: {cpu: f, pods: f}, resourceUsage: {cpu: 7, pods: 3}, "
     "topologyAssignment: {levels: [h], domains: [{values: [x], count: 3}]}}",
     "a 2 cpu=2000; aa 3 cpu=2334; in aa 3 cpu=7000 pods=3 x:3",
     "podSetAssignments[0].name: \"aa\" is no pod set of this workload; its "
     "pods are counted by what the assignment says"},
    {"a pod set that the spec lacks, beside one that it has", kMain, kReserved,
     "{name: b, count: 1, flavors: {cpu: f}, resourceUsage: {cpu: 1}, topologyAssignment: {levels: "
     "[h], domains: "
     "[{values: [v], count: 1}]}}, {name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}}",
     "a 2 cpu=2000; b 1 cpu=1000; in b 1 cpu=1000 v:1; in a 2 cpu=4000", "\"b\" is no pod set"},
    {"no pod sets", "", kReserved, kOnX, "a 2 cpu=2000; in a 2 cpu=4000 x:2",
     "spec.podSets: needs at least one pod set"},
    {"two pod sets of one name",
     "{name: a, count: 1, template: {spec: {containers: [{resources: {requests: {cpu: 1}}}]}}}, "
     "{name: a, count: 2, template: {spec: {containers: [{resources: {requests: {cpu: 2}}}]}}}",
     kReserved, kOnX, "a 1 cpu=1000; a 2 cpu=2000; in a 2 cpu=4000 x:2",
     "is the name of another pod set"},
    {"a count of the spec that is no number",
     "{name: a, count: x, template: {spec: {containers: [{resources: {requests: {cpu: 2}}}]}}}",
     kReserved, kOnX, "a 1 cpu=2000; in a 2 cpu=4000 x:2", "spec.podSets[0].count"},
    {"a request that is no quantity",
     "{name: a, count: 2, template: {spec: {containers: [{resources: {requests: {cpu: x}}}]}}}",
     kReserved, kOnX, "a 2 ; in a 2 cpu=4000 x:2", "resources.requests[\"cpu\"]"},
    {"a count that is no number", kMain, kReserved,
     "{name: a, count: x, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h], domains: "
     "[{values: [x], count: 2}]}}",
     "a 2 cpu=2000; in a 2 cpu=4000 x:2", "podSetAssignments[0].count: \"x\" is not a whole"},
    {"a domain without a number", kMain, kReserved,
     "{name: a, count: 5, flavors: {cpu: f}, resourceUsage: {cpu: 10}, topologyAssignment: "
     "{levels: [h], domains: "
     "[{values: [x], count: 2}, {values: [v], count: z}]}}",
     "a 2 cpu=2000; in a 5 cpu=10000 x:2 v:3", "domains[1].count: must be an integer"},
    {"a domain without a value, among others", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h], domains: "
     "[{values: [], count: 1}, {values: [v], count: 1}]}}",
     "a 2 cpu=2000; in a 2 cpu=4000 v:1", "domains[0].values: is empty"},
    {"a domain with a value that is no text", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h], domains: "
     "[{values: [17], count: 2}]}}",
     "a 2 cpu=2000; in a 2 cpu=4000 17:2", "domains[0].values[0]: must be a text"},
    {"slices without a number", kMain, kReserved,
     "{name: a, count: 5, flavors: {cpu: f}, resourceUsage: {cpu: 10}, topologyAssignment: "
     "{levels: [h], slices: "
     "[{domainCount: 2, valuesPerLevel: [{individual: {roots: [x, v]}}], podCounts: {}}]}}",
     "a 2 cpu=2000; in a 5 cpu=10000 x:3 v:2", "slices[0].podCounts"},
    {"a use that is no quantity", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f, memory: f}, resourceUsage: {cpu: x, memory: 6}}",
     "a 2 cpu=2000; in a 2 cpu=4000 memory=6", "resourceUsage[\"cpu\"]"},
    {"an assignment without a readable name", kMain, kReserved,
     "{name: 7, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}}",
     "a 2 cpu=2000; in a 2 cpu=4000", "podSetAssignments[0].name: must be a text"},
    {"a use without a flavor", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4, memory: 1, pods: 2}}",
     "a 2 cpu=2000; in a 2 cpu=4000 memory=1 pods=2",
     "podSetAssignments[0].flavors: names none for memory, pods: that quota counts nowhere"},
    {"domains for some of the pods", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h], domains: [{values: [x], count: 1}]}}",
     "a 2 cpu=2000; in a 2 cpu=4000 x:1",
     "has domains for 1 of 2 pods: the others count only where they run"},
    {"a pod set without an assignment", kMain, kReserved, "", "a 2 cpu=2000",
     "podSetAssignments: has none for pod set \"a\": its pods count only where they run"},
    {"slices that do not say how many domains they have", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h], slices: [{valuesPerLevel: [{individual: {roots: [x, v]}}], podCounts: {universal: "
     "1}}]}}",
     "a 2 cpu=2000; in a 2 cpu=4000 x:1 v:1", "slices[0].domainCount: must be an integer"},
    {"an assignment without domains", kMain, kReserved,
     "{name: a, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 4}, topologyAssignment: {levels: "
     "[h]}}",
     "a 2 cpu=2000; in a 2 cpu=4000", "has domains for 0 of 2 pods"},
    {"an assignment that is no map", kMain, kReserved, "5", "a 2 cpu=2000; in a 2 ",
     "podSetAssignments[0]: must be a map"},
    {"a condition that is no map", kMain, "[5]", kOnX, "a 2 cpu=2000; in a 2 cpu=4000 x:2",
     "status.conditions[0]: has no type"},
    {"conditions that are no list", kMain, "{type: QuotaReserved, status: 'True'}", kOnX,
     "a 2 cpu=2000; in a 2 cpu=4000 x:2", "status.conditions: must be a list"},
    {"a condition that is neither true nor false", kMain, "[{type: QuotaReserved, status: yess}]",
     kOnX, "a 2 cpu=2000; in a 2 cpu=4000 x:2", "the status of QuotaReserved is \"yess\""},
    {"an admission without the condition holds nothing", kMain, "[]", kOnX, "a 2 cpu=2000",
     "status.admission: holds nothing, since the QuotaReserved condition is not true"},
};

std::string held_text(const core::Workload& workload) {
  std::string text;
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    text += (text.empty() ? "" : "; ") + pod_set.name + " " + std::to_string(pod_set.count) + " " +
            amounts_text(pod_set.request);
  }
  if (!workload.status.admission) return text;
  for (const core::PodSetAssignment& each : workload.status.admission->pod_sets) {
    text += "; in " + each.name + " " + std::to_string(each.count) + " " + amounts_text(each.usage);
    for (const core::DomainList::Domain domain : each.domains) {
      text += " " + domain.values[0].str() + ":" + std::to_string(domain.pods);
    }
  }
  return text;
}

TEST(WorkloadAdmission, IsReadByWhatItCarries) {
  for (const HeldCase& c : kHeld) {
    SCOPED_TRACE(c.name);
    const ingest::ReadContext context = read_objects(
        "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [" + std::string(c.pod_sets) +
        "]}\nstatus: {conditions: " + c.conditions +
        ", admission: {clusterQueue: q, podSetAssignments: [" + c.assignments + "]}}\n");
    ASSERT_EQ(context.workload_objects.size(), 1u);
    EXPECT_EQ(held_text(context.workload_objects[0].second), c.held);
    EXPECT_EQ(context.errors.size() + context.warnings.size(), 1u);
    EXPECT_NE((findings(context.errors) + findings(context.warnings)).find(c.finding),
              std::string::npos)
        << findings(context.errors) << findings(context.warnings);
  }
}

std::string admitted(const std::string& metadata, const std::string& status) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {" + metadata +
         "}\nspec: {podSets: [" + kMain + "]}\nstatus: {" + status + "}\n";
}

const std::string kHolds = std::string("conditions: ") + kReserved +
                           ", admission: {clusterQueue: q, podSetAssignments: [" + kOnX + "]}";

constexpr const char* kBrokenMetadata[] = {
    "name: w, creationTimestamp: noon",  // no time
    "name: w, labels: [x]",
    "name: w, annotations: {a: {b: c}}",
    "name: w, ownerReferences: x",
    "name: w, uid: 7",
    "name: 7",
    "labels: {a: b}",  // no name
    "name: w, namespace: [ml]",
};

TEST(WorkloadAdmission, StandsWhateverIsWrongWithTheMetadata) {
  for (const char* metadata : kBrokenMetadata) {
    SCOPED_TRACE(metadata);
    const ingest::Loaded loaded = load(admitted(metadata, kHolds));
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    EXPECT_TRUE(loaded.inventory.workloads[0].status.admission.has_value());
    EXPECT_EQ(loaded.errors.size(), 1u) << texts(loaded.errors);
    const ingest::Loaded waiting = load(admitted(metadata, ""));
    EXPECT_TRUE(waiting.inventory.workloads.empty());
    EXPECT_EQ(waiting.errors.size(), 1u) << texts(waiting.errors);
  }
}

TEST(WorkloadAdmission, ABoundPodCountsWhateverIsWrongWithItsMetadata) {
  for (const char* metadata : kBrokenMetadata) {
    SCOPED_TRACE(metadata);
    const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {" + std::string(metadata) +
                            "}\nspec: {%containers: [{name: c}]}\n";
    const auto with = [&](const std::string& node) {
      std::string text = pod;
      return load(text.replace(text.find('%'), 1, node));
    };
    const ingest::Loaded bound = with("nodeName: n1, ");
    EXPECT_EQ(bound.inventory.pods.size(), 1u);
    EXPECT_EQ(bound.errors.size(), 1u) << texts(bound.errors);
    EXPECT_TRUE(with("").inventory.workloads.empty());
  }
}

TEST(WorkloadAdmission, WithoutItsQueueHoldsNoQuotaWhichIsTold) {
  std::string status = kHolds;
  status.erase(status.find("clusterQueue: q, "), 17);
  const ingest::Loaded loaded = load(admitted("name: w", status));
  EXPECT_NE(texts(loaded.warnings).find("status.admission.clusterQueue: is missing"),
            std::string::npos)
      << texts(loaded.warnings);
}

TEST(WorkloadAdmission, GoesWhenItsObjectIsDeletedThoughItsMetadataIsBroken) {
  const std::string object =
      R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"w","labels":[]},)"
      R"("spec":{"podSets":[{"name":"a","count":1,"template":{"spec":{"containers":[]}}}]},"status":)"
      R"({"conditions":[{"type":"QuotaReserved","status":"True"}],"admission":{"clusterQueue":"q"}}}})";
  const std::string added = R"({"type":"ADDED","object":)" + object + "\n";
  EXPECT_EQ(load(added).inventory.workloads.size(), 1u);
  const ingest::Loaded gone = load(added + R"({"type":"DELETED","object":)" + object + "\n");
  EXPECT_TRUE(gone.inventory.workloads.empty());
}

TEST(WorkloadAdmission, AnOwnerWithoutAKindIsNoOrigin) {
  const ingest::Loaded loaded =
      load(admitted("name: w, ownerReferences: [{name: j, controller: true}]", kHolds));
  ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
  EXPECT_EQ(loaded.inventory.workloads[0].origin.display(), "workload/w");
}

TEST(WorkloadAdmission, AContainerThatIsNoMapIsAnError) {
  for (const char* container : {"5", "[]", "null"}) {
    SCOPED_TRACE(container);
    const ingest::Loaded loaded = load(
        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {template: {spec: "
        "{containers: [" +
        std::string(container) + "]}}}\n");
    EXPECT_NE(texts(loaded.errors).find("containers[0]: must be a map"), std::string::npos)
        << texts(loaded.errors);
    EXPECT_TRUE(loaded.inventory.workloads.empty());
  }
}

struct PodSizeCase {
  const char* name;
  const char* assignment;
  const char* requests;  // of the pod sets
};
const PodSizeCase kPodSizes[] = {
    {"the spec lacks it, and its use is not said", "{name: b, count: 2}", "cpu=2000; cpu=4000"},
    {"the spec lacks it, and its use is said",
     "{name: b, count: 2, flavors: {cpu: f}, resourceUsage: {cpu: 6}}", "cpu=2000; cpu=3000"},
    {"the spec has it", "{name: a, count: 2}", "cpu=2000"},
};

constexpr const char* kEmptyPodSets[] = {"5", "{name: a, count: 2}", "{name: a, template: {}}",
                                         "{name: a, template: {spec: {containers: []}}}"};

TEST(WorkloadAdmission, APodSetThatSaysNothingRequestsWhatTheAssignmentUses) {
  for (const char* pod_set : kEmptyPodSets) {
    SCOPED_TRACE(pod_set);
    std::string text = admitted("name: w", kHolds);
    text.replace(text.find(kMain), std::string(kMain).size(), pod_set);
    const ingest::Loaded loaded = load(text);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    EXPECT_EQ(amounts_text(loaded.inventory.workloads[0].gang.pod_sets.back().request), "cpu=2000");
  }
}

TEST(WorkloadAdmission, APodWithoutAnyRequestIsAsLargeAsThoseThatRun) {
  for (const PodSizeCase& c : kPodSizes) {
    SCOPED_TRACE(c.name);
    std::string text = admitted(
        "name: w", std::string("conditions: ") + kReserved +
                       ", admission: {clusterQueue: q, podSetAssignments: [" + c.assignment + "]}");
    for (const char* cpu : {"2", "3", "4"}) {
      text += "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p" + std::string(cpu) +
              ", annotations: {kueue.x-k8s.io/workload: w}}\nspec: {nodeName: n1, containers: "
              "[{name: c, resources: {requests: {cpu: " +
              cpu + "}}}]}\n";
    }
    const ingest::Loaded loaded = load(text);
    ASSERT_EQ(loaded.inventory.workloads.size(), 1u);
    std::string requests;
    for (const solver::PodSet& pod_set : loaded.inventory.workloads[0].gang.pod_sets) {
      requests += (requests.empty() ? "" : "; ") + amounts_text(pod_set.request);
    }
    EXPECT_EQ(requests, c.requests);
  }
}

}  // namespace
}  // namespace tessera::test
