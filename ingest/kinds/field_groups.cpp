// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/field_groups.h"

#include <iterator>

namespace tessera::ingest {
namespace {

constexpr FieldTree::Groups::value_type kGroups[] = {
    {"object", "apiVersion kind metadata{@metadata}"},
    {"conditions", R"(
          conditions[lastTransitionTime message observedGeneration reason status type])"},
    {"affinity", R"(
          nodeAffinity{
            preferredDuringSchedulingIgnoredDuringExecution[preference{@nodeTerm} weight]
            requiredDuringSchedulingIgnoredDuringExecution{nodeSelectorTerms[@nodeTerm]}}
          podAffinity{@podTerms} podAntiAffinity{@podTerms})"},
    {"claimSpec", R"(
          accessModes dataSource{apiGroup kind name} dataSourceRef{apiGroup kind name namespace}
          resources{limits requests} selector{@selector} storageClassName
          volumeAttributesClassName volumeMode volumeName)"},
    {"claimTemplate", "metadata{@metadata} spec{@claimSpec}"},
    {"container", R"(
          args command env[@env] envFrom[configMapRef{name optional} prefix secretRef{name
          optional}] image imagePullPolicy lifecycle{@lifecycle} livenessProbe{@probe} name
          ports[containerPort hostIP hostPort name protocol] readinessProbe{@probe}
          resizePolicy[resourceName restartPolicy] resources{@resources} restartPolicy
          restartPolicyRules[action exitCodes{operator values}] securityContext{@securityContext}
          startupProbe{@probe} stdin stdinOnce targetContainerName terminationMessagePath
          terminationMessagePolicy tty volumeDevices[devicePath name]
          volumeMounts[bindMountOptions mountPath mountPropagation name readOnly recursiveReadOnly
          subPath subPathExpr] workingDir)"},
    {"containerState", R"(
          running{startedAt} terminated{containerID exitCode finishedAt message reason signal
          startedAt} waiting{message reason})"},
    {"containerStatus", R"(
          allocatedResources allocatedResourcesStatus[name resources[health message resourceID]]
          containerID image imageID lastState{@containerState} name ready resources{@resources}
          restartCount started state{@containerState} stopSignal user{linux{gid supplementalGroups
          uid}} volumeMounts[mountPath name readOnly recursiveReadOnly
          volumeStatus{image{imageRef}}])"},
    {"downwardFile", R"(
          fieldRef{apiVersion fieldPath} mode path resourceFieldRef{@resourceRef} user)"},
    {"env", R"(
          name value valueFrom{configMapKeyRef{key name optional} fieldRef{apiVersion fieldPath}
          fileKeyRef{key optional path volumeName} resourceFieldRef{@resourceRef} secretKeyRef{key
          name optional}})"},
    {"httpGet", "host httpHeaders[name value] path port protocol scheme"},
    {"jobSpec", R"(
          activeDeadlineSeconds backoffLimit backoffLimitPerIndex completionMode completions
          managedBy manualSelector maxFailedIndexes parallelism podFailurePolicy{rules[action
          onExitCodes{containerName operator values} onPodConditions[status type]]}
          podReplacementPolicy scheduling{disruptionMode{all single} resourceClaims[name
          resourceClaimName resourceClaimTemplateName] schedulingConstraints{topology[key]}
          schedulingPolicy{basic gang{minCount}}} schedulingPolicy selector{@selector}
          successPolicy{rules[succeededCount succeededIndexes]} suspend template{@podTemplate}
          ttlSecondsAfterFinished)"},
    {"jobStatus", R"(
          active completedIndexes completionTime conditions[lastProbeTime lastTransitionTime
          message reason status type] failed failedIndexes ready startTime succeeded terminating
          uncountedTerminatedPods{failed succeeded})"},
    {"keyToPath", "key mode path user"},
    {"lifecycle", "postStart{@lifecycleHandler} preStop{@lifecycleHandler} stopSignal"},
    {"lifecycleHandler", "exec{command} httpGet{@httpGet} sleep{seconds} tcpSocket{host port}"},
    {"metadata", R"(
          annotations=annotations clusterName creationTimestamp deletionGracePeriodSeconds deletionTimestamp
          finalizers generateName generation labels=labels managedFields[apiVersion fieldsType fieldsV1
          manager operation subresource time] name namespace ownerReferences[apiVersion
          blockOwnerDeletion controller kind name uid] resourceVersion selfLink uid)"},
    {"nodeInfo", R"(
          architecture bootID containerRuntimeVersion kernelVersion kubeProxyVersion
          kubeletVersion machineID operatingSystem osImage runningInUserNamespace swap{capacity}
          systemUUID)"},
    {"nodeTerm", "matchExpressions[@requirement] matchFields[@requirement]"},
    {"nodeSpec", R"(
          configSource{configMap{kubeletConfigKey name namespace resourceVersion uid}} externalID
          podCIDR podCIDRs podPreemptionPolicy{disableResizePreemption} providerID taints[@taint]
          unschedulable)"},
    {"nodeStatus", R"(
          addresses[address type] allocatable capacity conditions[lastHeartbeatTime
          lastTransitionTime message reason status type] config{active{configMap{kubeletConfigKey
          name namespace resourceVersion uid}} assigned{configMap{kubeletConfigKey name namespace
          resourceVersion uid}} error lastKnownGood{configMap{kubeletConfigKey name namespace
          resourceVersion uid}}} daemonEndpoints{kubeletEndpoint{Port}} declaredFeatures
          features{supplementalGroupsPolicy} images[names sizeBytes] nodeInfo{@nodeInfo} phase
          runtimeHandlers[features{recursiveReadOnlyMounts userNamespaces} name]
          volumesAttached[devicePath name] volumesInUse)"},
    {"podSecurityContext", R"(
          appArmorProfile{localhostProfile type} fsGroup fsGroupChangePolicy runAsGroup
          runAsNonRoot runAsUser seLinuxChangePolicy seLinuxOptions{@seLinux}
          seccompProfile{localhostProfile type} supplementalGroups supplementalGroupsPolicy
          sysctls[name value] windowsOptions{@windows})"},
    {"podSpec", R"(
          activeDeadlineSeconds affinity{@affinity} automountServiceAccountToken
          containers[@container] deprecatedServiceAccount dnsConfig{nameservers options[name
          value] searches} dnsPolicy enableServiceLinks ephemeralContainers[@container]
          evictionResponders[name priority] hostAliases[hostnames ip] hostIPC hostNetwork hostPID
          hostUsers hostname hostnameOverride imagePullSecrets[name] initContainers[@container]
          nodeName nodeSelector=labels os{name} overhead preemptionPolicy priority priorityClassName
          readinessGates[conditionType] resourceClaims[name resourceClaimName
          resourceClaimTemplateName source{resourceClaimName resourceClaimTemplateName}]
          resources{@resources} restartPolicy runtimeClassName schedulerName schedulingGates[name]
          schedulingGroup{podGroupName} securityContext{@podSecurityContext} serviceAccount
          serviceAccountName setHostnameAsFQDN shareProcessNamespace subdomain
          terminationGracePeriodSeconds tolerations[@toleration]
          topologySpreadConstraints[labelSelector{@selector} matchLabelKeys maxSkew minDomains
          nodeAffinityPolicy nodeTaintsPolicy topologyKey whenUnsatisfiable] volumes[@volume]
          workloadRef{name podGroup podGroupReplicaKey})"},
    {"podStatus", R"(
          allocatedResources conditions[lastProbeTime lastTransitionTime message
          observedGeneration reason status type] containerStatuses[@containerStatus]
          ephemeralContainerStatuses[@containerStatus]
          extendedResourceClaimStatus{requestMappings[containerName requestName resourceName]
          resourceClaimName} hostIP hostIPs[ip] initContainerStatuses[@containerStatus] message
          nodeAllocatableResourceClaimStatuses[containers mapping[name quantity] overhead[name
          perContainer perPod] resourceClaimName] nominatedNodeName observedGeneration phase podIP
          podIPs[ip] qosClass reason resize resourceClaimStatuses[name resourceClaimName]
          resources{@resources} startTime volumeHealth[healthConditions[message reason status]
          lastTransitionTime name])"},
    {"podTemplate", "metadata{@metadata} spec{@podSpec}"},
    {"podTerms", R"(
          preferredDuringSchedulingIgnoredDuringExecution[podAffinityTerm{@podTerm} weight]
          requiredDuringSchedulingIgnoredDuringExecution[@podTerm])"},
    {"podTerm", R"(
          labelSelector{@selector} matchLabelKeys mismatchLabelKeys namespaceSelector{@selector}
          namespaces topologyKey)"},
    {"probe", R"(
          exec{command} failureThreshold grpc{mode port service} httpGet{@httpGet}
          initialDelaySeconds periodSeconds successThreshold tcpSocket{host port}
          terminationGracePeriodSeconds timeoutSeconds)"},
    {"projection", R"(
          clusterTrustBundle{labelSelector{@selector} name optional path signerName user}
          configMap{items[@keyToPath] name optional} downwardAPI{items[@downwardFile]}
          podCertificate{certificateChainPath credentialBundlePath keyPath keyType
          maxExpirationSeconds signerName user userAnnotations} secret{items[@keyToPath] name
          optional} serviceAccountToken{audience expirationSeconds path user})"},
    {"requirement", "key operator values"},
    {"resourceRef", "containerName divisor resource"},
    {"resources", "claims[name request] limits requests"},
    {"seLinux", "level role type user"},
    {"securityContext", R"(
          allowPrivilegeEscalation appArmorProfile{localhostProfile type} capabilities{add drop}
          privileged procMount readOnlyRootFilesystem runAsGroup runAsNonRoot runAsUser
          seLinuxOptions{@seLinux} seccompProfile{localhostProfile type}
          windowsOptions{@windows})"},
    {"selector", "matchExpressions[@requirement] matchLabels=labels"},
    {"taint", "effect key timeAdded value"},
    {"toleration", "effect key operator tolerationSeconds value"},
    {"volume", R"(
          awsElasticBlockStore{fsType partition readOnly volumeID} azureDisk{cachingMode diskName
          diskURI fsType kind readOnly} azureFile{readOnly secretName shareName} cephfs{monitors
          path readOnly secretFile secretRef{name} user} cinder{fsType readOnly secretRef{name}
          volumeID} configMap{defaultMode defaultUser items[@keyToPath] name optional} csi{driver
          fsType nodePublishSecretRef{name} readOnly volumeAttributes} downwardAPI{defaultMode
          defaultUser items[@downwardFile]} emptyDir{medium mode sizeLimit}
          ephemeral{volumeClaimTemplate{@claimTemplate}} fc{fsType lun readOnly targetWWNs wwids}
          flexVolume{driver fsType options readOnly secretRef{name}} flocker{datasetName
          datasetUUID} gcePersistentDisk{fsType partition pdName readOnly} gitRepo{directory
          repository revision} glusterfs{endpoints path readOnly} hostPath{path type}
          image{pullPolicy reference} iscsi{chapAuthDiscovery chapAuthSession fsType initiatorName
          iqn iscsiInterface lun portals readOnly secretRef{name} targetPortal} name nfs{path
          readOnly server} persistentVolumeClaim{claimName readOnly} photonPersistentDisk{fsType
          pdID} portworxVolume{fsType readOnly volumeID} projected{defaultMode defaultUser
          sources[@projection]} quobyte{group readOnly registry tenant user volume} rbd{fsType
          image keyring monitors pool readOnly secretRef{name} user} scaleIO{fsType gateway
          protectionDomain readOnly secretRef{name} sslEnabled storageMode storagePool system
          volumeName} secret{defaultMode defaultUser items[@keyToPath] optional secretName}
          storageos{fsType readOnly secretRef{name} volumeName volumeNamespace}
          vsphereVolume{fsType storagePolicyID storagePolicyName volumePath})"},
    {"windows", "gmsaCredentialSpec gmsaCredentialSpecName hostProcess runAsUserName"},
};

}  // namespace

const FieldTree::Groups& field_groups() {
  static const FieldTree::Groups kByName(std::begin(kGroups), std::end(kGroups));
  return kByName;
}

}  // namespace tessera::ingest
