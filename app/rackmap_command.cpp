// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "app/commands.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/session.h"
#include "ingest/text/node_summary.h"
#include "ingest/text/rack_map.h"
#include "topology/text/nearest.h"
#include "topology/text/printable.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

constexpr const char* kRackmapExamples =
    "Examples:\n"
    "  tessera rackmap -C dump/                  what runs now\n"
    "  tessera rackmap -C dump/ -f jobs/         after the jobs have been placed\n"
    "  tessera rackmap -C dump/ --by gang        who holds which host\n";

struct RackmapFlags {
  RunFlags run;
  InputFlags input;
  std::string by = "gpus", level;
  bool ascii = false, ignore_quota = false, no_headers = false;
};

/// Position of the level with that name or label; the finest level if `level` is empty. Nothing if
/// the topology has no such level.
std::optional<std::size_t> find_level(const encode::Census& census, const std::string& level) {
  if (level.empty()) return census.levels.size() - 1;
  for (std::size_t i = 0; i < census.levels.size(); ++i) {
    if (level == census.levels[i].name || level == census.levels[i].label) return i;
  }
  return std::nullopt;
}

/// Refuses a level that no topology has.
void check_level(const std::vector<encode::Census>& censuses, const std::string& level) {
  std::vector<std::string> known, lists;
  for (const encode::Census& census : censuses) {
    if (find_level(census, level)) return;
    std::vector<std::string> names;
    for (const encode::CensusLevel& each : census.levels) names.push_back(each.name);
    known.insert(known.end(), names.begin(), names.end());
    lists.push_back(census.topology.name + " (levels: " + joined(names) + ")");
  }
  if (lists.empty()) return;
  throw UsageError("level \"" + level + "\" is not in topology " + joined(lists, " or ") +
                   did_you_mean(level, known));
}

void tell_outside(const core::Engine& engine, const encode::Census& census, Messages& messages) {
  std::vector<std::string> names;
  for (const std::size_t position : census.outside) {
    const topology::NodeRecord& node = engine.inventory().nodes[index(census.hosts[position].node)];
    names.push_back(encode::node_name(node, encode::HostNames::kHostnameLabel));
  }
  if (names.empty()) return;
  messages.note("not on the map, a level's label is missing: " + encode::host_list(names, true));
}

int rackmap(const RackmapFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const Session session = open_session(flags.run, flags.input, messages, exit);
  core::EngineOptions options = engine_options(session);
  options.ignore_quota = flags.ignore_quota;
  core::Engine engine(session.state(), options);
  tell_accounting(session, engine, engine.accounting(), session.input->to_place, {}, messages);
  engine.run(session.input->to_place);

  const encode::MapBy by = flags.by == "gang"     ? encode::MapBy::kGang
                           : flags.by == "health" ? encode::MapBy::kHealth
                                                  : encode::MapBy::kGpus;
  const auto censuses =
      encode::take_census(engine, encode::own_shape(session.input->inventory.nodes));
  if (censuses.empty()) messages.note("no topology: no node carries labels of a level");
  check_level(censuses, flags.level);
  std::string text;
  for (const encode::Census& census : censuses) {
    const std::optional<std::size_t> level = find_level(census, flags.level);
    if (!level) continue;  // another topology has it
    tell_outside(engine, census, messages);
    if (censuses.size() > 1 && !flags.no_headers) {
      text += (text.empty() ? "" : "\n") + printable("topology " + census.topology.name) + "\n";
    }
    text += encode::rack_map(engine, census, *level, by, !flags.no_headers);
  }
  if (!write_stdout(text)) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

}  // namespace

void add_rackmap(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("rackmap", "One character a host, one line a rack");
  const auto flags = std::make_shared<RackmapFlags>();
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  add_profile_flag(*command, flags->input);
  command
      ->add_option("--by", flags->by,
                   "gpus: devices in use; gang: which gang; health: what is wrong")
      ->check(CLI::IsMember({"gpus", "gang", "health"}));
  command->add_option("--level", flags->level, "Level of the lines (default: above the host)");
  command->add_flag("--ignore-quota", flags->ignore_quota, "Place -f without checking quota");
  command->add_flag("--no-headers", flags->no_headers, "Without the first line and the legend");
  command->add_flag("--ascii", flags->ascii, "Only ASCII characters (always the case)");
  add_run_flags(*command, flags->run);
  command->footer(kRackmapExamples);
  command->callback([flags, &run] { run = [flags] { return rackmap(*flags); }; });
}

}  // namespace tessera::app
