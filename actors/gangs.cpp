// SPDX-License-Identifier: Apache-2.0
#include "actors/gangs.h"

#include <caf/all.hpp>
#include <exception>

#include "actors/shells.h"

namespace tessera::actors {

Gangs::Gangs(caf::actor_config& config, Parts* parts, caf::actor_addr coordinator)
    : caf::event_based_actor(config), parts_(parts), coordinator_(std::move(coordinator)) {
  for (const auto& [number, admitted] : parts_->planner->worlds().live()) {
    start(number, admitted.workload,
          admitted.workload->pods_ready ? core::GangPhase::kRunning : core::GangPhase::kAdmitted);
  }
}

caf::behavior Gangs::make_behavior() {
  return {
      [this](const Committed& message) {
        try {
          take(*message.record);
        } catch (const std::exception& error) {
          parts_->hooks.fatal(std::string("gangs: ") + error.what());
        }
      },
      [this](const GangLost& message) { restore(message); },
  };
}

/// One root ends everything top-down.
void Gangs::on_exit() {
  for (const auto& [number, gang] : live_) send_exit(gang.actor, caf::exit_reason::user_shutdown);
  live_.clear();
}

void Gangs::take(const core::CycleRecord& record) {
  using core::GangPhase;
  for (const core::LifeChange& change : record.changes) {
    if (change.kind == core::LifeChange::Kind::kStarted) {
      move(change.number, GangPhase::kRunning, record.cycle);
    } else if (change.kind == core::LifeChange::Kind::kEvicting) {
      move(change.number, GangPhase::kEvicting, record.cycle);
    }
  }
  for (const std::size_t number : record.finished) {
    move(number, GangPhase::kFinished, record.cycle);
    live_.erase(number);
  }
  // An evicted gang waits as a row of its queue again.
  for (const std::size_t number : record.evicted) {
    move(number, GangPhase::kEvicting, record.cycle);
    move(number, GangPhase::kEvicted, record.cycle);
    live_.erase(number);
  }
  for (const core::Admitted& admitted : record.admitted) {
    start(admitted.number, admitted.workload, GangPhase::kAdmitted);
  }
}

void Gangs::start(std::size_t number, std::shared_ptr<const core::Workload> workload,
                  core::GangPhase phase) {
  auto state = std::make_shared<core::GangState>(number, workload, phase);
  // Most gangs are told nothing before their end: until then they need no turn of a worker.
  live_[number] = {spawn<caf::lazy_init>(gang_shell, parts_, std::move(state)), std::move(workload),
                   phase};
}

void Gangs::move(std::size_t number, core::GangPhase phase, core::CycleNumber cycle) {
  const auto at = live_.find(number);
  if (at == live_.end() || at->second.phase == phase) return;
  at->second.phase = phase;
  send(at->second.actor, MoveGang{cycle, phase});
}

std::optional<core::GangPhase> Gangs::phase(std::size_t number) const {
  const auto at = live_.find(number);
  return at == live_.end() ? std::nullopt : std::optional(at->second.phase);
}

void Gangs::restore(const GangLost& lost) {
  const auto at = live_.find(lost.number);
  if (at != live_.end()) start(lost.number, at->second.workload, at->second.phase);
  if (const auto coordinator = caf::actor_cast<caf::actor>(coordinator_)) send(coordinator, lost);
}

}  // namespace tessera::actors
