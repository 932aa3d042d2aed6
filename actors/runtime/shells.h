// SPDX-License-Identifier: Apache-2.0
// Shells: the actors around core's objects. Each hands messages to its object and answers the
// sender; none decides anything.
//
// Handlers catch at their edge: a queue's shell tells the coordinator and ends, any other ends the
// process through Hooks::fatal (design.md 3.2). `parts` outlives the actors. Gangs are in gangs.h.
#pragma once

#include <caf/actor.hpp>
#include <caf/event_based_actor.hpp>

#include "actors/runtime/parts.h"

namespace tessera::actors {

caf::behavior planner_shell(caf::event_based_actor* self, Parts* parts);
/// `own_thread`: it is detached, and its thread stands behind all others.
caf::behavior searcher_shell(caf::event_based_actor* self, Parts* parts, bool own_thread);
caf::behavior queue_shell(caf::event_based_actor* self, Parts* parts, std::uint32_t queue);
caf::behavior shard_shell(caf::event_based_actor* self, Parts* parts, std::uint32_t shard);
caf::behavior root_shell(caf::event_based_actor* self, Parts* parts, std::uint32_t root);
caf::behavior journal_shell(caf::event_based_actor* self, Parts* parts);
caf::behavior catalogue_shell(caf::event_based_actor* self, Parts* parts);

}  // namespace tessera::actors
