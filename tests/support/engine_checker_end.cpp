// SPDX-License-Identifier: Apache-2.0
// What EngineChecker checks when the script is over.
#include <algorithm>

#include "actors/records/wants_more.h"
#include "actors/runtime/gangs.h"
#include "tests/support/engine_checker.h"

namespace tessera::test {

void EngineChecker::check_phase(core::GangId id) {
  const actors::Coordinator& coordinator = system_->coordinator();
  const core::Gang* gang = coordinator.cycle().look().gangs.find(id);
  const auto at = phases_.find(id);
  const std::string told(at == phases_.end() ? "nothing held" : core::phase_name(at->second));
  const bool live = gang != nullptr && gang->live();
  const std::string phase(live ? core::phase_name(gang->phase) : "nothing held");
  if (phase != told) find(name(id) + " is " + phase + ", and " + told + " by the records");
  if (coordinator.gangs().has(id) != live) {
    find(name(id) + " is " + phase + ", and has an actor only in another phase");
  }
}

/// Clients know each workload that was submitted and has not ended, evaluated or not.
void EngineChecker::check_catalogue(core::GangId id, bool suspended) {
  const auto entry = objects_->catalogue().find(core::object_name(*script_->gangs.at(id)));
  const bool known = entry != nullptr && !entry->ended;
  if (known == (finished_.count(id) > 0)) {
    find("the catalogue knows " + name(id) + " after its end, or not before");
  }
  if (!known) return;
  if ((entry->admission != nullptr) != (admitted_.count(id) > 0)) {
    find("the catalogue does not know whether " + name(id) + " is admitted");
  }
  if (entry->suspended != suspended) {
    find("the catalogue does not know whether " + name(id) + " is suspended");
  }
  const auto& outside = system_->coordinator().cycle().look().outside;
  const auto at = outside.find(id);
  if (at != outside.end() && !suspended && entry->reason != at->second.reason) {
    find("the catalogue does not know why " + name(id) + " is in no queue");
  }
}

/// True if the queue of a gang that holds something keeps it, to let it grow.
bool EngineChecker::should_grow(core::GangId id) const {
  const auto phase = phases_.find(id);
  if (phase == phases_.end() || phase->second == core::GangPhase::kEvicting) return false;
  const core::Admission& held = *gangs_.at(id).admission;
  return objects_->planner().options().profile.rounds == config::Rounds::kSequential &&
         objects_->definitions()->directory.queues().count(held.cluster_queue) > 0 &&
         core::wants_more(*script_->gangs.at(id), held);
}

std::string EngineChecker::check_end() {
  check(true);
  const std::set<core::GangId> suspended = suspended_after(system_->coordinator().records());
  for (const auto& each : gangs_) {
    const core::GangId id = each.first;
    const Gang& gang = each.second;
    const bool empty = gang.may_be_empty() && gang.is_absent();
    if (admitted_.count(id) > 0 && !empty && (!gang.is_whole() || !gang.committed)) {
      find(gang.name + " was admitted and does not hold all of it");
    }
    if (admitted_.count(id) == 0 && !gang.is_absent()) {
      find(gang.name + " holds something, and no record says so");
    }
    check_phase(id);
    check_catalogue(id, suspended.count(id) > 0);
    const auto& queues = objects_->queues();
    const auto waits = std::count_if(queues.begin(), queues.end(), [id](const auto& queue) {
      return queue->find(id) != nullptr;
    });
    const bool should_wait = admitted_.count(id) + finished_.count(id) +
                                 system_->coordinator().cycle().look().outside.count(id) ==
                             0;
    const bool has_queue =
        objects_->definitions()->directory.queues().count(script_->gangs.at(id)->queue) > 0;
    if (should_wait !=
        (has_queue && admitted_.count(id) + finished_.count(id) + suspended.count(id) == 0)) {
      find(gang.name + " is in no queue, and has one");
    }
    if (waits != (should_wait || should_grow(id) ? 1 : 0)) {
      find(gang.name + " waits in " + std::to_string(waits) + " queues");
    }
  }
  if (system_->coordinator().gangs().size() != admitted_.size()) {
    find("there are more or fewer actors of gangs than admitted gangs");
  }
  return found_;
}

}  // namespace tessera::test
