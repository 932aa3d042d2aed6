// SPDX-License-Identifier: Apache-2.0
// The command line: all commands on one parser, and the messages for words that are not understood.
//
// Called by main only. Exit 2 names the nearest command or flag.
#pragma once

namespace tessera::app {

/// Parses and runs; returns the exit code. May throw what a command throws.
int run_command_line(int argc, char** argv);

}  // namespace tessera::app
