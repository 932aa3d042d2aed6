// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "actors/records/reason.h"
#include "app/commands.h"
#include "app/console/exit_code.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "ingest/text/table.h"
#include "topology/text/nearest.h"

namespace tessera::app {
namespace {

using core::Reason;

/// Kueue's condition reason (queues.md 10.3) and Slurm's code (squeue %r) for each of ours.
struct ReasonRow {
  Reason reason;
  const char *kueue, *slurm, *meaning;
};
constexpr ReasonRow kReasons[] = {
    {Reason::kTopologyFit, "TopologyPlacementFailed", "Resources",
     "no domain of the level has room for the pods"},
    {Reason::kQuota, "WaitingForQuota, ExceedsMaxQuota", "AssocGrpGRES",
     "the queue's quota is used up, or smaller than the request"},
    {Reason::kQuotaParent, "WaitingForQuota, ExceedsMaxQuota, Suspended", "AssocGrpGRES",
     "a queue or cohort above is used up, too small, missing, or below itself"},
    {Reason::kQueueMissing, "Misconfigured", "PartitionInactive",
     "the LocalQueue or ClusterQueue is not there"},
    {Reason::kQueueStopped, "Suspended", "PartitionDown", "the queue is held"},
    {Reason::kFragmented, "TopologyPlacementFailed", "Resources",
     "enough is free, but not inside one domain"},
    {Reason::kNodeHealth, "TopologyPlacementFailed", "ReqNodeNotAvail",
     "only cordoned, down or degraded nodes stand in the way"},
    {Reason::kTaint, "TopologyPlacementFailed", "BadConstraints", "a taint is not tolerated"},
    {Reason::kAffinity, "TopologyPlacementFailed", "BadConstraints",
     "node affinity excludes the nodes"},
    {Reason::kNodeSelector, "TopologyPlacementFailed", "BadConstraints",
     "the node selector excludes the nodes"},
    {Reason::kFlavor, "NoMatchingFlavor", "BadConstraints", "no flavor suits the request"},
    {Reason::kTopologyMissing, "Suspended", "BadConstraints",
     "the topology or its level is not there"},
    {Reason::kExclusive, "TopologyPlacementFailed", "Resources",
     "asks for a domain of its own, and none is empty"},
    {Reason::kSpread, "TopologyPlacementFailed", "Resources", "too few domains to spread over"},
    {Reason::kMinMembers, "TopologyPlacementFailed", "Resources",
     "a group gets fewer members than its minimum"},
    {Reason::kBehindHead, "-", "Priority", "the head of a StrictFIFO queue is refused"},
    {Reason::kDeferred, "-", "Priority", "its search goes on in the background"},
    {Reason::kBudget, "-", "None", "the search ended at its limit"},
    {Reason::kNamespace, "Misconfigured", "AccountNotAllowed",
     "the namespace does not match the queue's selector"},
    {Reason::kInactive, "Deactivated", "JobHeldUser", "the workload is not active"},
    {Reason::kGated, "AdmissionGated", "JobHeldUser", "an admission gate is set"},
    {Reason::kAdmissionCheck, "PendingEvaluation", "Prolog",
     "an admission check asks to retry or rejects"},
    {Reason::kBackoff, "-", "BeginTime", "waits before the next attempt"},
    {Reason::kLimitRange, "Misconfigured", "QOSMaxGRESPerJob", "outside a limit of the namespace"},
    {Reason::kInvalid, "TopologyPlacementFailed, Misconfigured", "BadConstraints",
     "the request contradicts itself"},
};

struct ExitRow {
  Exit exit;
  const char* meaning;
};
constexpr ExitRow kExits[] = {
    {Exit::kDone, "done, everything asked is placed or true"},
    {Exit::kInternal, "internal error"},
    {Exit::kUsage, "usage: unknown command, flag or value"},
    {Exit::kInvalid, "invalid input or configuration (the valid rest was still answered)"},
    {Exit::kNotFound, "not found"},
    {Exit::kConflict, "conflict"},
    {Exit::kNever, "something can never fit (0 with --exit-zero)"},
    {Exit::kWaits, "something waits (0 with --exit-zero)"},
    {Exit::kWrong, "verify: the answer breaks a rule"},
    {Exit::kTimeout, "the time of --timeout is over"},
    {Exit::kInterrupted, "interrupted"},
};

std::string reasons() {
  encode::Table table({{"REASON"}, {"KUEUE"}, {"SLURM"}, {"MEANING"}});
  for (const ReasonRow& row : kReasons) {
    table.add({std::string(core::reason_name(row.reason)), row.kueue, row.slurm, row.meaning});
  }
  return table.text();
}

std::string exit_codes() {
  encode::Table table({{"CODE", encode::Table::Align::kRight}, {"MEANING"}});
  for (const ExitRow& row : kExits) {
    table.add({std::to_string(static_cast<int>(row.exit)), row.meaning});
  }
  return table.text() + "If several apply, the first of 1, 2, 3, 10, 5, 4, 6, 7 wins.\n";
}

std::string topic_text(const CLI::App& app, const std::string& topic) {
  if (topic.empty()) return app.help();
  if (topic == "reasons") return reasons();
  if (topic == "exit-codes") return exit_codes();
  std::vector<std::string> known = {"reasons", "exit-codes"};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (command->get_name() == topic) return command->help("tessera");
    known.push_back(command->get_name());
  }
  throw UsageError("no help on \"" + topic + "\"" + did_you_mean(topic, known));
}

}  // namespace

void add_help(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("help", "Help on a command, reasons or exit-codes");
  const auto topic = std::make_shared<std::string>();
  command->add_option("TOPIC", *topic, "reasons, exit-codes or a command");
  command->footer("Examples:\n  tessera help reasons\n  tessera help exit-codes\n");
  command->callback([topic, &app, &run] {
    run = [topic, &app] {
      return static_cast<int>(write_stdout(topic_text(app, *topic)) ? Exit::kDone
                                                                    : Exit::kInternal);
    };
  });
}

}  // namespace tessera::app
