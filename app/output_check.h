// SPDX-License-Identifier: Apache-2.0
// Keeps a command from writing over what it reads (ux.md rule 6).
//
// Called by commands that write files, before they write. Compares files, not names: links and
// other spellings of a path are seen through. Devices and pipes may be named several times.
#pragma once

#include <string>
#include <vector>

#include "app/session.h"

namespace tessera::app {

struct OutputFile {
  std::string flag, path;  // "--decisions" and its file; an empty path is no file
};

/// Throws UsageError if an output is also an input, the configuration file, another output, or
/// the file that stdout or stderr goes to.
void check_outputs(const std::vector<OutputFile>& outputs, const InputFlags& input,
                   const Session& session);

}  // namespace tessera::app
