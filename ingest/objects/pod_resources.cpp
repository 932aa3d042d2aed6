// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/pod_resources.h"

namespace tessera::ingest {
namespace {

using topology::Amounts;

bool is_huge_page(topology::Symbol resource) { return resource.view().starts_with("hugepages-"); }

/// Kubernetes lets a pod as a whole set only these resources.
bool is_pod_level(topology::Symbol resource) {
  return resource == topology::cpu_resource() || resource.view() == "memory" ||
         is_huge_page(resource);
}

/// A pod-level request replaces the sum of the containers. Without a pod-level request, the sum
/// stays if the containers name the resource; else the pod-level limit counts. For huge pages that
/// limit counts even if the containers name them.
void apply_pod_level(const ContainerResources& pod, Amounts& request) {
  for (const topology::Amount& limit : pod.limits) {
    if (!is_pod_level(limit.resource)) continue;
    const bool summed = request.find(limit.resource) != nullptr && !is_huge_page(limit.resource);
    if (!summed) request.set(limit.resource, limit.value);
  }
  for (const topology::Amount& amount : pod.requests) {
    if (is_pod_level(amount.resource)) request.set(amount.resource, amount.value);
  }
}

void append(std::string& key, const Amounts& amounts) {
  for (const topology::Amount& amount : amounts) {
    key += amount.resource.view();
    key += '=' + std::to_string(amount.value) + ',';
  }
  key += ';';
}

void append(std::string& key, const ContainerResources& container) {
  append(key, container.requests);
  append(key, container.limits);
  key += container.sidecar ? 's' : 'c';
}

std::string key_of(const PodResources& resources) {
  std::string key;
  for (const ContainerResources& each : resources.containers) append(key, each);
  key += '/';
  for (const ContainerResources& each : resources.inits) append(key, each);
  key += '/';
  if (resources.pod) append(key, *resources.pod);
  key += '/';
  append(key, resources.overhead);
  return key + resources.runtime_class;
}

}  // namespace

Amounts ContainerResources::asked() const {
  Amounts asked = requests;
  for (const topology::Amount& limit : limits) {
    if (asked.find(limit.resource) == nullptr) asked.set(limit.resource, limit.value);
  }
  return asked;
}

Amounts PodResources::effective_request() const {
  Amounts request;
  for (const ContainerResources& container : containers) request.add(container.asked());
  // An init container runs beside the sidecars that started before it. Sidecars go on beside the
  // containers.
  Amounts sidecars, peak;
  for (const ContainerResources& init : inits) {
    Amounts at_once = init.asked();
    if (init.sidecar) {
      request.add(at_once);
      sidecars.add(at_once);
      at_once = sidecars;
    } else {
      at_once.add(sidecars);
    }
    peak.raise_to(at_once);
  }
  request.raise_to(peak);
  if (pod) apply_pod_level(*pod, request);
  request.add(overhead);
  return request;
}

std::uint32_t PodResourcesBook::number_of(const PodResources& resources) {
  const auto [at, added] =
      numbers_.try_emplace(key_of(resources), static_cast<std::uint32_t>(known_.size()));
  if (added) known_.push_back(resources);
  return at->second;
}

}  // namespace tessera::ingest
