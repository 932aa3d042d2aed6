// SPDX-License-Identifier: Apache-2.0
// Gangs: the parent of the gangs' actors. It starts an actor for each admitted gang, tells the
// actor what happened to the gang, and ends the actor (design.md 3).
//
// GangTable alone keeps and moves phases (actors/gangs/): an actor stands for what its gang has
// outside. The parent hears of committed cycles only, in their order. It runs beside the
// coordinator, so that nobody waits while actors are made. It passes each cycle on to the catalogue
// when it is done: if both worked at once, two workers would be missing for the actors that the
// planner waits for. It restores a gang whose actor failed, and tells the coordinator.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/event_based_actor.hpp>
#include <unordered_map>
#include <vector>

#include "actors/runtime/hooks.h"
#include "actors/runtime/messages.h"

namespace tessera::actors {

class Gangs : public caf::event_based_actor {
 public:
  /// `live`: the gangs that hold something from the start. `hooks` outlive the actor.
  Gangs(caf::actor_config& config, const Hooks* hooks, caf::actor_addr coordinator,
        caf::actor catalogue, const std::vector<core::GangId>& live);

  caf::behavior make_behavior() override;
  const char* name() const override { return "gangs"; }
  void on_exit() override;
  std::size_t size() const { return actors_.size(); }
  bool has(core::GangId id) const { return actors_.count(id) > 0; }

 private:
  void take(const core::CycleRecord& record);
  void start(core::GangId id);
  void tell(const core::LifeChange& change, core::CycleNumber cycle);
  void restore(const GangLost& lost);

  const Hooks* hooks_;
  caf::actor_addr coordinator_;
  caf::actor catalogue_;
  std::unordered_map<core::GangId, caf::actor> actors_;  // of gangs that hold something
};

}  // namespace tessera::actors
