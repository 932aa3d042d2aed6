// SPDX-License-Identifier: Apache-2.0
// Follows changes of nodes and pods in live worlds.
#include <algorithm>

#include "actors/books/worlds.h"

namespace tessera::core {
namespace {

bool name_before(const topology::NodeRecord& node, Symbol name) {
  return node.name.view() < name.view();
}

}  // namespace

WorldState Worlds::take_state() {
  WorldState state = std::move(state_);
  state.nodes = state.own_nodes;
  return state;
}

Worlds::Followed Worlds::update_node(const topology::NodeRecord& record) {
  std::vector<topology::NodeRecord>& nodes = state_.own_nodes;
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), record.name, name_before);
  if (at == nodes.end() || at->name != record.name) {
    nodes.insert(at, record);
    return {false, std::nullopt};
  }
  const topology::NodeRecord before = std::exchange(*at, record);
  const topology::NodeId node{static_cast<std::uint32_t>(at - nodes.begin())};
  if (nodes.size() != state_.nodes.size()) return {false, std::nullopt};  // they are made anew
  empty_ = nullptr;
  any_broken_.reset();
  healthy_ = nullptr;
  if (!cluster_->update_node(node, before, current_->scratch_capacity(), current_->live_index())) {
    return {false, std::nullopt};
  }
  return {true, node};
}

Worlds::Followed Worlds::delete_node(Symbol name) {
  std::vector<topology::NodeRecord>& nodes = state_.own_nodes;
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), name, name_before);
  if (at == nodes.end() || at->name != name) return {};
  nodes.erase(at);
  return {false, std::nullopt};
}

std::set<std::string> Worlds::assigned() const {
  std::set<std::string> keys;
  for (const auto& [gang, admitted] : state_.live) {
    if (has_domains(*admitted.admission)) keys.insert(admitted.workload->key());
  }
  return keys;
}

void Worlds::index_pod(const PodRecord& pod) {
  if (!pod.workload.empty()) pods_of_[pod.workload].emplace(pod.namespace_name, pod.name);
}

void Worlds::count_pods_of(const std::string& workload, bool stood_for) {
  const auto of_workload = pods_of_.find(workload);
  if (of_workload == pods_of_.end()) return;
  const std::set<std::string> assigned =
      stood_for ? std::set<std::string>{workload} : std::set<std::string>();
  for (const PodKey& key : of_workload->second) {
    const PodRecord& pod = state_.pods.at(key);
    const auto before = current_->discount_pod(pod);
    const auto now = current_->count_pod(pod, assigned, profile_.pod_usage);
    if (before.has_value() != now.has_value()) touched_.push_back(before ? *before : *now);
  }
}

Worlds::Followed Worlds::update_pod(const PodRecord& record) {
  const PodKey key{record.namespace_name, record.name};
  Followed followed = delete_pod(key);
  state_.pods.insert_or_assign(key, record);
  index_pod(record);
  // No workload holds the quota that this pod uses in a KAI Queue, so the owners must be made anew.
  if (!followed.in_place || !record.kai_queue.empty()) return {false, std::nullopt};
  const std::set<std::string> stood_for =
      record.workload.empty() ? std::set<std::string>() : assigned();
  const std::optional<topology::NodeId> node =
      current_->count_pod(record, stood_for, profile_.pod_usage);
  // A bound pod never moves. If it is on another node, it is another pod with the same name.
  if (node && followed.node && *node != *followed.node) touched_.push_back(*followed.node);
  return {true, node ? node : followed.node};
}

Worlds::Followed Worlds::delete_pod(const PodKey& key) {
  const auto at = state_.pods.find(key);
  if (at == state_.pods.end()) return {};
  const PodRecord record = at->second;
  state_.pods.erase(at);
  const auto of_workload = pods_of_.find(record.workload);
  if (of_workload != pods_of_.end()) {
    of_workload->second.erase(key);
    if (of_workload->second.empty()) pods_of_.erase(of_workload);
  }
  if (!record.kai_queue.empty()) return {false, std::nullopt};
  return {true, current_->discount_pod(record)};
}

}  // namespace tessera::core
