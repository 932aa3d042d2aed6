// SPDX-License-Identifier: Apache-2.0
// Start here: reads the text of a configuration file into Settings.
//
// Called at the start of a command, on any thread. Faults do not stop the reading: they are
// returned with the settings of the valid rest.
#pragma once

#include <string>
#include <string_view>

#include "config/settings.h"

namespace tessera::config {

LoadedSettings parse_settings(std::string_view text, std::string_view file);

/// Reads the first of these: `path` if it is not empty, $TESSERA_CONFIG, /etc/tessera/config.yaml
/// if it exists, the built-in settings (ux.md rule 6).
LoadedSettings load_settings(const std::string& path);

}  // namespace tessera::config
