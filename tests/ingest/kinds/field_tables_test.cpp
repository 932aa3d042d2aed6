// SPDX-License-Identifier: Apache-2.0
// Fields that no version of a kind has, each with its place and the nearest right name; and no word
// about the fields that there are, whether they matter for placement or not.
#include "ingest/kinds/field_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "ingest/kinds/registry.h"
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string job(const std::string& spec, const std::string& pod_spec,
                const std::string& metadata = "") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a" + metadata +
         "}\nspec: {parallelism: 1" + spec + ", template: {spec: {containers: [{name: c}]" +
         pod_spec + "}}}\n";
}

std::string kind(const std::string& type, const std::string& rest) {
  return type + "\nmetadata: {name: a}\n" + rest + "\n";
}

const std::string kWorkload = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload";
const std::string kJobSet = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet";

/// The warnings about keys, a line each.
std::string unknown_keys(const std::string& objects) {
  std::string lines;
  for (const Error& warning : load("", objects).warnings) {
    const bool about_keys = warning.message.find("unknown key") != std::string::npos;
    if (about_keys) lines += warning.where.field + ": " + warning.message + "\n";
  }
  return lines;
}

struct UnknownCase {
  const char* name;
  std::string object;
  const char* warnings;
};
const UnknownCase kUnknown[] = {
    {"of a job", job(", suspnd: true", ""),
     "spec.suspnd: unknown key (did you mean \"suspend\"?)\n"},
    {"unlike any other", job(", colour: red", ""), "spec.colour: unknown key\n"},
    {"of a pod spec", job("", ", nodeSelectr: {disk: ssd}"),
     "spec.template.spec.nodeSelectr: unknown key (did you mean \"nodeSelector\"?)\n"},
    {"at the wrong place", job(", nodeSelector: {disk: ssd}", ""),
     "spec.nodeSelector: unknown key\n"},
    {"in a list", job("", ", tolerations: [{key: a}, {operatr: Exists}]"),
     "spec.template.spec.tolerations[1].operatr: unknown key (did you mean \"operator\"?)\n"},
    {"of a container", job("", ", initContainers: [{name: i, resources: {request: {cpu: 1}}}]"),
     "spec.template.spec.initContainers[0].resources.request: unknown key (did you mean "
     "\"requests\"?)\n"},
    {"of metadata", job("", "", ", lables: {a: b}"),
     "metadata.lables: unknown key (did you mean \"labels\"?)\n"},
    {"beside spec", job("", "") + "stauts: {}\n",
     "stauts: unknown key (did you mean \"status\"?)\n"},
    {"in another case", job(", Suspend: true", ""),
     "spec.Suspend: unknown key (did you mean \"suspend\"?)\n"},
    {"without a value", job(", suspnd: null", ""),
     "spec.suspnd: unknown key (did you mean \"suspend\"?)\n"},
    {"of a pod", kind("apiVersion: v1\nkind: Pod", "spec: {containers: [{name: c}], nodename: x}"),
     "spec.nodename: unknown key (did you mean \"nodeName\"?)\n"},
    {"of a node", kind("apiVersion: v1\nkind: Node", "spec: {unschedulabel: true}"),
     "spec.unschedulabel: unknown key (did you mean \"unschedulable\"?)\n"},
    {"of a JobSet",
     kind(kJobSet,
          "spec: {replicatedJobs: [{name: w, replica: 2, template: {spec: {paralelism: 2, "
          "template: {spec: {containers: [{name: c}]}}}}}]}"),
     "spec.replicatedJobs[0].replica: unknown key (did you mean \"replicas\"?)\n"
     "spec.replicatedJobs[0].template.spec.paralelism: unknown key (did you mean "
     "\"parallelism\"?)\n"},
    {"of a Workload",
     kind(kWorkload,
          "spec: {queueNam: q, podSets: [{name: m, cuont: 2, topologyRequest: {require: rack}, "
          "template: {spec: {containers: [{name: c}]}}}]}"),
     "spec.queueNam: unknown key (did you mean \"queueName\"?)\n"
     "spec.podSets[0].cuont: unknown key (did you mean \"count\"?)\n"
     "spec.podSets[0].topologyRequest.require: unknown key (did you mean \"required\"?)\n"},
    {"of a priority class",
     kind("apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass", "value: 1\nglobalDefalt: true"),
     "globalDefalt: unknown key (did you mean \"globalDefault\"?)\n"},
};

TEST(UnknownFields, AreNamedWithTheNearestRightName) {
  for (const UnknownCase& c : kUnknown) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(unknown_keys(c.object), c.warnings);
  }
}

const UnknownCase kRight[] = {
    {"of a job that placement does not need",
     job(", suspend: true, completionMode: Indexed, completions: 1, backoffLimit: 2, "
         "ttlSecondsAfterFinished: 60, podReplacementPolicy: Failed, activeDeadlineSeconds: 600, "
         "managedBy: x/y, backoffLimitPerIndex: 1, maxFailedIndexes: 1, manualSelector: true, "
         "selector: {matchLabels: {a: b}}, podFailurePolicy: {rules: [{action: x}]}, "
         "successPolicy: {rules: []}",
         ", restartPolicy: Never, terminationGracePeriodSeconds: 30, serviceAccountName: t, "
         "dnsPolicy: ClusterFirst, securityContext: {runAsUser: 1, x: 2}, "
         "imagePullSecrets: [{name: s}], volumes: [{name: v, emptyDir: {}}], "
         "enableServiceLinks: false, hostNetwork: true, os: {name: linux}, shareProcessNamespace: "
         "true, hostUsers: false, resources: {limits: {cpu: 1}}, readinessGates: []",
         ", uid: u, resourceVersion: '7', generation: 1, managedFields: [{manager: kubectl, x: "
         "y}], "
         "finalizers: [a/b], labels: {any: thing}, annotations: {any: thing}, selfLink: x, "
         "deletionGracePeriodSeconds: 3"),
     ""},
    {"of a container",
     job("",
         ", ephemeralContainers: [{whatever: 1}], initContainers: [{name: c, image: i, command: "
         "[a], args: [b], env: [{name: a, value: b}], envFrom: [], workingDir: /, ports: "
         "[{containerPort: 1, hostIP: '::', name: x, protocol: TCP}], resources: {claims: "
         "[{name: g, request: r}]}, volumeMounts: [{name: v, mountPath: /}], volumeDevices: [], "
         "livenessProbe: {x: y}, readinessProbe: {}, startupProbe: {}, lifecycle: {}, "
         "terminationMessagePath: /x, terminationMessagePolicy: File, imagePullPolicy: Always, "
         "securityContext: {x: y}, stdin: true, stdinOnce: true, tty: true, resizePolicy: [], "
         "restartPolicy: Always, restartPolicyRules: []}]"),
     ""},
    {"of affinities and spreading",
     job("",
         ", affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
         "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In, values: [b]}], "
         "matchFields: [{key: metadata.name, operator: In, values: [n]}]}]}, "
         "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, preference: "
         "{matchExpressions: [{key: a, operator: Exists}]}}]}, podAntiAffinity: "
         "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: t, namespaces: [a], "
         "labelSelector: {matchLabels: {a: b}}, namespaceSelector: {}, matchLabelKeys: [x], "
         "mismatchLabelKeys: [y]}]}}, topologySpreadConstraints: [{maxSkew: 1, topologyKey: t, "
         "whenUnsatisfiable: DoNotSchedule, minDomains: 1, nodeAffinityPolicy: Honor, "
         "nodeTaintsPolicy: Honor, matchLabelKeys: [x], labelSelector: {}}], "
         "resourceClaims: [{name: g, resourceClaimTemplateName: t}]"),
     ""},
    {"of a JobSet",
     kind(kJobSet,
          "spec: {network: {enableDNSHostnames: true}, successPolicy: {operator: All}, "
          "failurePolicy: {maxRestarts: 3}, startupPolicy: {startupPolicyOrder: InOrder}, suspend: "
          "true, coordinator: {replicatedJob: w}, managedBy: x/y, ttlSecondsAfterFinished: 1, "
          "replicatedJobs: [{name: w, groupName: g, dependsOn: [{name: v, status: Ready}], "
          "replicas: 1, template: {metadata: {labels: {a: b}}, spec: {parallelism: 1, template: "
          "{metadata: {annotations: {a: b}}, spec: {containers: [{name: c}]}}}}}]}"),
     ""},
    {"of a Workload, with one of a later version",
     kind(kWorkload,
          "spec: {queueName: q, priority: 1, active: true, maximumExecutionTimeSeconds: 1, "
          "priorityClassRef: {group: g, kind: k, name: n}, somethingNew: {x: y}, podSets: [{name: "
          "m, count: 2, minCount: 1, topologyRequest: {required: r, podIndexLabel: i, "
          "subGroupIndexLabel: s, subGroupCount: 1, entirelyNew: 1}, template: {metadata: "
          "{annotations: {a: b}}, spec: {containers: [{name: c}]}}}]}\nstatus: {anything: 1}"),
     ""},
    {"that a server gave out and no table knows",
     job(", colour: red", "", ", resourceVersion: '7'"), ""},
    {"of a Node, a Namespace, a RuntimeClass",
     kind("apiVersion: v1\nkind: Node",
          "spec: {podCIDR: a, podCIDRs: [a], providerID: p, taints: [{key: a, value: b, effect: "
          "NoSchedule, timeAdded: '2026-01-01T00:00:00Z'}]}\nstatus: {anything: 1}") +
         "---\n" +
         kind("apiVersion: v1\nkind: Namespace",
              "spec: {finalizers: [kubernetes]}\nstatus: {phase: Active}") +
         "---\n" +
         kind(
             "apiVersion: node.k8s.io/v1\nkind: RuntimeClass",
             "handler: h\noverhead: {podFixed: {cpu: 1}}\nscheduling: {nodeSelector: {a: b}, "
             "tolerations: [{key: a, operator: Exists, effect: NoExecute, tolerationSeconds: 1}]}"),
     ""},
};

TEST(UnknownFields, AreNoneOfThoseThatTheKindHas) {
  for (const UnknownCase& c : kRight) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(unknown_keys(c.object), c.warnings);
  }
}

TEST(UnknownFields, OfManyObjectsAreCountedBehindTheThird) {
  std::string objects;
  for (int i = 0; i < 10; ++i) {
    objects += "---\napiVersion: v1\nkind: Node\nmetadata: {name: n" + std::to_string(i) +
               "}\nspec: {unschedulabel: true}\n";
  }
  const std::string lines = texts(load(objects).warnings);
  EXPECT_THAT(lines, HasSubstr("Node n2: spec.unschedulabel"));
  EXPECT_THAT(lines, Not(HasSubstr("Node n3: spec.unschedulabel")));
  EXPECT_THAT(lines, HasSubstr("Node spec.unschedulabel: unknown key 7 more times"));
}

/// Each field once, and only words: a bracket too few would hang fields on the wrong map.
void expect_well_formed(const ingest::FieldTree& tree) {
  const std::vector<std::string> names = tree.names();
  EXPECT_THAT(names, Not(IsEmpty()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i].find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
              std::string::npos)
        << names[i];
    EXPECT_TRUE(i == 0 || names[i - 1] != names[i]) << names[i];
  }
  for (const auto& field : tree.fields()) {
    if (field.below) expect_well_formed(*field.below);
  }
}

TEST(FieldTables, EveryKindThatIsReadHasAWellFormedTable) {
  for (const ingest::KindReader& reader : ingest::known_kinds()) {
    SCOPED_TRACE(reader.kind);
    ASSERT_NE(reader.fields, nullptr);
    expect_well_formed(*reader.fields);
    EXPECT_THAT(reader.fields->names(),
                ::testing::IsSupersetOf({"apiVersion", "kind", "metadata", "status"}));
  }
}

}  // namespace
}  // namespace tessera::test
