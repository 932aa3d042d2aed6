// SPDX-License-Identifier: Apache-2.0
// The engine behind actors, for commands in which time passes. It has as many threads as the
// configuration says.
#pragma once

#include <memory>

#include "actors/engine/driver.h"
#include "actors/engine/engine_start.h"
#include "app/session.h"

namespace tessera::app {

/// Definitions and planner over the state of the session.
core::EngineStart make_start(const Session& session);
/// The engine that takes them over. Until it is destroyed nobody else may touch the planner.
std::unique_ptr<core::Driver> make_driver(const Session& session, core::EngineStart start);

}  // namespace tessera::app
