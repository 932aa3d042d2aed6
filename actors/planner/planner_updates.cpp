// SPDX-License-Identifier: Apache-2.0
// How the planner follows changes of nodes, pods and definitions, and what it tells the owners.
#include <algorithm>

#include "actors/capacity/state_hash.h"
#include "actors/planner/planner_state.h"
#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

/// True if an update may change the trees, which background searches read.
bool changes_nodes(const std::vector<Input>& updates) {
  return std::any_of(updates.begin(), updates.end(), [](const Input& update) {
    return std::holds_alternative<NodeUpdate>(update) || std::holds_alternative<NodeDelete>(update);
  });
}

}  // namespace

bool PlannerState::follow(const PlanRequest& request) {
  bool in_place = request.definitions == nullptr;
  if (!options_.live && (!in_place || !request.updates.empty())) {
    throw BrokenInvariant("nodes, pods or definitions change in an engine that is not live");
  }
  touched_.clear();
  stranded_.clear();
  if (changes_nodes(request.updates)) end_searches();
  for (const Input& update : request.updates) in_place = follow(update) && in_place;
  if (!in_place) {
    end_searches();
    WorldState state = worlds().take_state();
    if (request.definitions) definitions_ = request.definitions;
    touched_.clear();
    accounting_ = {};
    accounting_.queue_warnings = definitions_->directory.warnings();
    model_ = std::make_unique<Model>(*definitions_, options_, std::move(state), accounting_);
  }
  return in_place;
}

/// Ends the searches before anything changes that they read.
void PlannerState::end_searches() {
  gate_->close();
  version_.nodes = gate_->closed();
}

bool PlannerState::follow(const Input& update) {
  Worlds::Followed followed;
  if (const auto* node = std::get_if<NodeUpdate>(&update)) {
    followed = worlds().update_node(node->record);
  } else if (const auto* gone = std::get_if<NodeDelete>(&update)) {
    note_stranded(gone->name);
    followed = worlds().delete_node(gone->name);
  } else if (const auto* pod = std::get_if<PodUpdate>(&update)) {
    followed = worlds().update_pod(pod->record);
  } else if (const auto* ended = std::get_if<PodDelete>(&update)) {
    followed = worlds().delete_pod({ended->namespace_name, ended->name});
  }
  if (followed.node) touched_.insert(*followed.node);
  return followed.in_place;
}

/// Notes the workloads with pods on a deleted node. Pods on a leaf above the host are left out:
/// nobody knows which node they are on.
void PlannerState::note_stranded(Symbol name) {
  const Books& books = worlds().current();
  const std::optional<topology::NodeId> node = books.cluster().find_node(name.view());
  if (!node) return;
  const topology::CellMap& cells = books.capacity().cells();
  for (const auto& [gang, held] : books.held()) {
    for (const Held::Pods& part : held.pods) {
      const std::span<const topology::NodeId> nodes = cells.nodes(part.cell);
      if (!cells.is_host(part.cell) || nodes.empty() || nodes.front() != *node) continue;
      stranded_.insert(gang);
      break;
    }
  }
}

std::optional<NodeChange> PlannerState::change_of(topology::NodeId node) const {
  const Books& books = worlds().current();
  if (books.capacity().cells().cells_of_node(node).empty()) return std::nullopt;
  const topology::NodeRecord& record = worlds().nodes()[topology::index(node)];
  const auto others = books.others().pods.find(node);
  const bool none = others == books.others().pods.end();
  return NodeChange{node, record.allocatable, none ? Amounts{} : others->second, record.usable()};
}

/// Tells each node that changed to its shard. The node may belong to another shard now.
void PlannerState::tell_nodes(Outgoing& outgoing, PlanReply& reply) {
  for (const topology::NodeId node : worlds().take_touched()) touched_.insert(node);
  for (const topology::NodeId node : touched_) {
    const std::optional<NodeChange> change = change_of(node);
    if (!change) continue;
    move_home(node, reply);
    const ShardId shard =
        layout_.of(worlds().current().capacity().cells().cells_of_node(node).front());
    std::uint64_t& hash = node_hashes_[topology::index(node)];
    hashes_.shards[shard] -= hash;
    hash = node_hash(node, change->allocatable, change->others, change->usable);
    hashes_.shards[shard] += hash;
    outgoing.shard(shard).nodes.push_back(*change);
  }
  touched_.clear();
}

/// Moves the cells of a node, with what is held on them, to the shard that its labels name, unless
/// other nodes share the cells.
void PlannerState::move_home(topology::NodeId node, PlanReply& reply) {
  const Books& books = worlds().current();
  const topology::CellMap& cells = books.capacity().cells();
  const std::span<const topology::CellId> own = cells.cells_of_node(node);
  const ShardId from = layout_.of(own.front());
  const ShardId to = layout_.home(worlds().nodes()[topology::index(node)]);
  if (from == to || !layout_.move(node, cells, to)) return;
  std::uint64_t moved = node_hashes_[topology::index(node)];
  for (const auto& [gang, held] : books.held()) {
    for (const Held::Pods& part : held.pods) {
      if (std::find(own.begin(), own.end(), part.cell) == own.end()) continue;
      moved += held_hash(part.cell, held.requests[part.pod_set]->hash, part.pods);
    }
  }
  hashes_.shards[from] -= moved;
  hashes_.shards[to] += moved;
  reply.moves.push_back({node, from, to});
}

}  // namespace tessera::core
