// SPDX-License-Identifier: Apache-2.0
#include "tests/support/queue_script.h"

#include <sstream>
#include <stdexcept>

#include "tests/support/cluster_builder.h"

namespace tessera::test {
namespace {

constexpr std::uint64_t kDigits = 10;

/// The text before the separator, and the text behind it (empty if there is none).
std::pair<std::string, std::string> split(const std::string& text, char separator) {
  const std::size_t at = text.find(separator);
  if (at == std::string::npos) return {text, ""};
  return {text.substr(0, at), text.substr(at + 1)};
}

std::pair<std::size_t, std::uint32_t> record_key() { return {0, topology::gpu_resource().id()}; }

}  // namespace

core::GangId QueueScript::id_of(const std::string& name) {
  const core::GangId gang{static_cast<std::uint64_t>(name[0] - 'a') * kDigits +
                          static_cast<std::uint64_t>(name[1] - '0')};
  names_[gang] = name.substr(0, 2);
  return gang;
}

core::Waiting QueueScript::waiting(const std::string& text) {
  const auto [name, not_before] = split(text, '@');
  auto workload = std::make_shared<core::Workload>();
  workload->namespace_name = "ns";
  workload->name = name.substr(0, 2);
  workload->created = name[1] - '0';
  workload->priority = name.find('!') != std::string::npos ? 1 : 0;
  workload->gang.pod_sets = {pods("main", name[0] - 'a' + 1, 1)};
  workload->quota_requests = {workload->gang.pod_sets[0].request};
  core::Waiting waiting{id_of(name), std::move(workload), INT64_MIN};
  waiting.grows = name.find('^') != std::string::npos;
  if (!not_before.empty()) waiting.not_before = std::stoll(not_before);
  return waiting;
}

core::TurnOutcome QueueScript::outcome(const std::string& name, const std::string& what) {
  using core::Turn;
  static const std::map<std::string, Turn> kTurns = {
      {"ok", Turn::kAdmitted},          {"placed", Turn::kAdmitted},
      {"full", Turn::kRefused},         {"held", Turn::kNotNominated},
      {"no", Turn::kRefused},           {"stale", Turn::kRefused},
      {"skipped", Turn::kSkipped},      {"unplanned", Turn::kNotNominated},
      {"unreached", Turn::kNotReached}, {"namespace", Turn::kNamespace}};
  const auto [rest, stopped] = split(what, '/');
  const auto [turn, hope] = split(rest, ':');
  core::TurnOutcome outcome;
  outcome.gang = outcome.evaluated = id_of(name);
  outcome.turn = kTurns.at(turn);
  outcome.stale = turn == "stale";
  outcome.grows = turn == "placed" || turn == "full" || turn == "held";
  for (const char each : hope) {
    if (each == 'q') outcome.hope.quota = true;
    if (each == 'p') outcome.hope.placements = true;
    if (each >= '0' && each <= '9') {
      outcome.hope.flavors.push_back(core::FlavorId{static_cast<std::uint32_t>(each - '0')});
    }
  }
  if (!stopped.empty()) outcome.record.stopped[record_key()] = std::stoi(stopped);
  return outcome;
}

core::QueueStep QueueScript::step(const std::string& text) {
  core::QueueStep step;
  step.cycle = ++cycle_;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto [head, value] = split(word, '=');
    if (word == "placed") {
      step.placed = true;
    } else if (word[0] == '+') {
      step.submitted.push_back(waiting(word.substr(1)));
    } else if (word[0] == '-') {
      step.removed.push_back(id_of(word.substr(1)));
    } else if (word == "wake:all") {
      step.wake.all = true;
    } else if (word == "wake:q") {
      step.wake.quota = true;
    } else if (word.rfind("wake:", 0) == 0) {
      step.wake.flavors.push_back(core::FlavorId{static_cast<std::uint32_t>(word[5] - '0')});
    } else if (head == "now") {
      step.now = std::stoll(value);
    } else if (head == "most") {
      step.most = std::stoul(value);
    } else if (head == "cycle") {
      step.cycle = std::stoul(value);
      --cycle_;
    } else if (!value.empty()) {
      step.outcomes.push_back(outcome(head, value));
    } else {
      throw std::invalid_argument("no word of a queue script: " + word);
    }
  }
  return step;
}

std::string QueueScript::text(const core::Window& window) const {
  std::string text;
  for (const core::WindowItem& item : window.items) {
    if (!text.empty()) text += ' ';
    text += names_.at(item.gang);
    if (item.grows) text += '^';
    const auto stopped = item.record.stopped.find(record_key());
    if (stopped != item.record.stopped.end()) text += '/' + std::to_string(stopped->second);
  }
  return window.more ? text + " ..." : text;
}

}  // namespace tessera::test
