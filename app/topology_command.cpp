// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/session.h"
#include "ingest/encode/json_text.h"
#include "ingest/encode/topology_json.h"
#include "ingest/load/find_workload.h"
#include "ingest/load/shape.h"
#include "ingest/text/names.h"
#include "ingest/text/topology_report.h"
#include "topology/text/printable.h"

namespace tessera::app {
namespace {

constexpr const char* kTopologyExamples =
    "Examples:\n"
    "  tessera topology show -C dump/                                   trays of GPUs\n"
    "  tessera topology show -C dump/ --shape cpu=120,memory=800Gi,nvidia.com/gpu=4\n"
    "  tessera topology show -C dump/ -f train.yaml --shape-of jobset/train/workers\n"
    "WHOLE: hosts that can take one pod of the shape now. STARTn: segments of n such hosts\n"
    "inside one domain of the level above the host.\n";

struct TopologyFlags {
  RunFlags run;
  InputFlags input;
  OutputFlags output;
  std::string shape, shape_of;
};

/// KIND/NAME or KIND/NAME/PODSET: the first pod set unless one is named.
encode::Shape shape_of(const core::Inventory& inventory, const std::string& text) {
  std::string name = text, pod_set;
  const std::size_t first = text.find('/'), second = text.find('/', first + 1);
  if (first != std::string::npos && second != std::string::npos) {
    name = text.substr(0, second);
    pod_set = text.substr(second + 1);
  }
  const auto found = ingest::find_workload(inventory, name, "");
  if (!found) throw UsageError("--shape-of: " + found.error().message);
  std::string known;
  for (const solver::PodSet& set : inventory.workloads[*found].gang.pod_sets) {
    if (pod_set.empty() || set.name == pod_set) return {set.request, set.filter, true};
    known += (known.empty() ? "" : ", ") + set.name;
  }
  throw UsageError("--shape-of: " + name + " has no pod set \"" + pod_set +
                   "\" (pod sets: " + known + ")");
}

encode::Shape chosen_shape(const TopologyFlags& flags, const core::Inventory& inventory) {
  if (!flags.shape_of.empty()) return shape_of(inventory, flags.shape_of);
  if (flags.shape.empty()) return encode::own_shape(inventory.nodes);
  auto request = ingest::parse_shape(flags.shape);
  if (!request) throw UsageError(request.error().message);
  encode::Shape shape;
  shape.request = std::move(*request);
  return shape;
}

/// The tables. Each has a title if there are several, since they would be mistaken for one another.
std::string tables(const core::Engine& engine, const std::vector<encode::Census>& censuses,
                   bool headers) {
  std::string out;
  for (const encode::Census& census : censuses) {
    if (censuses.size() > 1 && headers) {
      std::string flavors;
      for (const std::string& flavor : census.flavors) {
        flavors += (flavors.empty() ? "" : ", ") + flavor;
      }
      out += (out.empty() ? "" : "\n") +
             printable("topology " + census.topology.name + ": " +
                       encode::levels_text(census.topology) + "    flavors " + flavors) +
             "\n";
    }
    out += encode::topology_table(engine, census, headers);
  }
  return out;
}

int show(const TopologyFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const Session session = open_session(flags.run, flags.input, messages, exit);
  core::EngineOptions options = engine_options(session);
  const core::Engine engine(session.state(), options);
  tell_accounting(session, engine, engine.accounting(), {}, flags.output, messages);
  const encode::Shape shape = chosen_shape(flags, session.input->inventory);
  messages.line("shape", encode::shape_text(shape));
  const std::vector<encode::Census> censuses = encode::take_census(engine, shape);
  if (censuses.empty()) messages.note("no topology: no node carries labels of a level");
  const std::string text = flags.output.format == "json"
                               ? encode::json_text(encode::topology_json(engine, censuses, shape))
                               : tables(engine, censuses, !flags.output.no_headers);
  if (!write_stdout(text)) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

}  // namespace

void add_topology(CLI::App& app, Run& run) {
  CLI::App* parent = app.add_subcommand("topology", "The domains of a cluster");
  parent->require_subcommand(0, 1);
  CLI::App* command =
      parent->add_subcommand("show", "Domains level by level, with what could start in them");
  const auto flags = std::make_shared<TopologyFlags>();
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  auto* shape = command->add_option("--shape", flags->shape, "One pod: RESOURCE=QUANTITY,...");
  command->add_option("--shape-of", flags->shape_of, "One pod of KIND/NAME[/PODSET]")
      ->excludes(shape);
  add_output_flag(*command, flags->output, {"table", "json"});
  add_run_flags(*command, flags->run);
  command->footer(kTopologyExamples);
  command->callback([flags, &run] { run = [flags] { return show(*flags); }; });
}

}  // namespace tessera::app
