// SPDX-License-Identifier: Apache-2.0
// The engine behind actors, for commands in which time passes. It has as many threads as the
// configuration says.
#pragma once

#include <memory>

#include "actors/engine/driver.h"
#include "app/session.h"

namespace tessera::app {

/// Over the state of the session, which outlives it.
std::unique_ptr<core::Driver> make_driver(const Session& session);

}  // namespace tessera::app
