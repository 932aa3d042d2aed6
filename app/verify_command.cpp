// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "actors/verify/verify.h"
#include "app/commands.h"
#include "app/console/terminal.h"
#include "app/console/usage_error.h"
#include "app/session.h"
#include "ingest/load/find_workload.h"
#include "ingest/text/pod_names.h"
#include "topology/text/nearest.h"
#include "topology/text/printable.h"
#include "topology/text/wording.h"

namespace tessera::app {
namespace {

constexpr const char* kVerifyExamples =
    "Examples:\n"
    "  tessera schedule -C dump/ -f jobs/ -o pods > answer\n"
    "  tessera verify -C dump/ -f jobs/ --answer answer       any answer in this form, also by "
    "hand\n"
    "  tessera verify -C dump/ -f jobs/ --answer answer.json  Workloads with assignments to hosts\n"
    "Checks capacity, node filters, minima, levels, slices, exclusive domains and spread.\n"
    "Does not check quota, nor whether a gang that the answer leaves out could be placed.\n"
    "Exit: 0 the answer is right, 12 it breaks a rule, 3 a line of it cannot be read\n";

struct VerifyFlags {
  RunFlags run;
  InputFlags input;
  OutputFlags output;
  std::string answer;
};

using core::AnsweredPod;

/// The pods of an answer, and what of it could not be read.
struct GivenAnswer {
  std::vector<AnsweredPod> pods;
  std::vector<std::string> faults;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The table of `schedule -o pods`: NAMESPACE WORKLOAD GROUP POD NODE.
class PodTable {
 public:
  explicit PodTable(const core::Inventory& inventory) {
    for (std::size_t w = 0; w < inventory.workloads.size(); ++w) {
      const core::Workload& workload = inventory.workloads[w];
      for (std::size_t p = 0; p < workload.gang.pod_sets.size(); ++p) {
        for (std::int64_t rank = 0; rank < workload.gang.pod_sets[p].count; ++rank) {
          known_[{workload.namespace_name, workload.origin.display(),
                  encode::pod_name(workload, p, rank)}] = {w, p, rank, ""};
        }
      }
    }
    for (const auto& [key, pod] : known_) names_.push_back(std::get<2>(key));
  }

  GivenAnswer read(const std::string& text, const std::string& file) const {
    GivenAnswer out;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
      std::istringstream words(line);
      std::vector<std::string> columns;
      for (std::string word; words >> word;) columns.push_back(word);
      if (columns.empty() || (columns[0] == "NAMESPACE" && number == 1)) continue;
      const std::string where = file + ":" + std::to_string(number) + ": ";
      if (columns.size() != 5) {
        out.faults.push_back(
            where + "has " +
            counted(static_cast<std::int64_t>(columns.size()), "column", "columns") +
            " (right: NAMESPACE WORKLOAD GROUP POD NODE)");
        continue;
      }
      const auto pod = known_.find({columns[0], columns[1], columns[3]});
      if (pod == known_.end()) {
        out.faults.push_back(where + columns[1] + " of namespace " + columns[0] + " has no pod " +
                             columns[3] + did_you_mean(columns[3], names_));
        continue;
      }
      out.pods.push_back(pod->second);
      out.pods.back().node = columns[4];
    }
    return out;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, AnsweredPod> known_;
  std::vector<std::string> names_;
};

/// Workloads with assignments, as `schedule -o json` writes them.
GivenAnswer read_workloads(const Session& session, const std::string& path, Messages& messages,
                           ExitCode& exit) {
  ingest::Loader loader(session.settings);
  loader.read_path(path, ingest::Role::kState);
  const ingest::Loaded loaded = loader.finish();
  GivenAnswer out;
  for (const Error& error : loaded.errors) {
    messages.error(error);
    exit.add(Exit::kInvalid);
  }
  const core::Inventory& inventory = session.input->inventory;
  std::map<std::string, std::size_t> positions;
  for (std::size_t w = 0; w < inventory.workloads.size(); ++w) {
    positions.emplace(inventory.workloads[w].key(), w);
  }
  std::map<std::string, std::string> hosts;
  for (const topology::NodeRecord& node : inventory.nodes) {
    hosts.emplace(node.labels.find(topology::hostname_label()).value_or(node.name).str(),
                  node.name.str());
  }
  for (const core::Workload& answered : loaded.inventory.workloads) {
    if (!answered.status.admission) continue;
    const auto at = positions.find(answered.key());
    if (at == positions.end()) {
      out.faults.push_back("workload " + answered.key() + " of the answer is not in the input");
      continue;
    }
    const core::Workload& workload = inventory.workloads[at->second];
    for (const core::PodSetAssignment& each : answered.status.admission->pod_sets) {
      std::size_t p = 0;
      while (p < workload.gang.pod_sets.size() && workload.gang.pod_sets[p].name != each.name) ++p;
      if (p == workload.gang.pod_sets.size()) {
        out.faults.push_back("workload " + answered.key() + " has no pod set " + each.name);
        continue;
      }
      if (each.count > 0 &&
          (each.levels.empty() || each.levels.back() != topology::hostname_label())) {
        out.faults.push_back("workload " + answered.key() + " pod set " + each.name +
                             ": its assignment names no hosts");
        continue;
      }
      std::int64_t rank = 0;
      for (const core::DomainList::Domain domain : each.domains) {
        const std::string host = domain.values.back().str();
        const auto node = hosts.find(host);
        for (std::int64_t k = 0; k < domain.pods; ++k) {
          out.pods.push_back({at->second, p, rank++, node == hosts.end() ? host : node->second});
        }
      }
    }
  }
  return out;
}

std::string json_text(const GivenAnswer& answer, const std::vector<core::BrokenRule>& broken) {
  nlohmann::ordered_json out{{"right", broken.empty() && answer.faults.empty()},
                             {"pods", answer.pods.size()},
                             {"broken", nlohmann::ordered_json::array()},
                             {"unreadable", answer.faults}};
  for (const core::BrokenRule& each : broken) {
    out["broken"].push_back(
        {{"rule", each.rule}, {"subject", each.subject}, {"message", each.message}});
  }
  return out.dump(2) + "\n";
}

int verify(const VerifyFlags& flags) {
  Messages messages = start_messages(flags.run);
  ExitCode exit;
  const Session session = open_session(flags.run, flags.input, messages, exit);
  const std::string text = read_file(flags.answer);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool table = first == std::string::npos ||
                     (text[first] != '{' && text[first] != '[' &&
                      text.compare(first, 10, "apiVersion") != 0 && text[first] != '-');
  const GivenAnswer answer = table ? PodTable(session.input->inventory).read(text, flags.answer)
                                   : read_workloads(session, flags.answer, messages, exit);
  const std::vector<core::BrokenRule> broken = core::verify(session.input->inventory, answer.pods);
  if (!answer.faults.empty()) exit.add(Exit::kInvalid);
  if (!broken.empty()) exit.add(Exit::kWrong);
  std::string out;
  if (flags.output.format == "json") {
    out = json_text(answer, broken);
  } else {
    for (const core::BrokenRule& each : broken) {
      out += printable(each.rule + ": " + each.subject + " " + each.message) + "\n";
    }
    std::set<std::size_t> gangs;
    for (const AnsweredPod& pod : answer.pods) gangs.insert(pod.workload);
    out += counted(static_cast<std::int64_t>(answer.pods.size()), "pod", "pods") + " of " +
           counted(static_cast<std::int64_t>(gangs.size()), "gang", "gangs") + ": " +
           (broken.empty() ? "no rule is broken"
                           : counted(static_cast<std::int64_t>(broken.size()), "rule is broken",
                                     "rules are broken")) +
           "\n";
  }
  for (const std::string& fault : answer.faults) {
    messages.error({ErrorCode::kInvalidInput, fault});
  }
  if (!write_stdout(out)) exit.add(Exit::kInternal);
  return finish(flags.run, messages, exit);
}

}  // namespace

void add_verify(CLI::App& app, Run& run) {
  CLI::App* command = app.add_subcommand("verify", "Check an answer against the rules");
  const auto flags = std::make_shared<VerifyFlags>();
  add_run_flags(*command, flags->run);
  add_cluster_flag(*command, flags->input);
  add_request_flag(*command, flags->input);
  add_output_flag(*command, flags->output, {"text", "json"});
  command->add_option("--answer", flags->answer, "The answer: a table of pods, or Workloads")
      ->required()
      ->check(named_path())
      ->check(CLI::ExistingFile);
  command->footer(kVerifyExamples);
  command->callback([flags, &run] { run = [flags] { return verify(*flags); }; });
}

}  // namespace tessera::app
