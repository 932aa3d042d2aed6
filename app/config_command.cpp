// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands.h"
#include "app/console/terminal.h"
#include "app/session.h"
#include "config/view.h"

namespace tessera::app {
namespace {

struct ConfigFlags {
  RunFlags run;
  config::ViewOptions view;
  std::string file;
};

int view(const ConfigFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const config::Settings settings = read_settings(flags.run.config, messages, exit);
  if (!write_stdout(config::view(settings, flags.view))) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

int check(const ConfigFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  read_settings(flags.file, messages, exit);
  if (messages.errors() == 0 && !write_stdout(flags.file + ": valid\n")) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

}  // namespace

void add_config(CLI::App& app, Run& run) {
  CLI::App* parent = app.add_subcommand("config", "The configuration file");
  parent->require_subcommand(0, 1);
  const auto flags = std::make_shared<ConfigFlags>();

  CLI::App* shown = parent->add_subcommand("view", "Print the configuration in use");
  shown->add_flag("--effective", flags->view.effective, "Built-in profiles and defaults too");
  shown->add_flag("--show-source", flags->view.show_source, "Say where each line comes from");
  add_run_flags(*shown, flags->run);
  shown->footer(
      "Examples:\n"
      "  tessera config view --effective --show-source\n"
      "  tessera config view --config examples/profiles/default.yaml\n");
  shown->callback([flags, &run] { run = [flags] { return view(*flags); }; });

  CLI::App* checked = parent->add_subcommand("check", "Check a configuration file");
  checked->add_option("FILE", flags->file, "Configuration file")->required();
  add_run_flags(*checked, flags->run);
  checked->footer("Examples:\n  tessera config check config.yaml\nExit: 0 valid, 3 errors\n");
  checked->callback([flags, &run] { run = [flags] { return check(*flags); }; });
}

}  // namespace tessera::app
