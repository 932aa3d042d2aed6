// SPDX-License-Identifier: Apache-2.0
// What ends a command from outside: Ctrl-C, SIGTERM and the time limit.
//
// Main thread only. Ctrl-C ends with 130 and a passed time limit with 10, from the signal's own
// function and without a partial file (ux.md rule 6). A reader that closes the pipe early is no
// error.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::app {

void catch_signals();

/// Ends the process with exit 10 when the time is over. 0: no limit.
void set_time_limit(std::int64_t nanoseconds);

/// The file that goes if a signal ends the process, one at a time; told before it exists. False:
/// the path is too long.
bool remove_if_interrupted(const std::string& path);
void keep_if_interrupted();

}  // namespace tessera::app
