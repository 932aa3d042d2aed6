// SPDX-License-Identifier: Apache-2.0
#include "tests/support/queue_vector.h"

#include <algorithm>
#include <map>
#include <set>

#include "actors/engine/engine.h"
#include "config/load_settings.h"
#include "ingest/encode/placed_assignment.h"
#include "ingest/encode/pod_set_json.h"
#include "ingest/encode/workload_json.h"
#include "ingest/load/load.h"
#include "ingest/text/decision_text.h"

namespace tessera::test {
namespace {

using core::Decision;
using nlohmann::json;

/// Gates that a profile can turn off, and how.
const std::map<std::string, const char*> kGates = {
    {"TASRecomputeAssignmentWithinSchedulingCycle", "recomputeInCycle"},
    {"PartialAdmission", "partialAdmission"}};

std::string configuration_of(const json& vector) {
  json profile = {{"name", "vector"}, {"extends", "kueue-0.19"}};
  const json gates = vector.value("gates", json::object());
  for (const auto& [gate, on] : gates.items()) {
    profile[kGates.at(gate)] = on.get<bool>();
  }
  json configuration = {
      {"apiVersion", "tessera.dev/v1alpha1"}, {"kind", "Configuration"}, {"profiles", {profile}}};
  if (vector.contains("resourceTransformations")) {
    configuration["resources"]["transformations"] = vector["resourceTransformations"];
  }
  return configuration.dump();
}

/// "cycle 2 a/w1 in q1: main 3 {"cpu":"f1"} [n1=2 n2=1]"
std::string admission_text(const std::string& workload, int cycle, const std::string& queue) {
  return "cycle " + std::to_string(cycle) + " " + workload + " in " + queue + ":";
}

std::string pod_set_text(const std::string& name, std::int64_t count, const json& flavors) {
  return " " + name + " " + std::to_string(count) + " " + flavors.dump();
}

std::string joined(const json& values) {
  std::string text;
  for (const json& value : values) text += (text.empty() ? "" : "/") + value.get<std::string>();
  return text;
}

std::set<std::string> expected_admissions(const QueueVector& vector) {
  std::set<std::string> texts;
  for (const json& admitted : vector.expected["admitted"]) {
    std::string text =
        admission_text(admitted["workload"], admitted.value("cycle", 1), admitted["clusterQueue"]);
    for (const json& pod_set : admitted["podSets"]) {
      text += pod_set_text(pod_set["name"], pod_set["count"], pod_set["flavors"]);
      if (!pod_set.contains("topologyAssignment")) continue;
      const json& assignment = pod_set["topologyAssignment"];
      text += " " + joined(assignment["levels"]) + ":";
      for (const json& domain : assignment["domains"]) {
        text += " " + joined(domain["values"]) + "=" + domain["count"].dump();
      }
    }
    texts.insert(text);
  }
  return texts;
}

std::string admission_of(const core::Engine& engine, const Decision& decision) {
  const core::Workload& workload = engine.inventory().workloads[decision.workload];
  std::string text = admission_text(workload.key(), decision.round, decision.cluster_queue);
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const core::PodSetDecision& pod_set = decision.pod_sets[i];
    text += pod_set_text(workload.gang.pod_sets[i].name, pod_set.count,
                         encode::flavors_json(pod_set.flavors));
    if (pod_set.placement.empty()) continue;
    const encode::Assignment assignment = encode::assignment_of(engine, pod_set);
    text += " " + joined(json(assignment.levels)) + ":";
    for (const encode::AssignedDomain& domain : assignment.domains) {
      text += " " + joined(json(domain.values)) + "=" + std::to_string(domain.pods);
    }
  }
  return text;
}

class Comparison {
 public:
  Comparison(const QueueVector& vector, const core::Engine& engine)
      : vector_(vector), engine_(engine) {}

  QueueAnswer run(const std::vector<Decision>& decisions) {
    std::set<std::string> admitted, inadmissible, pending;
    for (const Decision& decision : decisions) {
      const std::string key = engine_.inventory().workloads[decision.workload].key();
      if (decision.outcome == core::Outcome::kPlaced) {
        admitted.insert(admission_of(engine_, decision));
        continue;
      }
      pending.insert(key);
      if (decision.waits_in_rounds && decision.waits_in_rounds->inadmissible) {
        inadmissible.insert(key);
      }
      compare_refusal(key, decision);
    }
    std::vector<std::string> texts = std::move(answer_.differences);
    answer_.differences.clear();
    compare(expected_admissions(vector_), admitted, "");
    const json& expected = vector_.expected;
    std::set<std::string> waiting_for_events;
    for (const json& key : expected.value("inadmissible", json::array())) {
      waiting_for_events.insert(key.get<std::string>());
    }
    compare(waiting_for_events, inadmissible, "inadmissible ");
    for (const auto& [key, text] : expected["pending"].items()) {
      if (pending.count(key) == 0) texts.push_back("not pending: " + key);
    }
    answer_.differences.insert(answer_.differences.end(), texts.begin(), texts.end());
    return std::move(answer_);
  }

 private:
  void compare(const std::set<std::string>& want, const std::set<std::string>& got,
               const std::string& what) {
    for (const std::string& each : want) {
      if (got.count(each) == 0) answer_.differences.push_back("lacks " + what + each);
    }
    for (const std::string& each : got) {
      if (want.count(each) == 0) answer_.differences.push_back("has " + what + each);
    }
  }

  void compare_refusal(const std::string& key, const Decision& decision) {
    const json& pending = vector_.expected["pending"];
    if (!pending.contains(key)) {
      // Such a workload is in no queue (queues.md 1).
      if (decision.waits_in_rounds) answer_.differences.push_back("has pending " + key);
      return;
    }
    const json& want = pending[key];
    const std::string message = encode::kueue_message(engine_, decision);
    const std::string reason = encode::kueue_reason(engine_, decision);
    if (!want.contains("message")) {
      if (decision.waits_in_rounds && !message.empty()) {
        answer_.differences.push_back(key + ": unevaluated, got " + message);
      }
      return;
    }
    if (says(want, message, reason)) return;
    for (const json& other : want.value("alternatives", json::array())) {
      if (says(other, message, reason)) return;
    }
    answer_.differences.push_back(key + ": want " + want.dump() + " got " + reason + " " + message);
  }

  bool says(const json& want, const std::string& message, const std::string& reason) {
    if (want["message"] != message) return false;
    if (!want.contains("reason")) ++answer_.own_reasons;
    return !want.contains("reason") || want["reason"] == reason;
  }

  const QueueVector& vector_;
  const core::Engine& engine_;
  QueueAnswer answer_;
};

}  // namespace

QueueVector parse_queue_vector(const std::string& line) {
  const json vector = json::parse(line);
  QueueVector parsed;
  parsed.id = vector["id"];
  for (const json& object : vector["objects"]) parsed.objects += object.dump() + "\n";
  parsed.configuration = configuration_of(vector);
  parsed.one_cycle = vector["cycles"] == "one";
  parsed.expected = vector["expect"];
  return parsed;
}

QueueAnswer answer(const QueueVector& vector) {
  const config::LoadedSettings loaded = config::parse_settings(vector.configuration, "vector.yaml");
  for (const Error& error : loaded.errors) return {{error.text()}, 0};
  ingest::Loader loader(loaded.settings);
  loader.read_text(vector.objects, "vector.jsonl", ingest::Role::kRequest);
  ingest::Loaded input = loader.finish();
  // The reference has queues even if a line names none, and its tables bypass the validation of the
  // API (two pod sets with minCount).
  input.inventory.has_queues = true;
  for (core::Workload& workload : input.inventory.workloads) workload.invalid.clear();
  core::EngineOptions options;
  options.profile = *loaded.settings.find_profile("vector");
  options.rounds = vector.one_cycle ? 1 : 0;
  core::Engine engine(input.inventory, options);
  return Comparison(vector, engine).run(engine.run(input.to_place));
}

}  // namespace tessera::test
