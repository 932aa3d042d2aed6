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
    {"of a Workload, unlike any other",
     kind(kWorkload,
          "spec: {colour: red, podSets: [{name: m, template: {spec: {containers: [{name: c}]}}}]}"),
     "spec.colour: unknown key\n"},
    {"of an admission",
     kind(kWorkload,
          "spec: {podSets: [{name: m, template: {spec: {containers: [{name: c}]}}}]}\nstatus: "
          "{admission: {clusterQueue: q, podSetAssignments: [{name: m, cuont: 1, "
          "topologyAssignment: {levels: [h], slices: [{domainCont: 1}]}}]}}"),
     "status.admission.podSetAssignments[0].cuont: unknown key (did you mean \"count\"?)\n"
     "status.admission.podSetAssignments[0].topologyAssignment.slices[0].domainCont: unknown key "
     "(did you mean \"domainCount\"?)\n"},
    {"of a node's status", kind("apiVersion: v1\nkind: Node", "status: {alocatable: {cpu: 1}}"),
     "status.alocatable: unknown key (did you mean \"allocatable\"?)\n"},
    {"of a condition",
     kind("apiVersion: v1\nkind: Node", "status: {conditions: [{tpye: Ready, status: 'True'}]}"),
     "status.conditions[0].tpye: unknown key (did you mean \"type\"?)\n"},
    {"of a volume and a probe",
     job("",
         ", volumes: [{name: v, emptyDir: {sizeLimt: 1Gi}}], initContainers: [{name: i, "
         "startupProbe: {httpGet: {prt: 1}}}]"),
     "spec.template.spec.volumes[0].emptyDir.sizeLimt: unknown key (did you mean "
     "\"sizeLimit\"?)\n"
     "spec.template.spec.initContainers[0].startupProbe.httpGet.prt: unknown key (did you mean "
     "\"port\"?)\n"},
    {"of the environment",
     job("",
         ", initContainers: [{name: i, env: [{name: a, valeu: b}, {name: c, valueFrom: "
         "{fieldRef: {path: x}}}]}]"),
     "spec.template.spec.initContainers[0].env[0].valeu: unknown key (did you mean \"value\"?)\n"
     "spec.template.spec.initContainers[0].env[1].valueFrom.fieldRef.path: unknown key\n"},
    {"of a flavor's taint and toleration",
     kind("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor",
          "spec: {nodeTaints: [{key: a, effect: NoSchedule, vlaue: b}], tolerations: [{key: a, "
          "operater: Exists}]}"),
     "spec.nodeTaints[0].vlaue: unknown key (did you mean \"value\"?)\n"
     "spec.tolerations[0].operater: unknown key (did you mean \"operator\"?)\n"},
    {"of a queue",
     kind("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue",
          "spec: {namespaceSelector: {matchExpression: []}, preemption: {borrowWithinCohort: "
          "{policies: Never}}, resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, "
          "resources: [{name: cpu, nominalQuota: 1, borowingLimit: 1}]}]}]}"),
     "spec.namespaceSelector.matchExpression: unknown key (did you mean \"matchExpressions\"?)\n"
     "spec.preemption.borrowWithinCohort.policies: unknown key\n"
     "spec.resourceGroups[0].flavors[0].resources[0].borowingLimit: unknown key (did you mean "
     "\"borrowingLimit\"?)\n"},
    {"of a check, a limit range and KAI's queue",
     kind("apiVersion: kueue.x-k8s.io/v1beta2\nkind: AdmissionCheck",
          "spec: {controllerName: c, parameters: {nam: x}}") +
         "---\n" +
         kind("apiVersion: v1\nkind: LimitRange",
              "spec: {limits: [{type: Container, defaultRequests: {cpu: 1}}]}") +
         "---\n" +
         kind("apiVersion: scheduling.run.ai/v2\nkind: Queue",
              "spec: {resources: {cpu: {qota: 1}, gpu: {}, memory: {}}}"),
     "spec.parameters.nam: unknown key (did you mean \"name\"?)\n"
     "spec.limits[0].defaultRequests: unknown key (did you mean \"defaultRequest\"?)\n"
     "spec.resources.cpu.qota: unknown key (did you mean \"quota\"?)\n"},
    {"beside a fault of the metadata",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, uid: 7}\nspec: {suspnd: true}\n",
     "spec.suspnd: unknown key (did you mean \"suspend\"?)\n"},
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
         "selector: {matchLabels: {a: b}}, podFailurePolicy: {rules: [{action: x, onExitCodes: "
         "{operator: In, values: [1]}}]}, "
         "successPolicy: {rules: []}",
         ", restartPolicy: Never, terminationGracePeriodSeconds: 30, serviceAccountName: t, "
         "dnsPolicy: ClusterFirst, securityContext: {runAsUser: 1}, "
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
         ", ephemeralContainers: [{targetContainerName: c}], initContainers: [{name: c, image: i, "
         "command: "
         "[a], args: [b], env: [{name: a, value: b}], envFrom: [], workingDir: /, ports: "
         "[{containerPort: 1, hostIP: '::', name: x, protocol: TCP}], resources: {claims: "
         "[{name: g, request: r}]}, volumeMounts: [{name: v, mountPath: /}], volumeDevices: [], "
         "livenessProbe: {httpGet: {port: 1}}, readinessProbe: {}, startupProbe: {}, lifecycle: "
         "{}, "
         "terminationMessagePath: /x, terminationMessagePolicy: File, imagePullPolicy: Always, "
         "securityContext: {capabilities: {add: [A]}}, stdin: true, stdinOnce: true, tty: true, "
         "resizePolicy: [], "
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
    {"of a Workload",
     kind(kWorkload,
          "spec: {queueName: q, priority: 1, active: true, maximumExecutionTimeSeconds: 1, "
          "priorityClassRef: {group: g, kind: k, name: n}, preemptionGates: [{name: g}], podSets: "
          "[{name: m, count: 2, minCount: 1, topologyRequest: {required: r, podIndexLabel: i, "
          "subGroupIndexLabel: s, subGroupCount: 1}, template: {metadata: {annotations: {a: b}}, "
          "spec: {containers: [{name: c}]}}}]}\nstatus: {admissionChecks: [{name: c, state: Ready, "
          "podSetUpdates: [{name: m, labels: {a: b}}]}], unhealthyNodes: [{name: n}], "
          "schedulingStats: {evictions: [{reason: r, underlyingCause: u, count: 1}]}}"),
     ""},
    {"of a Workload of a later version that a server gave out",
     "apiVersion: kueue.x-k8s.io/v1beta2\nkind: Workload\nmetadata: {name: a, resourceVersion: "
     "'7'}\nspec: {somethingNew: {x: y}, podSets: [{name: m, entirelyNew: 1, template: {spec: "
     "{containers: [{name: c}]}}}]}\n",
     ""},
    {"that a server gave out and no table knows",
     job(", colour: red", "", ", resourceVersion: '7'"), ""},
    {"of a Node, a Namespace, a RuntimeClass",
     kind("apiVersion: v1\nkind: Node",
          "spec: {podCIDR: a, podCIDRs: [a], providerID: p, taints: [{key: a, value: b, effect: "
          "NoSchedule, timeAdded: '2026-01-01T00:00:00Z'}]}\nstatus: {images: [{names: [i], "
          "sizeBytes: 1}], nodeInfo: {osImage: o}, daemonEndpoints: {kubeletEndpoint: {Port: "
          "1}}}") +
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

struct NamesCase {
  const char* name;
  std::string object;
  const char* faults;  // the fields at fault, a line each
};
const NamesCase kNames[] = {
    {"right ones",
     job("", "",
         ", labels: {a.b/C_d.e-f: X-1_y.z, g: ''}, annotations: {Upper.Prefix/k: 'any: text'}"),
     ""},
    {"a label's value", job("", "", ", labels: {a: 'b c'}"), "metadata.labels[\"a\"]\n"},
    {"a long value", job("", "", ", labels: {a: " + std::string(64, 'x') + "}"),
     "metadata.labels[\"a\"]\n"},
    {"a label's key", job("", "", ", labels: {'a b': c, 'x/y/z': c, Up.per/k: c}"),
     "metadata.labels[\"a b\"]\nmetadata.labels[\"x/y/z\"]\nmetadata.labels[\"Up.per/k\"]\n"},
    {"an annotation's key", job("", "", ", annotations: {'-a': b}"),
     "metadata.annotations[\"-a\"]\n"},
    {"a node selector", job("", ", nodeSelector: {disk: 's s d'}"),
     "spec.template.spec.nodeSelector[\"disk\"]\n"},
    {"a node", "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {rack: 'a/b'}}\n",
     "metadata.labels[\"rack\"]\n"},
    {"labels of the template",
     "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec: {template: {metadata: {labels: "
     "{a: '-'}}, spec: {containers: [{name: c}]}}}\n",
     "spec.template.metadata.labels[\"a\"]\n"},
    {"those of a flavor",
     kind("apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor",
          "spec: {nodeLabels: {'a:b': c}}"),
     "spec.nodeLabels[\"a:b\"]\n"},
    {"those that a server took", job("", "", ", labels: {a: 'b c'}, resourceVersion: '7'"), ""},
};

TEST(Names, OfLabelsAndAnnotationsFollowTheRulesOfTheApiServer) {
  for (const NamesCase& c : kNames) {
    SCOPED_TRACE(c.name);
    std::string fields;
    for (const Error& fault : load("", c.object).name_faults) fields += fault.where.field + "\n";
    EXPECT_EQ(fields, c.faults);
  }
}

/// Each field once, and only words: a bracket too few would hang fields on the wrong map.
void expect_well_formed(const ingest::FieldTree& tree) {
  const std::vector<std::string> names = tree.names();
  EXPECT_THAT(names, Not(IsEmpty()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(names[i].find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1"),
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
