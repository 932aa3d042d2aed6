// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/console/clocks.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/session.h"
#include "ingest/encode/explanation_json.h"
#include "ingest/encode/json_text.h"
#include "ingest/load/find_workload.h"
#include "ingest/text/explanation.h"
#include "ingest/text/state_text.h"
#include "topology/text/printable.h"

namespace tessera::app {
namespace {

using core::Decision;
using core::Outcome;

constexpr const char* kExplainExamples =
    "Examples:\n"
    "  tessera explain job/eval-a -n ml-train -C dump/           why does it wait?\n"
    "  tessera explain eval-a -C dump/ -f jobs/eval-a.yaml -o json\n"
    "NAME is a workload's name, kind/name, or namespace/kind/name.\n"
    "Exit: 0 placed, 6 never fits, 7 waits, 4 no such workload\n";

struct ExplainFlags {
  RunFlags run;
  InputFlags input;
  OutputFlags output;
  std::string name, namespace_name;
  bool ignore_quota = false, exit_zero = false;
};

void add_result(const Decision& decision, ExitCode& exit) {
  if (decision.outcome == Outcome::kNever) exit.add(Exit::kNever);
  if (decision.outcome == Outcome::kWaits) exit.add(Exit::kWaits);
  if (decision.outcome == Outcome::kInvalid) exit.add(Exit::kInvalid);
}

std::string answer_text(core::Engine& engine, const Decision& decision, const OutputFlags& output) {
  const core::Evidence evidence = engine.explain(decision, core::Depth::kRemedies);
  if (output.format == "json") {
    return encode::json_text(encode::explanation_json(engine, decision, evidence));
  }
  encode::ExplanationOptions options;
  options.fold_hosts = output.fold();
  options.node_names = output.format == "wide";
  options.now_seconds = now_seconds();
  return encode::explanation_text(engine, decision, evidence, options);
}

/// The answer for a workload that is finished, admitted or running: there is nothing to plan.
std::string settled_text(const core::Inventory& inventory, std::size_t workload,
                         const OutputFlags& output) {
  return printable(ingest::full_name(inventory.workloads[workload])) + " " +
         encode::state_text(inventory, workload, output.fold()) + "\n";
}

int explain(const ExplainFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  Session session = open_session(flags.run, flags.input, messages, exit);
  const core::Inventory& inventory = session.input->inventory;
  std::vector<std::size_t> list = session.input->to_place;
  list.insert(list.end(), session.input->waiting_state.begin(), session.input->waiting_state.end());

  core::EngineOptions options = engine_options(session);
  options.ignore_quota = flags.ignore_quota;
  core::Engine engine(session.state(), options);
  tell_accounting(session, engine, engine.accounting(), list, flags.output, messages);
  if (flags.ignore_quota) messages.note("quota is not checked (--ignore-quota)");

  const auto workload = ingest::find_workload(inventory, flags.name, flags.namespace_name);
  if (!workload) {
    messages.error(workload.error());
    exit.add(workload.error().code == ErrorCode::kNotFound ? Exit::kNotFound : Exit::kUsage);
    return finish(flags.run, messages, exit);
  }
  const std::vector<Decision> decisions = engine.run(list);
  const auto decision = std::find_if(decisions.begin(), decisions.end(),
                                     [&](const Decision& d) { return d.workload == *workload; });
  const bool planned = decision != decisions.end();
  if (planned) add_result(*decision, exit);
  const std::string text = planned ? answer_text(engine, *decision, flags.output)
                                   : settled_text(inventory, *workload, flags.output);
  if (!write_stdout(text)) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit, flags.exit_zero);
}

}  // namespace

void add_explain(CLI::App& app, Run& run) {
  CLI::App* command =
      app.add_subcommand("explain", "Why a workload is placed where it is, waits or never fits");
  const auto flags = std::make_shared<ExplainFlags>();
  command->add_option("NAME", flags->name, "Workload: NAME, kind/NAME or ns/kind/NAME")->required();
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  add_profile_flag(*command, flags->input);
  command->add_option("-n,--namespace", flags->namespace_name, "Namespace of the workload");
  add_output_flag(*command, flags->output, {"text", "wide", "json"});
  add_hostlist_flag(*command, flags->output);
  command->add_flag("--ignore-quota", flags->ignore_quota, "Do not check quota");
  command->add_flag("--exit-zero", flags->exit_zero, "Exit 0 instead of 6 and 7");
  add_run_flags(*command, flags->run);
  command->footer(kExplainExamples);
  command->callback([flags, &run] { run = [flags] { return explain(*flags); }; });
}

}  // namespace tessera::app
