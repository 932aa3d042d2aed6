// SPDX-License-Identifier: Apache-2.0
// Which profile the rules of the configuration file choose (ux.md rule 19).
//
// Called by commands that decide before the engine is made. Pure. Looks at queue and kind only.
#pragma once

#include <string_view>
#include <vector>

#include "config/settings.h"

namespace tessera::config {

/// True if `text` matches `pattern`, in which `*` stands for any run of characters.
bool glob_matches(std::string_view pattern, std::string_view text);

/// The profile named by the first rule that matches; "default" if none does.
std::string_view profile_by_rules(const std::vector<ProfileRule>& rules, std::string_view queue,
                                  std::string_view kind);

}  // namespace tessera::config
