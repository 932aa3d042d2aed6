// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/pod_template.h"

#include <algorithm>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/annotations/foreign_requests.h"
#include "ingest/fields/field_text.h"
#include "ingest/objects/node_filter_reader.h"
#include "ingest/objects/pod_request.h"

namespace tessera::ingest {
namespace {

// Kueue removes its own gates when it admits a workload.
constexpr std::string_view kKueuePrefix = "kueue.x-k8s.io/";

/// True if the container binds a port of the host: by hostPort, or by any port on the host's
/// network.
bool binds_host_port(reader::Value container, bool host_network) {
  const reader::Value ports = container["ports"];
  for (reader::Value port = ports.first(); port; port = port.next()) {
    if (host_network || port["hostPort"].integer().value_or(0) != 0) return true;
  }
  return false;
}

bool any_binds_host_port(reader::Value spec) {
  const reader::Value network = spec["hostNetwork"];
  const bool host_network = network.is(reader::Type::kBool) && network.boolean();
  for (const char* list : {"containers", "initContainers"}) {
    for (reader::Value c = spec[list].first(); c; c = c.next()) {
      if (binds_host_port(c, host_network)) return true;
    }
  }
  return false;
}

/// What placement does not look at (placement.md 2.2), as phrases for a warning.
std::vector<std::string> not_honoured(reader::Value spec) {
  std::vector<std::string> phrases;
  const reader::Value affinity = spec["affinity"];
  if (affinity["podAffinity"].size() > 0) phrases.emplace_back("pod affinity");
  if (affinity["podAntiAffinity"].size() > 0) phrases.emplace_back("pod anti-affinity");
  if (spec["topologySpreadConstraints"].size() > 0) {
    phrases.emplace_back("topology spread constraints");
  }
  if (any_binds_host_port(spec)) phrases.emplace_back("host ports");
  if (spec["resourceClaims"].size() > 0) phrases.emplace_back("resource claims");
  if (!spec["runtimeClassName"].text().empty() && spec["overhead"].size() == 0) {
    phrases.emplace_back(kOverheadPhrase);
  }
  // For a bound pod the phrase is not used: the pod is use of its node. A template that names a
  // node does not get that node, and the phrase says so.
  if (!spec["nodeName"].text().empty()) phrases.emplace_back("spec.nodeName");
  return phrases;
}

std::vector<std::string> foreign_gates(reader::Value spec) {
  std::vector<std::string> gates;
  for (reader::Value gate = spec["schedulingGates"].first(); gate; gate = gate.next()) {
    const std::string_view name = gate["name"].text();
    if (!name.starts_with(kKueuePrefix)) gates.emplace_back(name);
  }
  return gates;
}

}  // namespace

PodSpecReading read_pod_spec(ReadContext& context, const ObjectHeader& header, reader::Value spec,
                             const std::string& path) {
  PodSpecReading read;
  const PodResources resources = read_pod_resources(context, header, spec, path);
  read.request = resources.effective_request();
  read.resources = context.pod_resources.number_of(resources);
  read.filter = read_node_filter(context, header, spec, path);
  read.node_name = context.text(header, spec, "nodeName", path).value_or("");
  read.priority_class = context.text(header, spec, "priorityClassName", path).value_or("");
  read.priority = context.integer(header, spec, "priority", path, INT32_MIN, INT32_MAX);
  read.scheduler = context.text(header, spec, "schedulerName", path).value_or("");
  read.gates = foreign_gates(spec);
  read.not_honoured = not_honoured(spec);
  return read;
}

void add_foreign_requests(reader::Value pod_template, std::vector<std::string>& phrases) {
  const reader::Value metadata = pod_template["metadata"];
  for (std::string& phrase : kai_requests(metadata)) phrases.push_back(std::move(phrase));
  if (const auto group = foreign_pod_group(metadata, pod_template["spec"])) {
    phrases.push_back("pod group " + group->name + " (" + group->mark + ")");
  }
}

PodSetReading read_pod_template(ReadContext& context, const ObjectHeader& header,
                                reader::Value pod_template, const std::string& path,
                                const std::string& name, std::int64_t count,
                                std::optional<std::int64_t> default_slice_size) {
  PodSetReading read;
  const std::string prefix = path.empty() ? path : path + ".";
  const reader::Value spec = context.map(header, pod_template, "spec", path);
  if (!spec) {
    const bool wrong_type = pod_template["spec"] && !pod_template["spec"].is(reader::Type::kNull);
    if (!wrong_type) context.error(header, pod_template, prefix + "spec", "is missing");
    return read;
  }
  read.spec = read_pod_spec(context, header, spec, prefix + "spec");
  if (!path.empty()) {
    warn_keys_of_the_job(context, header, pod_template["metadata"], prefix + "metadata");
  }
  TopologyReading topology = read_topology_annotations(
      context, header, context.map(header, pod_template, "metadata", path), prefix + "metadata",
      count, default_slice_size);
  read.invalid = std::move(topology.invalid);
  read.spec.not_honoured.insert(read.spec.not_honoured.end(), topology.not_honoured.begin(),
                                topology.not_honoured.end());
  add_foreign_requests(pod_template, read.spec.not_honoured);
  for (const std::string_view key : kKaiQueueLabels) {
    if (read.kai_queue.empty()) read.kai_queue = pod_template["metadata"]["labels"][key].text();
  }
  read.pod_set.name = name;
  read.pod_set.count = count;
  read.pod_set.request = read.spec.request;
  read.pod_set.filter = read.spec.filter;
  read.pod_set.topology = std::move(topology.request);
  read.pod_set.unit = std::move(topology.group);
  if (topology.index_offset) {
    read.pod_set.index = solver::IndexRule{"", "", 0, *topology.index_offset};
  }
  return read;
}

}  // namespace tessera::ingest
