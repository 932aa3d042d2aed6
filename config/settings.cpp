// SPDX-License-Identifier: Apache-2.0
#include "config/settings.h"

namespace tessera::config {

std::string_view full_profile_name(std::string_view name) {
  return name == "kueue" ? "kueue-0.19" : name;
}

const Profile* Settings::find_profile(std::string_view name) const {
  name = full_profile_name(name);
  for (const Profile& profile : profiles) {
    if (profile.name == name) return &profile;
  }
  return nullptr;
}

Settings built_in_settings() {
  Settings settings;
  settings.profiles = {default_profile(), kueue_0_19_profile()};
  return settings;
}

}  // namespace tessera::config
