// SPDX-License-Identifier: Apache-2.0
#include "config/settings.h"

namespace tessera::config {

const Profile* Settings::find_profile(std::string_view name) const {
  if (name == "kueue") name = "kueue-0.19";
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
