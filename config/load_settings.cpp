// SPDX-License-Identifier: Apache-2.0
#include "config/load_settings.h"

#include <cstdlib>
#include <filesystem>

#include "config/settings_reader.h"
#include "ingest/reader/reader.h"

namespace tessera::config {
namespace {

constexpr const char* kSystemFile = "/etc/tessera/config.yaml";

}  // namespace

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
