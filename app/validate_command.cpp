// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>

#include "app/commands.h"
#include "app/console/terminal.h"
#include "app/request_check.h"
#include "app/session.h"
#include "ingest/link/reference_check.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

constexpr const char* kValidateExamples =
    "Examples:\n"
    "  tessera validate -f jobs/                 objects alone\n"
    "  tessera validate -C dump/ -f jobs/        against the queues and topologies of a cluster\n"
    "  tessera validate -f jobs/ --strict        warnings are errors, for CI\n"
    "Exit: 0 valid, 3 errors\n";

struct ValidateFlags {
  RunFlags run;
  InputFlags input;
};

int validate(const ValidateFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const Session session = open_session(flags.run, flags.input, messages, exit);
  const core::Inventory& inventory = session.input->inventory;
  const auto error = [&](const Error& found) {
    messages.error(found);
    exit.add(Exit::kInvalid);
  };
  for (const Error& found : session.input->name_faults) error(found);
  for (const core::Workload& workload : inventory.workloads) {
    for (const Error& found : workload.invalid) error(found);
  }
  const ingest::ReferenceFindings references = ingest::check_references(inventory);
  for (const Error& found : references.errors) error(found);
  for (const Error& found : check_topology_requests(*session.input, session.profile)) error(found);
  for (const Error& found : session.input->warnings) messages.warning(found.text());
  for (const Error& found : references.warnings) messages.warning(found.text());
  tell_not_honoured(*session.input, session.input->to_place, messages);
  tell_not_honoured(*session.input, session.input->waiting_state, messages);

  for (const std::string& note : session.input->notes) messages.note(note);

  const std::int64_t objects = session.input->objects;
  std::string text = messages.errors() == 0
                         ? counted(objects, "object is valid", "objects are valid")
                         : counted(messages.errors(), "error", "errors") + " in " +
                               counted(objects, "object", "objects");
  if (messages.warnings() > 0) text += ", " + counted(messages.warnings(), "warning", "warnings");
  if (!write_stdout(text + "\n")) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

}  // namespace

void add_validate(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("validate", "Read everything and say what is wrong");
  const auto flags = std::make_shared<ValidateFlags>();
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  add_run_flags(*command, flags->run);
  command->footer(kValidateExamples);
  command->callback([flags, &run] { run = [flags] { return validate(*flags); }; });
}

}  // namespace tessera::app
