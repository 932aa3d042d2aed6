// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "app/commands.h"
#include "app/console/clocks.h"
#include "app/console/file_writer.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/only_quota.h"
#include "app/output_check.h"
#include "app/session.h"
#include "ingest/encode/json_text.h"
#include "ingest/encode/workload_json.h"
#include "ingest/load/find_workload.h"
#include "ingest/load/what_if.h"
#include "ingest/text/decision_table.h"
#include "ingest/text/node_summary.h"
#include "ingest/text/state_text.h"
#include "topology/text/printable.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

using core::Decision;
using core::Outcome;
using Json = nlohmann::ordered_json;

constexpr const char* kScheduleExamples =
    "Examples:\n"
    "  tessera schedule -C dump/ -f jobs/                  place jobs on the cluster of a dump\n"
    "  tessera schedule -C nodes.yaml -f job.yaml -o wide  Node names instead of host names\n"
    "  tessera schedule -C dump/ -f job.yaml -o json       Kueue Workloads with assignments\n"
    "  tessera schedule -C dump/ -f job.yaml --required rack --replicas 8   what if\n"
    "Exit: 0 all placed, 6 something never fits, 7 something waits (tessera help exit-codes)\n";

struct ScheduleFlags {
  RunFlags run;
  InputFlags input;
  OutputFlags output;
  std::string namespace_name, only, summary_file, slice, version = "v1beta2", required, preferred;
  bool all_namespaces = false, ignore_quota = false, with_waiting = false, exit_zero = false;
  int rounds = 0;
  std::int64_t replicas = 0;
};

ingest::WhatIf what_if_of(const ScheduleFlags& flags) {
  ingest::WhatIf what_if;
  if (!flags.required.empty()) what_if.required = flags.required;
  if (!flags.preferred.empty()) what_if.preferred = flags.preferred;
  if (flags.replicas > 0) what_if.replicas = flags.replicas;
  if (!flags.slice.empty()) {
    auto slice = ingest::parse_slice(flags.slice);
    if (!slice) throw UsageError(slice.error().message);
    what_if.slice = std::move(*slice);
  }
  return what_if;
}

/// Keeps only the workloads of -n and --only, then applies the what-if overrides to them.
void narrow(const ScheduleFlags& flags, const ingest::WhatIf& what_if, Session& session,
            Messages& messages, ExitCode& exit) {
  core::Inventory& inventory = session.input->inventory;
  std::vector<std::size_t>& list = session.input->to_place;
  std::vector<std::size_t> kept;
  std::optional<std::size_t> only;
  if (!flags.only.empty()) {
    const auto found = ingest::find_workload(inventory, flags.only, flags.namespace_name);
    if (found) {
      only = *found;
    } else {
      messages.error(found.error());
      exit.add(found.error().code == ErrorCode::kNotFound ? Exit::kNotFound : Exit::kUsage);
    }
  }
  for (const std::size_t i : list) {
    const std::string& ns = inventory.workloads[i].namespace_name;
    if (!flags.namespace_name.empty() && ns != flags.namespace_name) continue;
    if (!flags.only.empty() && only != i) continue;
    kept.push_back(i);
  }
  list = std::move(kept);
  if (!what_if.any()) return;
  const auto resolved = ingest::resolve_levels(what_if, inventory);
  if (!resolved) throw UsageError(resolved.error().message);
  for (const std::size_t i : list) ingest::apply(*resolved, inventory.workloads[i]);
}

std::vector<std::size_t> planned(const ScheduleFlags& flags, const Session& session) {
  std::vector<std::size_t> list = session.input->to_place;
  const std::vector<std::size_t>& waiting = session.input->waiting_state;
  if (flags.with_waiting) list.insert(list.end(), waiting.begin(), waiting.end());
  return list;
}

void tell_waiting(std::size_t waiting, Messages& messages) {
  if (waiting == 0) return;
  messages.note(counted(static_cast<std::int64_t>(waiting),
                        "waiting workload in -C is not counted; --with-waiting plans it too",
                        "waiting workloads in -C are not counted; --with-waiting plans them too"));
}

/// Names the workloads of -f that are not placed since they are state already: they hold a place,
/// run or are finished (ux.md rule 1). A whole dump may come with -f, so the list is cut.
void tell_settled(const Session& session, const ScheduleFlags& flags, Messages& messages) {
  constexpr std::size_t kMostTold = 10;
  const core::Inventory& inventory = session.input->inventory;
  std::size_t told = 0;
  for (const std::size_t i : session.input->settled_request) {
    if (told++ == kMostTold) {
      const auto left =
          static_cast<std::int64_t>(session.input->settled_request.size() - kMostTold);
      return messages.note(counted(left, "more workload of -f holds", "more workloads of -f hold") +
                           " a place already or " + (left == 1 ? "is" : "are") + " finished");
    }
    messages.note(ingest::full_name(inventory.workloads[i]) + " is not placed: it " +
                  encode::state_text(inventory, i, flags.output.fold()));
  }
}

/// Notes each placed gang that asked for no topology and spans several domains (ux.md rule 4).
void tell_scattered(const core::Engine& engine, const std::vector<Decision>& decisions,
                    Messages& messages) {
  for (const Decision& decision : decisions) {
    if (decision.outcome != Outcome::kPlaced) continue;
    const core::Workload& workload = engine.inventory().workloads[decision.workload];
    bool asks = false;
    for (const auto& set : workload.gang.pod_sets) asks = asks || set.topology.explicit_request();
    for (const auto& group : workload.gang.groups) {
      asks = asks || group.topology.required || group.topology.preferred;
    }
    const encode::Spread spread = encode::spread_of(engine, decision);
    if (asks || spread.groups < 2) continue;
    messages.note(ingest::full_name(workload) + " asks for no topology and spans " +
                  std::to_string(spread.groups) + " " + spread.level + "s; try --preferred " +
                  spread.level);
  }
}

/// Notes placed gangs whose pods have no topology flavor: nothing says that nodes have the room.
void tell_only_quota(const core::Engine& engine, const std::vector<Decision>& decisions,
                     Messages& messages) {
  OnlyQuota only_quota;
  for (const Decision& decision : decisions) {
    if (decision.outcome != Outcome::kPlaced) continue;
    for (const core::PodSetDecision& pod_set : decision.pod_sets) {
      if (pod_set.count == 0 || !pod_set.topology_flavor.empty()) continue;
      only_quota.add(engine.inventory().workloads[decision.workload], pod_set.flavors);
    }
    only_quota.end_gang();
  }
  only_quota.tell(messages);
}

void add_results(const std::vector<Decision>& decisions, ExitCode& exit) {
  for (const Decision& decision : decisions) {
    if (decision.outcome == Outcome::kNever) exit.add(Exit::kNever);
    if (decision.outcome == Outcome::kWaits) exit.add(Exit::kWaits);
    if (decision.outcome == Outcome::kInvalid) exit.add(Exit::kInvalid);
  }
}

std::string json_list(core::Engine& engine, const std::vector<Decision>& decisions,
                      const Session& session, const std::string& version) {
  encode::WorkloadJsonOptions options;
  options.version = version == "v1beta1" ? encode::AssignmentVersion::kV1Beta1
                                         : encode::AssignmentVersion::kV1Beta2;
  options.now = now_text();
  options.kept_fields = &session.input->kept_fields;
  Json items = Json::array();
  std::vector<bool> requested(session.input->inventory.workloads.size());
  for (const std::size_t i : session.input->to_place) requested[i] = true;
  for (const Decision& decision : decisions) {
    // Waiting workloads of the state are planned but not printed: the list shows the request only.
    if (!requested[decision.workload]) continue;
    const core::Evidence evidence = engine.explain(decision, core::Depth::kFacts);
    items.push_back(encode::workload_json(engine, decision, evidence, options));
  }
  const Json list = {{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items)}};
  return encode::json_text(list);
}

std::string time_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kMicro = 1000, kMilli = 1'000'000;
  if (nanoseconds < 10 * kMilli) return std::to_string(nanoseconds / kMicro) + " us";
  return std::to_string(nanoseconds / kMilli) + " ms";
}

/// The answer of one run.
struct Answer {
  std::vector<Decision> decisions;
  std::int64_t nanoseconds = 0;
};

std::string table(core::Engine& engine, const Answer& answer, const Session& session,
                  const OutputFlags& output) {
  encode::DecisionTableOptions options;
  options.names =
      output.format == "wide" ? encode::HostNames::kNodeName : encode::HostNames::kHostnameLabel;
  options.fold = output.fold();
  options.headers = !output.no_headers;
  if (output.format != "wide" && output.fold()) options.width = stdout_width();
  const auto count = static_cast<std::int64_t>(answer.decisions.size());
  const std::int64_t gpus = encode::summarize_nodes(engine, options.names).gpus;
  const auto evidence_of = [&engine](const Decision& refused) {
    return engine.explain(refused, core::Depth::kReason);
  };
  return encode::decision_table(engine, answer.decisions, evidence_of, options) +
         encode::totals_text(encode::total(engine, answer.decisions), gpus) + "; " +
         counted(count, "decision in ", "decisions in ") + time_text(answer.nanoseconds) +
         ", input " + time_text(session.read_nanoseconds) + "\n";
}

std::string names(const core::Engine& engine, const std::vector<Decision>& decisions) {
  std::string out;
  for (const Decision& decision : decisions) {
    out += "workload.kueue.x-k8s.io/" +
           printable(engine.inventory().workloads[decision.workload].name) + "\n";
  }
  return out;
}

/// False, and a message, if stdout takes no more.
bool write_answer(core::Engine& engine, const Answer& answer, const Session& session,
                  const ScheduleFlags& flags) {
  const std::string& format = flags.output.format;
  if (format == "pods") {
    bool good = true;
    encode::write_pod_table(engine, answer.decisions, !flags.output.no_headers,
                            [&good](std::string_view text) { good = good && write_stdout(text); });
    return good;
  }
  if (format == "json") {
    return write_stdout(json_list(engine, answer.decisions, session, flags.version));
  }
  if (format == "name") return write_stdout(names(engine, answer.decisions));
  return answer.decisions.empty() || write_stdout(table(engine, answer, session, flags.output));
}

std::string summary_json(const core::Engine& engine, const std::vector<Decision>& decisions,
                         const Messages& messages) {
  const encode::DecisionTotals totals = encode::total(engine, decisions);
  const encode::NodeSummary nodes = encode::summarize_nodes(engine, encode::HostNames::kNodeName);
  Json results = Json::array();
  for (const Decision& decision : decisions) {
    const core::Workload& workload = engine.inventory().workloads[decision.workload];
    results.push_back({{"namespace", workload.namespace_name},
                       {"name", workload.name},
                       {"origin", workload.origin.display()},
                       {"result", core::outcome_name(decision.outcome)},
                       {"reason", core::reason_name(decision.reason)}});
  }
  const Json summary = {{"apiVersion", "tessera.dev/v1alpha1"},
                        {"kind", "Summary"},
                        {"profile", engine.options().profile.name},
                        {"nodes", nodes.nodes},
                        {"usable", nodes.usable},
                        {"gpus", nodes.gpus},
                        {"placed", totals.placed},
                        {"waits", totals.waits},
                        {"never", totals.never},
                        {"invalid", totals.invalid},
                        {"placedPods", totals.pods},
                        {"placedGpus", totals.gpus},
                        {"errors", messages.errors()},
                        {"warnings", messages.warnings()},
                        {"results", std::move(results)}};
  return encode::json_text(summary);
}

int schedule(const ScheduleFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const ingest::WhatIf what_if = what_if_of(flags);
  InputFlags input = flags.input;
  input.keep_fields = flags.output.format == "json";
  Session session = open_session(flags.run, input, messages, exit);
  check_outputs({{"--summary-json", flags.summary_file}}, flags.input, session);
  narrow(flags, what_if, session, messages, exit);

  core::EngineOptions options = engine_options(session);
  options.ignore_quota = flags.ignore_quota;
  options.rounds = flags.rounds;
  options.clock = steady_nanoseconds;
  core::Engine engine(session.state(), options);
  std::vector<std::size_t> list = planned(flags, session);
  tell_accounting(session, engine, engine.accounting(), list, flags.output, messages);
  if (flags.ignore_quota) messages.note("quota is not checked (--ignore-quota)");
  tell_settled(session, flags, messages);
  if (!flags.with_waiting) tell_waiting(session.input->waiting_state.size(), messages);
  if (list.empty()) messages.note("no workloads to place");

  Answer answer;
  {
    const Progress progress("deciding", messages.volume() != Volume::kQuiet);
    const std::int64_t start = steady_nanoseconds();
    answer.decisions = engine.run(list);
    answer.nanoseconds = steady_nanoseconds() - start;
  }
  tell_scattered(engine, answer.decisions, messages);
  tell_only_quota(engine, answer.decisions, messages);
  add_results(answer.decisions, exit);
  if (!write_answer(engine, answer, session, flags)) exit.add(Exit::kInternal);
  if (!flags.summary_file.empty()) {
    const auto written =
        write_file(flags.summary_file, summary_json(engine, answer.decisions, messages));
    if (!written) {
      messages.error(written.error());
      exit.add(Exit::kNotFound);
    }
  }
  return finish(flags.run, messages, exit, flags.exit_zero);
}

void add_what_if_flags(CLI::App& command, ScheduleFlags& flags) {
  const std::string group = "What if (overrides of the request)";
  auto* required = command.add_option("--required", flags.required, "Required topology level")
                       ->type_name("LEVEL")
                       ->group(group);
  command.add_option("--preferred", flags.preferred, "Preferred topology level")
      ->type_name("LEVEL")
      ->group(group)
      ->excludes(required);
  command
      .add_option("--slice", flags.slice,
                  "Slices of PODS pods inside one domain of LEVEL (pod set with the most pods)")
      ->type_name("LEVEL:PODS")
      ->group(group);
  command.add_option("--replicas", flags.replicas, "Replicas of the pod set with the most pods")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("N")
      ->group(group);
  command.add_option("--only", flags.only, "Only this workload of the request")
      ->type_name("NS/NAME")
      ->group(group);
  command.add_flag("--ignore-quota", flags.ignore_quota, "Do not check quota")->group(group);
}

}  // namespace

void add_schedule(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand(
      "schedule", "Decide where the workloads of -f go on the cluster of -C, and why not");
  const auto flags = std::make_shared<ScheduleFlags>();
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  add_profile_flag(*command, flags->input);
  command->add_option("-n,--namespace", flags->namespace_name, "Only workloads of this namespace");
  command->add_flag("-A,--all-namespaces", flags->all_namespaces,
                    "Workloads of all namespaces (the default)");
  add_output_flag(*command, flags->output, {"table", "wide", "json", "name", "pods"});
  add_hostlist_flag(*command, flags->output);
  command->add_flag("--with-waiting", flags->with_waiting, "Plan the waiting workloads of -C too");
  command->add_option("--rounds", flags->rounds, "Stop after N rounds (default: when settled)")
      ->check(CLI::Range(0, 1'000'000));
  command
      ->add_option("--assignment-version", flags->version,
                   "Version of the Workloads of -o json: v1beta1 or v1beta2")
      ->check(CLI::IsMember({"v1beta1", "v1beta2"}));
  command->add_option("--summary-json", flags->summary_file, "Write the figures to this file")
      ->check(named_path())
      ->type_name("FILE");
  command->add_flag("--exit-zero", flags->exit_zero, "Exit 0 instead of 6 and 7");
  add_what_if_flags(*command, *flags);
  add_run_flags(*command, flags->run);
  command->footer(kScheduleExamples);
  command->callback([flags, &run] {
    run = [flags] {
      if (flags->all_namespaces && !flags->namespace_name.empty()) {
        throw UsageError("-A and -n exclude each other");
      }
      return schedule(*flags);
    };
  });
}

}  // namespace tessera::app
