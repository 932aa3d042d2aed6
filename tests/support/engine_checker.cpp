// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_checker.h"

#include <algorithm>

#include "actors/records/broken_invariant.h"
#include "actors/records/grown.h"

namespace tessera::test {
EngineChecker::EngineChecker(const EngineScript& script, const actors::System& system,
                             const EngineObjects& objects, const actors::MemoryJournal& journal)
    : script_(&script), system_(&system), objects_(&objects), journal_(&journal) {
  for (const auto& [id, workload] : script.gangs) {
    Gang& gang = gangs_[id];
    gang.name = workload->name;
    for (const solver::PodSet& pod_set : workload->gang.pod_sets) {
      gang.pods += pod_set.count;
      gang.gpus += pod_set.count * pod_set.request.get(topology::gpu_resource());
    }
    for (const solver::GangGroup& group : workload->gang.groups) {
      gang.min_pods = gang.min_pods.value_or(0) + group.min_pods;
    }
  }
}

/// Takes the owners that exist now, with the nodes and definitions from which they were made.
void EngineChecker::take_owners() {
  owners_are_new_ = generation_ != objects_->generation();
  if (!owners_are_new_) return;
  if (generation_ > 0) ++seen_.new_owners;
  generation_ = objects_->generation();
  definitions_ = objects_->definitions();
  const topology::CellMap& cells = objects_->cells();
  const auto& nodes = objects_->planner().worlds().nodes();
  cells_ = CellTruth(cells, *definitions_->inventory, {nodes.begin(), nodes.end()});
  if (!cells_.fault().empty()) find(cells_.fault());
  shard_of_.assign(cells.cell_count(), kOnItsWay);
  overdrawn_.assign(cells.cell_count(), 0);
  set_up_quota(*definitions_->inventory);
}

void EngineChecker::find(const std::string& what) {
  if (found_.empty()) found_ = what;
}

std::string EngineChecker::name(core::GangId id) const {
  const auto at = gangs_.find(id);
  return at != gangs_.end() ? at->second.name : "unknown gang " + core::text(id);
}

void EngineChecker::planned(const core::PlanReply& reply) {
  for (const core::NodeMove& move : reply.moves) {
    for (const auto& [id, gang] : gangs_) {
      const auto& holdings = gang.holdings;
      const bool leaves = std::any_of(holdings.begin(), holdings.end(), [&](const Holding& each) {
        return cells_.nodes(each.first) == CellTruth::Nodes{topology::index(move.node)};
      });
      if (!leaves) continue;
      moving_.insert(id);
      ++seen_.moved_uses;
    }
  }
  for (const core::Admitted& admitted : reply.plan.admitted) moving_.insert(admitted.gang);
  for (const auto& [shard, step] : reply.shards) {
    moving_.insert(step->released.begin(), step->released.end());
  }
  for (const auto& [root, step] : reply.roots) {
    moving_.insert(step->released.begin(), step->released.end());
  }
}

/// What was published must be durable, all of it and in its order.
void EngineChecker::take_records() {
  const auto& records = system_->coordinator().records();
  for (; records_taken_ < records.size(); ++records_taken_) {
    const core::CycleRecord& record = *records[records_taken_];
    const auto& durable = journal_->records();
    if (records_taken_ >= durable.size() || durable[records_taken_].get() != &record) {
      find("cycle " + std::to_string(record.cycle) + " was published and is not durable");
    }
    for (const core::LifeChange& change : record.changes) {
      if (change.kind == core::LifeChange::Kind::kStarted) {
        phases_[change.gang] = core::GangPhase::kRunning;
      } else if (change.kind == core::LifeChange::Kind::kEvicting) {
        phases_[change.gang] = core::GangPhase::kEvicting;
      }
    }
    for (const core::GangId id : record.evicted) phases_.erase(id);
    for (const core::Admitted& admitted : record.admitted) {
      if (!admitted.grows) phases_[admitted.gang] = core::GangPhase::kAdmitted;
    }
    for (const core::GangId id : record.finished) {
      phases_.erase(id);
      finished_.insert(id);
      admitted_.erase(id);
    }
    for (const core::GangId id : record.evicted) admitted_.erase(id);
    for (const core::Admitted& admitted : record.admitted) take_admission(admitted);
  }
}

void EngineChecker::take_admission(const core::Admitted& admitted) {
  if (admitted_.insert(admitted.gang).second == admitted.grows) {
    find(name(admitted.gang) + " was admitted twice, or grew before");
    return;
  }
  core::Admitted all = admitted;
  all.grows = false;
  std::shared_ptr<const core::Admission>& held = gangs_.at(admitted.gang).admission;
  if (admitted.grows) {
    ++seen_.grown;
    all.admission =
        std::make_shared<const core::Admission>(core::merged(*held, *admitted.admission));
  }
  check_admission(all);
  held = all.admission;
  published_.insert(admitted.gang);
}

/// An admission places all pods, and it places pods that need one domain in one domain. Of a gang
/// tree it may place the minimum of each group.
void EngineChecker::check_admission(const core::Admitted& admitted) {
  const auto& pod_sets = admitted.workload->gang.pod_sets;
  const auto& assignments = admitted.admission->pod_sets;
  if (assignments.size() != pod_sets.size()) {
    return find(name(admitted.gang) + " has other pod sets than were asked for");
  }
  const auto& groups = admitted.workload->gang.groups;
  for (std::size_t p = 0; p < pod_sets.size(); ++p) {
    const std::optional<topology::Symbol>& required =
        groups.empty() ? pod_sets[p].topology.required : groups[p + 1].topology.required;
    std::size_t depth = 0;  // of the required level
    for (std::size_t l = 0; required && l < assignments[p].levels.size(); ++l) {
      if (assignments[p].levels[l] == *required) depth = l + 1;
    }
    std::int64_t placed = 0;
    std::set<std::string> domains;
    for (const core::DomainList::Domain domain : assignments[p].domains) {
      placed += domain.pods;
      std::string path;
      for (const topology::Symbol value : domain.values.first(depth)) path += value.str() + '/';
      domains.insert(path);
    }
    const std::int64_t least = groups.empty() ? pod_sets[p].count : groups[p + 1].min_pods;
    if (placed < least || placed > pod_sets[p].count)
      find("not all pods of " + name(admitted.gang) + " placed");
    if (required && placed > 0 && (depth == 0 || domains.size() != 1)) {
      find("pods of " + name(admitted.gang) + " are apart that need one domain");
    }
  }
}

/// Finds the shard of each cell. Unless `calm`, a cell may be on its way from one shard to another.
void EngineChecker::find_shards(bool calm) {
  const auto has = [this](std::uint32_t shard, topology::CellId cell) {
    try {
      objects_->shards()[shard]->free(cell, topology::gpu_resource());
      return true;
    } catch (const core::BrokenInvariant&) {
      return false;
    }
  };
  for (const topology::CellId cell : cells_.cells()) {
    std::uint32_t& shard = shard_of_[topology::index(cell)];
    if (shard != kOnItsWay && has(shard, cell)) continue;
    shard = kOnItsWay;
    for (std::uint32_t s = 0; s < objects_->shards().size(); ++s) {
      if (!has(s, cell)) continue;
      if (shard != kOnItsWay) find("a cell is in two shards");
      shard = s;
    }
    if (calm && shard == kOnItsWay) find("a cell is in no shard");
  }
}

void EngineChecker::sum_up_shards() {
  cells_.reset();
  for (std::uint32_t s = 0; s < objects_->shards().size(); ++s) {
    const core::ShardState& shard = *objects_->shards()[s];
    for (const core::GangId id : shard.holders()) {
      const auto at = gangs_.find(id);
      if (at == gangs_.end()) {
        find("shard " + std::to_string(s) + " holds for " + name(id));
        continue;
      }
      Gang& gang = at->second;
      for (const core::ShardState::Held& held : shard.held(id)) {
        const std::int64_t gpus = held.pods * held.pod_amounts.get(topology::gpu_resource());
        gang.pods_held += held.pods;
        gang.gpus_held += gpus;
        gang.committed |= held.committed;
        gang.holdings.push_back({held.cell, {gpus, held.pods}});
        if (held.committed) gang.committed_holdings.push_back(gang.holdings.back());
        cells_.book(held.cell, {gpus, held.pods});
      }
    }
  }
  if (cells_.is_crossed()) ++seen_.crossed;
}

void EngineChecker::check_free() {
  for (const topology::CellId cell : cells_.cells()) {
    const std::uint32_t s = shard_of_[topology::index(cell)];
    if (s == kOnItsWay) continue;
    const core::ShardState& shard = *objects_->shards()[s];
    const CellTruth::Room& rest = cells_.free(cell);
    if (rest.gpus != shard.free(cell, topology::gpu_resource()) ||
        rest.pods != shard.free(cell, topology::pods_resource())) {
      find("what is free on cell " + std::to_string(topology::index(cell)) +
           " is not the rest of it");
    }
    const std::int64_t overdrawn = std::max<std::int64_t>(0, -rest.gpus);
    std::int64_t& before = overdrawn_[topology::index(cell)];
    if (overdrawn > 0) ++seen_.overdrawn;
    if (overdrawn > before && !owners_are_new_) {
      find("less than nothing is free on cell " + std::to_string(topology::index(cell)));
    }
    before = overdrawn;
  }
}

/// A committed gang is where its last admission says, unless its node has other labels since.
void EngineChecker::check_places(const Gang& gang) {
  Places told;
  for (const core::PodSetAssignment& assignment : gang.admission->pod_sets) {
    if (assignment.count == 0) continue;
    const std::int64_t gpus = assignment.usage.get(topology::gpu_resource()) / assignment.count;
    for (const core::DomainList::Domain domain : assignment.domains) {
      auto& place = told[cells_.nodes_of(assignment.levels, domain.values)];
      place.first += domain.pods;
      place.second += domain.pods * gpus;
    }
  }
  Places holds;
  for (const auto& [cell, room] : gang.committed_holdings) {
    auto& place = holds[cells_.nodes(cell)];
    place.first += room.pods;
    place.second += room.gpus;
  }
  if (told != holds) find(gang.name + " is not where its admission says");
}

void EngineChecker::check_gangs(bool calm) {
  const auto& live = objects_->planner().worlds().live();
  for (const auto& [id, gang] : gangs_) {
    const bool moves = !calm && (all_move_ || moving_.count(id) > 0);
    if (!moves && !gang.is_whole() && !gang.is_absent()) {
      find(gang.name + " is neither whole nor absent");
    }
    // A reservation that was cut off or aborted is given back by a message. That message may still
    // be on its way to an owner when the end of the gang is published.
    if (!gang.is_absent() && finished_.count(id) > 0 && !moves) {
      find(gang.name + " ended and still holds something");
    }
    if (gang.committed && published_.count(id) == 0) {
      find(gang.name + " is committed and not published");
    }
    const bool empty = gang.may_be_empty() && gang.is_absent();
    if (calm && !empty && gang.is_absent() == (live.count(id) > 0)) {
      find(gang.name + " is live for the planner or for the owners, not for both");
    }
    if (calm && gang.committed && gang.admission) check_places(gang);
  }
}

void EngineChecker::check_copy() {
  const core::PlannerState& planner = objects_->planner();
  const core::Books& books = planner.worlds().current();
  for (const topology::CellId cell : cells_.cells()) {
    const std::uint32_t s = shard_of_[topology::index(cell)];
    const core::ShardState& shard = *objects_->shards()[s];
    for (const topology::Symbol resource : books.capacity().resources()) {
      const auto row = static_cast<std::uint32_t>(books.capacity().row(resource));
      if (shard.free(cell, resource) != books.capacity().left(row, cell)) {
        find("the planner's copy of cell " + std::to_string(index(cell)) + " differs");
      }
    }
    if (planner.layout().of(cell) != core::ShardId{s}) find("the planner's layout differs");
  }
  for (std::uint32_t s = 0; s < objects_->shards().size(); ++s) {
    if (planner.hashes().shards.at(core::ShardId{s}) != objects_->shards()[s]->hash()) {
      find("the planner's hash of a shard differs");
    }
  }
  for (const auto& [node, root] : objects_->roots()) {
    if (planner.hashes().roots.at(node) != root->hash()) {
      find("the planner's hash of a quota root differs");
    }
  }
  const core::Ledger& forest = definitions_->ledger;
  for (std::uint32_t n = 0; n < forest.node_count(); ++n) {
    const core::QuotaNode node{n};
    const core::RootState& root = *objects_->roots().at(forest.root(node));
    for (const Queue& queue : queues_) {
      if (root.ledger().usage(root.own(node), queue.column) !=
          books.ledger().usage(node, queue.column)) {
        find("the planner's copy of the use of " + forest.name(node) + " differs");
      }
    }
  }
}

std::string EngineChecker::check(bool calm) {
  for (auto& [id, gang] : gangs_) {
    gang.pods_held = gang.gpus_held = gang.quota_held = 0;
    gang.committed = false;
    gang.holdings.clear();
    gang.committed_holdings.clear();
  }
  take_owners();
  if (calm) {
    moving_.clear();
    all_move_ = false;
  }
  take_records();
  find_shards(calm);
  if (!found_.empty()) return found_;
  sum_up_shards();
  check_free();
  sum_up_roots();
  check_quota();
  check_gangs(calm);
  if (calm) check_copy();
  return found_;
}

}  // namespace tessera::test
