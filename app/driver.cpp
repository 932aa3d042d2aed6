// SPDX-License-Identifier: Apache-2.0
#include "app/driver.h"

#include "actors/runtime/system.h"

namespace tessera::app {

std::unique_ptr<core::Driver> make_driver(const Session& session) {
  actors::SystemOptions options;
  options.engine = engine_options(session);
  options.limits.batch = static_cast<std::size_t>(session.profile.batch);
  options.limits.step_time = session.profile.search_step_nanoseconds;
  options.limits.pods_ready = session.settings.pods_ready;
  options.actor_threads = session.settings.actor_threads;
  return std::make_unique<actors::System>(session.state(), std::move(options));
}

}  // namespace tessera::app
