// SPDX-License-Identifier: Apache-2.0
#include "app/flags.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "app/console/signals.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "config/duration.h"

namespace tessera::app {

CLI::Validator named_path() {
  return {[](const std::string& path) {
            return path.empty() ? std::string("the path is empty") : std::string();
          },
          ""};
}

void add_run_flags(CLI::App& command, RunFlags& flags) {
  command.add_option("--config", flags.config,
                     "Configuration file (default: $TESSERA_CONFIG, /etc/tessera/config.yaml, "
                     "built-in)");
  command.add_flag("--strict", flags.strict, "Warnings are errors: exit 3");
  command.add_flag("-v,--verbose", flags.verbose, "Say more on stderr");
  command.add_flag("-q,--quiet", flags.quiet, "Only errors on stderr");
  command.add_option("--color", flags.color, "Coloured labels on stderr: auto, always, never")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.add_option("--timeout", flags.timeout, "End with exit 10 after this time (30s, 2m)");
}

void add_cluster_flag(CLI::App& command, InputFlags& flags) {
  command
      .add_option("-C,--cluster", flags.cluster,
                  "State: a file, a folder or - (stdin); one path a flag, may repeat")
      ->allow_extra_args(false)
      ->check(named_path())
      ->type_name("PATH");
}

void add_request_flag(CLI::App& command, InputFlags& flags) {
  command
      .add_option("-f,--filename", flags.request,
                  "Request, what to place: a file, a folder or - (stdin); one path a flag, may "
                  "repeat")
      ->allow_extra_args(false)
      ->check(named_path())
      ->type_name("PATH");
}

void add_trace_flag(CLI::App& command, InputFlags& flags) {
  command
      .add_option("--trace", flags.trace,
                  "Trace, what arrives when: JSON lines in a file, a folder or - (stdin); one path "
                  "a flag, may repeat")
      ->allow_extra_args(false)
      ->check(named_path())
      ->type_name("PATH");
}

void add_profile_flag(CLI::App& command, InputFlags& flags) {
  command.add_option("--profile", flags.profile,
                     "Profile of the configuration (built in: default, kueue-0.19)");
}

void add_output_flag(CLI::App& command, OutputFlags& flags,
                     const std::vector<std::string>& formats) {
  flags.format = formats.front();
  std::string list;
  for (const std::string& format : formats) list += (list.empty() ? "" : "|") + format;
  command.add_option("-o,--output", flags.format, "Output format")
      ->check(CLI::IsMember(formats))
      ->type_name(list);
  command.add_flag("--no-headers", flags.no_headers, "Tables without their first line");
}

void add_hostlist_flag(CLI::App& command, OutputFlags& flags) {
  command.add_option("--hostlist", flags.hostlist, "off: list every host instead of folding")
      ->check(CLI::IsMember({"on", "off"}));
}

namespace {

/// Nanoseconds. A number without a unit is seconds.
std::int64_t read_time_limit(const std::string& text) {
  const bool bare = text.find_first_not_of("0123456789") == std::string::npos;
  const auto limit = config::parse_duration(bare ? text + "s" : text);
  if (limit && *limit > 0) return *limit;
  throw UsageError("--timeout \"" + text + "\" is not a duration (for example 30s)");
}

}  // namespace

Messages start_messages(const RunFlags& flags) {
  if (!flags.timeout.empty()) {
    set_time_limit(read_time_limit(flags.timeout));
  }
  constexpr int kStderr = 2;
  const char* const no_color = std::getenv("NO_COLOR");
  const bool color = flags.color == "always" || (flags.color == "auto" && is_terminal(kStderr) &&
                                                 (no_color == nullptr || *no_color == '\0'));
  const Volume volume = flags.quiet     ? Volume::kQuiet
                        : flags.verbose ? Volume::kVerbose
                                        : Volume::kNormal;
  return Messages(volume, color);
}

}  // namespace tessera::app
