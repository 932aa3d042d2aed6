// SPDX-License-Identifier: Apache-2.0
// Shells: the actors around core's objects. Each passes messages on to its object and answers the
// sender; none decides anything.
//
// Each is handed the object that it owns when it is made, and looks nothing up: nobody else uses
// the object until the actor has ended. A shell catches what its object throws. The shell of a
// queue then tells the coordinator and ends; any other ends the process through Hooks::fatal
// (design.md 3.2). `hooks` outlive the actors. Gangs are in gangs.h.
#pragma once

#include <caf/actor.hpp>
#include <caf/event_based_actor.hpp>
#include <memory>

#include "actors/runtime/hooks.h"
#include "actors/runtime/journal.h"

namespace tessera::actors {

caf::behavior planner_shell(caf::event_based_actor* self, const Hooks* hooks,
                            std::shared_ptr<core::PlannerState> planner);
/// `own_thread`: the actor has a thread of its own, and the thread gets a lower priority.
caf::behavior searcher_shell(caf::event_based_actor* self, const Hooks* hooks,
                             std::shared_ptr<core::Searcher> searcher, bool own_thread);
/// `definitions`: kept, since the queue points into them.
caf::behavior queue_shell(caf::event_based_actor* self, const Hooks* hooks, std::uint32_t position,
                          std::shared_ptr<core::QueueState> queue,
                          std::shared_ptr<const core::Definitions> definitions);
/// `cells`: kept, since the shard points at them.
caf::behavior shard_shell(caf::event_based_actor* self, const Hooks* hooks,
                          std::shared_ptr<core::ShardState> shard,
                          std::shared_ptr<const topology::CellMap> cells);
caf::behavior root_shell(caf::event_based_actor* self, const Hooks* hooks,
                         std::shared_ptr<core::RootState> root);
caf::behavior journal_shell(caf::event_based_actor* self, const Hooks* hooks,
                            std::shared_ptr<Journal> journal);
caf::behavior catalogue_shell(caf::event_based_actor* self, const Hooks* hooks,
                              std::shared_ptr<core::Catalogue> catalogue);

}  // namespace tessera::actors
