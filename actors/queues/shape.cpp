// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/shape.h"

#include <cstring>

namespace tessera::core {
namespace {

/// Numbers and symbols are written as their bytes: a shape is only compared, within one run.
void append(std::string& shape, std::int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  shape.append(bytes, sizeof number);
}

void append(std::string& shape, Symbol symbol) { append(shape, std::int64_t{symbol.id()}); }

/// Writes the length first, so that two different shapes never give one text.
void append(std::string& shape, std::string_view part) {
  append(shape, static_cast<std::int64_t>(part.size()));
  shape += part;
}

void append(std::string& shape, const std::optional<Symbol>& label) {
  shape += label ? '+' : '-';
  if (label) append(shape, *label);
}

void append(std::string& shape, const Amounts& amounts) {
  append(shape, static_cast<std::int64_t>(amounts.size()));
  for (const topology::Amount& amount : amounts) {
    append(shape, amount.resource);
    append(shape, amount.value);
  }
}

void append(std::string& shape, const solver::TopologyRequest& request) {
  append(shape, request.required);
  append(shape, request.preferred);
  append(shape, std::int64_t{request.unconstrained ? (*request.unconstrained ? 1 : 0) : -1});
  append(shape, static_cast<std::int64_t>(request.layers.size()));
  for (const solver::SliceLayer& layer : request.layers) {
    append(shape, layer.level);
    append(shape, layer.size);
  }
}

void append(std::string& shape, const solver::GangGroup& group) {
  for (const std::int64_t number :
       {std::int64_t{group.parent}, std::int64_t{group.pods_begin}, std::int64_t{group.pods_end},
        group.min_pods, group.min_children, group.spread.most,
        std::int64_t{group.exclusive.everyone}, static_cast<std::int64_t>(group.running.size())}) {
    append(shape, number);
  }
  append(shape, group.topology.topology);
  append(shape, group.topology.required);
  append(shape, group.topology.preferred);
  append(shape, group.exclusive.level);
  append(shape, group.spread.level);
  for (const std::string& node : group.running) append(shape, node);
}

}  // namespace

constexpr std::size_t kUsualSize = 256;  // bytes

std::string shape_of(const Workload& workload, const PlanQueue& queue) {
  std::string shape;
  shape.reserve(kUsualSize);
  append(shape, queue.name);
  append(shape, static_cast<std::int64_t>(workload.gang.pod_sets.size()));
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    append(shape, pod_set.count);
    append(shape, pod_set.min_count.value_or(-1));
    append(shape, pod_set.request);
    append(shape, pod_set.filter.key());
    append(shape, pod_set.filter.preferred_key());
    append(shape, pod_set.topology);
    append(shape, pod_set.unit);
  }
  append(shape, static_cast<std::int64_t>(workload.gang.groups.size()));
  for (const solver::GangGroup& group : workload.gang.groups) append(shape, group);
  for (const Amounts& request : workload.quota_requests) append(shape, request);
  return shape;
}

std::string bulk_shape_of(const Workload& workload, const PlanQueue& queue) {
  std::string shape = std::to_string(workload.priority) + '\n';
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) shape += pod_set.name + '\n';
  for (const std::uint32_t number : workload.templates) shape += std::to_string(number) + '\n';
  return shape + shape_of(workload, queue);
}

}  // namespace tessera::core
