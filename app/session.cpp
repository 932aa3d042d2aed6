// SPDX-License-Identifier: Apache-2.0
#include "app/session.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/console/clocks.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/stream_check.h"
#include "config/load_settings.h"
#include "config/profile_rules.h"
#include "ingest/load/find_workload.h"
#include "ingest/text/names.h"
#include "ingest/text/node_summary.h"
#include "topology/text/hostlist.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

void tell_error(const Error& error, Messages& messages, ExitCode& exit) {
  messages.error(error);
  exit.add(error.code == ErrorCode::kNotFound ? Exit::kNotFound : Exit::kInvalid);
}

/// The listed workloads, then those of the trace.
std::vector<const core::Workload*> decided(const ingest::Loaded& input,
                                           const std::vector<std::size_t>& list) {
  std::vector<const core::Workload*> workloads;
  workloads.reserve(list.size() + input.trace.size());
  for (const std::size_t i : list) workloads.push_back(&input.inventory.workloads[i]);
  for (const ingest::TraceEntry& entry : input.trace) workloads.push_back(entry.workload.get());
  return workloads;
}

/// The profile of the run: that of --profile; else that of the rules, if they agree for all
/// workloads; else default.
config::Profile choose_profile(const config::Settings& settings, const std::string& named,
                               const ingest::Loaded& input, Messages& messages) {
  std::string chosen = named;
  if (chosen.empty()) {
    std::set<std::string> by_rules;
    const std::vector<std::size_t>& list =
        input.to_place.empty() && input.trace.empty() ? input.waiting_state : input.to_place;
    for (const core::Workload* workload : decided(input, list)) {
      by_rules.emplace(
          config::profile_by_rules(settings.profile_rules, workload->queue, workload->origin.kind));
    }
    if (by_rules.size() > 1) {
      messages.warning(
          "profileRules choose several profiles for this request: default is used "
          "for all, since one run has one profile (--profile names another)");
    }
    chosen = by_rules.size() == 1 ? *by_rules.begin() : "default";
  }
  if (const config::Profile* profile = settings.find_profile(chosen)) return *profile;
  std::vector<std::string> known;
  std::string list;
  for (const config::Profile& profile : settings.profiles) {
    known.push_back(profile.name);
    list += (list.empty() ? "" : ", ") + profile.name;
  }
  throw UsageError("profile \"" + chosen + "\" is not in the configuration (profiles: " + list +
                   ")" + did_you_mean(chosen, known));
}

void read_paths(const InputFlags& flags, ingest::Loader& loader) {
  std::size_t stdins = 0;
  for (const auto* paths : {&flags.cluster, &flags.request, &flags.trace}) {
    stdins += static_cast<std::size_t>(std::count(paths->begin(), paths->end(), "-"));
  }
  if (stdins > 1) throw UsageError("stdin (-) can be read once only");
  if (flags.cluster.empty() && flags.request.empty()) {
    throw UsageError("nothing to read: name the state with -C PATH or the request with -f PATH");
  }
  for (const std::string& path : flags.cluster) loader.read_path(path, ingest::Role::kState);
  for (const std::string& path : flags.request) loader.read_path(path, ingest::Role::kRequest);
  for (const std::string& path : flags.trace) loader.read_trace(path);
}

std::string phrases_of(const core::Workload& workload) {
  std::string phrases;
  for (const std::string& phrase : workload.not_honoured) {
    phrases += (phrases.empty() ? "" : ", ") + phrase;
  }
  return phrases;
}

/// Warns if workloads ask for GPUs and no node has any: usually the device plugin does not run.
void tell_missing_gpus(const ingest::Loaded& input, const std::vector<std::size_t>& list,
                       Messages& messages) {
  const core::Inventory& inventory = input.inventory;
  const bool have = std::any_of(
      inventory.nodes.begin(), inventory.nodes.end(),
      [](const auto& node) { return node.allocatable.get(topology::gpu_resource()) > 0; });
  if (have || inventory.nodes.empty()) return;
  for (const core::Workload* workload : decided(input, list)) {
    if (workload->total_gpus() == 0) continue;
    messages.warning("no node has nvidia.com/gpu, but " + ingest::full_name(*workload) +
                     " asks for it: does the device plugin run?");
    return;
  }
}

/// Node names or domains: folded, or the first few.
std::string places_text(const std::vector<std::string>& places) {
  constexpr std::size_t kLongest = 160, kShown = 5;
  std::string folded = encode::fold_hosts(places);
  if (folded.size() <= kLongest) return folded;
  std::vector<std::string> first = places;
  first.resize(std::min(kShown, places.size()));
  std::string text = encode::fold_hosts(first);
  if (places.size() > kShown) text += " and " + std::to_string(places.size() - kShown) + " more";
  return text;
}

std::string mismatch_text(const core::Inventory& inventory, const core::Mismatch& mismatch) {
  using Kind = core::Mismatch::Kind;
  const std::string places = places_text(mismatch.places);
  const std::string pods = counted(mismatch.pods, "pod", "pods");
  const std::string its_pods = "its " + pods + (mismatch.pods == 1 ? " is" : " are");
  const std::string flavor = mismatch.flavor.str();
  const bool known = std::any_of(inventory.flavors.begin(), inventory.flavors.end(),
                                 [&](const core::FlavorRecord& f) { return f.name == flavor; });
  switch (mismatch.kind) {
    case Kind::kNoNode:
      return "the assignment of " + mismatch.workload + " names " + places +
             ", where no usable node is: " + its_pods + " not counted there";
    case Kind::kOtherFlavor:
      if (!known && !flavor.empty()) {
        return "ResourceFlavor " + flavor + " of " + mismatch.workload +
               " is not in the input: " + its_pods + " counted on " + places +
               ", which its assignment names";
      }
      if (flavor.empty()) {
        return "the assignment of " + mismatch.workload + " names no flavor: " + its_pods +
               " counted on " + places + ", which it names";
      }
      return "the assignment of " + mismatch.workload + " names " + places +
             ", which is not in a domain of flavor " + flavor + " now: " + its_pods +
             " counted there all the same";
    case Kind::kNoHost:
      return "the assignment of " + mismatch.workload + " names " + places +
             ", which is no leaf now: its pods are counted where they run" +
             (mismatch.pods == 0 ? ""
                                 : ", and " + std::to_string(mismatch.pods) +
                                       " that are not bound on the first nodes that could hold "
                                       "them");
    case Kind::kElsewhere:
      return pods + " of " + mismatch.workload + (mismatch.pods == 1 ? " runs" : " run") + " on " +
             places + ", beyond what the assignment names there: counted there too, and the " +
             "assignment stays held";
  }
  return {};
}

/// One warning a workload and kind, and a number for those behind the first few of a kind.
void tell_mismatches(const core::Inventory& inventory,
                     const std::vector<core::Mismatch>& mismatches, Messages& messages) {
  constexpr std::int64_t kTold = 10;
  std::map<core::Mismatch::Kind, std::int64_t> told;
  for (const core::Mismatch& mismatch : mismatches) {
    // Without flavors in the input there is one, which holds every node: nothing was lost.
    if (mismatch.kind == core::Mismatch::Kind::kOtherFlavor && !inventory.has_flavors) continue;
    if (++told[mismatch.kind] <= kTold) messages.warning(mismatch_text(inventory, mismatch));
  }
  std::int64_t more = 0;
  for (const auto& [kind, number] : told) more += std::max<std::int64_t>(0, number - kTold);
  if (more > 0) {
    messages.warning(counted(more, "more assignment differs", "more assignments differ") +
                     " from the nodes and pods of the input in these ways");
  }
}

void tell_pods(const core::Inventory& inventory, const core::Accounting& accounting,
               Messages& messages) {
  if (!accounting.unknown_owners.empty()) {
    const auto pods = std::count_if(
        inventory.pods.begin(), inventory.pods.end(),
        [](const core::PodRecord& pod) { return pod.workload.empty() && !pod.owner.empty(); });
    messages.warning(counted(pods, "bound pod belongs", "bound pods belong") + " to " +
                     counted(static_cast<std::int64_t>(accounting.unknown_owners.size()),
                             "workload that is", "workloads that are") +
                     " not in the input: counted where they run");
  }
  tell_mismatches(inventory, accounting.mismatches, messages);
  const bool empty = inventory.pods.empty() && accounting.admitted_workloads == 0;
  if (empty && !inventory.nodes.empty()) {
    messages.warning("no pods in the input: every node is taken as empty");
  }
}

}  // namespace

config::Settings read_settings(const std::string& path, Messages& messages, ExitCode& exit) {
  config::LoadedSettings loaded = config::load_settings(path);
  for (const Error& error : loaded.errors) tell_error(error, messages, exit);
  return std::move(loaded.settings);
}

Session open_session(const RunFlags& run, const InputFlags& input, Messages& messages,
                     ExitCode& exit) {
  Session session;
  session.settings = read_settings(run.config, messages, exit);
  const std::int64_t start = steady_nanoseconds();
  {
    check_streams(input);
    const Progress progress("reading", messages.volume() != Volume::kQuiet);
    ingest::Loader loader(session.settings);
    if (input.keep_fields) loader.keep_fields();
    read_paths(input, loader);
    session.input = std::make_shared<ingest::Loaded>(loader.finish());
  }
  session.read_nanoseconds = steady_nanoseconds() - start;
  for (const Error& error : session.input->errors) tell_error(error, messages, exit);
  session.profile = choose_profile(session.settings, input.profile, *session.input, messages);
  messages.detail(std::to_string(session.input->objects) + " objects, " +
                  std::to_string(session.input->bytes) + " bytes; profile " + session.profile.name +
                  "; configuration " +
                  (session.settings.source.empty() ? "built in" : session.settings.source));
  return session;
}

// Many workloads of a trace are alike, so one warning names the first of them and counts the
// others.
void tell_not_honoured(const ingest::Loaded& input, const std::vector<std::size_t>& list,
                       Messages& messages) {
  const std::string words = ": not honoured by this version: ";
  for (const std::size_t i : list) {
    const core::Workload& workload = input.inventory.workloads[i];
    const std::string phrases = phrases_of(workload);
    if (!phrases.empty()) messages.warning(ingest::full_name(workload) + words + phrases);
  }
  std::map<std::string, std::pair<const core::Workload*, std::int64_t>> in_trace;
  for (const ingest::TraceEntry& entry : input.trace) {
    const std::string phrases = phrases_of(*entry.workload);
    if (!phrases.empty())
      ++in_trace.try_emplace(phrases, entry.workload.get(), 0).first->second.second;
  }
  for (const auto& [phrases, found] : in_trace) {
    const auto& [first, count] = found;
    const std::string others = count == 1 ? "" : " and " + std::to_string(count - 1) + " more";
    messages.warning(ingest::full_name(*first) + others + words + phrases);
  }
}

core::EngineOptions engine_options(const Session& session) {
  core::EngineOptions options;
  options.profile = session.profile;
  options.shard_level = session.settings.shard_level;
  options.solver_threads = session.settings.solver_threads;
  return options;
}

void tell_accounting(const Session& session, const core::ClusterView& cluster,
                     const core::Accounting& accounting, const std::vector<std::size_t>& planned,
                     const OutputFlags& output, Messages& messages) {
  const auto names =
      output.format == "wide" ? encode::HostNames::kNodeName : encode::HostNames::kHostnameLabel;
  messages.line("read",
                encode::node_summary_text(encode::summarize_nodes(cluster, names), output.fold()));
  std::string topologies;
  std::set<std::string> told;
  for (const std::string& flavor : cluster.topology_flavors()) {
    const topology::TopologySpec& one = cluster.view(flavor)->tree().topology();
    if (one.derived && cluster.nodes().empty()) continue;  // nothing to derive it from
    if (told.insert(one.name).second) {
      topologies += "    topology " + one.name + ": " + encode::levels_text(one);
    }
  }
  const auto to_place = static_cast<std::int64_t>(session.input->to_place.size());
  const auto gangs = static_cast<std::int64_t>(session.input->trace.size());
  const std::string asked = gangs > 0
                                ? counted(gangs, "gang in the trace", "gangs in the trace")
                                : counted(to_place, "workload to place", "workloads to place");
  messages.line("", counted(accounting.bound_pods, "bound pod, ", "bound pods, ") +
                        counted(accounting.admitted_workloads, "admitted workload; ",
                                "admitted workloads; ") +
                        asked + topologies);
  for (const Error& fault : session.input->name_faults) messages.warning(fault.text());
  for (const Error& warning : session.input->warnings) messages.warning(warning.text());
  tell_pods(session.input->inventory, accounting, messages);
  tell_missing_gpus(*session.input, planned, messages);
  tell_not_honoured(*session.input, planned, messages);
  for (const std::string& warning : accounting.queue_warnings) messages.warning(warning);
  if (!accounting.shard_fault.empty()) {
    messages.warning(
        Error{ErrorCode::kInvalidInput, accounting.shard_fault, session.settings.shard_level_where}
            .text());
  }
  for (const std::string& note : session.input->notes) messages.note(note);
  if (cluster.nodes().empty()) messages.note("the input has no nodes");
}

int finish(const RunFlags& run, const Messages& messages, ExitCode& exit, bool exit_zero) {
  if (run.strict && messages.warnings() > 0) exit.add(Exit::kInvalid);
  return exit.value(exit_zero);
}

}  // namespace tessera::app
