// SPDX-License-Identifier: Apache-2.0
// The words of decisions: ours in tables and messages, Kueue's byte for byte.
#include "ingest/text/decision_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "actors/engine/engine.h"
#include "config/settings.h"
#include "ingest/encode/workload_json.h"
#include "ingest/load/load.h"
#include "ingest/text/explanation.h"

namespace tessera::encode {
namespace {

/// Two racks of two hosts with 4 devices each; host b1 is cordoned; host a2 has a taint.
constexpr const char* kCluster = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata: {name: t}
spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: f}
spec: {topologyName: t, nodeLabels: {pool: x}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  namespaceSelector: {matchExpressions: [{key: team, operator: Exists}]}
  resourceGroups: [{coveredResources: [x.y/gpu], flavors: [{name: f, resources: [{name: x.y/gpu, nominalQuota: 14}]}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: held}
spec: {namespaceSelector: {}, stopPolicy: Hold, resourceGroups: [{coveredResources: [x.y/gpu], flavors: [{name: f, resources: [{name: x.y/gpu, nominalQuota: 8}]}]}]}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: team-a}, spec: {clusterQueue: cq}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: other}, spec: {clusterQueue: cq}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: held, namespace: team-a}, spec: {clusterQueue: held}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: plain}, spec: {clusterQueue: cq}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: named, namespace: other}, spec: {clusterQueue: named}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: named, namespace: plain}, spec: {clusterQueue: named}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: named}
spec:
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other}}
  cohortName: known
  resourceGroups: [{coveredResources: [x.y/gpu], flavors: [{name: f, resources: [{name: x.y/gpu, nominalQuota: 1}]}]}]
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: capped, namespace: team-a}, spec: {clusterQueue: capped}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: capped}
spec:
  namespaceSelector: {}
  cohortName: pool-y
  resourceGroups: [{coveredResources: [x.y/gpu], flavors: [{name: f, resources: [{name: x.y/gpu, nominalQuota: 1, borrowingLimit: 1}]}]}]
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: both, namespace: other}, spec: {clusterQueue: both}}
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: both, namespace: third}, spec: {clusterQueue: both}}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: both}
spec:
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: other, team: a}}
  resourceGroups: [{coveredResources: [x.y/gpu], flavors: [{name: f, resources: [{name: x.y/gpu, nominalQuota: 1}]}]}]
---
{apiVersion: kueue.x-k8s.io/v1beta2, kind: Cohort, metadata: {name: known}, spec: {parentName: pool-x}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: plain}}
---
{apiVersion: v1, kind: Namespace, metadata: {name: team-a, labels: {team: a}}}
---
{apiVersion: v1, kind: Node, metadata: {name: a1, labels: {rack: a, kubernetes.io/hostname: a1, pool: x}}, status: {allocatable: {x.y/gpu: 4, pods: 110}, conditions: [{type: Ready, status: "True"}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: a2, labels: {rack: a, kubernetes.io/hostname: a2, pool: x}}, spec: {taints: [{key: maint, value: "yes", effect: NoSchedule}]}, status: {allocatable: {x.y/gpu: 4, pods: 110}, conditions: [{type: Ready, status: "True"}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: b1, labels: {rack: b, kubernetes.io/hostname: b1, pool: x}}, spec: {unschedulable: true}, status: {allocatable: {x.y/gpu: 4, pods: 110}, conditions: [{type: Ready, status: "True"}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: b2, labels: {rack: b, kubernetes.io/hostname: b2, pool: x}}, status: {allocatable: {x.y/gpu: 4, pods: 110}, conditions: [{type: Ready, status: "True"}]}}
)";

/// A Workload of `count` pods with `gpus` devices each; `more` goes into its pod set, `spec` beside
/// the pod sets.
std::string workload(int count, int gpus, const std::string& request, const std::string& spec = "",
                     const std::string& metadata = "namespace: team-a",
                     const std::string& queue = "lq") {
  return "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, " + metadata +
         "}, spec: {queueName: " + queue + ", " + spec +
         "podSets: [{name: main, count: " + std::to_string(count) + ", topologyRequest: {" +
         request + "}, template: {spec: {containers: [{name: c, resources: {requests: {x.y/gpu: " +
         std::to_string(gpus) + "}}}]}}}]}}";
}

/// The one decision for `request` on the cluster.
class Decided {
 public:
  explicit Decided(const std::string& request,
                   const config::Profile& profile = config::default_profile()) {
    ingest::Loader loader(settings_);
    loader.read_text(kCluster, "cluster.yaml", ingest::Role::kState);
    loader.read_text(request, "request.yaml", ingest::Role::kRequest);
    loaded_ = loader.finish();
    for (const Error& error : loaded_.errors) ADD_FAILURE() << error.text();
    core::EngineOptions options;
    options.profile = profile;
    engine = std::make_unique<core::Engine>(loaded_.inventory, options);
    decision = engine->run(loaded_.to_place).at(0);
    evidence = engine->explain(decision, core::Depth::kFacts);
  }
  std::string result() const {
    return std::string(core::outcome_name(decision.outcome)) + " " +
           std::string(core::reason_name(decision.reason));
  }

  std::unique_ptr<core::Engine> engine;
  core::Decision decision;
  core::Evidence evidence;

 private:
  config::Settings settings_ = config::built_in_settings();
  ingest::Loaded loaded_;
};

struct TextCase {
  const char* name;
  std::string request;
  const char* result;
  const char* words;  // ours
  const char* kueue;  // Kueue's
  const char* kueue_reason;
};

const TextCase kTexts[] = {
    {"a rack too small", workload(3, 4, "required: rack"), "Never TopologyFit",
     "rack needs 3 hosts, largest has 2",
     "couldn't assign flavors to pod set main: topology \"t\" allows to fit only 1 out of 3 "
     "pod(s). Total nodes: 3; "
     "excluded: taint \"maint=yes:NoSchedule\": 1",
     "TopologyPlacementFailed"},
    {"only a cordoned host stands in the way", workload(2, 4, "required: rack"), "Waits NodeHealth",
     "rack needs 2 hosts, best a has 1; 1 cordoned",
     "couldn't assign flavors to pod set main: topology \"t\" allows to fit only 1 out of 2 "
     "pod(s). Total nodes: 3; "
     "excluded: taint \"maint=yes:NoSchedule\": 1",
     "TopologyPlacementFailed"},
    {"above the quota's maximum", workload(15, 1, "preferred: rack"), "Never Quota",
     "x.y/gpu in flavor f: asks 15, can never get more than 14",
     "couldn't assign flavors to pod set main: insufficient quota for x.y/gpu in flavor f, "
     "previously considered podsets "
     "requests (0) + current podset request (15) > maximum capacity (14)",
     "ExceedsMaxQuota"},
    {"a slice size that does not divide",
     workload(
         3, 1,
         "required: rack, podSetSliceRequiredTopology: kubernetes.io/hostname, podSetSliceSize: 2"),
     "Invalid Invalid", "podSetSliceSize 2 does not divide 3 pods",
     "couldn't assign flavors to pod set main: slice size 2 does not divide 3",
     "TopologyPlacementFailed"},
    {"an unknown level", workload(1, 1, "required: rak"), "Never Flavor",
     "level \"rak\" is not in topology t (levels: rack, host) (did you mean \"rack\"?)",
     "couldn't assign flavors to pod set main: Flavor \"f\" does not contain the requested level",
     "NoMatchingFlavor"},
    {"no such queue", workload(1, 1, "", "", "namespace: team-a", "nope"), "Waits QueueMissing",
     "LocalQueue nope is not in the input", "LocalQueue nope doesn't exist", "Misconfigured"},
    {"a held queue", workload(1, 1, "", "", "namespace: team-a", "held"), "Waits QueueStopped",
     "ClusterQueue held is stopped", "ClusterQueue held is inactive", "Suspended"},
    {"a namespace that does not match", workload(1, 1, "", "", "namespace: plain"),
     "Waits Namespace", "namespace plain does not match the queue's namespaceSelector",
     "workload namespace doesn't match ClusterQueue selector", "Misconfigured"},
    {"a namespace that is not in the input", workload(1, 1, "", "", "namespace: other"),
     "Waits Namespace",
     "namespace other is not in the input, and the queue's namespaceSelector asks for its label "
     "team",
     "workload namespace doesn't match ClusterQueue selector", "Misconfigured"},
    {"a namespace that does not have the name", workload(1, 1, "", "", "namespace: plain", "named"),
     "Waits Namespace", "namespace plain does not match the queue's namespaceSelector",
     "workload namespace doesn't match ClusterQueue selector", "Misconfigured"},
    {"a namespace that is not in the input and has the name that is asked for",
     workload(1, 1, "", "", "namespace: other", "both"), "Waits Namespace",
     "namespace other is not in the input, and the queue's namespaceSelector asks for its label "
     "team",
     "workload namespace doesn't match ClusterQueue selector", "Misconfigured"},
    {"a namespace that is not in the input and does not have the name",
     workload(1, 1, "", "", "namespace: third", "both"), "Waits Namespace",
     "namespace third does not match the queue's namespaceSelector",
     "workload namespace doesn't match ClusterQueue selector", "Misconfigured"},
    {"a cohort that is not in the input, and could lend as much",
     workload(2, 1, "", "", "namespace: team-a", "capped"), "Never Quota",
     "x.y/gpu in flavor f: asks 2, can never get more than 1; Cohort pool-y is not in the input, "
     "so its own quota is unknown",
     "couldn't assign flavors to pod set main: insufficient quota for x.y/gpu in flavor f, "
     "previously considered podsets requests (0) + current podset request (2) > maximum capacity "
     "(1)",
     "ExceedsMaxQuota"},
    {"a cohort that is not in the input, from which the queue may not borrow as much",
     workload(3, 1, "", "", "namespace: team-a", "capped"), "Never Quota",
     "x.y/gpu in flavor f: asks 3, can never get more than 1",
     "couldn't assign flavors to pod set main: insufficient quota for x.y/gpu in flavor f, "
     "previously considered podsets requests (0) + current podset request (3) > maximum capacity "
     "(1)",
     "ExceedsMaxQuota"},
    {"a cohort above the queue's that is not in the input, and a namespace known by its name",
     workload(2, 1, "", "", "namespace: other", "named"), "Never Quota",
     "x.y/gpu in flavor f: asks 2, can never get more than 1; Cohort pool-x is not in the input, "
     "so its own quota is unknown",
     "couldn't assign flavors to pod set main: insufficient quota for x.y/gpu in flavor f, "
     "previously considered podsets requests (0) + current podset request (2) > maximum capacity "
     "(1)",
     "ExceedsMaxQuota"},
    {"not active", workload(1, 1, "", "active: false, "), "Waits Inactive", "spec.active is false",
     "The workload is deactivated", "Deactivated"},
    {"gated",
     workload(1, 1, "", "",
              "namespace: team-a, annotations: {kueue.x-k8s.io/admission-gated-by: team}"),
     "Waits Gated", "gated by team", "Admission is gated by: team", "AdmissionGated"},
};

TEST(DecisionText, SaysSoIfNeverRestsOnTheOrdersThatWereTried) {
  Decided d(workload(9, 9, ""));
  const std::string plain = short_reason(*d.engine, d.decision, d.evidence);
  d.decision.orders_only = true;
  const std::string words = ", in every order of the pod sets that was tried";
  EXPECT_EQ(short_reason(*d.engine, d.decision, d.evidence), plain + words);
  EXPECT_NE(clear_message(*d.engine, d.decision, d.evidence).find(plain + words),
            std::string::npos);
}

TEST(DecisionText, SaysWhatStandsInTheWay) {
  for (const TextCase& c : kTexts) {
    SCOPED_TRACE(c.name);
    const Decided d(c.request);
    EXPECT_EQ(d.result(), c.result);
    EXPECT_EQ(short_reason(*d.engine, d.decision, d.evidence), c.words);
    // What a row of a table is made of.
    EXPECT_EQ(
        short_reason(*d.engine, d.decision, d.engine->explain(d.decision, core::Depth::kReason)),
        c.words);
    EXPECT_EQ(kueue_message(*d.engine, d.decision), c.kueue);
    EXPECT_EQ(kueue_reason(*d.engine, d.decision), c.kueue_reason);
  }
}

TEST(WorkloadJson, CarriesTheWordsOfTheProfile) {
  for (const bool kueue : {false, true}) {
    Decided d(kTexts[0].request, kueue ? config::kueue_0_19_profile() : config::default_profile());
    const nlohmann::json json = nlohmann::json::parse(
        workload_json(*d.engine, d.decision, d.engine->explain(d.decision, core::Depth::kFacts), {})
            .dump());
    const nlohmann::json& condition = json["status"]["conditions"][0];
    EXPECT_EQ(condition["status"], "False");
    EXPECT_EQ(condition["reason"], kueue ? "TopologyPlacementFailed" : "TopologyFit");
    const std::string clear =
        "rack needs 3 hosts, largest has 2; 3 nodes looked at: 1 taint maint=yes:NoSchedule; left "
        "out: 1 cordoned";
    EXPECT_EQ(condition["message"], kueue ? kTexts[0].kueue : clear);
    const auto explanation = nlohmann::json::parse(
        json["metadata"]["annotations"]["tessera.dev/explanation"].get<std::string>());
    EXPECT_EQ(explanation["message"], clear);
    EXPECT_EQ(explanation["kueueMessage"], kTexts[0].kueue);
    EXPECT_EQ(explanation["levels"][0]["haveWhenEmptyAndHealthy"], 2);
    EXPECT_EQ(explanation["leftOut"][0]["nodes"][0], "b1");
  }
}

TEST(WorkloadJson, APlacedWorkloadIsAdmitted) {
  Decided d(workload(2, 4, "preferred: rack"));
  const nlohmann::json json = nlohmann::json::parse(
      workload_json(*d.engine, d.decision, d.engine->explain(d.decision, core::Depth::kFacts), {})
          .dump());
  EXPECT_EQ(json["status"]["conditions"][0]["type"], "QuotaReserved");
  EXPECT_EQ(json["status"]["conditions"][1]["type"], "Admitted");
  const nlohmann::json& assigned = json["status"]["admission"]["podSetAssignments"][0];
  EXPECT_EQ(assigned["flavors"]["x.y/gpu"], "f");
  EXPECT_EQ(assigned["resourceUsage"]["x.y/gpu"], "8");
  EXPECT_EQ(
      assigned["topologyAssignment"].dump(),
      R"({"levels":["kubernetes.io/hostname"],"slices":[{"domainCount":2,"podCounts":{"universal":1},)"
      R"("valuesPerLevel":[{"individual":{"roots":["a1","b2"]}}]}]})");
}

TEST(Explanation, NamesLevelsHostsAndRemedies) {
  Decided d(kTexts[1].request);
  const core::Evidence evidence = d.engine->explain(d.decision, core::Depth::kRemedies);
  const std::string text = explanation_text(*d.engine, d.decision, evidence, {});
  EXPECT_THAT(text, testing::HasSubstr(
                        "workload/w waits   reason NodeHealth   queue cq   profile default\n"));
  EXPECT_THAT(text, testing::HasSubstr("asks      2 pods of 4 x.y/gpu; required rack\n"));
  EXPECT_THAT(text, testing::HasSubstr("left out  1 cordoned: b1\n"));
  EXPECT_THAT(text, testing::HasSubstr("(checked) uncordon b1\n"));
}

struct RoundCase {
  const char* name;
  core::RoundOutcome outcome;
  core::Reason reason;
  const char* detail;
  const char* words;
  const char* kueue;
  const char* kueue_reason;
};

TEST(TextsOfRounds, SayWhatAWorkloadWaitsFor) {
  using core::Reason;
  using core::Severity;
  const RoundCase cases[] = {
      {"lost to another",
       {2, false, true, Severity::kQuota},
       Reason::kQuota,
       "went to another",
       "went to another",
       "Workload no longer fits after processing another workload",
       "WaitingForQuota"},
      {"behind a head", {}, Reason::kBehindHead, "ns/x", "behind ns/x", "", "Pending"},
      {"not its turn",
       {},
       Reason::kBehindHead,
       "",
       "its turn did not come in these rounds",
       "",
       "Pending"},
      {"not evaluated itself", {}, Reason::kLimitRange, "above", "above", "", "Misconfigured"},
      {"not nominated",
       {1, true, false, {}},
       Reason::kLimitRange,
       "above",
       "above",
       "above",
       "Misconfigured"},
      {"no topology fits",
       {1, true, false, Severity::kTopologyPlacement},
       Reason::kTopologyFit,
       "",
       "does not fit",
       "",
       "TopologyPlacementFailed"},
      {"above the maximum",
       {1, true, false, Severity::kMaximum},
       Reason::kTopologyFit,
       "",
       "does not fit",
       "",
       "ExceedsMaxQuota"},
      {"no flavor",
       {1, true, false, Severity::kFlavor},
       Reason::kTopologyFit,
       "",
       "does not fit",
       "",
       "NoMatchingFlavor"},
  };
  const Decided decided(workload(1, 1, ""));
  for (const RoundCase& c : cases) {
    core::Decision decision;
    decision.reason = c.reason;
    decision.detail = c.detail;
    decision.waits_in_rounds = c.outcome;
    EXPECT_EQ(short_reason(*decided.engine, decision, {}), c.words) << c.name;
    EXPECT_EQ(kueue_message(*decided.engine, decision), c.kueue) << c.name;
    EXPECT_EQ(kueue_reason(*decided.engine, decision), c.kueue_reason) << c.name;
  }
}

}  // namespace
}  // namespace tessera::encode
