// SPDX-License-Identifier: Apache-2.0
#include "actors/core/shape.h"

#include <charconv>

namespace tessera::core {
namespace {

void append_digits(std::string& shape, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  shape.append(digits, end.ptr);
}

/// Parts are told apart by their lengths, so that no two shapes run together into one text.
void append(std::string& shape, std::string_view part) {
  append_digits(shape, static_cast<std::int64_t>(part.size()));
  shape += ':';
  shape += part;
}

void append(std::string& shape, std::int64_t number) {
  append_digits(shape, number);
  shape += ';';
}

void append(std::string& shape, const std::optional<Symbol>& label) {
  shape += label ? '+' : '-';
  if (label) append(shape, label->view());
}

void append(std::string& shape, const Amounts& amounts) {
  append(shape, static_cast<std::int64_t>(amounts.size()));
  for (const topology::Amount& amount : amounts) {
    append(shape, amount.resource.view());
    append(shape, amount.value);
  }
}

void append(std::string& shape, const solver::TopologyRequest& request) {
  append(shape, request.required);
  append(shape, request.preferred);
  append(shape, std::int64_t{request.unconstrained ? (*request.unconstrained ? 1 : 0) : -1});
  append(shape, static_cast<std::int64_t>(request.layers.size()));
  for (const solver::SliceLayer& layer : request.layers) {
    append(shape, layer.level.view());
    append(shape, layer.size);
  }
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
    append(shape, pod_set.group);
  }
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
