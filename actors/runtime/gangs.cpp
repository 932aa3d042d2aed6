// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/gangs.h"

#include <caf/all.hpp>
#include <exception>

namespace tessera::actors {
namespace {

/// One gang that holds something. It owns what goes on outside for the gang: effects to deliver and
/// pods to watch, which come with the server. It keeps no phase. It ends when its parent drops the
/// reference to it.
class Gang : public caf::event_based_actor {
 public:
  Gang(caf::actor_config& config, const Hooks* hooks, core::GangId id)
      : caf::event_based_actor(config), hooks_(hooks), id_(id) {}

  const char* name() const override { return "gang"; }
  caf::behavior make_behavior() override {
    return {[this](const GangChanged&) { hear(); }};
  }
  /// Does what CAF does to end an actor that nobody can reach, except for one step: it does not
  /// tell the clock's thread. That step costs more than all others, and a gang sets no timeouts.
  void on_destroy() override {
    if (getf(is_cleaned_up_flag)) return;
    unregister_from_system();
    // NOLINTNEXTLINE(bugprone-parent-virtual-call): the skipped class tells the clock.
    caf::monitorable_actor::cleanup(caf::exit_reason::unreachable, nullptr);
  }

 private:
  void hear() {
    try {
      if (hooks_->enter) hooks_->enter("gang");
    } catch (const std::exception& error) {
      send(caf::actor_cast<caf::actor>(current_sender()), GangLost{id_, error.what()});
      quit();
    }
  }

  const Hooks* hooks_;
  core::GangId id_;
};

}  // namespace

Gangs::Gangs(caf::actor_config& config, const Hooks* hooks, caf::actor_addr coordinator,
             caf::actor catalogue, const std::vector<core::GangId>& live)
    : caf::event_based_actor(config),
      hooks_(hooks),
      coordinator_(std::move(coordinator)),
      catalogue_(std::move(catalogue)) {
  for (const core::GangId id : live) start(id);
}

caf::behavior Gangs::make_behavior() {
  return {
      [this](const Committed& message) {
        try {
          take(*message.record);
          send(catalogue_, message);
        } catch (const std::exception& error) {
          hooks_->fatal(std::string("gangs: ") + error.what());
        }
      },
      [this](const GangLost& message) { restore(message); },
  };
}

/// Drops the references to the gangs' actors; CAF then ends them.
void Gangs::on_exit() {
  actors_.clear();
  catalogue_ = nullptr;
}

void Gangs::take(const core::CycleRecord& record) {
  for (const core::LifeChange& change : record.changes) tell(change, record.cycle);
  // CAF ends an actor that nobody can reach, at once or after the messages that it still has. So
  // its end costs no message and no turn of a worker.
  for (const core::GangId id : record.finished) actors_.erase(id);
  // An evicted gang waits as a row of its queue again.
  for (const core::GangId id : record.evicted) actors_.erase(id);
  for (const core::Admitted& admitted : record.admitted) {
    if (!admitted.grows) start(admitted.gang);
  }
}

void Gangs::start(core::GangId id) {
  // Most gangs get no message before their end: until then they need no turn of a worker.
  actors_[id] = spawn<Gang, caf::lazy_init>(hooks_, id);
}

/// A gang without an actor waits, and holds nothing outside.
void Gangs::tell(const core::LifeChange& change, core::CycleNumber cycle) {
  const auto at = actors_.find(change.gang);
  if (at != actors_.end()) send(at->second, GangChanged{cycle, change});
}

void Gangs::restore(const GangLost& lost) {
  if (has(lost.gang)) start(lost.gang);
  if (const auto coordinator = caf::actor_cast<caf::actor>(coordinator_)) send(coordinator, lost);
}

}  // namespace tessera::actors
