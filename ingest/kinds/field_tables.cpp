// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/field_tables.h"

#include "ingest/kinds/field_groups.h"

namespace tessera::ingest {
namespace {

struct KindTable {
  std::string_view group, kind, fields;
};

constexpr std::string_view kKueueGroup = "kueue.x-k8s.io";

// Kueue 0.19, v1beta1 and v1beta2 together; JobSet v1alpha2.
const KindTable kTables[] = {
    {"", "Node", "@object spec{@nodeSpec} status{@nodeStatus}"},
    {"", "Pod", "@object spec{@podSpec} status{@podStatus}"},
    {"", "Namespace", R"(@object spec{finalizers}
        status{conditions[lastTransitionTime message reason status type] phase})"},
    {"", "LimitRange",
     "@object spec{limits[default defaultRequest max maxLimitRequestRatio min type]} status"},
    {"node.k8s.io", "RuntimeClass", R"(@object handler overhead{podFixed}
        scheduling{nodeSelector=labels tolerations[@toleration]} status)"},
    {"scheduling.k8s.io", "PriorityClass",
     "@object description globalDefault preemptionPolicy value status"},
    {"batch", "Job", "@object spec{@jobSpec} status{@jobStatus}"},
    {"jobset.x-k8s.io", "JobSet", R"(@object
        spec{
          coordinator{jobIndex podIndex replicatedJob}
          failurePolicy{
            maxRestarts restartStrategy
            rules[
              action name onJobFailureMessagePatterns onJobFailureReasons targetReplicatedJobs]}
          managedBy network{@network}
          replicatedJobs[
            dependsOn[name status] groupName name network{@network} replicas
            template{metadata{@metadata} spec{@jobSpec}}]
          startupPolicy{startupPolicyOrder} successPolicy{operator targetReplicatedJobs} suspend
          ttlSecondsAfterFinished
          volumeClaimPolicies[
            retentionPolicy{whenDeleted}
            templates[apiVersion kind metadata{@metadata} spec{@claimSpec} status]]}
        status{
          @conditions currentInPlaceRestartAttempt previousInPlaceRestartAttempt
          replicatedJobsStatus[
            active failed jobRestarts jobRestartsCountTowardsMax name ready succeeded suspended]
          restarts restartsCountTowardsMax terminalState})"},
    {kKueueGroup, "Workload", R"(@object
        spec{
          active maximumExecutionTimeSeconds
          podSets[
            count minCount name template{@podTemplate}
            topologyRequest{
              podIndexLabel podSetGroupName podSetSliceRequiredTopology podSetSliceSize
              podsetSliceRequiredTopologyConstraints[size topology] preferred required
              subGroupCount subGroupIndexLabel unconstrained}]
          preemptionGates[name] priority priorityClassName priorityClassRef{group kind name}
          priorityClassSource queueName}
        status{
          accumulatedPastExecutionTimeSeconds accumulatedPastExexcutionTimeSeconds
          admission{
            clusterQueue
            podSetAssignments[
              count delayedTopologyRequest flavors name resourceUsage
              topologyAssignment{
                domains[count values] levels
                slices[
                  domainCount podCounts{individual universal}
                  valuesPerLevel[individual{prefix roots suffix} universal]]}]}
          admissionChecks[
            lastTransitionTime message name
            podSetUpdates[annotations labels name nodeSelector tolerations[@toleration]]
            requeueAfterSeconds retryCount state]
          clusterName @conditions nominatedClusterNames
          preemptionGates[lastTransitionTime name position] reclaimablePods[count name]
          requeueState{count requeueAt} resourceRequests[name resources]
          schedulingStats{evictions[count reason underlyingCause]} unhealthyNodes[name]})"},
    {kKueueGroup, "Topology", "@object spec{levels[nodeLabel]} status"},
    {kKueueGroup, "ResourceFlavor", R"(@object
        spec{nodeLabels=labels nodeTaints[@taint] tolerations[@toleration] topologyName} status)"},
    {kKueueGroup, "ClusterQueue", R"(@object
        spec{
          admissionChecks admissionChecksStrategy{admissionChecks[name onFlavors]}
          admissionScope{admissionMode} cohort cohortName
          concurrentAdmissionPolicy{migration{constraints{lastAcceptableFlavorName} mode}}
          fairSharing{weight} flavorFungibility{preference whenCanBorrow whenCanPreempt}
          namespaceSelector{@selector}
          preemption{
            borrowWithinCohort{maxPriorityThreshold policy} reclaimWithinCohort
            withinClusterQueue}
          queueingStrategy resourceGroups[@quotas] stopPolicy}
        status{
          admittedWorkloads @conditions fairSharing{@share} flavorsReservation[@use]
          flavorsUsage[@use] pendingWorkloads
          pendingWorkloadsStatus{clusterQueuePendingWorkload[name namespace] lastChangeTime}
          reservingWorkloads})"},
    {kKueueGroup, "LocalQueue", R"(@object
        spec{clusterQueue fairSharing{weight} stopPolicy}
        status{
          admittedWorkloads @conditions fairSharing{@share} flavorUsage[@use]
          flavors[name nodeLabels nodeTaints[@taint] resources topology{levels name}]
          flavorsReservation[@use] flavorsUsage[@use] pendingWorkloads reservingWorkloads})"},
    {kKueueGroup, "Cohort", R"(@object
        spec{fairSharing{weight} parent parentName resourceGroups[@quotas]}
        status{fairSharing{@share}})"},
    {kKueueGroup, "AdmissionCheck", R"(@object
        spec{controllerName parameters{apiGroup kind name} retryDelayMinutes}
        status{@conditions})"},
    {kKueueGroup, "WorkloadPriorityClass", "@object description value status"},
    {"kai.scheduler", "Topology", "@object spec{levels[alias nodeLabel]} status"},
    {"scheduling.run.ai", "PodGroup", R"(@object
        spec{
          backoffLimit completions markUnschedulable minMember minSubGroup parallelism
          preemptibility preemptionDelay priorityClassName queue schedulingBackoff
          stalenessGracePeriod
          subGroups[minMember minSubGroup name parent topologyConstraint{@kaiLevels}]
          topologyConstraint{@kaiLevels}
          topologyConstraints{
            global{@kaiLevels} subGroups[name @kaiLevels]
            subGroupSets[constraint{@kaiLevels} subGroups]}}
        status)"},
    {"scheduling.run.ai", "Queue", R"(@object
        spec{
          displayName parentQueue preemptMinRuntime priority reclaimMinRuntime
          resources{cpu{@kaiQuota} gpu{@kaiQuota} memory{@kaiQuota}}}
        status)"},
};

/// Groups that only these tables use.
FieldTree::Groups all_groups() {
  FieldTree::Groups groups = field_groups();
  groups.insert({
      {"kaiLevels", "preferredTopologyLevel requiredTopologyLevel topology"},
      {"kaiQuota", "limit overQuotaWeight quota"},
      {"network", "enableDNSHostnames publishNotReadyAddresses subdomain"},
      {"quotas", R"(
          coveredResources
          flavors[name resources[borrowingLimit lendingLimit name nominalQuota]])"},
      {"share", R"(
          admissionFairSharingStatus{consumedResources lastUpdate} weightedShare)"},
      {"use", "name resources[borrowed name total]"},
  });
  return groups;
}

using Trees = std::map<std::pair<std::string_view, std::string_view>, FieldTree>;

}  // namespace

const FieldTree* field_tree_of(std::string_view group, std::string_view kind) {
  static const Trees kTrees = [] {
    const FieldTree::Groups groups = all_groups();
    Trees trees;
    for (const KindTable& table : kTables) {
      trees.emplace(std::pair(table.group, table.kind), FieldTree::parse(table.fields, groups));
    }
    return trees;
  }();
  const auto found = kTrees.find({group, kind});
  return found == kTrees.end() ? nullptr : &found->second;
}

}  // namespace tessera::ingest
