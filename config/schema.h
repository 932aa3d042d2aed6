// SPDX-License-Identifier: Apache-2.0
// The schema of the configuration file: one table of profile fields that feeds reading, defaults,
// `config view` and the docs.
//
// Immutable tables, read on any thread. A field that is not here does not exist for users.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/profile.h"

namespace tessera::config {

/// One choice of a profile. `path` is the user's: "algorithm.required".
struct ProfileField {
  std::string path;
  std::vector<std::string> choices;                // booleans: "false", "true"
  std::string meaning;                             // one sentence for people
  std::function<std::size_t(const Profile&)> get;  // position in `choices`
  std::function<void(Profile&, std::size_t)> set;
};

/// In the order in which they are written out.
const std::vector<ProfileField>& profile_fields();

const ProfileField* find_profile_field(std::string_view path);

/// Names under a map: the next parts of the paths that start with `prefix` ("" or "algorithm.").
std::vector<std::string> profile_field_names(std::string_view prefix);

}  // namespace tessera::config
