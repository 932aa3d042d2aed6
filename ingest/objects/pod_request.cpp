// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/pod_request.h"

#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

ContainerResources read_resources(FieldReader& context, const ObjectHeader& header,
                                  reader::Value resources, const std::string& path) {
  ContainerResources read;
  read.requests = context.asked_amounts(header, resources, "requests", path);
  read.limits = context.asked_amounts(header, resources, "limits", path);
  return read;
}

ContainerResources read_container(FieldReader& context, const ObjectHeader& header,
                                  reader::Value container, const std::string& path) {
  if (!container.is(reader::Type::kMap)) context.error(header, container, path, "must be a map");
  const reader::Value resources = context.map(header, container, "resources", path);
  if (!resources) return {};
  const std::string resources_path = path + ".resources";
  ContainerResources read = read_resources(context, header, resources, resources_path);
  if (read.asked().find(topology::pods_resource()) != nullptr) {
    context.error(header, resources, resources_path,
                  "a container cannot request \"pods\" (each pod takes one slot of its node)");
    read.requests.erase(topology::pods_resource());
    read.limits.erase(topology::pods_resource());
  }
  return read;
}

bool is_sidecar(FieldReader& context, const ObjectHeader& header, reader::Value container,
                const std::string& path) {
  const auto policy = context.text(header, container, "restartPolicy", path);
  if (!policy || *policy == "Always") return policy.has_value();
  if (*policy == "Never" || *policy == "OnFailure") return false;
  context.error(header, container["restartPolicy"], path + ".restartPolicy",
                quoted(*policy) + " is unknown (right: Always, for a sidecar)");
  return false;
}

}  // namespace

PodResources read_pod_resources(FieldReader& context, const ObjectHeader& header,
                                reader::Value spec, const std::string& path) {
  PodResources read;
  std::size_t index = 0;
  const reader::Value containers = context.sequence(header, spec, "containers", path);
  for (reader::Value c = containers.first(); c; c = c.next()) {
    read.containers.push_back(
        read_container(context, header, c, item(path + ".containers", index++)));
  }
  index = 0;
  const reader::Value inits = context.sequence(header, spec, "initContainers", path);
  for (reader::Value c = inits.first(); c; c = c.next()) {
    const std::string init_path = item(path + ".initContainers", index++);
    read.inits.push_back(read_container(context, header, c, init_path));
    read.inits.back().sidecar = is_sidecar(context, header, c, init_path);
  }
  if (const reader::Value resources = context.map(header, spec, "resources", path)) {
    read.pod = read_resources(context, header, resources, path + ".resources");
  }
  read.overhead = context.asked_amounts(header, spec, "overhead", path);
  read.runtime_class = context.text(header, spec, "runtimeClassName", path).value_or("");
  return read;
}

topology::Amounts effective_request(FieldReader& context, const ObjectHeader& header,
                                    reader::Value spec, const std::string& path) {
  return read_pod_resources(context, header, spec, path).effective_request();
}

}  // namespace tessera::ingest
