// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/pods.h"

#include <utility>

#include "ingest/annotations/annotation_keys.h"
#include "ingest/annotations/foreign_requests.h"
#include "ingest/objects/job_parts.h"
#include "ingest/objects/pod_request.h"
#include "ingest/objects/pod_template.h"

namespace tessera::ingest {

namespace {

/// A pod that waits for a node, as a gang of one; nothing if it cannot be read.
std::optional<core::Workload> read_gang(ReadContext& context, const ObjectHeader& header,
                                        reader::Value root) {
  const std::size_t errors_before = context.error_count();
  PodSetReading pods = read_pod_template(context, header, root, "", "main", 1);
  if (context.error_count() != errors_before) return std::nullopt;
  pods.pod_set.index.reset();
  core::Workload gang = start_workload(header);
  // No scheduler takes the pod before its gates are gone. Kueue removes its own.
  for (const std::string& gate : std::exchange(pods.spec.gates, {})) {
    gang.held_by += (gang.held_by.empty() ? "scheduling gate " : ", ") + gate;
  }
  add_pod_set(gang, std::move(pods));
  return gang;
}

}  // namespace

void read_pod(ReadContext& context, const ObjectHeader& header, reader::Value root) {
  PodObject pod;
  const reader::Value spec = context.map(header, root, "spec", "");
  pod.record.namespace_name = header.namespace_name;
  pod.record.name = header.name;
  pod.record.node =
      topology::AskedText(context.text(header, spec, "nodeName", "spec").value_or(""));
  pod.record.tas_annotated = is_topology_annotated(header.annotations);
  pod.of_kai = spec["schedulerName"].text() == "kai-scheduler";
  pod.gated = spec["schedulingGates"].size() > 0;
  const reader::Value phase = root["status"]["phase"];
  pod.ended = phase && (phase.text() == "Succeeded" || phase.text() == "Failed");
  if (!pod.record.node.empty()) {
    // A pod with an unreadable amount is kept: to count a part of its use is nearer to the truth
    // than to count nothing.
    pod.record.request = effective_request(context, header, spec, "spec");
  } else if (header.faulty) {
    return;
  } else if (!pod.ended) {
    pod.gang = read_gang(context, header, root);
    if (!pod.gang) return;
    pod.record.request = pod.gang->quota_requests[0];
    if (const auto group = foreign_pod_group(root["metadata"], spec)) {
      pod.pod_group = group->name + " (" + group->mark + ")";
    }
  }
  pod.header = header;
  context.pods.push_back(std::move(pod));
}

}  // namespace tessera::ingest
