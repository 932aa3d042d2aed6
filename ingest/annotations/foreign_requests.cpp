// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/foreign_requests.h"

#include <algorithm>

namespace tessera::ingest {
namespace {

using reader::Type;
using reader::Value;

constexpr std::string_view kGroupLabels[] = {
    "scheduling.x-k8s.io/pod-group",     // coscheduling
    "pod-group.scheduling.sigs.k8s.io",  // its older versions
    "pod-group.scheduling.sigs.k8s.io/name",
};
constexpr std::string_view kGroupAnnotations[] = {
    "pod-group-name",                // KAI
    "scheduling.k8s.io/group-name",  // Volcano
    "scheduling.volcano.sh/group-name",
    "gang.scheduling.koordinator.sh/name",  // Koordinator
    "yunikorn.apache.org/task-group-name",  // YuniKorn
};

constexpr std::string_view kKaiAnnotations[] = {
    "gpu-fraction",
    "gpu-fraction-container-name",
    "gpu-fraction-num-devices",
    "gpu-memory",
    "kai.scheduler/batch-min-member",
    "kai.scheduler/pod-index-label",
    "kai.scheduler/preemption-delay",
    "kai.scheduler/segment-size",
    "kai.scheduler/segment-topology-preferred-placement",
    "kai.scheduler/segment-topology-required-placement",
    "kai.scheduler/staleness-grace-period",
    "kai.scheduler/topology",
    "kai.scheduler/topology-preferred-placement",
    "kai.scheduler/topology-required-placement",
};
constexpr std::string_view kKaiLabels[] = {
    "kai.scheduler/node-pool",
    "kai.scheduler/preemptibility",
    "kai.scheduler/subgroup-name",
    "runai/node-pool",
};

/// The text under `key`; empty for a map, a list and an absent value.
std::string_view text_of(Value in, std::string_view key) {
  const Value value = in[key];
  return value ? value.text() : std::string_view();
}

template <std::size_t N>
void add_found(Value in, const std::string& word, const std::string_view (&keys)[N],
               std::vector<std::string>& phrases) {
  for (Value entry = in.first(); entry; entry = entry.next()) {
    if (std::find(std::begin(keys), std::end(keys), entry.key()) == std::end(keys)) continue;
    if (!entry.text().empty()) phrases.push_back(word + " " + std::string(entry.key()));
  }
}

}  // namespace

std::optional<ForeignPodGroup> foreign_pod_group(Value metadata, Value spec) {
  const Value labels = metadata["labels"], annotations = metadata["annotations"];
  if (labels) {
    for (const std::string_view key : kGroupLabels) {
      const std::string_view name = text_of(labels, key);
      if (!name.empty()) return ForeignPodGroup{std::string(name), "label " + std::string(key)};
    }
  }
  if (annotations) {
    for (const std::string_view key : kGroupAnnotations) {
      const std::string_view name = text_of(annotations, key);
      if (!name.empty()) {
        return ForeignPodGroup{std::string(name), "annotation " + std::string(key)};
      }
    }
  }
  // Kubernetes' own pod groups, 1.36 and later.
  const Value group = spec["schedulingGroup"];
  if (group.is(Type::kMap) && group.size() > 0) {
    return ForeignPodGroup{std::string(text_of(group, "podGroupName")), "spec.schedulingGroup"};
  }
  const Value workload = spec["workloadRef"];  // the same in 1.35
  if (!workload.is(Type::kMap) || workload.size() == 0) return std::nullopt;
  std::string name(text_of(workload, "name"));
  for (const char* part : {"podGroup", "podGroupReplicaKey"}) {
    if (!text_of(workload, part).empty()) name.append("/").append(text_of(workload, part));
  }
  return ForeignPodGroup{std::move(name), "spec.workloadRef"};
}

std::span<const std::string_view> kai_annotations() { return kKaiAnnotations; }

std::vector<std::string> kai_requests(Value metadata) {
  std::vector<std::string> phrases;
  add_found(metadata["annotations"], "annotation", kKaiAnnotations, phrases);
  add_found(metadata["labels"], "label", kKaiLabels, phrases);
  std::sort(phrases.begin(), phrases.end());
  return phrases;
}

}  // namespace tessera::ingest
