// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/workload_object.h"

#include "ingest/annotations/annotation_keys.h"
#include "ingest/annotations/carried_request.h"
#include "ingest/fields/field_errors.h"
#include "ingest/kinds/workload_admission.h"
#include "ingest/kinds/workload_status.h"
#include "ingest/objects/job_parts.h"

namespace tessera::ingest {
namespace {

using solver::SliceLayer;
using topology::Symbol;

constexpr std::size_t kMaxLayers = 3;
constexpr std::size_t kMaxTopologyText = 63;
constexpr std::string_view kPodPrioritySource = "scheduling.k8s.io/priorityclass";

/// Reads podSets[].topologyRequest (placement.md 1.5).
class RequestReader {
 public:
  RequestReader(ReadContext& context, const ObjectHeader& header, reader::Value request,
                std::string path, std::vector<Error>& invalid)
      : context_(context),
        header_(header),
        request_(request),
        path_(std::move(path)),
        errors_(context, header, invalid) {}

  void read(solver::PodSet& pod_set) {
    solver::TopologyRequest& topology = pod_set.topology;
    topology.required = level("required");
    topology.preferred = level("preferred");
    topology.unconstrained = context_.boolean(header_, request_, "unconstrained", path_);
    read_slices(topology);
    pod_set.unit = text("podSetGroupName").value_or("");
    const auto index_label = text("podIndexLabel");
    if (!index_label) return;
    if (!pod_set.index) pod_set.index.emplace();
    pod_set.index->label = *index_label;
    pod_set.index->sub_label = text("subGroupIndexLabel").value_or("");
    pod_set.index->sub_count = integer("subGroupCount", 0).value_or(0);
  }

 private:
  std::optional<std::string> text(std::string_view key) {
    return context_.text(header_, request_, key, path_);
  }
  std::optional<std::int64_t> integer(std::string_view key, std::int64_t low) {
    return context_.integer(header_, request_, key, path_, low, INT32_MAX);
  }
  std::optional<Symbol> level(std::string_view key) {
    const auto name = text(key);
    if (!name) return std::nullopt;
    const std::string field = path_ + "." + std::string(key);
    if (name->size() > kMaxTopologyText) {
      errors_.invalid(request_[key], field, *name, "may not be more than 63 bytes");
    }
    return context_.asked_name(header_, request_[key], field, *name);
  }

  void read_slices(solver::TopologyRequest& topology);
  std::vector<SliceLayer> read_constraints(reader::Value list, const std::string& path);

  ReadContext& context_;
  const ObjectHeader& header_;
  reader::Value request_;
  std::string path_;
  FieldErrors errors_;
};

std::vector<SliceLayer> RequestReader::read_constraints(reader::Value list,
                                                        const std::string& path) {
  std::vector<SliceLayer> layers;
  if (list.size() > kMaxLayers) {
    errors_.invalid(list, path, "must have at most 3 items");
    return layers;
  }
  for (reader::Value v = list.first(); v; v = v.next()) {
    const std::string entry = item(path, layers.size());
    SliceLayer layer;
    const auto name = context_.text(header_, v, "topology", entry);
    if (!name) errors_.required(v, entry + ".topology", "names the level of the slices");
    if (name && name->size() > kMaxTopologyText) {
      errors_.invalid(v, entry + ".topology", *name, "may not be more than 63 bytes");
    }
    layer.level =
        context_.asked_name(header_, v, entry + ".topology", name.value_or("")).value_or(Symbol());
    layer.size = context_.integer(header_, v, "size", entry, INT32_MIN, INT32_MAX).value_or(0);
    if (layer.size < 1) {
      errors_.invalid(v, entry + ".size", std::to_string(layer.size), "must be greater than 0");
    }
    layers.push_back(layer);
  }
  return layers;
}

/// Reads the slices (placement.md 1.5): the list of constraints if it has entries, else the single
/// pair of level and size. An incomplete pair (V11) is only a warning here. Where the pair matters,
/// the search refuses it with the text of 3.4. A size without a level has no effect, and a leader's
/// pair has none.
void RequestReader::read_slices(solver::TopologyRequest& topology) {
  const auto slice_level = level("podSetSliceRequiredTopology");
  const auto size = integer("podSetSliceSize", INT32_MIN);
  const std::string size_path = path_ + ".podSetSliceSize";
  if (slice_level && !size) {
    context_.warning(header_, request_["podSetSliceRequiredTopology"], size_path,
                     "must be set when podSetSliceRequiredTopology is specified");
  } else if (size && !slice_level) {
    context_.warning(header_, request_["podSetSliceSize"], size_path,
                     "has no effect without podSetSliceRequiredTopology");
  }
  if (size && *size < 1) {
    errors_.invalid(request_["podSetSliceSize"], size_path, std::to_string(*size),
                    "must be greater than 0");
  }
  constexpr std::string_view kList = "podsetSliceRequiredTopologyConstraints";
  const reader::Value list = context_.sequence(header_, request_, kList, path_);
  if (list.size() > 0) {
    topology.layers = read_constraints(list, path_ + "." + std::string(kList));
  } else if (slice_level) {
    topology.layers = {{*slice_level, size.value_or(0)}};
  }
}

class WorkloadReader {
 public:
  WorkloadReader(ReadContext& context, const ObjectHeader& header, reader::Value root)
      : context_(context), header_(header), root_(root) {}

  void read();

 private:
  void read_spec(reader::Value spec);
  void read_priority_class(reader::Value spec);
  void read_pod_set(reader::Value value, const std::string& path);
  void read_minimum(reader::Value value, const std::string& path, PodSetReading& pods);
  void check_minimums();
  void take_requests_of_admission(bool broken);

  ReadContext& context_;
  const ObjectHeader& header_;
  reader::Value root_;
  core::Workload workload_;
};

/// v1beta1: priorityClassName; v1beta2: priorityClassRef.
void WorkloadReader::read_priority_class(reader::Value spec) {
  const reader::Value ref = context_.map(header_, spec, "priorityClassRef", "spec");
  auto name = context_.text(header_, ref, "name", "spec.priorityClassRef");
  if (!name) name = context_.text(header_, spec, "priorityClassName", "spec");
  workload_.priority_class = name.value_or("");
  const std::string kind =
      context_.text(header_, ref, "kind", "spec.priorityClassRef").value_or("");
  const std::string source =
      context_.text(header_, spec, "priorityClassSource", "spec").value_or("");
  workload_.pod_priority_class = kind == "PriorityClass" || source == kPodPrioritySource;
}

void WorkloadReader::read_minimum(reader::Value value, const std::string& path,
                                  PodSetReading& pods) {
  const auto minimum = context_.integer(header_, value, "minCount", path, 1, INT32_MAX);
  if (!minimum) return;
  pods.pod_set.min_count = *minimum;
  if (*minimum > pods.pod_set.count) {
    FieldErrors(context_, header_, pods.invalid)
        .invalid(value["minCount"], path, "minCount should be positive and less or equal to count");
  }
}

void WorkloadReader::read_pod_set(reader::Value value, const std::string& path) {
  if (!value.is(reader::Type::kMap)) context_.error(header_, value, path, "must be a map");
  const std::string name = context_.text(header_, value, "name", path).value_or("main");
  for (const solver::PodSet& other : workload_.gang.pod_sets) {
    if (other.name != name) continue;
    context_.error(header_, value, path + ".name",
                   quoted(name) + " is the name of another pod set");
  }
  // Absent: 1, the default of v1beta1's schema.
  const std::int64_t count =
      context_.integer(header_, value, "count", path, 0, INT32_MAX).value_or(1);
  const reader::Value pod_template = context_.map(header_, value, "template", path);
  const std::string template_path = path + ".template";
  PodSetReading pods;
  if (const reader::Value spec = context_.map(header_, pod_template, "spec", template_path)) {
    pods.spec = read_pod_spec(context_, header_, spec, template_path + ".spec");
    add_foreign_requests(pod_template, pods.spec.not_honoured);
  }
  pods.pod_set.name = name;
  pods.pod_set.count = count;
  pods.pod_set.request = pods.spec.request;
  pods.pod_set.filter = pods.spec.filter;
  const reader::Value offset = pod_template["metadata"]["annotations"][annotation::kIndexOffset];
  if (offset) {
    const auto number = parse_go_int32(offset.text());
    if (number) pods.pod_set.index = solver::IndexRule{"", "", 0, *number};
  }
  read_minimum(value, path, pods);
  if (const reader::Value request = context_.map(header_, value, "topologyRequest", path)) {
    RequestReader(context_, header_, request, path + ".topologyRequest", pods.invalid)
        .read(pods.pod_set);
  } else {
    warn_unread_topology(context_, header_, pod_template["metadata"], template_path + ".metadata",
                         path);
  }
  add_pod_set(workload_, std::move(pods));
}

/// At most one pod set may have a minimum (queues.md 8).
void WorkloadReader::check_minimums() {
  int with_minimum = 0;
  for (const solver::PodSet& pod_set : workload_.gang.pod_sets) {
    with_minimum += pod_set.min_count.has_value() ? 1 : 0;
  }
  if (with_minimum < 2) return;
  FieldErrors(context_, header_, workload_.invalid)
      .invalid(root_["spec"]["podSets"], "spec.podSets", "at most one podSet can use minCount");
}

/// Fills in what could not be read of the request of one pod, from what the admission uses: of a
/// `broken` object any resource, else all of a request that says nothing.
void WorkloadReader::take_requests_of_admission(bool broken) {
  for (const core::PodSetAssignment& assigned : workload_.status.admission->pod_sets) {
    for (std::size_t i = 0; i < workload_.gang.pod_sets.size(); ++i) {
      if (workload_.gang.pod_sets[i].name != assigned.name || assigned.count < 1) continue;
      if (!broken && !workload_.gang.pod_sets[i].request.empty()) continue;
      ContainerResources all;
      all.requests = workload_.gang.pod_sets[i].request;
      for (const topology::Amount& use : request_of_use(assigned)) {
        if (all.requests.find(use.resource) == nullptr) all.requests.set(use.resource, use.value);
      }
      PodResources resources;
      resources.containers.push_back(std::move(all));
      workload_.templates[i] = context_.pod_resources.number_of(resources);
    }
  }
}

void WorkloadReader::read_spec(reader::Value spec) {
  workload_.queue = context_.text(header_, spec, "queueName", "spec").value_or("");
  if (workload_.queue.empty()) {
    workload_.queue = kai_queue_of(header_);
    workload_.queue_is_kai = !workload_.queue.empty();
    const reader::Value label = root_["metadata"]["labels"][kQueueLabel];
    if (label) {
      context_.warning(header_, label, member("metadata.labels", kQueueLabel),
                       "has no effect here: of a Workload, spec.queueName is read");
    }
  }
  workload_.priority = context_.integer(header_, spec, "priority", "spec", INT32_MIN, INT32_MAX)
                           .value_or(kNoPriority);
  workload_.active = context_.boolean(header_, spec, "active", "spec").value_or(true);
  read_priority_class(spec);
  const reader::Value pod_sets = context_.sequence(header_, spec, "podSets", "spec");
  if (!context_.few_enough(header_, pod_sets, "podSets", "spec")) return;
  std::size_t index = 0;
  for (reader::Value v = pod_sets.first(); v; v = v.next()) {
    read_pod_set(v, item("spec.podSets", index++));
  }
  const reader::Value written = spec["podSets"];
  if (pod_sets.size() == 0 && (!written || written.is(reader::Type::kSequence))) {
    context_.error(header_, spec, "spec.podSets", "needs at least one pod set");
  }
  check_minimums();
}

void WorkloadReader::read() {
  const std::size_t errors_before = context_.error_count();
  workload_.namespace_name = header_.namespace_name;
  workload_.name = header_.name;
  workload_.uid = header_.uid;
  workload_.origin = {header_.api_version, header_.kind, header_.name, header_.uid};
  workload_.where = header_.where;
  workload_.created = header_.created;
  workload_.made = header_.created;
  workload_.admission_gated_by = annotation_of(header_, annotation::kAdmissionGatedBy).value_or("");
  read_spec(context_.map(header_, root_, "spec", ""));
  add_kai_requests(workload_, root_["metadata"]);
  warn_unread_topology(context_, header_, root_["metadata"], "metadata", "spec.podSets[]");
  read_carried_request(context_, header_, root_, workload_);
  read_workload_status(context_, header_, context_.map(header_, root_, "status", ""), workload_);
  // With a fault it is kept for what it holds: its nodes must not read as empty.
  const bool broken = header_.faulty || context_.error_count() != errors_before;
  const bool holds = workload_.status.admission && !workload_.gang.pod_sets.empty();
  if (broken && !holds) return;
  if (holds) take_requests_of_admission(broken);
  context_.workload_objects.emplace_back(header_, std::move(workload_));
}

}  // namespace

void read_workload(ReadContext& context, const ObjectHeader& header, reader::Value root) {
  WorkloadReader(context, header, root).read();
}

}  // namespace tessera::ingest
