// SPDX-License-Identifier: Apache-2.0
// Flags that several commands share, and adding them to a command.
//
// Filled while the command line is parsed, read-only afterwards.
#pragma once

#include <CLI/App.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/console/messages.h"

namespace tessera::app {

/// Refuses an empty path: often a variable of a script that was never set.
CLI::Validator named_path();

/// What a run prints on stderr, how long it may take, and its configuration file.
struct RunFlags {
  bool strict = false, verbose = false, quiet = false;
  std::string color = "auto", timeout, config;
};

/// The paths to read, and the profile that decides.
struct InputFlags {
  std::vector<std::string> cluster, request, trace;
  std::string profile;
  bool keep_fields = false;  // see Loader::keep_fields()
};

struct OutputFlags {
  std::string format;
  bool no_headers = false;
  std::string hostlist = "on";
  bool fold() const { return hostlist == "on"; }
};

void add_run_flags(CLI::App& command, RunFlags& flags);
void add_cluster_flag(CLI::App& command, InputFlags& flags);
void add_request_flag(CLI::App& command, InputFlags& flags);
void add_trace_flag(CLI::App& command, InputFlags& flags);
void add_profile_flag(CLI::App& command, InputFlags& flags);
/// The first format is the default.
void add_output_flag(CLI::App& command, OutputFlags& flags,
                     const std::vector<std::string>& formats);
void add_hostlist_flag(CLI::App& command, OutputFlags& flags);

/// Makes the Messages that the flags and the terminal ask for, and sets the time limit. Throws
/// UsageError.
Messages start_messages(const RunFlags& flags);

}  // namespace tessera::app
