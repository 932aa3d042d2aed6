// SPDX-License-Identifier: Apache-2.0
// The schema of the configuration file: one table of profile fields, from which files are read and
// `config view` is written, and the bounds of the numbers outside profiles.
//
// Immutable tables, read on any thread. A field that is not here does not exist for users.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/profile.h"

namespace tessera::config {

/// Whole numbers from `least` to `most`, both included.
struct Range {
  std::int64_t least, most;
};

/// `threads.solver` and `threads.actors`; 0: as many as cores.
inline constexpr Range kThreads{0, 256};

/// One field of a profile: a choice or a whole number. `path` is the user's: "algorithm.required".
/// A value is the position in `choices`, or the number itself.
struct ProfileField {
  std::string path;
  std::vector<std::string> choices;  // booleans: "false", "true"; none for a number
  std::optional<Range> range;        // of a number; none for a choice
  std::function<std::int64_t(const Profile&)> get;
  std::function<void(Profile&, std::int64_t)> set;

  /// The value as users write it.
  std::string written(const Profile& profile) const;
};

/// All fields, in the order in which `config view` writes them.
const std::vector<ProfileField>& profile_fields();

const ProfileField* find_profile_field(std::string_view path);

/// Names under a map: the next parts of the paths that start with `prefix` ("" or "algorithm.").
std::vector<std::string> profile_field_names(std::string_view prefix);

}  // namespace tessera::config
