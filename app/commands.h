// SPDX-License-Identifier: Apache-2.0
// The commands, one file each. add_x() declares the flags of command x on the parser, and how to
// run it. Nothing runs before the whole command line has been understood.
#pragma once

#include <CLI/App.hpp>
#include <functional>

namespace tessera::app {

/// What the command of the command line does; that command sets it. Returns the exit code.
using Run = std::function<int()>;

void add_schedule(CLI::App& app, Run& run);
void add_explain(CLI::App& app, Run& run);
void add_simulate(CLI::App& app, Run& run);
void add_validate(CLI::App& app, Run& run);
void add_topology(CLI::App& app, Run& run);
void add_rackmap(CLI::App& app, Run& run);
void add_verify(CLI::App& app, Run& run);
void add_config(CLI::App& app, Run& run);
void add_version(CLI::App& app, Run& run);
void add_help(CLI::App& app, Run& run);

}  // namespace tessera::app
