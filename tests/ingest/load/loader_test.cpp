// SPDX-License-Identifier: Apache-2.0
// What a Loader makes of objects as such: identity, versions, lists, watch events, unknown kinds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "ingest/load/load.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string node(const std::string& name, const std::string& cpu) {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name +
         ", labels: {kubernetes.io/hostname: " + name + "}}\nstatus:\n  allocatable: {cpu: " + cpu +
         ", pods: '110'}\n  conditions: [{type: Ready, status: 'True'}]\n";
}

std::string nodes_and_cpu(const core::Inventory& inventory) {
  std::string text;
  for (const topology::NodeRecord& node : inventory.nodes) {
    text += node.name.str() + "=" + std::to_string(node.allocatable.get(topology::cpu_resource())) +
            " ";
  }
  return text;
}

struct DocumentCase {
  const char* name;
  std::string text;
  const char* nodes;     // name and milli-cpu of each
  const char* errors;    // texts, a line each
  const char* warnings;  // the same, the derived topology left aside
};

void PrintTo(const DocumentCase& tested, std::ostream* out) { *out << tested.name; }

const DocumentCase kDocuments[] = {
    {"LaterOfTwoWins", node("a", "8") + "---\n" + node("a", "4"), "a=4000 ", "",
     "state.yaml:8:1: Node a: stands in the input twice: this one is used, not that of "
     "state.yaml:1\n"},
    {"NodesInAnyOrderAreSorted", node("b", "1") + "---\n" + node("a", "2"), "a=2000 b=1000 ", "",
     ""},
    {"BadQuantityLeavesOnlyThatNodeOut", node("a", "8") + "---\n" + node("b", "4x"), "a=8000 ",
     "state.yaml:12:17: Node b: status.allocatable[\"cpu\"]: \"4x\" is not a quantity\n", ""},
    {"NegativeQuantity", node("a", "-1"), "",
     "state.yaml:5:17: Node a: status.allocatable[\"cpu\"]: \"-1\" is negative\n", ""},
    {"LabelsAsList", "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  labels: [x, y]\n", "",
     "state.yaml:5:3: Node a: metadata.labels: must be a map, is a list\n", ""},
    {"KindMissing", "metadata: {name: x}\n", "", "state.yaml:1:1: kind: is missing\n", ""},
    {"ApiVersionMissing", "kind: Node\nmetadata: {name: x}\n", "",
     "state.yaml:1:1: apiVersion: is missing\n", ""},
    {"NameMissing", "apiVersion: v1\nkind: Node\nmetadata: {labels: {a: b}}\n", "",
     "state.yaml:3:1: Node: metadata.name: is missing\n", ""},
    {"ItemsOfTypedListLackKind",
     R"({"kind":"NodeList","apiVersion":"v1","items":[{"metadata":{"name":"a"},)"
     R"("status":{"allocatable":{"cpu":"2","pods":"9"}}}]})",
     "a=2000 ", "", ""},
    {"ItemsOfListKeepTheirOwnKind",
     R"({"apiVersion":"v1","items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},)"
     R"("status":{"allocatable":{"cpu":"2","pods":"9"}}}],"kind":"List"})",
     "a=2000 ", "", ""},
    {"WatchEventsApplyInOrder",
     R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"}}})"
     R"({"type":"ADDED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}})"
     R"({"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"a"},)"
     R"("status":{"allocatable":{"cpu":"3","pods":"9"}}}})"
     R"({"type":"DELETED","object":{"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}}})"
     R"({"type":"BOOKMARK","object":{"apiVersion":"v1","kind":"Node"}})",
     "a=3000 ", "", ""},
    {"UnknownWatchEvent", R"({"type":"ADED","object":{"kind":"Node"}})", "",
     "state.yaml:1:9: type: \"ADED\" is no watch event (right: ADDED, MODIFIED, DELETED, "
     "BOOKMARK)\n",
     ""},
    {"UnknownKindsAreCountedInOneWarning",
     "apiVersion: apps/v1\nkind: ReplicaSet\n---\napiVersion: apps/v1\nkind: ReplicaSet\n---\n"
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQeue\n",
     "", "",
     "skipped 3 objects of kinds that are not read: 2 apps/v1 ReplicaSet, 1 "
     "kueue.x-k8s.io/v1beta2 ClusterQeue (did you mean \"ClusterQueue\"?)\n"},
    {"UnknownVersionOfKnownKind",
     "apiVersion: kueue.x-k8s.io/v1alpha1\nkind: ClusterQueue\nmetadata: {name: q}\n", "",
     "state.yaml:1:13: apiVersion: \"kueue.x-k8s.io/v1alpha1\" is not a known version of "
     "ClusterQueue (right: kueue.x-k8s.io/v1beta1, kueue.x-k8s.io/v1beta2)\n",
     ""},
};

class Documents : public ::testing::TestWithParam<DocumentCase> {};

TEST_P(Documents, GiveTheExpectedNodesAndFindings) {
  const ingest::Loaded loaded = load(GetParam().text);
  std::vector<Error> warnings;
  for (const Error& warning : loaded.warnings) {
    if (warning.message.find("is derived") == std::string::npos) warnings.push_back(warning);
  }
  EXPECT_EQ(nodes_and_cpu(loaded.inventory), GetParam().nodes);
  EXPECT_EQ(texts(loaded.errors), GetParam().errors);
  EXPECT_EQ(texts(warnings), GetParam().warnings);
}

INSTANTIATE_TEST_SUITE_P(Loader, Documents, ::testing::ValuesIn(kDocuments),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Loader, NamesBothFilesOfAnObjectThatStandsInTwo) {
  const ingest::Loaded loaded = load(node("a", "8"), node("a", "4"));
  EXPECT_THAT(texts(loaded.warnings), HasSubstr("request.yaml:1:1: Node a: stands in the input "
                                                "twice: this one is used, not that of "
                                                "state.yaml:1"));
}

TEST(Loader, SeesOneObjectInTwoVersionsOfTheApi) {
  const std::string spec = "kind: Topology\nmetadata: {name: t}\nspec: {levels: [{nodeLabel: ";
  const ingest::Loaded loaded =
      load("apiVersion: kueue.x-k8s.io/v1alpha1\n" + spec + "a}]}\n---\n" +
           "apiVersion: kueue.x-k8s.io/v1beta2\n" + spec + "b}]}\n");
  ASSERT_EQ(loaded.inventory.topologies.size(), 1u);
  EXPECT_EQ(levels_text(loaded.inventory.topologies[0]), "b");
}

TEST(Loader, KeepsObjectsOfOneListApartByKind) {
  const std::string body =
      "metadata: {name: x}\nspec: {replicatedJobs: [], template: {spec: "
      "{containers: [{name: c}]}}}\n";
  const ingest::Loaded loaded = load("apiVersion: batch/v1\nkind: Job\n" + body + "---\n" +
                                     "apiVersion: batch/v1\nkind: Job\n" + body + "---\n" +
                                     "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\n" + body);
  std::string names;
  for (const core::Workload& one : loaded.inventory.workloads) names += one.name + " ";
  EXPECT_THAT(names, HasSubstr("job-x"));
  EXPECT_EQ(names.find("job-x"), names.rfind("job-x"));
}

TEST(Loader, SaysThatThereAreNoQueuesButOnlyIfSo) {
  const std::string queue =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q}\n"
      "spec: {clusterQueue: c}\n";
  EXPECT_EQ(load(node("a", "1")).notes, std::vector<std::string>{"no queues in the input"});
  EXPECT_FALSE(load(node("a", "1")).inventory.has_queues);
  EXPECT_THAT(load(queue).notes, IsEmpty());
  EXPECT_TRUE(load(queue).inventory.has_queues);
}

TEST(Loader, IsEmptyAfterFinish) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.read_text(node("a", "1"), "f", ingest::Role::kState);
  EXPECT_EQ(loader.finish().objects, 1);
  const ingest::Loaded again = loader.finish();
  EXPECT_EQ(again.objects, 0);
  EXPECT_THAT(again.inventory.nodes, IsEmpty());
}

TEST(Loader, ReportsAFileThatIsNotThere) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  loader.read_path("/nowhere/cluster.yaml", ingest::Role::kState);
  const ingest::Loaded loaded = loader.finish();
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_EQ(loaded.errors[0].code, ErrorCode::kNotFound);
}

TEST(Loader, DerivesATopologyOnlyWithoutAnyOther) {
  const std::string topology =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\n"
      "spec: {levels: [{nodeLabel: kubernetes.io/hostname}]}\n";
  const ingest::Loaded derived = load(node("a", "1"));
  ASSERT_EQ(derived.inventory.topologies.size(), 1u);
  EXPECT_TRUE(derived.inventory.topologies[0].derived);
  EXPECT_THAT(texts(derived.warnings), HasSubstr("kubernetes.io/hostname"));

  const ingest::Loaded named = load(node("a", "1") + "---\n" + topology);
  ASSERT_EQ(named.inventory.topologies.size(), 1u);
  EXPECT_FALSE(named.inventory.topologies[0].derived);

  config::Settings settings = config::built_in_settings();
  topology::TopologySpec configured;
  configured.name = "c";
  configured.levels.push_back({topology::hostname_label(), "", ""});
  settings.topologies.push_back(configured);
  ingest::Loader loader(settings);
  loader.read_text(node("a", "1"), "f", ingest::Role::kState);
  const ingest::Loaded with_settings = loader.finish();
  ASSERT_EQ(with_settings.inventory.topologies.size(), 1u);
  EXPECT_EQ(with_settings.inventory.topologies[0].name, "c");
}

// Which object wins, and what is said of the other, hangs on their order.
TEST(Loader, LoadsTheSameHoweverTheTextIsCut) {
  const std::string text = "{\"apiVersion\":\"v1\",\"items\":[\n" +
                           std::string(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"b"}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":"a","labels":{"x":"1"}}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":"b","labels":{"x":"2"}}},
{"apiVersion":"v1","kind":"Node","metadata":{"name":7}},
{"apiVersion":"v1","kind":"Gadget","metadata":{"name":"g"}},
{"kind":"Node","metadata":{"name":"c"}}],"kind":"List"})");
  const auto loaded_text = [&](const reader::Cutting& cutting) {
    const config::Settings settings = config::built_in_settings();
    ingest::Loader loader(settings, cutting);
    loader.read_text(text, "f", ingest::Role::kState);
    const ingest::Loaded loaded = loader.finish();
    std::string all = texts(loaded.errors) + texts(loaded.warnings);
    for (const topology::NodeRecord& node : loaded.inventory.nodes) {
      all += node.name.str();
      for (const auto& [key, value] : node.labels) all += " " + key.str() + "=" + value.str();
      all += "\n";
    }
    return all;
  };
  const std::string expected = loaded_text({});
  EXPECT_THAT(expected, HasSubstr("stands in the input twice"));
  EXPECT_THAT(expected, HasSubstr("a x=1\nb x=2\n"));
  EXPECT_EQ(loaded_text({0, 1, 1}), expected);
  EXPECT_EQ(loaded_text({0, 1, 3}), expected);
}

TEST(Loader, TakesNoDerivedTopologyInPlaceOfABrokenOne) {
  const ingest::Loaded loaded =
      load(node("a", "1") +
           "---\napiVersion: kueue.x-k8s.io/v1beta2\nkind: Topology\nmetadata: {name: t}\n"
           "spec: {levels: []}\n");
  EXPECT_THAT(loaded.inventory.topologies, IsEmpty());
  EXPECT_EQ(texts(loaded.errors),
            "state.yaml:11:8: Topology t: spec.levels: has 0 levels (right: 1..16)\n");
}

}  // namespace
}  // namespace tessera::test
