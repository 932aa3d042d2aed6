// SPDX-License-Identifier: Apache-2.0
// What ends a command from outside: Ctrl-C, SIGTERM, a hang-up and the like, and the time limit.
//
// Main thread only. A signal ends the process with 130, a passed time limit with 10. The signal
// handler itself does so and removes the partial file (ux.md rule 6). A hang-up that the caller has
// ignored stays ignored. It is no error if the reader of a pipe closes it early; a file that may
// not grow is one, and no signal.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::app {

void catch_signals();

/// Ends the process with exit 10 when the time is over. 0: no limit.
void set_time_limit(std::int64_t nanoseconds);

/// Sets the file to remove if a signal ends the process. There is one such file at a time. Call
/// this before the file exists. False if the path is too long.
bool remove_if_interrupted(const std::string& path);
void keep_if_interrupted();

}  // namespace tessera::app
