// SPDX-License-Identifier: Apache-2.0
// Kueue's and KAI's cluster objects: every version gives the same records, every fault is told
// where it stands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

std::string object(const std::string& kind, const std::string& version, const std::string& spec) {
  const std::string group = version.find('/') == std::string::npos ? "kueue.x-k8s.io/" : "";
  return "apiVersion: " + group + version + "\nkind: " + kind + "\nmetadata: {name: x}\nspec:\n" +
         spec;
}

// What is read of an object whatever its kind.
std::string reading(const ingest::Loaded& loaded) {
  std::string text;
  for (const auto& queue : loaded.inventory.cluster_queues) text += queue_text(queue) + "\n";
  for (const auto& cohort : loaded.inventory.cohorts) text += cohort_text(cohort) + "\n";
  for (const auto& topology : loaded.inventory.topologies) {
    text += topology.name + ": " + levels_text(topology) + "\n";
  }
  for (const auto& queue : loaded.inventory.local_queues) {
    text += queue.namespace_name + "/" + queue.name + "->" + queue.cluster_queue +
            " stop=" + std::to_string(static_cast<int>(queue.stop)) + "\n";
  }
  for (const auto& check : loaded.inventory.checks) {
    text +=
        check.name + " by " + check.controller + (check.active ? " active" : " inactive") + "\n";
  }
  for (const auto& flavor : loaded.inventory.flavors) {
    text += flavor.name + " of " + flavor.topology;
    for (const auto& [key, value] : flavor.node_labels) text += " " + key.str() + "=" + value.str();
    for (const auto& taint : flavor.node_taints) text += " " + taint.text();
    text += " tolerations " + std::to_string(flavor.tolerations.size()) + "\n";
  }
  return text;
}

struct VersionCase {
  const char* name;
  const char* kind;
  const char* old_version;
  const char* old_spec;
  const char* new_version;
  const char* new_spec;
  const char* reading;
};

void PrintTo(const VersionCase& tested, std::ostream* out) { *out << tested.name; }

constexpr char kGroups[] =
    "  resourceGroups:\n"
    "  - coveredResources: [cpu, nvidia.com/gpu]\n"
    "    flavors:\n"
    "    - name: f\n"
    "      resources:\n"
    "      - {name: cpu, nominalQuota: 1500m}\n"
    "      - {name: nvidia.com/gpu, nominalQuota: 8, borrowingLimit: 4, lendingLimit: '2'}\n";

const std::string kOldQueue =
    std::string(
        "  cohort: c\n  admissionChecks: [k]\n"
        "  flavorFungibility: {whenCanBorrow: Borrow, whenCanPreempt: Preempt}\n") +
    kGroups;
const std::string kNewQueue =
    std::string(
        "  cohortName: c\n  admissionChecksStrategy: {admissionChecks: [{name: k}]}\n"
        "  flavorFungibility: {whenCanBorrow: MayStopSearch, whenCanPreempt: "
        "MayStopSearch}\n") +
    kGroups;
const std::string kOldCohort = std::string("  parent: p\n") + kGroups;
const std::string kNewCohort = std::string("  parentName: p\n") + kGroups;

const VersionCase kVersions[] = {
    {"ClusterQueue", "ClusterQueue", "v1beta1", kOldQueue.c_str(), "v1beta2", kNewQueue.c_str(),
     "x cohort=c best-effort stop=0 selector=absent check:k [cpu nvidia.com/gpu | f cpu=1500 "
     "nvidia.com/gpu=8L4G2]\n"},
    {"ClusterQueueWithNamesSwapped", "ClusterQueue", "v1beta2", kOldQueue.c_str(), "v1beta1",
     kNewQueue.c_str(),
     "x cohort=c best-effort stop=0 selector=absent check:k [cpu nvidia.com/gpu | f cpu=1500 "
     "nvidia.com/gpu=8L4G2]\n"},
    {"QueueWithPolicies", "ClusterQueue", "v1beta1",
     "  queueingStrategy: StrictFIFO\n  stopPolicy: HoldAndDrain\n  namespaceSelector: {}\n"
     "  preemption: {withinClusterQueue: LowerPriority}\n  fairSharing: {weight: '2'}\n"
     "  flavorFungibility: {whenCanBorrow: TryNextFlavor}\n",
     "v1beta2",
     "  queueingStrategy: StrictFIFO\n  stopPolicy: HoldAndDrain\n  namespaceSelector: {}\n"
     "  preemption: {borrowWithinCohort: {policy: LowerPriority, maxPriorityThreshold: 3}}\n"
     "  fairSharing: {weight: 500m}\n"
     "  flavorFungibility: {whenCanBorrow: TryNextFlavor, whenCanPreempt: TryNextFlavor}\n",
     "x cohort= strict stop=2 selector=0 borrow-next preempt-next preempts fair\n"},
    {"QueueDefaults", "ClusterQueue", "v1beta1", "  {}\n", "v1beta2",
     "  preemption: {withinClusterQueue: Never, reclaimWithinCohort: Never}\n  stopPolicy: None\n",
     "x cohort= best-effort stop=0 selector=absent preempt-next\n"},
    {"ChecksByFlavor", "ClusterQueue", "v1beta1",
     "  namespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: k, operator: Exists}]}\n"
     "  admissionChecksStrategy: {admissionChecks: [{name: k, onFlavors: [f, g]}]}\n",
     "v1beta2",
     "  namespaceSelector: {matchLabels: {a: b}, matchExpressions: [{key: k, operator: Exists}]}\n"
     "  admissionChecksStrategy: {admissionChecks: [{name: k, onFlavors: [f, g]}]}\n",
     "x cohort= best-effort stop=0 selector=2 preempt-next check:k@f@g\n"},
    {"Cohort", "Cohort", "v1alpha1", kOldCohort.c_str(), "v1beta2", kNewCohort.c_str(),
     "x parent=p [cpu nvidia.com/gpu | f cpu=1500 nvidia.com/gpu=8L4G2]\n"},
    {"Topology", "Topology", "v1alpha1",
     "  levels: [{nodeLabel: a/block}, {nodeLabel: kubernetes.io/hostname}]\n", "v1beta1",
     "  levels: [{nodeLabel: a/block}, {nodeLabel: kubernetes.io/hostname}]\n",
     "x: a/block > kubernetes.io/hostname\n"},
    {"TopologyOfKai", "Topology", "kai.scheduler/v1alpha1",
     "  levels: [{nodeLabel: a/block}, {nodeLabel: kubernetes.io/hostname}]\n", "v1beta2",
     "  levels: [{nodeLabel: a/block}, {nodeLabel: kubernetes.io/hostname}]\n",
     "x: a/block > kubernetes.io/hostname\n"},
    {"LocalQueue", "LocalQueue", "v1beta1", "  {clusterQueue: q, stopPolicy: Hold}\n", "v1beta2",
     "  {clusterQueue: q, stopPolicy: Hold}\n", "default/x->q stop=1\n"},
    {"AdmissionCheck", "AdmissionCheck", "v1beta1",
     "  {controllerName: c/k}\nstatus: {conditions: [{type: Active, status: 'False'}]}\n",
     "v1beta2",
     "  {controllerName: c/k}\nstatus: {conditions: [{type: Active, status: 'False'}]}\n",
     "x by c/k inactive\n"},
    {"ResourceFlavor", "ResourceFlavor", "v1beta1",
     "  nodeLabels: {b: '2', a: '1'}\n  topologyName: t\n"
     "  nodeTaints: [{key: k, value: v, effect: NoSchedule}]\n  tolerations: [{operator: "
     "Exists}]\n",
     "v1beta2",
     "  nodeLabels: {a: '1', b: '2'}\n  topologyName: t\n"
     "  nodeTaints: [{key: k, value: v, effect: NoSchedule}]\n  tolerations: [{operator: "
     "Exists}]\n",
     "x of t a=1 b=2 k=v:NoSchedule tolerations 1\n"},
};

class Versions : public ::testing::TestWithParam<VersionCase> {};

TEST_P(Versions, GiveTheSameRecords) {
  const VersionCase& c = GetParam();
  const ingest::Loaded older = load(object(c.kind, c.old_version, c.old_spec));
  const ingest::Loaded newer = load(object(c.kind, c.new_version, c.new_spec));
  EXPECT_EQ(reading(older), c.reading);
  EXPECT_EQ(reading(newer), c.reading);
  EXPECT_EQ(texts(older.errors) + texts(newer.errors), "");
  EXPECT_EQ(texts(older.warnings) + texts(newer.warnings), "");
}

INSTANTIATE_TEST_SUITE_P(QueueObjects, Versions, ::testing::ValuesIn(kVersions),
                         [](const auto& tested) { return std::string(tested.param.name); });

struct FaultCase {
  const char* name;
  const char* kind;
  const char* spec;  // starts in line 5
  const char* finding;
};

void PrintTo(const FaultCase& tested, std::ostream* out) { *out << tested.name; }

const FaultCase kFaults[] = {
    {"OldAndNewNameDiffer", "ClusterQueue", "  cohort: a\n  cohortName: b\n",
     "state.yaml:5:3: ClusterQueue x: spec.cohort: \"a\" contradicts cohortName \"b\" (the same "
     "field under its old name)\n"},
    {"OldAndNewChecksDiffer", "ClusterQueue",
     "  admissionChecks: [a]\n  admissionChecksStrategy: {admissionChecks: [{name: b}]}\n",
     "state.yaml:5:3: ClusterQueue x: spec.admissionChecks: contradicts admissionChecksStrategy "
     "(the same under its old name)\n"},
    {"UnknownStrategy", "ClusterQueue", "  queueingStrategy: StrictFifo2\n",
     "state.yaml:5:3: ClusterQueue x: spec.queueingStrategy: \"StrictFifo2\" is unknown (right: "
     "BestEffortFIFO, StrictFIFO; did you mean \"StrictFIFO\"?)\n"},
    {"UnknownStopPolicy", "LocalQueue", "  clusterQueue: q\n  stopPolicy: Holt\n",
     "state.yaml:6:3: LocalQueue default/x: spec.stopPolicy: \"Holt\" is unknown (right: None, "
     "Hold, HoldAndDrain; did you mean \"Hold\"?)\n"},
    {"UnknownPreemption", "ClusterQueue", "  preemption: {reclaimWithinCohort: Always}\n",
     "state.yaml:5:16: ClusterQueue x: spec.preemption.reclaimWithinCohort: \"Always\" is unknown "
     "(right: Never, LowerPriority, LowerOrNewerEqualPriority, Any)\n"},
    {"QueueWithoutClusterQueue", "LocalQueue", "  {}\n",
     "state.yaml:4:1: LocalQueue default/x: spec.clusterQueue: is missing\n"},
    {"LendingMoreThanNominal", "ClusterQueue",
     "  cohortName: c\n  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
     "    - name: f\n      resources:\n      - {name: cpu, nominalQuota: 1, lendingLimit: 1500m}\n",
     "state.yaml:11:38: ClusterQueue x: "
     "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: \"1500m\" is above "
     "nominalQuota \"1\"\n"},
    {"BadQuota", "ClusterQueue",
     "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
     "    - {name: f, resources: [{name: cpu, nominalQuota: 4 Gi}]}\n",
     "state.yaml:8:41: ClusterQueue x: "
     "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: \"4 Gi\" is not a quantity\n"},
    {"ResourceLacksQuota", "ClusterQueue",
     "  resourceGroups:\n  - coveredResources: [cpu, memory]\n    flavors:\n"
     "    - {name: f, resources: [{name: cpu, nominalQuota: 4}]}\n",
     "state.yaml:8:7: ClusterQueue x: spec.resourceGroups[0].flavors[0].resources: lacks "
     "\"memory\", which coveredResources names\n"},
    {"FlavorTwice", "ClusterQueue",
     "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n"
     "    - {name: f, resources: [{name: cpu, nominalQuota: 4}]}\n"
     "    - {name: f, resources: [{name: cpu, nominalQuota: 4}]}\n",
     "state.yaml:9:8: ClusterQueue x: spec.resourceGroups[0].flavors[1].name: \"f\" stands in "
     "resourceGroups twice\n"},
    {"NoLevels", "Topology", "  levels: []\n",
     "state.yaml:5:3: Topology x: spec.levels: has 0 levels (right: 1..16)\n"},
    {"LevelTwice", "Topology", "  levels: [{nodeLabel: a}, {nodeLabel: a}]\n",
     "state.yaml:5:29: Topology x: spec.levels[1].nodeLabel: \"a\" stands at a level above "
     "already\n"},
    {"HostnameAboveTheLast", "Topology",
     "  levels: [{nodeLabel: kubernetes.io/hostname}, {nodeLabel: a}]\n",
     "state.yaml:5:13: Topology x: spec.levels[0].nodeLabel: \"kubernetes.io/hostname\" must be "
     "the last level\n"},
    {"TopologyFlavorWithoutLabels", "ResourceFlavor", "  topologyName: t\n",
     "state.yaml:5:3: ResourceFlavor x: spec.topologyName: needs at least one entry in "
     "spec.nodeLabels\n"},
    {"TooManyFlavorLabels", "ResourceFlavor",
     "  nodeLabels: {a: a, b: a, c: a, d: a, e: a, f: a, g: a, h: a, i: a}\n",
     "state.yaml:5:3: ResourceFlavor x: spec.nodeLabels: has 9 entries (right: at most 8)\n"},
    {"UnknownTaintEffect", "ResourceFlavor", "  nodeTaints:\n  - {key: k, effect: NoSchedul}\n",
     "state.yaml:6:14: ResourceFlavor x: spec.nodeTaints[0].effect: \"NoSchedul\" is unknown "
     "(right: NoSchedule, PreferNoSchedule, NoExecute; did you mean \"NoSchedule\"?)\n"},
    {"NumberForText", "ResourceFlavor", "  topologyName: 7\n",
     "state.yaml:5:3: ResourceFlavor x: spec.topologyName: must be a text, is a number (put it in "
     "quotes)\n"},
};

class Faults : public ::testing::TestWithParam<FaultCase> {};

TEST_P(Faults, AreToldAndLeaveTheObjectOut) {
  const ingest::Loaded loaded = load(object(GetParam().kind, "v1beta2", GetParam().spec));
  EXPECT_EQ(texts(loaded.errors), GetParam().finding);
  EXPECT_EQ(reading(loaded), "");
}

INSTANTIATE_TEST_SUITE_P(QueueObjects, Faults, ::testing::ValuesIn(kFaults),
                         [](const auto& tested) { return std::string(tested.param.name); });

struct KeyCase {
  const char* name;
  const char* kind;
  const char* spec;
  const char* warning;
};

void PrintTo(const KeyCase& tested, std::ostream* out) { *out << tested.name; }

const KeyCase kKeys[] = {
    {"MisspeltKey", "ClusterQueue", "  cohortname: c\n",
     "state.yaml:5:3: ClusterQueue x: spec.cohortname: unknown key (did you mean "
     "\"cohortName\"?)\n"},
    {"MisspeltKeyInside", "Topology", "  levels:\n  - {nodeLabel: a, nodelabels: b}\n",
     "state.yaml:6:20: Topology x: spec.levels[0].nodelabels: unknown key (did you mean "
     "\"nodeLabel\"?)\n"},
    {"KeyLikeNoOther", "Cohort", "  {colour: red}\n",
     "state.yaml:5:4: Cohort x: spec.colour: unknown key\n"},
    {"KnownKeyThatIsNotEvaluated", "ClusterQueue", "  admissionScope: {}\n", ""},
    {"LimitWithoutCohort", "ClusterQueue",
     "  resourceGroups:\n  - coveredResources: [cpu]\n    flavors:\n    - name: f\n"
     "      resources: [{name: cpu, nominalQuota: 4, borrowingLimit: 1}]\n",
     "state.yaml:9:48: ClusterQueue x: "
     "spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit: has no effect without a "
     "cohort\n"},
};

class Keys : public ::testing::TestWithParam<KeyCase> {};

TEST_P(Keys, AreWarnedOfAndKeepTheObject) {
  const ingest::Loaded loaded = load(object(GetParam().kind, "v1beta2", GetParam().spec));
  EXPECT_EQ(texts(loaded.warnings), GetParam().warning);
  EXPECT_EQ(texts(loaded.errors), "");
  EXPECT_NE(reading(loaded), "");
}

INSTANTIATE_TEST_SUITE_P(QueueObjects, Keys, ::testing::ValuesIn(kKeys),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(QueueObjects, KueueTopologyGoesBeforeKaisOfTheSameName) {
  const ingest::Loaded loaded =
      load(object("Topology", "kai.scheduler/v1alpha1", "  levels: [{nodeLabel: kai}]\n") +
           "---\n" + object("Topology", "v1beta2", "  levels: [{nodeLabel: kueue}]\n"));
  EXPECT_EQ(reading(loaded), "x: kueue\n");
  EXPECT_EQ(texts(loaded.warnings),
            "Topology x: kueue.x-k8s.io and kai.scheduler have different levels: Kueue's are "
            "used\n");
}

TEST(QueueObjects, NamespaceHasItsNameAsLabel) {
  const ingest::Loaded loaded =
      load("apiVersion: v1\nkind: Namespace\nmetadata: {name: ns, labels: {team: a}}\n");
  ASSERT_EQ(loaded.inventory.namespaces.size(), 1u);
  const topology::Labels& labels = loaded.inventory.namespaces[0].labels;
  EXPECT_EQ(labels.find(topology::Symbol("kubernetes.io/metadata.name")), topology::Symbol("ns"));
  EXPECT_EQ(labels.find(topology::Symbol("team")), topology::Symbol("a"));
}

}  // namespace
}  // namespace tessera::test
