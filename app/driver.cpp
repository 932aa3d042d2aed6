// SPDX-License-Identifier: Apache-2.0
#include "app/driver.h"

#include "actors/runtime/system.h"

namespace tessera::app {
namespace {

actors::SystemOptions system_options(const Session& session) {
  actors::SystemOptions options;
  options.engine = engine_options(session);
  options.limits.batch = static_cast<std::size_t>(session.profile.batch);
  options.limits.step_time = session.profile.search_step_nanoseconds;
  options.limits.pods_ready = session.settings.pods_ready;
  options.actor_threads = session.settings.actor_threads;
  return options;
}

}  // namespace

core::EngineStart make_start(const Session& session) {
  return actors::System::make_start(session.state(), system_options(session));
}

std::unique_ptr<core::Driver> make_driver(const Session& session, core::EngineStart start) {
  return std::make_unique<actors::System>(std::move(start), system_options(session));
}

}  // namespace tessera::app
