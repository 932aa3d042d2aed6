// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/console/exit_code.h"
#include "app/console/terminal.h"
#include "app/flags.h"
#include "config/settings.h"

namespace tessera::app {
namespace {

// The version and commit of Kueue whose rules the profiles implement (ux.md rule 10).
constexpr const char *kKueueVersion = "0.19", *kKueueCommit = "ff69552e";

int version(const OutputFlags& flags) {
  const config::Settings settings = config::built_in_settings();
  nlohmann::ordered_json profiles = nlohmann::ordered_json::array();
  std::string list;
  for (const config::Profile& profile : settings.profiles) {
    profiles.push_back(profile.name);
    list += (list.empty() ? "" : ", ") + profile.name;
  }
  std::string text = std::string("tessera ") + TESSERA_VERSION + "\nkueue reference " +
                     kKueueVersion + " (" + kKueueCommit + ")\nprofiles " + list + "\n";
  if (flags.format == "json") {
    const nlohmann::ordered_json json = {
        {"version", TESSERA_VERSION},
        {"kueue", {{"version", kKueueVersion}, {"commit", kKueueCommit}}},
        {"profiles", std::move(profiles)}};
    text = json.dump(2) + "\n";
  }
  return static_cast<int>(write_stdout(text) ? Exit::kDone : Exit::kInternal);
}

}  // namespace

void add_version(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("version", "Version, Kueue reference and profiles");
  const auto flags = std::make_shared<OutputFlags>();
  flags->format = "text";
  command->add_option("-o,--output", flags->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  command->footer("Examples:\n  tessera version -o json\n");
  command->callback([flags, &run] { run = [flags] { return version(*flags); }; });
}

}  // namespace tessera::app
