// SPDX-License-Identifier: Apache-2.0
#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

std::string limit_text(char mark, const std::optional<std::int64_t>& limit) {
  return limit ? mark + std::to_string(*limit) : std::string();
}

std::string groups_text(const std::vector<core::ResourceGroup>& groups) {
  std::string text;
  for (const core::ResourceGroup& group : groups) {
    text += " [";
    for (const topology::Symbol resource : group.covered) text += resource.str() + " ";
    for (const core::FlavorQuotas& flavor : group.flavors) {
      text += "| " + flavor.flavor;
      for (const core::ResourceQuota& quota : flavor.resources) {
        text += " " + quota.resource.str() + "=" + std::to_string(quota.nominal) +
                limit_text('L', quota.borrowing_limit) + limit_text('G', quota.lending_limit);
      }
    }
    text += "]";
  }
  return text;
}

}  // namespace

ingest::Loaded load(std::string_view state, std::string_view request) {
  const config::Settings settings = config::built_in_settings();
  ingest::Loader loader(settings);
  if (!state.empty()) loader.read_text(state, "state.yaml", ingest::Role::kState);
  if (!request.empty()) loader.read_text(request, "request.yaml", ingest::Role::kRequest);
  return loader.finish();
}

std::string texts(const std::vector<Error>& errors) {
  std::string text;
  for (const Error& error : errors) text += error.text() + "\n";
  return text;
}

std::string keys(const ingest::Loaded& loaded, const std::vector<std::size_t>& positions) {
  std::string text;
  for (const std::size_t position : positions) {
    text += (text.empty() ? "" : " ") + loaded.inventory.workloads[position].key();
  }
  return text.empty() ? "-" : text;
}

std::string pod_links(const core::Inventory& inventory) {
  std::string text;
  for (const core::PodRecord& pod : inventory.pods) {
    text += (text.empty() ? "" : " ") + pod.name;
    if (!pod.workload.empty()) text += ">" + pod.workload;
    if (!pod.owner.empty()) text += "!" + pod.owner;
  }
  return text.empty() ? "-" : text;
}

std::string queue_text(const core::ClusterQueueRecord& queue) {
  std::string text = queue.name + " cohort=" + queue.cohort;
  text += queue.strategy == core::QueueStrategy::kStrictFifo ? " strict" : " best-effort";
  text += " stop=" + std::to_string(static_cast<int>(queue.stop));
  text += " selector=";
  text += queue.namespace_selector ? std::to_string(queue.namespace_selector->requirements.size())
                                   : "absent";
  if (queue.borrow_tries_next_flavor) text += " borrow-next";
  if (queue.preempt_tries_next_flavor) text += " preempt-next";
  if (queue.preempts) text += " preempts";
  if (queue.fair_sharing) text += " fair";
  for (const auto& [check, flavors] : queue.checks) {
    text += " check:" + check;
    for (const std::string& flavor : flavors) text += "@" + flavor;
  }
  return text + groups_text(queue.groups);
}

std::string cohort_text(const core::CohortRecord& cohort) {
  return cohort.name + " parent=" + cohort.parent + (cohort.fair_sharing ? " fair" : "") +
         groups_text(cohort.groups);
}

std::string levels_text(const topology::TopologySpec& topology) {
  std::string text;
  for (const topology::TopologyLevel& level : topology.levels) {
    text += (text.empty() ? "" : " > ") + level.label.str();
  }
  return text;
}

}  // namespace tessera::test
