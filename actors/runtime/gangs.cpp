// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/gangs.h"

#include <caf/all.hpp>
#include <exception>

namespace tessera::actors {
namespace {

/// One gang that holds something. It will own what goes on outside: effects to deliver, pods to
/// watch. Committed records tell it the gang's phase, which GangTable moves. It ends when its
/// parent drops the reference to it.
class Gang : public caf::event_based_actor {
 public:
  Gang(caf::actor_config& config, Parts* parts, core::GangId id)
      : caf::event_based_actor(config), parts_(parts), id_(id) {}

  const char* name() const override { return "gang"; }
  caf::behavior make_behavior() override {
    return {[this](const MoveGang&) { hear(); }};
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
  void hear() {
    try {
      if (parts_->hooks.enter) parts_->hooks.enter("gang");
    } catch (const std::exception& error) {
      send(caf::actor_cast<caf::actor>(current_sender()), GangLost{id_, error.what()});
      quit();
    }
  }

  Parts* parts_;
  core::GangId id_;
};

}  // namespace

Gangs::Gangs(caf::actor_config& config, Parts* parts, caf::actor_addr coordinator,
             caf::actor catalogue)
    : caf::event_based_actor(config),
      parts_(parts),
      coordinator_(std::move(coordinator)),
      catalogue_(std::move(catalogue)) {
  for (const auto& [id, admitted] : parts_->planner->worlds().live()) start(id);
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
  actors_.clear();
  catalogue_ = nullptr;
}

void Gangs::take(const core::CycleRecord& record) {
  using core::GangPhase;
  for (const core::LifeChange& change : record.changes) {
    if (change.kind == core::LifeChange::Kind::kStarted) {
      tell(change.gang, GangPhase::kRunning, record.cycle);
    } else if (change.kind == core::LifeChange::Kind::kEvicting) {
      tell(change.gang, GangPhase::kEvicting, record.cycle);
    }
  }
  // An actor that nobody can reach any more ends at once, or after the messages it still has: no
  // message and no turn of a worker is spent on it.
  for (const core::GangId id : record.finished) actors_.erase(id);
  // An evicted gang waits as a row of its queue again.
  for (const core::GangId id : record.evicted) actors_.erase(id);
  for (const core::Admitted& admitted : record.admitted) start(admitted.gang);
}

void Gangs::start(core::GangId id) {
  // Most gangs are told nothing before their end: until then they need no turn of a worker.
  actors_[id] = spawn<Gang, caf::lazy_init>(parts_, id);
}

void Gangs::tell(core::GangId id, core::GangPhase phase, core::CycleNumber cycle) {
  const auto at = actors_.find(id);
  if (at != actors_.end()) send(at->second, MoveGang{cycle, phase});
}

void Gangs::restore(const GangLost& lost) {
  if (has(lost.gang)) start(lost.gang);
  if (const auto coordinator = caf::actor_cast<caf::actor>(coordinator_)) send(coordinator, lost);
}

}  // namespace tessera::actors
