// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <unordered_set>

#include "actors/engine/simulation.h"
#include "actors/explain/planner_view.h"
#include "app/commands.h"
#include "app/console/clocks.h"
#include "app/console/file_writer.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/driver.h"
#include "app/only_quota.h"
#include "app/output_check.h"
#include "app/session.h"
#include "app/simulation_report.h"
#include "config/duration.h"
#include "ingest/encode/decision_log.h"
#include "ingest/load/find_workload.h"
#include "ingest/text/node_summary.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

constexpr const char* kSimulateExamples =
    "Examples:\n"
    "  tessera simulate -C dump/ --trace jan.jsonl                  use, waits, decisions/s\n"
    "  tessera simulate -C dump/ --trace jan.jsonl --profile kueue  as Kueue would\n"
    "  tessera simulate -C dump/ --trace jan.jsonl -o json --decisions jan-decisions.jsonl\n"
    "A line of the trace: {\"time\": 12.5, \"runSeconds\": 3600, \"workload\": {\"apiVersion\": "
    "\"batch/v1\", \"kind\": \"Job\", ...}}\n"
    "Exit: 0 all gangs started, 3 some are invalid, 6 some can never fit, 7 some still wait at the "
    "end\n";

struct SimulateFlags {
  RunFlags run;
  InputFlags input;
  OutputFlags output;
  std::string decisions_file, summary_file;
  bool exit_zero = false;
};

/// Writes `--decisions` while the simulation runs.
class DecisionLog : public core::SimulationObserver {
 public:
  explicit DecisionLog(const std::string& path) : file_(path), opened_(file_.good()) {}

  void admitted(std::int64_t now, const core::Admitted& gang) override {
    write({now, ++seq_, core::index(gang.gang), gang.workload->key(), gang.admission.get()});
  }
  void evicted(std::int64_t now, core::GangId gang, const core::Workload& workload) override {
    write({now, ++seq_, core::index(gang), workload.key(), nullptr, true});
  }
  void finished(std::int64_t now, core::GangId gang, const core::Workload& workload) override {
    write({now, ++seq_, core::index(gang), workload.key(), nullptr});
  }

  bool opened() const { return opened_; }
  Result<void> finish() { return file_.finish(); }

 private:
  void write(const encode::LoggedDecision& decision) {
    if (file_.good()) file_.write(encode::decision_line(decision));
  }

  FileWriter file_;
  bool opened_;
  std::uint64_t seq_ = 0;
};

/// Hears of every event: hands it to the decision log, if there is one, and counts the gangs for
/// which no node was looked at.
class Listener : public core::SimulationObserver {
 public:
  explicit Listener(DecisionLog* log) : log_(log) {}

  void admitted(std::int64_t now, const core::Admitted& gang) override {
    if (log_ != nullptr) log_->admitted(now, gang);
    bool unplaced = false;
    for (const core::PodSetAssignment& pod_set : gang.admission->pod_sets) {
      unplaced = unplaced || (pod_set.count > 0 && pod_set.levels.empty());
    }
    // A gang that was evicted is admitted again.
    if (!unplaced || !counted_.insert(core::index(gang.gang)).second) return;
    for (const core::PodSetAssignment& pod_set : gang.admission->pod_sets) {
      if (pod_set.count > 0 && pod_set.levels.empty()) {
        only_quota_.add(*gang.workload, pod_set.flavors);
      }
    }
    only_quota_.end_gang();
  }
  void evicted(std::int64_t now, core::GangId gang, const core::Workload& workload) override {
    if (log_ != nullptr) log_->evicted(now, gang, workload);
  }
  void finished(std::int64_t now, core::GangId gang, const core::Workload& workload) override {
    if (log_ != nullptr) log_->finished(now, gang, workload);
  }

  const OnlyQuota& only_quota() const { return only_quota_; }

 private:
  DecisionLog* log_;
  std::unordered_set<std::uint64_t> counted_;
  OnlyQuota only_quota_;
};

void tell_write_error(const Error& error, Messages& messages, ExitCode& exit) {
  messages.error(error);
  exit.add(error.code == ErrorCode::kInternal ? Exit::kInternal : Exit::kNotFound);
}

/// The gangs of the trace. The engine is told when pods are ready only if it waits for them
/// (waitForPodsReady).
std::vector<core::Arrival> arrivals(const Session& session) {
  std::vector<core::Arrival> out;
  out.reserve(session.input->trace.size());
  for (const ingest::TraceEntry& entry : session.input->trace) {
    out.push_back({entry.workload, entry.arrival, entry.run, {}});
    if (session.settings.pods_ready || entry.start > 0) out.back().start = entry.start;
  }
  return out;
}

/// Workloads of the state never end. Their pods count as ready, so that they have no deadline: the
/// times in the state are not those of the trace.
void run_for_ever(core::Inventory& state) {
  for (core::Workload& workload : state.workloads) workload.status.pods_ready = true;
}

/// Reports gangs that would be evicted for ever: the simulation would not end.
bool tell_endless(const Session& session, Messages& messages, ExitCode& exit) {
  const std::optional<config::PodsReady>& rule = session.settings.pods_ready;
  if (!rule || rule->backoff_limit_count) return false;
  bool any = false;
  for (const ingest::TraceEntry& entry : session.input->trace) {
    if (entry.start < rule->timeout) continue;
    Where where = entry.where;
    where.field = "startSeconds";
    messages.error({ErrorCode::kInvalidInput,
                    "is not below waitForPodsReady.timeout (" +
                        config::duration_text(rule->timeout) +
                        "): without backoffLimitCount the gang would be evicted for ever",
                    std::move(where)});
    any = true;
  }
  if (any) exit.add(Exit::kInvalid);
  return any;
}

/// "2 can never fit: a, b", the first few by name.
void tell_names(const std::vector<std::string>& names, const std::string& what,
                Messages& messages) {
  constexpr std::size_t kNamesShown = 5;
  if (names.empty()) return;
  std::string text = std::to_string(names.size()) + " " + what + ": ";
  for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() > kNamesShown) {
    text += " and " + std::to_string(names.size() - kNamesShown) + " more";
  }
  messages.note(text);
}

/// Names the gangs that wait at the end. Returns how many of them can never fit.
std::int64_t tell_waiting(const Session& session, const core::EngineStart& start,
                          const std::vector<std::size_t>& waiting, Messages& messages,
                          ExitCode& exit) {
  if (waiting.empty()) return 0;
  std::vector<std::shared_ptr<const core::Workload>> workloads;
  for (const std::size_t i : waiting) workloads.push_back(session.input->trace[i].workload);
  std::vector<core::Outlook> outlooks;
  {
    const Progress progress("judging what was left", messages.volume() != Volume::kQuiet);
    outlooks = core::outlooks(start, workloads);
  }
  std::vector<std::string> invalid_names, never_names, names;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const std::string name = ingest::full_name(*session.input->trace[waiting[i]].workload);
    if (outlooks[i].outcome == core::Outcome::kInvalid) {
      invalid_names.push_back(name);
    } else if (outlooks[i].outcome == core::Outcome::kNever) {
      never_names.push_back(name + " (" + std::string(core::reason_name(outlooks[i].reason)) + ")");
    } else {
      names.push_back(name);
    }
  }
  tell_names(invalid_names, "invalid (validate says why)", messages);
  tell_names(never_names, "can never fit", messages);
  tell_names(names, "still waiting at the end", messages);
  if (!invalid_names.empty()) exit.add(Exit::kInvalid);
  if (!never_names.empty()) exit.add(Exit::kNever);
  if (!names.empty()) exit.add(Exit::kWaits);
  return static_cast<std::int64_t>(never_names.size());
}

/// Nodes and GPUs of the report; the rest of what was read goes to stderr.
core::ClusterGpus survey(const Session& session, const core::EngineStart& start,
                         const OutputFlags& output, Messages& messages, SimulationReport& report) {
  const core::Positions unused;  // the report does not say who holds what
  const core::PlannerView cluster(session.input->inventory, *start.planner, unused);
  tell_accounting(session, cluster, start.planner->accounting(), {}, output, messages);
  const encode::NodeSummary nodes =
      encode::summarize_nodes(cluster, encode::HostNames::kHostnameLabel);
  report.nodes = nodes.usable;
  report.gpus = nodes.gpus;
  return {nodes.gpus, nodes.gpus_in_use};
}

void tell_waiting_state(std::size_t count, Messages& messages) {
  if (count == 0) return;
  messages.note(counted(static_cast<std::int64_t>(count), "waiting workload in -C is not simulated",
                        "waiting workloads in -C are not simulated"));
}

int simulate(const SimulateFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  Session session = open_session(flags.run, flags.input, messages, exit);
  check_outputs({{"--decisions", flags.decisions_file}, {"--summary-json", flags.summary_file}},
                flags.input, session);
  run_for_ever(session.input->inventory);
  SimulationReport report;
  report.profile = session.profile.name;
  const core::EngineStart start = make_start(session);
  const core::ClusterGpus cluster = survey(session, start, flags.output, messages, report);
  tell_waiting_state(session.input->waiting_state.size(), messages);
  if (session.input->trace.empty()) messages.note("no gangs in the trace");
  if (tell_endless(session, messages, exit)) return finish(flags.run, messages, exit);

  std::unique_ptr<DecisionLog> log;
  if (!flags.decisions_file.empty()) log = std::make_unique<DecisionLog>(flags.decisions_file);
  Listener listener(log.get());
  if (log == nullptr || log->opened()) {
    const Progress progress("simulating", messages.volume() != Volume::kQuiet);
    const std::vector<core::Arrival> trace = arrivals(session);
    const std::unique_ptr<core::Driver> driver = make_driver(session, start);
    const std::int64_t began = steady_nanoseconds();
    report.result = core::simulate(*driver, trace, cluster, &listener);
    report.wall_nanoseconds = steady_nanoseconds() - began;
  }
  if (log != nullptr) {
    const bool opened = log->opened();
    if (const auto written = log->finish(); !written) {
      tell_write_error(written.error(), messages, exit);
      if (!opened) return finish(flags.run, messages, exit);
    }
  }
  listener.only_quota().tell(messages);
  report.never = tell_waiting(session, start, report.result.waiting, messages, exit);
  report.errors = messages.errors();
  report.warnings = messages.warnings();
  const std::string json = simulation_json(report);
  const bool table = flags.output.format == "table";
  if (!write_stdout(table ? simulation_table(report, !flags.output.no_headers) : json)) {
    exit.add(Exit::kInternal);
  }
  if (!flags.summary_file.empty()) {
    const auto written = write_file(flags.summary_file, json);
    if (!written) tell_write_error(written.error(), messages, exit);
  }
  return finish(flags.run, messages, exit, flags.exit_zero);
}

}  // namespace

void add_simulate(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand(
      "simulate", "Run a trace of gangs through the engine in virtual time on the cluster of -C");
  const auto flags = std::make_shared<SimulateFlags>();
  add_cluster_flag(*command, flags->input);
  add_trace_flag(*command, flags->input);
  add_profile_flag(*command, flags->input);
  add_output_flag(*command, flags->output, {"table", "json"});
  command
      ->add_option("--decisions", flags->decisions_file,
                   "Write admissions, evictions and ends to this file, as JSON lines")
      ->check(named_path())
      ->type_name("FILE");
  command->add_option("--summary-json", flags->summary_file, "Write the figures to this file")
      ->check(named_path())
      ->type_name("FILE");
  command->add_flag("--exit-zero", flags->exit_zero, "Exit 0 instead of 6 and 7");
  add_run_flags(*command, flags->run);
  command->footer(kSimulateExamples);
  command->callback([flags, &run] {
    run = [flags] {
      if (flags->input.cluster.empty()) throw UsageError("the cluster is missing: -C PATH");
      if (flags->input.trace.empty()) throw UsageError("the trace is missing: --trace FILE");
      return simulate(*flags);
    };
  });
}

}  // namespace tessera::app
