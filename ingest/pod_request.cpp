// SPDX-License-Identifier: Apache-2.0
// The effective request of a pod, by the rules of Kubernetes (component-helpers
// resource.PodRequests).
#include "ingest/field_errors.h"
#include "ingest/pod_template.h"

namespace tessera::ingest {
namespace {

using topology::Amounts;

/// requests; what only limits name is requested too, as the API server fills it in.
Amounts requests_or_limits(ReadContext& context, const ObjectHeader& header,
                           reader::Value resources, const std::string& path) {
  Amounts requests = context.amounts(header, resources, "requests", path);
  const Amounts limits = context.amounts(header, resources, "limits", path);
  for (const topology::Amount& limit : limits) {
    if (requests.find(limit.resource) == nullptr) requests.set(limit.resource, limit.value);
  }
  return requests;
}

Amounts container_request(ReadContext& context, const ObjectHeader& header, reader::Value container,
                          const std::string& path) {
  const reader::Value resources = context.map(header, container, "resources", path);
  if (!resources) return {};
  const std::string resources_path = path + ".resources";
  Amounts request = requests_or_limits(context, header, resources, resources_path);
  if (request.find(topology::pods_resource()) != nullptr) {
    context.error(header, resources, resources_path,
                  "a container cannot request \"pods\" (each pod takes one slot of its node)");
    request.erase(topology::pods_resource());
  }
  return request;
}

bool is_sidecar(ReadContext& context, const ObjectHeader& header, reader::Value container,
                const std::string& path) {
  const auto policy = context.text(header, container, "restartPolicy", path);
  if (!policy || *policy == "Always") return policy.has_value();
  if (*policy == "Never" || *policy == "OnFailure") return false;
  context.error(header, container["restartPolicy"], path + ".restartPolicy",
                quoted(*policy) + " is unknown (right: Always, for a sidecar)");
  return false;
}

bool is_huge_page(topology::Symbol resource) { return resource.view().starts_with("hugepages-"); }

/// Only these can be set for the pod as a whole.
bool is_pod_level(topology::Symbol resource) {
  return resource == topology::cpu_resource() || resource.view() == "memory" ||
         is_huge_page(resource);
}

/// Pod-level requests replace what the containers ask for together. One that is missing is the
/// containers' sum if they name the resource (huge pages: never), else the pod-level limit.
void apply_pod_level(ReadContext& context, const ObjectHeader& header, reader::Value resources,
                     const std::string& path, Amounts& request) {
  const Amounts requests = context.amounts(header, resources, "requests", path);
  const Amounts limits = context.amounts(header, resources, "limits", path);
  for (const topology::Amount& limit : limits) {
    if (!is_pod_level(limit.resource)) continue;
    const bool summed = request.find(limit.resource) != nullptr && !is_huge_page(limit.resource);
    if (!summed) request.set(limit.resource, limit.value);
  }
  for (const topology::Amount& amount : requests) {
    if (is_pod_level(amount.resource)) request.set(amount.resource, amount.value);
  }
}

}  // namespace

topology::Amounts effective_request(ReadContext& context, const ObjectHeader& header,
                                    reader::Value spec, const std::string& path) {
  Amounts request;
  std::size_t index = 0;
  const reader::Value containers = context.sequence(header, spec, "containers", path);
  for (reader::Value c = containers.first(); c; c = c.next()) {
    request.add(container_request(context, header, c, item(path + ".containers", index++)));
  }
  // An init container runs beside the sidecars started before it; sidecars go on beside the
  // containers.
  Amounts sidecars, peak;
  index = 0;
  const reader::Value inits = context.sequence(header, spec, "initContainers", path);
  for (reader::Value c = inits.first(); c; c = c.next()) {
    const std::string init_path = item(path + ".initContainers", index++);
    Amounts at_once = container_request(context, header, c, init_path);
    if (is_sidecar(context, header, c, init_path)) {
      request.add(at_once);
      sidecars.add(at_once);
      at_once = sidecars;
    } else {
      at_once.add(sidecars);
    }
    peak.raise_to(at_once);
  }
  request.raise_to(peak);
  if (const reader::Value resources = context.map(header, spec, "resources", path)) {
    apply_pod_level(context, header, resources, path + ".resources", request);
  }
  request.add(context.amounts(header, spec, "overhead", path));
  return request;
}

}  // namespace tessera::ingest
