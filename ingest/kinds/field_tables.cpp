// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/field_tables.h"

namespace tessera::ingest {
namespace {

/// Parts that several kinds share. Sources: k8s.io/api core/v1 and batch/v1 as of 1.37, with the
/// fields that older versions had.
const FieldTree::Groups kGroups = {
    {"object", "apiVersion kind metadata{@metadata} status"},
    {"metadata", R"(
        annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp
        finalizers generateName generation labels managedFields name namespace
        ownerReferences[apiVersion blockOwnerDeletion controller kind name uid]
        resourceVersion selfLink uid)"},
    {"selector", "matchExpressions[key operator values] matchLabels"},
    {"nodeTerm", "matchExpressions[key operator values] matchFields[key operator values]"},
    {"podTerm", R"(
        labelSelector{@selector} matchLabelKeys mismatchLabelKeys namespaceSelector{@selector}
        namespaces topologyKey)"},
    {"podTerms", R"(
        preferredDuringSchedulingIgnoredDuringExecution[podAffinityTerm{@podTerm} weight]
        requiredDuringSchedulingIgnoredDuringExecution[@podTerm])"},
    {"affinity", R"(
        nodeAffinity{
          preferredDuringSchedulingIgnoredDuringExecution[preference{@nodeTerm} weight]
          requiredDuringSchedulingIgnoredDuringExecution{nodeSelectorTerms[@nodeTerm]}}
        podAffinity{@podTerms} podAntiAffinity{@podTerms})"},
    {"toleration", "effect key operator tolerationSeconds value"},
    {"taint", "effect key timeAdded value"},
    {"resources", "claims[name request] limits requests"},
    {"container", R"(
        args command env envFrom image imagePullPolicy lifecycle livenessProbe name
        ports[containerPort hostIP hostPort name protocol] readinessProbe resizePolicy
        resources{@resources} restartPolicy restartPolicyRules securityContext startupProbe stdin
        stdinOnce targetContainerName terminationMessagePath terminationMessagePolicy tty
        volumeDevices volumeMounts workingDir)"},
    {"podSpec", R"(
        activeDeadlineSeconds affinity{@affinity} automountServiceAccountToken
        containers[@container] deprecatedServiceAccount dnsConfig dnsPolicy enableServiceLinks
        ephemeralContainers hostAliases hostIPC hostNetwork hostPID hostUsers hostname
        hostnameOverride imagePullSecrets initContainers[@container] nodeName nodeSelector os
        overhead preemptionPolicy priority priorityClassName readinessGates
        resourceClaims[name resourceClaimName resourceClaimTemplateName source]
        resources{@resources} restartPolicy runtimeClassName schedulerName schedulingGates[name]
        schedulingGroup securityContext serviceAccount serviceAccountName setHostnameAsFQDN
        shareProcessNamespace subdomain terminationGracePeriodSeconds tolerations[@toleration]
        topologySpreadConstraints[
          labelSelector{@selector} matchLabelKeys maxSkew minDomains nodeAffinityPolicy
          nodeTaintsPolicy topologyKey whenUnsatisfiable]
        volumes workloadRef)"},
    {"podTemplate", "metadata{@metadata} spec{@podSpec}"},
    {"jobSpec", R"(
        activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions managedBy
        manualSelector maxFailedIndexes parallelism podFailurePolicy podReplacementPolicy scheduling
        schedulingPolicy selector{@selector} successPolicy suspend template{@podTemplate}
        ttlSecondsAfterFinished)"},
};

struct KindTable {
  std::string_view group, kind, fields;
};

constexpr std::string_view kKueueGroup = "kueue.x-k8s.io";

const KindTable kTables[] = {
    {"", "Node", R"(@object spec{
        configSource externalID podCIDR podCIDRs providerID taints[@taint] unschedulable})"},
    {"", "Pod", "@object spec{@podSpec}"},
    {"", "Namespace", "@object spec{finalizers}"},
    {"", "LimitRange", "@object spec{limits}"},
    {"node.k8s.io", "RuntimeClass", R"(@object handler overhead{podFixed}
        scheduling{nodeSelector tolerations[@toleration]})"},
    {"scheduling.k8s.io", "PriorityClass",
     "@object description globalDefault preemptionPolicy value"},
    {"batch", "Job", "@object spec{@jobSpec}"},
    {"jobset.x-k8s.io", "JobSet", R"(@object spec{
        coordinator failurePolicy managedBy network
        replicatedJobs[dependsOn groupName name network replicas
          template{metadata{@metadata} spec{@jobSpec}}]
        startupPolicy successPolicy suspend ttlSecondsAfterFinished volumeClaimPolicies})"},
    {kKueueGroup, "Workload", R"(@object spec{~
        active maximumExecutionTimeSeconds
        podSets[count minCount name template{@podTemplate} topologyRequest{~
          podIndexLabel podSetGroupName podSetSliceRequiredTopology podSetSliceSize
          podsetSliceRequiredTopologyConstraints[size topology] preferred required subGroupCount
          subGroupIndexLabel unconstrained}]
        preemptionGates priority priorityClassName priorityClassRef{group kind name}
        priorityClassSource queueName})"},
    {kKueueGroup, "Topology", "@object spec"},
    {kKueueGroup, "ResourceFlavor", "@object spec"},
    {kKueueGroup, "ClusterQueue", "@object spec"},
    {kKueueGroup, "LocalQueue", "@object spec"},
    {kKueueGroup, "Cohort", "@object spec"},
    {kKueueGroup, "AdmissionCheck", "@object spec"},
    {kKueueGroup, "WorkloadPriorityClass", "@object description value"},
    {"kai.scheduler", "Topology", "@object spec"},
    {"scheduling.run.ai", "Queue", "@object spec"},
};

using Trees = std::map<std::pair<std::string_view, std::string_view>, FieldTree>;

}  // namespace

const FieldTree* field_tree_of(std::string_view group, std::string_view kind) {
  static const Trees kTrees = [] {
    Trees trees;
    for (const KindTable& table : kTables) {
      trees.emplace(std::pair(table.group, table.kind), FieldTree::parse(table.fields, kGroups));
    }
    return trees;
  }();
  const auto found = kTrees.find({group, kind});
  return found == kTrees.end() ? nullptr : &found->second;
}

}  // namespace tessera::ingest
