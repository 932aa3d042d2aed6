// SPDX-License-Identifier: Apache-2.0
// Settings: the configuration file of ux.md section 4, read, validated and immutable.
//
// Made by load_settings() (load_settings.h). Errors carry file, line, column, field and the nearest
// known name. A key that this version does not honour is an error. May be read on any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/pods_ready.h"
#include "config/profile.h"
#include "config/resource_rules.h"
#include "topology/domain_tree.h"
#include "topology/text/result.h"

namespace tessera::config {

/// First match wins; an empty pattern matches everything. Patterns are globs with `*`.
struct ProfileRule {
  std::string queue, kind, profile;
};

enum class UnknownLocalQueue { kRefuse };

struct Settings {
  std::string source;       // the file that was read; empty: built-in
  int solver_threads = 0;   // 0: as many as cores
  int actor_threads = 0;    // the same
  std::string shard_level;  // name of a level of the primary topology; empty: the engine chooses
  Where shard_level_where;
  std::optional<PodsReady> pods_ready;  // nothing: pods may take any time
  std::vector<topology::TopologySpec> topologies;
  ResourceRules resources;
  std::vector<Profile> profiles;  // built-in ones first, then the file's, in order
  std::vector<ProfileRule> profile_rules;

  const Profile* find_profile(std::string_view name) const;  // knows the alias "kueue"
};

/// The name that `name` stands for: "kueue" is short for "kueue-0.19".
std::string_view full_profile_name(std::string_view name);

/// Built-in settings: profiles `default` and `kueue-0.19`.
Settings built_in_settings();

struct LoadedSettings {
  Settings settings;
  std::vector<Error> errors;  // the settings are those of the valid rest
};

}  // namespace tessera::config
