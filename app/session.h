// SPDX-License-Identifier: Apache-2.0
// Session: what a command has read: settings, profile and objects. Reports faults and what was
// found.
//
// Every command that reads objects starts with a Session. Engines share the objects, so nothing
// changes them once an Engine was made. Errors are reported and counted, and the valid rest is used
// (exit code 3).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "actors/engine/engine.h"
#include "app/console/exit_code.h"
#include "app/console/messages.h"
#include "app/flags.h"
#include "config/settings.h"
#include "ingest/load/load.h"

namespace tessera::app {

struct Session {
  config::Settings settings;
  config::Profile profile;
  std::shared_ptr<ingest::Loaded> input;
  std::int64_t read_nanoseconds = 0;

  /// The state as engines share it: it lives as long as they do.
  std::shared_ptr<const core::Inventory> state() const { return {input, &input->inventory}; }
};

/// Reads the settings from `path` (--config), else from the other places of load_settings().
config::Settings read_settings(const std::string& path, Messages& messages, ExitCode& exit);

/// Reads settings and all paths. Throws UsageError if there is nothing to read.
Session open_session(const RunFlags& run, const InputFlags& input, Messages& messages,
                     ExitCode& exit);

/// The options of the engine that the configuration decides.
core::EngineOptions engine_options(const Session& session);

/// Reports what the engine counts of the state: nodes, use, topology, queues. `planned`: the
/// workloads that are about to be decided, besides those of the trace. -o wide: node names, not
/// host names.
void tell_accounting(const Session& session, const core::ClusterView& cluster,
                     const core::Accounting& accounting, const std::vector<std::size_t>& planned,
                     const OutputFlags& output, Messages& messages);

/// Warns for each workload of requests that are not honoured.
void tell_not_honoured(const ingest::Loaded& input, const std::vector<std::size_t>& list,
                       Messages& messages);

/// The exit code of the run, after its messages.
int finish(const RunFlags& run, const Messages& messages, ExitCode& exit, bool exit_zero = false);

}  // namespace tessera::app
