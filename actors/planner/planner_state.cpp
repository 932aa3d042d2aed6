// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/planner_state.h"

#include <algorithm>

#include "actors/capacity/state_hash.h"
#include "actors/planner/rounds.h"
#include "actors/planner/sequential_plan.h"
#include "actors/records/wants_more.h"
#include "topology/node_sets.h"

namespace tessera::core {
namespace {

solver::IndexLimits index_limits(const EngineOptions& options) {
  solver::IndexLimits limits;
  limits.max_keys = static_cast<std::uint32_t>(options.profile.index_max_keys);
  limits.max_age_cycles = static_cast<std::uint64_t>(options.profile.index_max_age_cycles);
  limits.threads = options.solver_threads;
  limits.parallel_leaves = options.parallel_leaves.value_or(limits.parallel_leaves);
  return limits;
}

}  // namespace

PlannerState::Model::Model(const Definitions& definitions, const EngineOptions& options,
                           WorldState state, Accounting& accounting)
    : worlds(std::move(state), definitions.flavors, definitions.ledger, options.profile,
             index_limits(options), accounting),
      planner(definitions.flavors, definitions.inventory->topologies, options.profile) {}

PlannerState::PlannerState(std::shared_ptr<const Definitions> definitions, EngineOptions options)
    : definitions_(std::move(definitions)),
      options_(std::move(options)),
      model_(std::make_unique<Model>(
          *definitions_, options_, state_of(definitions_->inventory, options_.live), accounting_)) {
  accounting_.queue_warnings = definitions_->directory.warnings();
  lay_out_shards();
}

/// Names the flavors whose leaves overlap in more ways than are told apart.
void PlannerState::warn_of_tangles() {
  std::string names;
  const Cluster& cluster = worlds().cluster();
  for (std::uint32_t i = 0; i < definitions_->flavors.size(); ++i) {
    const Flavor& flavor = definitions_->flavors[i];
    if (!flavor.topology) continue;
    const std::span<const topology::CellId> cells = cluster.view(FlavorId{i}, false)->cells();
    const bool tangled = std::any_of(cells.begin(), cells.end(), [&](topology::CellId cell) {
      return cluster.cells()->is_tangled(cell);
    });
    if (tangled) names += (names.empty() ? "" : ", ") + flavor.record.name;
  }
  if (names.empty()) return;
  accounting_.queue_warnings.push_back(
      "the racks of flavors " + names + " overlap in more than " +
      std::to_string(topology::kMostUnions) +
      " ways: each flavor sees all use of the others there, so a workload may wait beside free "
      "room");
}

void PlannerState::lay_out_shards() {
  warn_of_tangles();
  std::vector<topology::TopologySpec> topologies;
  for (const Flavor& flavor : definitions_->flavors) {
    if (flavor.topology) topologies.push_back(*flavor.topology);
  }
  layout_ = ShardLayout(worlds().current().capacity().cells(), worlds().nodes(), topologies,
                        options_.shard_level);
  accounting_.shard_fault = layout_.fault();
}

std::shared_ptr<Owners> PlannerState::make_owners() {
  auto made = std::make_shared<Owners>();
  Owners& owners = *made;
  owners.cells = worlds().cluster().cells();
  const topology::CellMap& cells = worlds().current().capacity().cells();
  for (std::uint32_t s = 0; s < layout_.size(); ++s) {
    owners.shards.push_back(
        std::make_unique<ShardState>(ShardId{s}, layout_, cells, worlds().nodes()));
  }
  const Ledger& ledger = definitions_->ledger;
  for (std::uint32_t n = 0; n < ledger.node_count(); ++n) {
    const QuotaNode root = ledger.root(QuotaNode{n});
    if (owners.roots.count(root) == 0) {
      owners.roots.emplace(root, std::make_unique<RootState>(root, ledger));
    }
  }
  hand_over_others(owners);
  const auto& all_held = worlds().current().held();
  for (const GangId gang : gangs_of(all_held)) {
    const Held& held = all_held.at(gang);
    for (const Held::Pods& part : held.pods) {
      owners.shards[index(layout_.of(part.cell))]->adopt(
          gang, part.cell, held.requests[part.pod_set]->amounts, part.pods);
    }
    for (const Held::Quota& part : held.quota) {
      owners.roots.at(ledger.root(part.queue))->adopt(gang, part.queue, part.column, part.amount);
    }
  }
  hashes_ = {};
  for (std::uint32_t s = 0; s < layout_.size(); ++s) {
    hashes_.shards[ShardId{s}] = owners.shards[s]->hash();
  }
  for (const auto& [root, state] : owners.roots) hashes_.roots[root] = state->hash();
  node_hashes_.clear();
  for (std::uint32_t n = 0; n < worlds().nodes().size(); ++n) {
    const std::optional<NodeChange> change = change_of(NodeId{n});
    node_hashes_.push_back(
        change ? node_hash(NodeId{n}, change->allocatable, change->others, change->usable) : 0);
  }
  return made;
}

/// Tells the new owners what pods without a workload use.
void PlannerState::hand_over_others(Owners& owners) const {
  const topology::CellMap& cells = worlds().current().capacity().cells();
  for (const auto& [node, use] : worlds().current().others().pods) {
    const std::optional<NodeChange> change = change_of(node);
    if (!change) continue;
    owners.shards[index(layout_.of(cells.cells_of_node(node).front()))]->change(*change);
  }
  for (const Held::Quota& part : worlds().current().others().quota) {
    owners.roots.at(definitions_->ledger.root(part.queue))
        ->adopt(kNoGang, part.queue, part.column, part.amount);
  }
}

PlanReply PlannerState::step(const PlanRequest& request) {
  PlanReply reply;
  const bool anew = !follow(request);
  if (!request.released.empty() || !request.updates.empty()) ++version_.freed;
  Outgoing outgoing(request.cycle, layout_, definitions_->ledger, !options_.ignore_quota, hashes_);
  // A node moves first, with all that is held on it. So workloads release to its new shard.
  if (!anew) tell_nodes(outgoing, reply);
  for (const GangId gang : request.released) {
    const Held held = worlds().release(gang);
    if (!anew) outgoing.release(gang, held);
  }
  if (anew) {
    lay_out_shards();
    reply.owners = make_owners();
  }
  reply.stranded.assign(stranded_.begin(), stranded_.end());
  if (request.recorded) reply.plan = book(*request.recorded);
  if (!request.windows.empty()) {
    reply.plan = request.round > 0
                     ? plan_round(context(), request.cycle, request.round, request.windows)
                     : plan_in_sequence(context(), request.cycle, request.windows, request.most);
  }
  reply.plan.cycle = request.cycle;
  version_.placed += reply.plan.admitted.size();
  if (request.may_search && (request.searches_wait || !reply.plan.deferred.empty())) {
    reply.snapshot = snapshot();
  }
  tell_nodes(outgoing, reply);
  outgoing.end_releases();
  reserve(reply.plan, outgoing);
  reply.shards = outgoing.shards();
  reply.roots = outgoing.roots();
  return reply;
}

/// Tells the owners each item of the plan. A gang that grows in it has several items.
void PlannerState::reserve(const Plan& plan, Outgoing& outgoing) const {
  const Books& books = worlds().current();
  std::map<GangId, std::size_t> later;  // growths of the gang in the rest of the plan
  for (const Admitted& admitted : plan.admitted) {
    if (admitted.grows) ++later[admitted.gang];
  }
  for (const Admitted& admitted : plan.admitted) {
    const auto rest = later.find(admitted.gang);
    if (rest == later.end()) {
      outgoing.reserve(admitted.gang, books.held().at(admitted.gang));
      continue;
    }
    if (admitted.grows) --rest->second;
    outgoing.reserve(admitted.gang,
                     books.part(admitted.gang, books.growths(admitted.gang) - rest->second));
  }
}

/// The plan that a record describes: its admissions, and the outcome of each for its queue.
Plan PlannerState::book(const std::vector<Admitted>& recorded) {
  Plan plan;
  std::map<std::uint32_t, QueueOutcomes> queues;
  for (const Admitted& admitted : recorded) {
    admitted.grows ? worlds().grow(admitted, accounting_) : worlds().admit(admitted, accounting_);
    plan.admitted.push_back(admitted);
    const auto queue = definitions_->directory.queues().find(admitted.admission->cluster_queue);
    if (queue == definitions_->directory.queues().end()) continue;
    const std::uint32_t position = definitions_->position(queue->second);
    TurnOutcome outcome;
    outcome.gang = admitted.gang;
    outcome.turn = Turn::kAdmitted;
    outcome.grows = options_.profile.rounds == config::Rounds::kSequential &&
                    wants_more(*admitted.workload, *worlds().live().at(admitted.gang).admission);
    queues.try_emplace(position, QueueOutcomes{position, {}})
        .first->second.outcomes.push_back(std::move(outcome));
  }
  for (auto& [position, outcomes] : queues) plan.queues.push_back(std::move(outcomes));
  return plan;
}

std::shared_ptr<const SearchState> PlannerState::snapshot() const {
  const Books& books = worlds().current();
  return std::make_shared<const SearchState>(SearchState{
      definitions_, gate_, &worlds().cluster(), books.capacity(), books.ledger(), version_});
}

void PlannerState::retract(std::span<const GangId> gangs) {
  if (!gangs.empty()) ++version_.freed;
  for (const GangId gang : gangs) {
    const Held held = worlds().retract(gang);
    move_hashes(held, -1, layout_, definitions_->ledger, hashes_);
  }
}

}  // namespace tessera::core
