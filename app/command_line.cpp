// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <CLI/CLI.hpp>

#include "app/commands.h"
#include "app/console/exit_code.h"
#include "app/console/usage_error.h"
#include "topology/text/nearest.h"

namespace tessera::app {
namespace {

/// The innermost command that was named.
const CLI::App& named_command(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::string commands_text(const CLI::App& app) {
  std::string list;
  for (const std::string& name : command_names(app)) list += (list.empty() ? "" : ", ") + name;
  return " (commands: " + list + ")";
}

std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// Names the word that is not understood, and the nearest known name.
std::string leftover_text(const CLI::App& command, const std::string& word) {
  const std::string flag = word.substr(0, word.find('='));
  const std::string quoted = "\"" + flag + "\"";
  if (word.size() > 1 && word.front() == '-') {
    return "unknown flag " + quoted + did_you_mean(flag, flag_names(command));
  }
  const std::vector<std::string> names = command_names(command);
  if (!names.empty()) {
    const std::string near = did_you_mean(word, names);
    return "unknown command " + quoted + (near.empty() ? commands_text(command) : near);
  }
  return "unexpected argument " + quoted + " (a flag such as -f takes one path; repeat the flag)";
}

/// Lets the parser keep unknown words, so that a message can name each with the nearest known word.
void allow_leftovers(CLI::App& app) {
  app.allow_extras();
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    allow_leftovers(*command);
  }
}

/// Throws if words are left over, those before the command first.
void check_leftovers(const CLI::App& app) {
  const CLI::App& command = named_command(app);
  const std::vector<std::string> before = app.remaining(false), all = app.remaining(true);
  if (&command != &app && !before.empty() && before.front().front() == '-') {
    throw UsageError("flag \"" + before.front() + "\" stands before the command: write tessera " +
                     command.get_name() + " " + before.front() + " ...");
  }
  if (!all.empty()) throw UsageError(leftover_text(command, all.front()));
}

void check_understood(const CLI::App& app) {
  check_leftovers(app);
  const CLI::App& command = named_command(app);
  if (!command_names(command).empty()) {
    throw UsageError("a command is missing" + commands_text(command));
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  CLI::App app("Places gangs of pods on GPU clusters, and says why it cannot.", "tessera");
  app.footer("Start with: tessera schedule -C DUMP -f JOB    (tessera help reasons, exit-codes)");
  app.set_version_flag("--version", std::string("tessera ") + TESSERA_VERSION);
  Run run;
  add_schedule(app, run);
  add_explain(app, run);
  add_simulate(app, run);
  add_validate(app, run);
  add_topology(app, run);
  add_rackmap(app, run);
  add_verify(app, run);
  add_config(app, run);
  add_version(app, run);
  add_help(app, run);
  allow_leftovers(app);
  // One command only: a word behind it is never taken for a second command (`help schedule`).
  app.require_subcommand(0, 1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    // A misspelt name explains a missing one better than the parser does.
    check_leftovers(app);
    throw UsageError(error.what());
  }
  check_understood(app);
  return run();
}

}  // namespace tessera::app
