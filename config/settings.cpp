// SPDX-License-Identifier: Apache-2.0
#include "config/settings.h"

#include <cstdlib>
#include <filesystem>

#include "config/settings_reader.h"

namespace tessera::config {
namespace {

constexpr const char* kSystemFile = "/etc/tessera/config.yaml";

}  // namespace

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

LoadedSettings parse_settings(std::string_view text, std::string_view file) {
  SettingsReader reader(file);
  reader::read_text(text, file, {}, reader);
  return std::move(reader).finish();
}

LoadedSettings load_settings(const std::string& path) {
  std::string chosen = path;
  if (const char* named = std::getenv("TESSERA_CONFIG"); chosen.empty() && named != nullptr)
    chosen = named;
  std::error_code ignored;
  if (chosen.empty() && std::filesystem::exists(kSystemFile, ignored)) chosen = kSystemFile;
  if (chosen.empty()) return {built_in_settings(), {}};
  SettingsReader reader(chosen);
  reader::read_path(chosen, {}, reader);
  return std::move(reader).finish();
}

}  // namespace tessera::config
