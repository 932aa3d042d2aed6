// SPDX-License-Identifier: Apache-2.0
// Reads pod templates and pod specs: the effective request, the node filters and the topology
// request of one pod.
//
// Called by the readers of every kind that carries pods (Job, JobSet, Workload, Pod). Sources:
// Kubernetes' effective pod request (init containers, sidecars, overhead, pod-level resources),
// placement.md 1.4, 1.5, 2.2, 2.3 and 7, kinds.md A20 and F.
#pragma once

#include <string>
#include <string_view>

#include "ingest/annotations/topology_annotations.h"
#include "ingest/objects/read_context.h"
#include "solver/gang/gang.h"

namespace tessera::ingest {

struct PodSpecReading {
  topology::Amounts request;    // effective, without the pod slot; without defaults of LimitRanges
  std::uint32_t resources = 0;  // position in ReadContext::pod_resources
  topology::NodeFilter filter;
  std::string node_name;  // spec.nodeName
  std::string priority_class;
  std::optional<std::int64_t> priority;
  std::string scheduler;
  std::vector<std::string> gates;         // names of scheduling gates that are not Kueue's
  std::vector<std::string> not_honoured;  // phrases for a warning, e.g. "resource claims"
};

/// Labels that name a KAI Queue: today's, then that of older versions (kinds.md 0.A).
inline constexpr std::string_view kKaiQueueLabels[] = {"kai.scheduler/queue", "runai/queue"};

/// Reads a v1 PodSpec (`spec` of a Pod or of a template). `path`: its field path. Faults are
/// reported in `context`.
PodSpecReading read_pod_spec(ReadContext& context, const ObjectHeader& header, reader::Value spec,
                             const std::string& path);

/// Adds what a pod template asks of other schedulers (ingest/annotations/foreign_requests.h): KAI's
/// annotations, and a pod group.
void add_foreign_requests(reader::Value pod_template, std::vector<std::string>& phrases);

/// The spec and the topology annotations of `pod_template` (a PodTemplateSpec at `path`, or a Pod
/// with an empty path): one pod set named `name` of `count` pods. What the topology annotations ask
/// for and is not honoured is added to `spec.not_honoured`.
struct PodSetReading {
  solver::PodSet pod_set;
  std::string kai_queue;  // that its labels name; empty: none
  PodSpecReading spec;
  std::vector<Error> invalid;
};
PodSetReading read_pod_template(ReadContext& context, const ObjectHeader& header,
                                reader::Value pod_template, const std::string& path,
                                const std::string& name, std::int64_t count,
                                std::optional<std::int64_t> default_slice_size = {});

}  // namespace tessera::ingest
