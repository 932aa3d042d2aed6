// SPDX-License-Identifier: Apache-2.0
// Gangs: the parent of the gangs' actors: starts one for each admitted gang, tells it how it goes
// on, and ends it (design.md 3).
//
// Hears of committed cycles only, in their order, beside the coordinator, so that nobody waits for
// actors to be made; then passes them on to the catalogue: both at once would take two workers from
// those whom the planner waits for. Restores a gang whose actor failed, and tells the coordinator.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/event_based_actor.hpp>
#include <unordered_map>

#include "actors/gangs/gang_phase.h"
#include "actors/runtime/messages.h"
#include "actors/runtime/parts.h"

namespace tessera::actors {

class Gangs : public caf::event_based_actor {
 public:
  /// `parts` outlives the actor. Gangs that hold something from the start are live.
  Gangs(caf::actor_config& config, Parts* parts, caf::actor_addr coordinator, caf::actor catalogue);

  caf::behavior make_behavior() override;
  const char* name() const override { return "gangs"; }
  void on_exit() override;
  std::size_t size() const { return actors_.size(); }
  bool has(core::GangId id) const { return actors_.count(id) > 0; }

 private:
  void take(const core::CycleRecord& record);
  void start(core::GangId id);
  void tell(core::GangId id, core::GangPhase phase, core::CycleNumber cycle);
  void restore(const GangLost& lost);

  Parts* parts_;
  caf::actor_addr coordinator_;
  caf::actor catalogue_;
  std::unordered_map<core::GangId, caf::actor> actors_;  // of gangs that hold something
};

}  // namespace tessera::actors
