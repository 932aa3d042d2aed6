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

void Worlds::index_pod(const PodRecord& pod) {
  if (!pod.workload.empty()) {
    pods_of_[pod.workload][pod.node.str()].emplace(pod.namespace_name, pod.name);
  }
}

std::vector<const PodRecord*> Worlds::pods_of(const std::string& workload) const {
  std::vector<const PodRecord*> pods;
  const auto found = pods_of_.find(workload);
  if (found == pods_of_.end()) return pods;
  for (const auto& [node, keys] : found->second) {
    for (const PodKey& key : keys) pods.push_back(&state_.pods.at(key));
  }
  return pods;
}

std::vector<const PodRecord*> Worlds::pods_of(const std::string& workload,
                                              std::string_view node) const {
  std::vector<const PodRecord*> pods;
  const auto found = pods_of_.find(workload);
  if (found == pods_of_.end()) return pods;
  const auto here = found->second.find(node);
  if (here == found->second.end()) return pods;
  for (const PodKey& key : here->second) pods.push_back(&state_.pods.at(key));
  return pods;
}

std::vector<const PodRecord*> Worlds::settling_pods(const Admitted& admitted) const {
  if (profile_.pod_usage != config::PodUsage::kAll || !has_domains(*admitted.admission)) return {};
  return pods_to_seat(*admitted.workload, pods_of(admitted.workload->key()));
}

const Admitted* Worlds::assigned(const PodRecord& pod) {
  if (profile_.pod_usage != config::PodUsage::kAll || pod.workload.empty()) return nullptr;
  if (!gang_of_) {
    gang_of_.emplace();
    for (const auto& [gang, admitted] : state_.live) (*gang_of_)[admitted.workload->key()] = gang;
  }
  const auto gang = gang_of_->find(pod.workload);
  if (gang == gang_of_->end()) return nullptr;
  const Admitted& admitted = state_.live.at(gang->second);
  return has_domains(*admitted.admission) ? &admitted : nullptr;
}

void Worlds::recount(const std::vector<const PodRecord*>& pods, const Admitted* admitted) {
  std::vector<std::optional<topology::NodeId>> before;
  for (const PodRecord* pod : pods) before.push_back(current_->discount_pod(*pod));
  const bool stood_for = admitted != nullptr && has_domains(*admitted->admission) &&
                         profile_.pod_usage == config::PodUsage::kAll;
  std::vector<const PodRecord*> counted = pods;
  if (stood_for) {
    const std::vector<const PodRecord*> to_seat = pods_to_seat(*admitted->workload, pods);
    const std::set<const PodRecord*> seats(to_seat.begin(), to_seat.end());
    std::erase_if(counted, [&seats](const PodRecord* pod) { return seats.count(pod) > 0; });
    const std::vector<const PodRecord*> strays =
        find_strays(*cluster_, current_->held().at(admitted->gang), *admitted->workload,
                    *admitted->admission, to_seat);
    counted.insert(counted.end(), strays.begin(), strays.end());
  }
  for (const PodRecord* pod : counted) current_->count_pod(*pod, profile_.pod_usage);
  const auto& now = current_->others().counted;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const bool counts = now.count({pods[i]->namespace_name, pods[i]->name}) > 0;
    if (before[i].has_value() == counts) continue;
    touched_.push_back(before[i] ? *before[i] : *cluster_->find_node(pods[i]->node.view()));
  }
}

void Worlds::recount_near(const PodRecord& pod, const Admitted& admitted) {
  const std::vector<Held::Pods>& parts = current_->held().at(admitted.gang).pods;
  const bool by_node = std::all_of(parts.begin(), parts.end(), [&](const Held::Pods& part) {
    return cluster_->cells()->nodes(part.cell).size() == 1;
  });
  recount(by_node ? pods_of(pod.workload, pod.node.view()) : pods_of(pod.workload), &admitted);
}

Worlds::Followed Worlds::update_pod(const PodRecord& record) {
  const PodKey key{record.namespace_name, record.name};
  Followed followed = delete_pod(key);
  state_.pods.insert_or_assign(key, record);
  index_pod(record);
  // No workload holds the quota that this pod uses in a KAI Queue, so the owners must be made anew.
  if (!followed.in_place || !record.kai_queue.empty()) return {false, std::nullopt};
  if (const Admitted* admitted = assigned(record)) {
    if (current_->held().at(admitted->gang).follows_pods) return {false, std::nullopt};
    recount_near(record, *admitted);
    return followed;
  }
  const std::optional<topology::NodeId> node = current_->count_pod(record, profile_.pod_usage);
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
    const auto on_node = of_workload->second.find(record.node.view());
    on_node->second.erase(key);
    if (on_node->second.empty()) of_workload->second.erase(on_node);
    if (of_workload->second.empty()) pods_of_.erase(of_workload);
  }
  if (!record.kai_queue.empty()) return {false, std::nullopt};
  const Followed followed{true, current_->discount_pod(record)};
  if (const Admitted* admitted = assigned(record)) {
    if (current_->held().at(admitted->gang).follows_pods) return {false, std::nullopt};
    recount_near(record, *admitted);
  }
  return followed;
}

}  // namespace tessera::core
