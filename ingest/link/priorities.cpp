// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/priorities.h"

#include <string_view>
#include <tuple>
#include <utility>

#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

constexpr char kWorkloadPriorityLabel[] = "kueue.x-k8s.io/priority-class";

constexpr std::int64_t kPriorityOfPodGroups = 50;
constexpr std::pair<std::string_view, std::int64_t> kKaiClasses[] = {
    {"train", 50}, {"build-preemptible", 75}, {"build", 100}, {"inference", 125}};

}  // namespace

Priorities::Priorities(ReadContext& context) : context_(context) {
  // Built into every cluster.
  of_pods_.values = {{"system-cluster-critical", 2'000'000'000},
                     {"system-node-critical", 2'000'001'000}};
  for (const PriorityClassObject& one : context.priority_classes) {
    of_pods_.values[one.name] = one.value;
    // If several classes are the default, Kubernetes takes the lowest value. Of equal values, the
    // first name counts here.
    const bool first = default_name_.empty();
    if (one.global_default &&
        (first || std::tie(one.value, one.name) < std::tie(default_, default_name_))) {
      default_ = one.value;
      default_name_ = one.name;
    }
  }
  for (const PriorityClassObject& one : context.workload_priority_classes) {
    of_workloads_.values[one.name] = one.value;
  }
}

void Priorities::take(const ObjectHeader& header, core::Workload& workload, Classes& classes,
                      const std::string& kind) {
  const auto found = classes.values.find(workload.priority_class);
  if (found != classes.values.end()) {
    workload.priority = found->second;
    return;
  }
  workload.priority = 0;
  if (classes.names.empty()) {
    for (const auto& [name, value] : classes.values) classes.names.push_back(name);
  }
  context_.warning(header, {}, "",
                   kind + " " + quoted(workload.priority_class) +
                       " is not in the input: its priority counts as 0" +
                       speller_.did_you_mean(workload.priority_class, classes.names));
}

void Priorities::resolve(const ObjectHeader& header, core::Workload& workload) {
  const auto label = header.labels.find(kWorkloadPriorityLabel);
  if (label != header.labels.end() && !label->second.empty()) {
    workload.priority_class = label->second;
    take(header, workload, of_workloads_, "WorkloadPriorityClass");
  } else if (!workload.priority_class.empty()) {
    workload.pod_priority_class = true;
    take(header, workload, of_pods_, "PriorityClass");
  } else {
    workload.priority = default_;
    workload.priority_class = default_name_;
    workload.pod_priority_class = !default_name_.empty();
  }
}

void Priorities::resolve_object(const ObjectHeader& header, core::Workload& workload) {
  if (workload.priority != kNoPriority) return;
  workload.priority = 0;
  if (workload.priority_class.empty()) return;
  if (of_workloads_.values.count(workload.priority_class) == 0 &&
      of_pods_.values.count(workload.priority_class) > 0) {
    workload.pod_priority_class = true;  // v1beta1 need not say which class it is
  }
  if (workload.pod_priority_class) {
    take(header, workload, of_pods_, "PriorityClass");
  } else {
    take(header, workload, of_workloads_, "WorkloadPriorityClass");
  }
}

void Priorities::resolve_pod_group(const ObjectHeader& header, core::Workload& workload) {
  const std::string asked = workload.priority_class;
  workload.pod_priority_class = true;
  const auto found = of_pods_.values.find(asked);
  if (found != of_pods_.values.end()) {
    workload.priority = found->second;
    return;
  }
  for (const auto& [name, value] : kKaiClasses) {
    if (name != asked) continue;
    workload.priority = value;
    return;
  }
  workload.priority = default_name_.empty() ? kPriorityOfPodGroups : default_;
  workload.priority_class = default_name_;
  workload.pod_priority_class = !default_name_.empty();
  if (asked.empty()) return;
  std::vector<std::string> names;
  for (const auto& [name, value] : of_pods_.values) names.push_back(name);
  for (const auto& each : kKaiClasses) names.emplace_back(each.first);
  context_.warning(header, {}, "spec.priorityClassName",
                   "PriorityClass " + quoted(asked) + " is not in the input: its priority counts " +
                       "as " + std::to_string(workload.priority) +
                       speller_.did_you_mean(asked, names));
}

}  // namespace tessera::ingest
