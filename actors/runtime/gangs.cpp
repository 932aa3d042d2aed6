// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/gangs.h"

#include <caf/all.hpp>
#include <exception>

#include "actors/gangs/gang_state.h"

namespace tessera::actors {
namespace {

/// One gang. It ends when its parent lets go of it, and tells it of nothing but its moves before.
class Gang : public caf::event_based_actor {
 public:
  Gang(caf::actor_config& config, Parts* parts, core::GangState state)
      : caf::event_based_actor(config), parts_(parts), state_(std::move(state)) {}

  const char* name() const override { return "gang"; }
  caf::behavior make_behavior() override {
    return {[this](const MoveGang& message) { move(message.phase); }};
  }
  /// As CAF ends an actor that nobody can reach, without telling its clock's thread, which costs
  /// more than all the rest: a gang sets no timeouts.
  void on_destroy() override {
    if (getf(is_cleaned_up_flag)) return;
    unregister_from_system();
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): those between are what tells the clock.
    caf::monitorable_actor::cleanup(caf::exit_reason::unreachable, nullptr);
  }

 private:
  void move(core::GangPhase phase) {
    try {
      if (parts_->hooks.enter) parts_->hooks.enter("gang");
      state_.move_to(phase);
    } catch (const std::exception& error) {
      send(caf::actor_cast<caf::actor>(current_sender()), GangLost{state_.id(), error.what()});
      quit();
    }
  }

  Parts* parts_;
  core::GangState state_;
};

}  // namespace

Gangs::Gangs(caf::actor_config& config, Parts* parts, caf::actor_addr coordinator,
             caf::actor catalogue)
    : caf::event_based_actor(config),
      parts_(parts),
      coordinator_(std::move(coordinator)),
      catalogue_(std::move(catalogue)) {
  for (const auto& [id, admitted] : parts_->planner->worlds().live()) {
    start(id, admitted.workload,
          admitted.workload->pods_ready ? core::GangPhase::kRunning : core::GangPhase::kAdmitted);
  }
}

caf::behavior Gangs::make_behavior() {
  return {
      [this](const Committed& message) {
        try {
          take(*message.record);
          send(catalogue_, message);
        } catch (const std::exception& error) {
          parts_->hooks.fatal(std::string("gangs: ") + error.what());
        }
      },
      [this](const GangLost& message) { restore(message); },
  };
}

/// One root ends everything top-down.
void Gangs::on_exit() {
  live_.clear();
  catalogue_ = nullptr;
}

void Gangs::take(const core::CycleRecord& record) {
  using core::GangPhase;
  for (const core::LifeChange& change : record.changes) {
    if (change.kind == core::LifeChange::Kind::kStarted) {
      move(change.gang, GangPhase::kRunning, record.cycle);
    } else if (change.kind == core::LifeChange::Kind::kEvicting) {
      move(change.gang, GangPhase::kEvicting, record.cycle);
    }
  }
  for (const core::GangId id : record.finished) end(id, GangPhase::kFinished);
  // An evicted gang waits as a row of its queue again.
  for (const core::GangId id : record.evicted) end(id, GangPhase::kEvicted);
  for (const core::Admitted& admitted : record.admitted) {
    start(admitted.gang, admitted.workload, GangPhase::kAdmitted);
  }
}

void Gangs::start(core::GangId id, std::shared_ptr<const core::Workload> workload,
                  core::GangPhase phase) {
  // Most gangs are told nothing before their end: until then they need no turn of a worker.
  caf::actor actor = spawn<Gang, caf::lazy_init>(parts_, core::GangState(id, workload, phase));
  live_[id] = {std::move(actor), std::move(workload), phase};
}

void Gangs::move(core::GangId id, core::GangPhase phase, core::CycleNumber cycle) {
  const auto at = live_.find(id);
  if (at == live_.end() || at->second.phase == phase) return;
  at->second.phase = phase;
  send(at->second.actor, MoveGang{cycle, phase});
}

/// An actor that nobody can reach any more ends at once, or after the messages it still has: no
/// message and no turn of a worker is spent on it.
void Gangs::end(core::GangId id, core::GangPhase phase) {
  const auto at = live_.find(id);
  if (at == live_.end()) return;
  Live& gang = at->second;
  if (phase == core::GangPhase::kEvicted) {
    core::move_phase(gang.phase, core::GangPhase::kEvicting, *gang.workload);
  }
  core::move_phase(gang.phase, phase, *gang.workload);
  live_.erase(at);
}

std::optional<core::GangPhase> Gangs::phase(core::GangId id) const {
  const auto at = live_.find(id);
  return at == live_.end() ? std::nullopt : std::optional(at->second.phase);
}

void Gangs::restore(const GangLost& lost) {
  const auto at = live_.find(lost.gang);
  if (at != live_.end()) start(lost.gang, at->second.workload, at->second.phase);
  if (const auto coordinator = caf::actor_cast<caf::actor>(coordinator_)) send(coordinator, lost);
}

}  // namespace tessera::actors
