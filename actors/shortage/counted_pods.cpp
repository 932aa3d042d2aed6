// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/counted_pods.h"

#include <algorithm>

namespace tessera::core {
namespace {

template <class Map, class Key>
std::span<const std::size_t> list_of(const Map& map, const Key& key) {
  const auto at = map.find(key);
  return at == map.end() ? std::span<const std::size_t>() : at->second;
}

}  // namespace

std::string display_name(const Workload& workload) {
  return workload.origin.kind.empty() ? "workload/" + workload.name : workload.origin.display();
}

CountedPods::CountedPods(const Inventory& inventory, const Books& books) : inventory_(&inventory) {
  const std::vector<PodRecord>& pods = inventory.pods;
  const bool named = std::any_of(pods.begin(), pods.end(),
                                 [](const PodRecord& pod) { return !pod.workload.empty(); });
  for (std::size_t i = 0; named && i < inventory.workloads.size(); ++i) {
    workloads_.emplace(inventory.workloads[i].key(), i);
  }
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (books.others().counted.count({pods[i].namespace_name, pods[i].name}) == 0) continue;
    by_owner_[{pods[i].namespace_name, name_of(i)}].push_back(i);
    if (const auto node = books.cluster().find_node(pods[i].node.view())) {
      by_node_[topology::index(*node)].push_back(i);
    }
  }
}

std::span<const std::size_t> CountedPods::on(topology::NodeId node) const {
  return list_of(by_node_, topology::index(node));
}

std::span<const std::size_t> CountedPods::of(const std::string& namespace_name,
                                             const std::string& name) const {
  return list_of(by_owner_, std::pair(namespace_name, name));
}

std::string CountedPods::name_of(std::size_t pod) const {
  if (const auto workload = workload_of(pod)) return display_name(inventory_->workloads[*workload]);
  const PodRecord& record = inventory_->pods[pod];
  return record.owner.empty() ? "pod/" + record.name : record.owner;
}

std::optional<std::size_t> CountedPods::workload_of(std::size_t pod) const {
  const auto at = workloads_.find(inventory_->pods[pod].workload);
  return at == workloads_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace tessera::core
