// SPDX-License-Identifier: Apache-2.0
// Session: what a command has read: settings, profile, objects; findings are told on the way.
//
// Start of every command that reads objects. Must stay alive and in place while an Engine made
// from it lives. Errors are told and counted; the valid rest is used (ux.md section 2, code 3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "actors/engine/engine.h"
#include "app/exit_code.h"
#include "app/flags.h"
#include "app/messages.h"
#include "config/settings.h"
#include "ingest/load/load.h"

namespace tessera::app {

struct Session {
  config::Settings settings;
  config::Profile profile;
  ingest::Loaded input;
  std::int64_t read_nanoseconds = 0;
};

/// Settings of --config and the search order.
config::Settings read_settings(const std::string& path, Messages& messages, ExitCode& exit);

/// Reads settings and all paths. Throws UsageError if there is nothing to read.
Session open_session(const RunFlags& run, const InputFlags& input, Messages& messages,
                     ExitCode& exit);

/// The options that the configuration decides.
core::EngineOptions engine_options(const Session& session);

/// Tells what an engine made of the state: nodes, use, topology, queues (ux.md rules 1, 2, 4).
/// `planned`: the workloads about to be decided, beside those of the trace. Node names instead of
/// host names with -o wide.
void tell_accounting(const Session& session, const core::Engine& engine,
                     const std::vector<std::size_t>& planned, const OutputFlags& output,
                     Messages& messages);

/// Adds what the messages amount to.
int finish(const RunFlags& run, const Messages& messages, ExitCode& exit, bool exit_zero = false);

}  // namespace tessera::app
