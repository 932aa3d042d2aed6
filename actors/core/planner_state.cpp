// SPDX-License-Identifier: Apache-2.0
#include "actors/core/planner_state.h"

#include "actors/core/rounds.h"
#include "actors/core/sequential_plan.h"

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

PlannerState::PlannerState(std::shared_ptr<const Definitions> definitions, EngineOptions options)
    : definitions_(std::move(definitions)),
      options_(std::move(options)),
      worlds_(*definitions_->inventory, definitions_->flavors, definitions_->ledger,
              options_.profile, index_limits(options_), accounting_),
      planner_(definitions_->flavors, options_.profile),
      judge_(planner_, definitions_->flavors, worlds_, options_.ignore_quota) {
  accounting_.queue_warnings = definitions_->directory.warnings();
}

Owners PlannerState::make_owners() {
  Owners owners;
  const topology::CellMap& cells = worlds_.current().capacity().cells();
  std::vector<topology::TopologySpec> topologies;
  for (const Flavor& flavor : definitions_->flavors) {
    if (flavor.topology) topologies.push_back(*flavor.topology);
  }
  layout_ = ShardLayout(cells, definitions_->inventory->nodes, topologies, std::nullopt);
  owners.layout = layout_;
  for (std::uint32_t s = 0; s < layout_.size(); ++s) {
    owners.shards.push_back(
        std::make_unique<ShardState>(ShardId{s}, layout_, cells, definitions_->inventory->nodes));
  }
  const Ledger& ledger = definitions_->ledger;
  for (std::uint32_t n = 0; n < ledger.node_count(); ++n) {
    const QuotaNode root = ledger.root(QuotaNode{n});
    if (owners.roots.count(root) == 0) {
      owners.roots.emplace(root, std::make_unique<RootState>(root, ledger));
    }
  }
  hand_over_others(owners);
  for (const auto& [number, held] : worlds_.current().held()) {
    for (const Held::Pods& part : held.pods) {
      owners.shards[index(layout_.of(part.cell))]->adopt(number, part.cell,
                                                         held.pod_amounts[part.pod_set], part.pods);
    }
    for (const Held::Quota& part : held.quota) {
      owners.roots.at(ledger.root(part.queue))->adopt(number, part.queue, part.column, part.amount);
    }
  }
  hashes_ = {};
  for (std::uint32_t s = 0; s < layout_.size(); ++s) {
    hashes_.shards[ShardId{s}] = owners.shards[s]->hash();
  }
  for (const auto& [root, state] : owners.roots) hashes_.roots[root] = state->hash();
  has_owners_ = true;
  return owners;
}

/// Pods of no workload: nobody holds what they use.
void PlannerState::hand_over_others(Owners& owners) const {
  const topology::CellMap& cells = worlds_.current().capacity().cells();
  for (const auto& [node, use] : worlds_.current().others().pods) {
    const std::span<const topology::CellId> of_node = cells.cells_of_node(node);
    if (of_node.empty()) continue;
    const topology::NodeRecord& record = definitions_->inventory->nodes[topology::index(node)];
    owners.shards[index(layout_.of(of_node.front()))]->change(
        {node, record.allocatable, use, record.usable()});
  }
  constexpr std::size_t kNobody = SIZE_MAX;
  for (const Held::Quota& part : worlds_.current().others().quota) {
    owners.roots.at(definitions_->ledger.root(part.queue))
        ->adopt(kNobody, part.queue, part.column, part.amount);
  }
}

PlanReply PlannerState::step(const PlanRequest& request) {
  PlanReply reply;
  Outgoing outgoing(request.cycle, layout_, definitions_->ledger, !options_.ignore_quota, hashes_);
  for (const std::size_t number : request.released) {
    const Held held = worlds_.release(number);
    if (has_owners_) outgoing.release(number, held);
  }
  if (has_owners_) outgoing.end_releases();
  if (!request.windows.empty()) {
    reply.plan = request.round > 0
                     ? plan_round(context(), request.cycle, request.round, request.windows)
                     : plan_in_sequence(context(), request.cycle, request.windows, request.most);
  }
  reply.plan.cycle = request.cycle;
  if (!has_owners_) return reply;
  for (const Admitted& admitted : reply.plan.admitted) {
    outgoing.reserve(admitted.number, worlds_.current().held().at(admitted.number));
  }
  reply.shards = outgoing.shards();
  reply.roots = outgoing.roots();
  return reply;
}

void PlannerState::retract(std::span<const std::size_t> numbers) {
  for (const std::size_t number : numbers) {
    const Held held = worlds_.release(number);
    if (has_owners_) move_hashes(held, -1, layout_, definitions_->ledger, hashes_);
  }
}

}  // namespace tessera::core
