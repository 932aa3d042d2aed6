// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_checker.h"

#include <algorithm>

#include "actors/gangs.h"

namespace tessera::test {
namespace {

/// The top of the cohorts above a queue or cohort; a queue without one is its own.
std::string tree_of(const core::Inventory& inventory, std::string name, std::string parent) {
  while (!parent.empty()) {
    name = parent;
    parent.clear();
    for (const core::CohortRecord& cohort : inventory.cohorts) {
      if (cohort.name == name) parent = cohort.parent;
    }
  }
  return name;
}

const core::ResourceQuota* gpus_of(const std::vector<core::ResourceGroup>& groups) {
  for (const core::ResourceQuota& quota : groups[0].flavors[0].resources) {
    if (quota.resource == topology::gpu_resource()) return &quota;
  }
  return nullptr;
}

}  // namespace

EngineChecker::EngineChecker(const EngineScript& script, actors::System& system,
                             const actors::MemoryJournal& journal)
    : script_(&script),
      system_(&system),
      journal_(&journal),
      forest_(&system.parts().definitions->ledger) {
  for (const auto& [number, workload] : script.gangs) {
    Gang& gang = gangs_.emplace_back();
    gang.name = workload->name;
    for (const solver::PodSet& pod_set : workload->gang.pod_sets) {
      gang.pods += pod_set.count;
      gang.gpus += pod_set.count * pod_set.request.get(topology::gpu_resource());
    }
  }
  set_up_quota();
}

void EngineChecker::set_up_quota() {
  for (const core::CohortRecord& cohort : script_->inventory.cohorts) {
    quota_of_tree_[tree_of(script_->inventory, cohort.name, cohort.parent)] +=
        gpus_of(cohort.groups)->nominal;
  }
  for (const core::ClusterQueueRecord& record : script_->inventory.cluster_queues) {
    const core::ResourceQuota& quota = *gpus_of(record.groups);
    Queue queue{*forest_->queue(record.name), {}, INT64_MAX, {}};
    queue.column =
        *forest_->column(queue.node, topology::Symbol("default"), topology::gpu_resource());
    if (record.cohort.empty()) queue.most = quota.nominal;
    if (quota.borrowing_limit) queue.most = quota.nominal + *quota.borrowing_limit;
    queue.tree = tree_of(script_->inventory, record.name, record.cohort);
    quota_of_tree_[queue.tree] += quota.nominal;
    queues_.push_back(std::move(queue));
  }
}

void EngineChecker::find(const std::string& what) {
  if (found_.empty()) found_ = what;
}

std::string EngineChecker::name(std::size_t number) const {
  return number < gangs_.size() ? gangs_[number].name : "unknown gang " + std::to_string(number);
}

void EngineChecker::planned(const core::PlanReply& reply) {
  for (const core::Admitted& admitted : reply.plan.admitted) moving_.insert(admitted.number);
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
        phases_[change.number] = core::GangPhase::kRunning;
      } else if (change.kind == core::LifeChange::Kind::kEvicting) {
        phases_[change.number] = core::GangPhase::kEvicting;
      }
    }
    for (const std::size_t number : record.evicted) phases_.erase(number);
    for (const core::Admitted& admitted : record.admitted) {
      phases_[admitted.number] = core::GangPhase::kAdmitted;
    }
    for (const std::size_t number : record.finished) {
      phases_.erase(number);
      finished_.insert(number);
      admitted_.erase(number);
    }
    for (const std::size_t number : record.evicted) admitted_.erase(number);
    for (const core::Admitted& admitted : record.admitted) {
      if (!admitted_.insert(admitted.number).second) {
        find(name(admitted.number) + " was admitted twice");
      }
      published_.insert(admitted.number);
    }
  }
}

void EngineChecker::sum_up_shards() {
  const core::Owners& owners = *system_->parts().owners;
  const core::ShardLayout& layout = system_->parts().planner->layout();
  const topology::CellMap& cells = system_->parts().planner->worlds().current().capacity().cells();
  free_.resize(cells.cell_count());
  for (std::uint32_t s = 0; s < owners.shards.size(); ++s) {
    const core::ShardState& shard = *owners.shards[s];
    for (const topology::CellId cell : layout.cells(core::ShardId{s})) {
      if (cells.nodes(cell).empty()) continue;  // a hole of a live tree
      const topology::NodeId node = cells.nodes(cell).front();
      free_[topology::index(cell)] = script_->inventory.nodes[topology::index(node)].allocatable;
    }
    for (const std::size_t number : shard.holders()) {
      if (number >= gangs_.size()) {
        find("shard " + layout.name(core::ShardId{s}) + " holds for " + name(number));
        continue;
      }
      for (const core::ShardState::Held& held : shard.held(number)) {
        gangs_[number].pods_held += held.pods;
        gangs_[number].gpus_held += held.pods * held.pod_amounts.get(topology::gpu_resource());
        gangs_[number].committed |= held.committed;
        free_[topology::index(held.cell)].subtract(held.pod_amounts.times(held.pods));
      }
    }
    for (const topology::CellId cell : layout.cells(core::ShardId{s})) {
      if (cells.nodes(cell).empty()) continue;
      for (const topology::Symbol resource :
           {topology::gpu_resource(), topology::pods_resource()}) {
        const std::int64_t rest = free_[topology::index(cell)].get(resource);
        if (rest < 0) find("less than nothing is free on cell " + std::to_string(index(cell)));
        if (rest != shard.free(cell, resource)) {
          find("what is free on cell " + std::to_string(index(cell)) + " is not the rest of it");
        }
      }
    }
  }
}

void EngineChecker::sum_up_roots() {
  used_.clear();
  for (const auto& [node, root] : system_->parts().owners->roots) {
    for (const std::size_t number : root->holders()) {
      if (number >= gangs_.size()) {
        find("a quota root holds for " + name(number));
        continue;
      }
      for (const core::RootState::Held& held : root->held(number)) {
        gangs_[number].quota_held += held.amount;
        gangs_[number].committed |= held.committed;
        used_[held.queue] += held.amount;
      }
    }
  }
}

void EngineChecker::check_quota() {
  const core::Owners& owners = *system_->parts().owners;
  std::map<std::string, std::int64_t> used_of_tree;
  for (const Queue& queue : queues_) {
    const std::int64_t used = used_[queue.node];
    used_of_tree[queue.tree] += used;
    const std::string& name = forest_->name(queue.node);
    if (used > queue.most) find("queue " + name + " is above its limit");
    const core::RootState& root = *owners.roots.at(forest_->root(queue.node));
    if (used != root.ledger().usage(root.own(queue.node), queue.column)) {
      find("the use of queue " + name + " is not the sum of what is held");
    }
  }
  for (const auto& [tree, used] : used_of_tree) {
    if (used > quota_of_tree_.at(tree)) find("tree " + tree + " is above its quota");
  }
}

void EngineChecker::check_gangs(bool calm) {
  const auto& live = system_->parts().planner->worlds().live();
  for (std::size_t number = 0; number < gangs_.size(); ++number) {
    const Gang& gang = gangs_[number];
    const bool moves = !calm && (all_move_ || moving_.count(number) > 0);
    if (!moves && !gang.is_whole() && !gang.is_absent()) {
      find(gang.name + " is neither whole nor absent");
    }
    // What gives back a reservation that was cut off or aborted may be on its way to an owner when
    // the end of its gang is published.
    if (!gang.is_absent() && finished_.count(number) > 0 && !moves) {
      find(gang.name + " ended and still holds something");
    }
    if (gang.committed && published_.count(number) == 0) {
      find(gang.name + " is committed and not published");
    }
    if (calm && gang.is_absent() == (live.count(number) > 0)) {
      find(gang.name + " is live for the planner or for the owners, not for both");
    }
  }
}

void EngineChecker::check_copy() {
  const core::PlannerState& planner = *system_->parts().planner;
  const core::Owners& owners = *system_->parts().owners;
  const core::ShardLayout& layout = system_->parts().planner->layout();
  const core::Books& books = planner.worlds().current();
  for (std::uint32_t s = 0; s < owners.shards.size(); ++s) {
    const core::ShardState& shard = *owners.shards[s];
    for (const topology::CellId cell : layout.cells(core::ShardId{s})) {
      if (books.capacity().cells().nodes(cell).empty()) continue;
      for (const topology::Symbol resource : books.capacity().resources()) {
        if (shard.free(cell, resource) !=
            books.capacity().amount(topology::Basis::kFree, resource, cell)) {
          find("the planner's copy of cell " + std::to_string(index(cell)) + " differs");
        }
      }
    }
    if (planner.hashes().shards.at(core::ShardId{s}) != shard.hash()) {
      find("the planner's hash of a shard differs");
    }
  }
  for (const auto& [node, root] : owners.roots) {
    if (planner.hashes().roots.at(node) != root->hash()) {
      find("the planner's hash of a quota root differs");
    }
  }
  for (std::uint32_t n = 0; n < forest_->node_count(); ++n) {
    const core::QuotaNode node{n};
    const core::RootState& root = *owners.roots.at(forest_->root(node));
    if (root.ledger().usage(root.own(node), queues_[0].column) !=
        books.ledger().usage(node, queues_[0].column)) {
      find("the planner's copy of the use of " + forest_->name(node) + " differs");
    }
  }
}

std::string EngineChecker::check(bool calm) {
  for (Gang& gang : gangs_) {
    gang.pods_held = gang.gpus_held = gang.quota_held = 0;
    gang.committed = false;
  }
  if (calm) {
    moving_.clear();
    all_move_ = false;
  }
  take_records();
  sum_up_shards();
  sum_up_roots();
  check_quota();
  check_gangs(calm);
  if (calm) check_copy();
  return found_;
}

void EngineChecker::check_phase(std::size_t number) {
  const auto text = [](const std::optional<core::GangPhase>& phase) {
    return std::string(phase && core::holds(*phase) ? core::phase_name(*phase) : "nothing held");
  };
  const auto at = phases_.find(number);
  const std::string told =
      at == phases_.end() ? text(std::nullopt) : std::string(core::phase_name(at->second));
  const actors::Coordinator& coordinator = system_->coordinator();
  const std::string phase = text(coordinator.cycle().phase(number));
  if (phase != told) find(name(number) + " is " + phase + ", and " + told + " by the records");
  const std::string actor = text(coordinator.gangs().phase(number));
  if (actor != phase) find(name(number) + " is " + phase + ", and its actor " + actor);
}

std::string EngineChecker::check_end() {
  check(true);
  const std::set<std::size_t> suspended = suspended_after(system_->coordinator().records());
  for (std::size_t number = 0; number < gangs_.size(); ++number) {
    const Gang& gang = gangs_[number];
    if (admitted_.count(number) > 0 && (!gang.is_whole() || !gang.committed)) {
      find(gang.name + " was admitted and does not hold all of it");
    }
    if (admitted_.count(number) == 0 && !gang.is_absent()) {
      find(gang.name + " holds something, and no record says so");
    }
    check_phase(number);
    const auto& queues = system_->parts().queues;
    const auto waits = std::count_if(queues.begin(), queues.end(), [number](const auto& queue) {
      return queue->find(number) != nullptr;
    });
    const bool should_wait =
        admitted_.count(number) + finished_.count(number) + suspended.count(number) == 0;
    if (waits != (should_wait ? 1 : 0)) {
      find(gang.name + " waits in " + std::to_string(waits) + " queues");
    }
  }
  if (system_->coordinator().gangs().size() != admitted_.size()) {
    find("there are more or fewer actors of gangs than admitted gangs");
  }
  return found_;
}

}  // namespace tessera::test
