// SPDX-License-Identifier: Apache-2.0
// Where stdout and stderr go: never to a file that the command reads.
//
// Called by every command before it reads, and by output_check.h. Compares files, not names. A
// terminal, a pipe or a device may be both.
#pragma once

#include <string>

#include "app/flags.h"

namespace tessera::app {

/// "stdout" or "stderr" if it goes to the regular file at `path`, else nothing.
std::string stream_to(const std::string& path);

/// Throws UsageError if stdout or stderr goes to a file that is an input.
void check_streams(const InputFlags& input);

}  // namespace tessera::app
