// SPDX-License-Identifier: Apache-2.0
// Writes Settings as YAML, for `tessera config view`.
#pragma once

#include <string>

#include "config/settings.h"

namespace tessera::config {

struct ViewOptions {
  bool effective = false;    // built-in profiles and every default too
  bool show_source = false;  // each line says whether it is built in or from the file
};

std::string view(const Settings& settings, const ViewOptions& options);

}  // namespace tessera::config
