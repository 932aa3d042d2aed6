// SPDX-License-Identifier: Apache-2.0
// The engine behind actors, for commands in which time passes. The configuration gives its number
// of threads.
#pragma once

#include <memory>

#include "actors/engine/driver.h"
#include "actors/engine/engine_start.h"
#include "app/session.h"

namespace tessera::app {

/// Makes the definitions and a planner from the state of the session.
core::EngineStart make_start(const Session& session);
/// Makes an engine, which takes over `start`. Until the engine is destroyed nobody else may touch
/// the planner.
std::unique_ptr<core::Driver> make_driver(const Session& session, core::EngineStart start);

}  // namespace tessera::app
