// SPDX-License-Identifier: Apache-2.0
// What gangs ask for adds no symbols without bound: texts that they ask of nodes add none, names of
// resources and levels no more than the budget.
#include <gtest/gtest.h>

#include "tests/ingest/objects/object_reading.h"

namespace tessera::test {
namespace {

struct NameCase {
  const char* name;
  const char* object;
  const char* field;  // whose name is one too many
};

const NameCase kNames[] = {
    {"Request",
     "kind: Pod\nmetadata: {name: p}\nspec: {containers: [{resources: {requests: {asked/1: 1}}}]}",
     "spec.containers[0].resources.requests[\"asked/1\"]"},
    {"Limit",
     "kind: Pod\nmetadata: {name: p}\nspec: {initContainers: [{resources: {limits: {asked/2: "
     "1}}}]}",
     "spec.initContainers[0].resources.limits[\"asked/2\"]"},
    {"OfTheWholePod", "kind: Pod\nmetadata: {name: p}\nspec: {resources: {requests: {asked/3: 1}}}",
     "spec.resources.requests[\"asked/3\"]"},
    {"Overhead", "kind: Pod\nmetadata: {name: p}\nspec: {overhead: {asked/4: 1}}",
     "spec.overhead[\"asked/4\"]"},
    {"RequiredLevel",
     "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{topologyRequest: {required: "
     "asked/5}}]}",
     "spec.podSets[0].topologyRequest.required"},
    {"PreferredLevel",
     "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{topologyRequest: {preferred: "
     "asked/6}}]}",
     "spec.podSets[0].topologyRequest.preferred"},
    {"SliceLevel",
     "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{topologyRequest: "
     "{podSetSliceRequiredTopology: asked/7, "
     "podSetSliceSize: 1}}]}",
     "spec.podSets[0].topologyRequest.podSetSliceRequiredTopology"},
    {"LayerLevel",
     "kind: Workload\nmetadata: {name: w}\nspec: {podSets: [{topologyRequest: "
     "{podsetSliceRequiredTopologyConstraints: "
     "[{topology: asked/8, size: 1}]}}]}",
     "spec.podSets[0].topologyRequest.podsetSliceRequiredTopologyConstraints[0].topology"},
    {"AnnotatedRequired",
     "kind: Pod\nspec: {}\nmetadata: {name: p, annotations: "
     "{kueue.x-k8s.io/podset-required-topology: "
     "asked/9}}",
     "metadata.annotations[\"kueue.x-k8s.io/podset-required-topology\"]"},
    {"AnnotatedPreferred",
     "kind: Pod\nspec: {}\nmetadata: {name: p, annotations: "
     "{kueue.x-k8s.io/podset-preferred-topology: "
     "asked/10}}",
     "metadata.annotations[\"kueue.x-k8s.io/podset-preferred-topology\"]"},
    {"AnnotatedSlices",
     "kind: Pod\nspec: {}\nmetadata: {name: p, annotations: "
     "{kueue.x-k8s.io/podset-slice-required-topology: "
     "asked/11, "
     "kueue.x-k8s.io/podset-slice-size: 1}}",
     "metadata.annotations[\"kueue.x-k8s.io/podset-slice-required-topology\"]"},
    {"AnnotatedLayers",
     "kind: Pod\nspec: {}\nmetadata: {name: p, annotations: "
     "{kueue.x-k8s.io/podset-slice-required-topology-"
     "constraints: '[{\"topology\":\"asked/12\",\"size\":1}]'}}",
     "metadata.annotations[\"kueue.x-k8s.io/podset-slice-required-topology-constraints\"][0]."
     "topology"},
};

TEST(AskedNames, OneTooManyIsRefusedWithItsField) {
  for (const NameCase& c : kNames) {
    SCOPED_TRACE(c.name);
    topology::NameBudget none(0), one(1);
    read_objects(c.object, &none);  // interns the names that the readers look for
    const std::size_t before = topology::Symbol::count();
    const ingest::ReadContext refused = read_objects(c.object, &none);
    EXPECT_NE(findings(refused.errors).find(std::string(c.field) + ": nothing in the cluster has"),
              std::string::npos)
        << findings(refused.errors);
    EXPECT_EQ(refused.errors.size(), 1U);
    EXPECT_TRUE(refused.pods.empty());
    EXPECT_TRUE(refused.workload_objects.empty());
    EXPECT_EQ(topology::Symbol::count(), before);

    EXPECT_EQ(findings(read_objects(c.object, &one).errors), "");
    EXPECT_EQ(topology::Symbol::count(), before + 1);
    EXPECT_EQ(findings(read_objects(c.object, &none).errors), "") << "the name is known now";
  }
}

TEST(AskedNames, TextsThatAreAskedOfNodesAddNoSymbol) {
  constexpr const char* kObjects = R"(
kind: Pod
metadata: {name: p}
spec:
  nodeSelector: {asked-key-1: asked-1}
  tolerations: [{key: asked-key-2, value: asked-2, effect: NoSchedule}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: [{key: asked-key-3, operator: In, values: [asked-3]}]
          matchFields: [{key: metadata.name, operator: In, values: [asked-node-1]}]
      preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 1
        preference: {matchExpressions: [{key: asked-key-4, operator: NotIn, values: [asked-4]}]}
---
kind: Pod
metadata: {name: bound, labels: {kai.scheduler/queue: asked-queue}}
spec: {nodeName: asked-node-2}
)";
  read_objects("kind: Pod\nmetadata: {name: p}\nspec: {}");  // interns what the readers look for
  const std::size_t before = topology::Symbol::count();
  const ingest::ReadContext context = read_objects(kObjects);
  EXPECT_EQ(findings(context.errors), "");
  ASSERT_EQ(context.pods.size(), 2U);
  EXPECT_EQ(context.pods[0].gang->gang.pod_sets[0].filter.node_selector[0].second.view(),
            "asked-1");
  EXPECT_EQ(context.pods[1].record.node.view(), "asked-node-2");
  EXPECT_EQ(topology::Symbol::count(), before);
}

}  // namespace
}  // namespace tessera::test
