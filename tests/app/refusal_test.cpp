// SPDX-License-Identifier: Apache-2.0
// What a refusal names, and what a first user meets: small worlds, and the words and numbers that
// must be on the screen (ux.md rules 3, 4, 5, 9, 11; found faults C13-C22 and H37-H45).
#include <gtest/gtest.h>

#include <ostream>
#include <regex>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using Texts = std::vector<std::string>;

std::string object(const std::string& text) { return "---\n{" + text + "}\n"; }

/// A node of block `block`, rack `rack`; `more` goes into its allocatable.
std::string node(const std::string& block, const std::string& rack, const std::string& name,
                 const std::string& allocatable, const std::string& labels = "") {
  return object("apiVersion: v1, kind: Node, metadata: {name: " + name +
                ", labels: {block: " + block + ", rack: " + rack +
                ", kubernetes.io/hostname: " + name + labels + "}}, status: {allocatable: {" +
                allocatable + "}, conditions: [{type: Ready, status: 'True'}]}");
}

const std::string kLevels = object(
    "apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: t}, spec: {levels: "
    "[{nodeLabel: block}, {nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}");

std::string pod_template(const std::string& annotations, const std::string& requests,
                         const std::string& spec = "") {
  return "template: {metadata: {annotations: {" + annotations + "}}, spec: {restartPolicy: Never" +
         spec + ", containers: [{name: c, image: i, resources: {requests: {" + requests + "}}}]}}";
}

std::string job(const std::string& name, int pods, const std::string& annotations,
                const std::string& requests, const std::string& spec = "") {
  const std::string count = std::to_string(pods);
  return object("apiVersion: batch/v1, kind: Job, metadata: {" + name +
                ", namespace: ml}, spec: {parallelism: " + count + ", completions: " + count +
                ", suspend: true, " + pod_template(annotations, requests, spec) + "}");
}

std::string part(const std::string& name, int pods, const std::string& annotations,
                 const std::string& requests) {
  const std::string count = std::to_string(pods);
  return "{name: " + name + ", template: {spec: {parallelism: " + count +
         ", completions: " + count + ", " + pod_template(annotations, requests) + "}}}";
}

std::string jobset(const std::string& parts) {
  return object(
      "apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: w, namespace: ml}, "
      "spec: {suspend: true, replicatedJobs: [" +
      parts + "]}");
}

std::string bound_pod(const std::string& name, const std::string& node_name,
                      const std::string& requests, const std::string& metadata = "") {
  return object("apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml" +
                metadata + "}, spec: {nodeName: " + node_name +
                ", containers: [{name: c, image: i, resources: {requests: {" + requests +
                "}}}]}, status: {phase: Running}");
}

std::string required(const std::string& level) {
  return "kueue.x-k8s.io/podset-required-topology: " + level;
}
const std::string kGroup = required("rack") + ", kueue.x-k8s.io/podset-group-name: g";
const std::string kOneCpu = "cpu: '1'";

/// `count` hosts of one rack, 100 cpu and 4 GPUs each.
std::string rack(const std::string& block, const std::string& name, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) {
    out += node(block, name, name + "-" + std::to_string(i),
                "cpu: '100', pods: '110', nvidia.com/gpu: '4'");
  }
  return out;
}

struct Case {
  const char* name;
  std::string cluster, jobs;
  Texts arguments;  // without -C and -f
  Texts says;       // regular expressions, searched in stdout and stderr
  Texts lacks = {};

  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

const Case kCases[] = {
    // The pod set that binds.
    {"LeaderFirst",
     kLevels + rack("b1", "r1", 3),
     jobset(part("leader", 1, kGroup, kOneCpu) + ", " +
            part("workers", 4, kGroup, "nvidia.com/gpu: '4'")),
     {"schedule"},
     {"pod set workers: rack needs 4 hosts, largest has 3 beside pod set leader"},
     {"needs 1 "}},
    {"LeaderThatTakesAHostOfTheWorkers",
     kLevels + rack("b1", "r1", 4),
     jobset(part("leader", 1, kGroup, "nvidia.com/gpu: '4'") + ", " +
            part("workers", 4, kGroup, "nvidia.com/gpu: '4'")),
     {"schedule"},
     {"pod set workers: rack needs 4 hosts, largest has 3 beside pod set leader"}},
    {"LeaderThatFitsNowhere",
     kLevels + rack("b1", "r1", 4),
     jobset(part("leader", 1, kGroup, "cpu: '200'") + ", " +
            part("workers", 4, kGroup, "nvidia.com/gpu: '4'")),
     {"schedule"},
     {"rack needs 4 hosts, largest has 4, but no room beside them for pod set leader: a pod asks "
      "for 200 cpu, the largest node has 100"}},
    {"SlotsThatEarlierPodsTake",
     kLevels + node("b1", "r1", "n1", "cpu: '100', pods: '4'"),
     jobset(part("first", 3, required("kubernetes.io/hostname"), kOneCpu) + ", " +
            part("second", 3, required("kubernetes.io/hostname"), kOneCpu)),
     {"schedule"},
     {"pod set second: kubernetes.io/hostname needs 3 pods, largest has 1: pods run out|pod set "
      "second: "
      "host needs 3 pods, largest has 1: pods run out"}},
    {"RackThatEarlierPodsTake",
     kLevels + node("b1", "r1", "n1", "cpu: '4', pods: '110'") +
         node("b1", "r2", "n2", "cpu: '2', pods: '110'"),
     jobset(part("first", 3, required("rack"), kOneCpu) + ", " +
            part("second", 3, required("rack"), kOneCpu)),
     {"explain", "w"},
     {"\nrack +3 pods +r2 +2 +1 +2\n",
      "because   pod set second: rack needs 3 pods, largest has 2: cpu"}},
    // The level and the unit.
    {"SlicesThatDoNotAllFit",
     kLevels + rack("b1", "r1", 5),
     job("name: train", 8,
         "kueue.x-k8s.io/podset-slice-required-topology: block, "
         "kueue.x-k8s.io/podset-slice-size: '4'",
         "nvidia.com/gpu: '4'"),
     {"schedule"},
     {"cluster needs 2 slices of 4 hosts, has 1"}},
    {"SlicesInsideARack",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 6,
         required("rack") +
             ", kueue.x-k8s.io/podset-slice-required-topology: kubernetes.io/hostname, "
             "kueue.x-k8s.io/podset-slice-size: '2'",
         "cpu: '30'"),
     {"schedule"},
     {"rack needs 3 slices of 2 pods, largest has 2: cpu runs out"}},
    {"NoTopologyRequest",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 3, "", "cpu: '60'"),
     {"schedule"},
     {"cluster needs 3 hosts, has 2"},
     {"(rack|block) needs"}},
    {"PreferredNeverBinds",
     kLevels + rack("b1", "r1", 1) + rack("b1", "r2", 1),
     job("name: train", 3, "kueue.x-k8s.io/podset-preferred-topology: rack", "cpu: '60'"),
     {"schedule"},
     {"cluster needs 3 hosts, has 2"},
     {"(rack|block) needs"}},
    // The resource.
    {"EveryHostTakesAPodButTooFew",
     kLevels + rack("b1", "r1", 4),
     job("name: train", 16, required("rack"), "cpu: '40', nvidia.com/gpu: '1'"),
     {"schedule"},
     {"rack needs 16 pods, largest has 8: cpu runs out"}},
    {"EveryHostTakesOnePod",
     kLevels + rack("b1", "r1", 4),
     job("name: train", 8, required("rack"), "cpu: '60', nvidia.com/gpu: '1'"),
     {"explain", "train"},
     {"runs out  cpu first"}},
    {"ResourceThatNoNodeOffers",
     kLevels + rack("b1", "r1", 1),
     job("name: train", 1, "", "amd.com/gpu: '1'"),
     {"schedule"},
     {"cluster needs 1 pod, has 0: no node offers amd.com/gpu"}},
    {"PodLargerThanAnyHost",
     kLevels + rack("b1", "r1", 1),
     job("name: train", 1, "", "cpu: '101'"),
     {"schedule"},
     {"has 0: a pod asks for 101 cpu, the largest node has 100"}},
    // The numbers.
    {"ShortIsNeedLessHaveInANeverToo",
     kLevels + node("b1", "r1", "n1", "cpu: '8', pods: '110'") + bound_pod("p", "n1", "cpu: '8'"),
     job("name: train", 9, required("rack"), kOneCpu),
     {"explain", "train"},
     {"\nrack +9 pods +r1 +0 +9 +8\n"}},
    {"OneHostIsAHost",
     kLevels + node("b1", "r1", "n1", "cpu: '1', pods: '110'") + bound_pod("p", "n1", kOneCpu),
     job("name: train", 1, required("rack"), kOneCpu),
     {"explain", "train"},
     {"\nrack +1 host +r1 +0 +1 +1\n", "blocked by  pod/p  1 pod in r1"},
     {"\\b1 (hosts|pods|nodes)\\b"}},
    // Filters.
    {"SelectedNodeIsFull",
     kLevels + node("b1", "r1", "n1", "cpu: '1', pods: '110'", ", kind: x") +
         node("b1", "r1", "n2", "cpu: '1', pods: '110'") + bound_pod("p", "n1", kOneCpu),
     job("name: train", 1, "", kOneCpu, ", nodeSelector: {kind: x}"),
     {"schedule"},
     {"Waits .* TopologyFit: cluster needs 1 host, has 0"},
     {"every node"}},
    {"SelectedNodeIsTooSmall",
     kLevels + node("b1", "r1", "n1", "cpu: '1', pods: '110'", ", kind: x") +
         node("b1", "r1", "n2", "cpu: '8', pods: '110'"),
     job("name: train", 1, "", "cpu: '4'", ", nodeSelector: {kind: x}"),
     {"schedule"},
     {"NodeSelector: pod set main is kept out by its node selector on 1 of 2 nodes; 1 has too "
      "little cpu"}},
    {"NoNodeIsSelected",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 1, "", kOneCpu, ", nodeSelector: {kind: x}"),
     {"schedule"},
     {"NodeSelector: .* on 2 of 2 nodes"}},
    // Who holds the room.
    {"JobThatIsNotInTheInput",
     rack("b1", "r1", 1) +
         bound_pod("old-0", "r1-0", "nvidia.com/gpu: '4'",
                   ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: old, uid: u, "
                   "controller: true}]") +
         object("apiVersion: v1, kind: Pod, metadata: {name: web, namespace: ml}, spec: "
                "{containers: [{name: c, image: i, resources: {requests: {cpu: '1'}}}]}, status: "
                "{phase: Pending}"),
     job("name: train", 1, "", "nvidia.com/gpu: '4'"),
     {"explain", "train"},
     {"blocked by  job/old  1 pod", "\\(checked\\) job/old finishes"},
     {"blocked by.*web"}},
    {"PodThatTakesOtherThingsDoesNotBlock",
     rack("b1", "r1", 1) + bound_pod("gpus", "r1-0", "nvidia.com/gpu: '4'") +
         bound_pod("logs", "r1-0", kOneCpu),
     job("name: train", 1, "", "nvidia.com/gpu: '4'"),
     {"explain", "train"},
     {"blocked by  pod/gpus  1 pod"},
     {"blocked by.*\n.*pod/logs"}},
    // Equal names.
    {"RacksOfOneName",
     kLevels + node("east", "rack-1", "e1", "cpu: '4', pods: '110'") +
         node("west", "rack-1", "w1", "cpu: '4', pods: '110'"),
     job("name: a", 4, required("rack"), kOneCpu) + job("name: b", 4, required("rack"), kOneCpu) +
         job("name: c", 4, required("rack"), kOneCpu),
     {"schedule"},
     {"job/a .* east/rack-1: e1", "job/b .* west/rack-1: w1",
      "rack needs 4 pods, best east/rack-1 has 0"}},
    {"RacksOfOneNameOnTheMap",
     kLevels + node("east", "rack-1", "e1", "cpu: '4', pods: '110'") +
         node("west", "rack-1", "w1", "cpu: '4', pods: '110'"),
     "",
     {"rackmap"},
     {"\neast/rack-1 ", "\nwest/rack-1 "}},
    // First contact.
    {"GeneratedName",
     rack("b1", "r1", 1),
     job("generateName: train-", 1, "", kOneCpu) + job("generateName: train-", 1, "", kOneCpu),
     {"schedule"},
     {"job/train-\\S+ .*Placed", "2 placed"}},
    {"FlavorWithoutTopology",
     object("apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: plain}, "
            "spec: {nodeLabels: {block: b1}}") +
         rack("b1", "r1", 1),
     job("name: train", 2, "", "nvidia.com/gpu: '4'"),
     {"schedule"},
     {"note +ml/job/train: only quota was checked"}},
    {"NoNodes",
     object("apiVersion: v1, kind: Namespace, metadata: {name: ml}"),
     job("name: train", 1, required("rack"), kOneCpu),
     {"schedule"},
     {"the input has no nodes"},
     {"topology derived"}},
    {"FlavorWithAnError",
     object("apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: f}, spec: "
            "{nodeTaints: [{key: a, effect: Never}]}") +
         rack("b1", "r1", 1),
     job("name: train", 1, "", kOneCpu),
     {"schedule"},
     {"job/train .*ResourceFlavor f was refused with an error"},
     {"is not in the input"}},
    {"LayersFromFineToCoarse",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 8,
         required("block") +
             ", kueue.x-k8s.io/podset-slice-required-topology-constraints: '[{\"topology\": "
             "\"kubernetes.io/hostname\", \"size\": 4}, {\"topology\": \"rack\", \"size\": 2}]'",
         kOneCpu),
     {"validate"},
     {"error .*additional slice layer topology rack must be at a lower level"}},
    {"SliceAboveTheRequiredLevel",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 4,
         required("rack") + ", kueue.x-k8s.io/podset-slice-required-topology: block, "
                            "kueue.x-k8s.io/podset-slice-size: '2'",
         kOneCpu),
     {"validate"},
     {"error .*podset slice topology block is above the podset topology rack"}},
    {"SliceRemainderNamesItsField",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 7,
         "kueue.x-k8s.io/podset-slice-required-topology: rack, "
         "kueue.x-k8s.io/podset-slice-size: '2'",
         kOneCpu),
     {"schedule"},
     {"Invalid: kueue.x-k8s.io/podset-slice-size 2 does not divide 7 pods"}},
    {"SliceRemainderIsAnErrorOfValidate",
     kLevels + rack("b1", "r1", 2),
     job("name: train", 7,
         "kueue.x-k8s.io/podset-slice-required-topology: rack, "
         "kueue.x-k8s.io/podset-slice-size: '2'",
         kOneCpu),
     {"validate"},
     {"error .*podset-slice-size 2 does not divide 7 pods"}},
    {"EachHostCountsAsItself",
     node("b1", "c1", "s1", "nvidia.com/gpu: '4', pods: '110'", ", nvidia.com/gpu.clique: c1") +
         node("b1", "c2", "l1", "nvidia.com/gpu: '8', pods: '110'", ", nvidia.com/gpu.clique: c2"),
     "",
     {"topology", "show"},
     {"c1 +1 +1 +4 +4 +1 +0 +0 +0 +1\n", "c2 +1 +1 +8 +8 +1 +0 +0 +0 +1\n",
      "shape +all nvidia.com/gpu of a host"}},
    {"LevelOfTheSecondTopology",
     object("apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: a}, spec: "
            "{levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}") +
         object("apiVersion: kueue.x-k8s.io/v1beta2, kind: Topology, metadata: {name: b}, spec: "
                "{levels: [{nodeLabel: block}, {nodeLabel: kubernetes.io/hostname}]}") +
         object("apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: fa}, "
                "spec: {nodeLabels: {block: b1}, topologyName: a}") +
         object("apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: fb}, "
                "spec: {nodeLabels: {block: b1}, topologyName: b}") +
         rack("b1", "r1", 1),
     "",
     {"rackmap", "--level", "block"},
     {"\nb1 "},
     {"\nr1 "}},
};

class Refusal : public testing::TestWithParam<Case> {};

TEST_P(Refusal, SaysWhatBinds) {
  const Case& c = GetParam();
  const Scratch scratch;
  Texts arguments = c.arguments;
  arguments.insert(arguments.end(), {"-C", scratch.file("cluster.yaml", c.cluster)});
  if (!c.jobs.empty()) arguments.insert(arguments.end(), {"-f", scratch.file("jobs.yaml", c.jobs)});
  const Answer run = tessera(arguments);
  const std::string text = run.out + run.err;
  for (const std::string& words : c.says)
    EXPECT_TRUE(std::regex_search(text, std::regex(words))) << words << "\n" << text;
  for (const std::string& words : c.lacks)
    EXPECT_FALSE(std::regex_search(text, std::regex(words))) << words << "\n" << text;
}
INSTANTIATE_TEST_SUITE_P(Cases, Refusal, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(Explain, ListsOfNodesAreCappedUnlessWide) {
  std::string nodes = kLevels;
  for (int i = 0; i < 2000; ++i)
    nodes += node("b1", "r1", "ip-" + std::to_string(i) + ".internal", "cpu: '4', pods: '9'");
  const Scratch scratch;
  const std::string cluster = scratch.file("c.yaml", nodes);
  const std::string jobs = scratch.file("j.yaml", job("name: j", 1, required("rack"), "cpu: '8'"));
  const Answer capped = tessera({"explain", "j", "-C", cluster, "-f", jobs});
  EXPECT_LT(capped.out.size(), 4000u);
  EXPECT_TRUE(std::regex_search(capped.out, std::regex("2000 resource cpu: .* and 19\\d\\d more")))
      << capped.out;
  EXPECT_GT(tessera({"explain", "j", "-C", cluster, "-f", jobs, "-o", "wide"}).out.size(), 20000u);
}

TEST(Help, NamesACommandOnce) {
  for (const char* command : {"schedule", "explain", "rackmap", "validate", "simulate"}) {
    const std::string text = tessera({"help", command}).out;
    EXPECT_NE(text.find(std::string("Usage: tessera ") + command + " "), std::string::npos) << text;
    EXPECT_EQ(text.find(std::string(command) + " " + command), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tessera::app_test
