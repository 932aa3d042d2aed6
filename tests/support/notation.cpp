// SPDX-License-Identifier: Apache-2.0
#include "tests/support/notation.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tests/support/ground_truth.h"

namespace tessera::test {
namespace {

using topology::Amounts;
using topology::NodeRecord;
using topology::Symbol;
using Words = std::vector<std::string>;

constexpr std::int64_t kPodSlots = 110;

Words split(const std::string& text, const std::string& by) {
  Words parts;
  std::size_t from = 0;
  for (std::size_t at = 0; (at = text.find(by, from)) != std::string::npos; from = at + by.size()) {
    parts.push_back(text.substr(from, at - from));
  }
  parts.push_back(text.substr(from));
  return parts;
}

std::pair<std::string, std::string> cut(const std::string& text, char at) {
  const std::size_t found = text.find(at);
  if (found == std::string::npos) return {text, ""};
  return {text.substr(0, found), text.substr(found + 1)};
}

Symbol level_symbol(const std::string& name) {
  return name == "host" ? topology::hostname_label() : Symbol(name);
}

std::string level_name(Symbol label) {
  return label == topology::hostname_label() ? "host" : label.str();
}

Amounts parse_amounts(const std::string& text, const std::string& by) {
  Amounts amounts;
  for (const std::string& part : split(text, by)) {
    const auto [resource, value] = cut(part, '=');
    amounts.set(Symbol(resource), std::stoll(value));
  }
  return amounts;
}

std::string amounts_text(const Amounts& amounts, const std::string& by) {
  std::string out;
  for (const topology::Amount& amount : amounts) {
    out += (out.empty() ? "" : by) + amount.resource.str() + "=" + std::to_string(amount.value);
  }
  return out;
}

Words default_levels(std::size_t depth) {
  const Words all = {"dc", "block", "rack", "host"};
  if (depth == 0 || depth > all.size()) throw std::invalid_argument("path of unknown depth");
  return Words(all.end() - static_cast<std::ptrdiff_t>(depth), all.end());
}

topology::TaintEffect parse_effect(const std::string& text) {
  if (text == "NoExecute") return topology::TaintEffect::kNoExecute;
  if (text == "PreferNoSchedule") return topology::TaintEffect::kPreferNoSchedule;
  if (text == "NoSchedule") return topology::TaintEffect::kNoSchedule;
  throw std::invalid_argument(text);
}

void parse_extra(NodeRecord& node, char kind, const std::string& text) {
  switch (kind) {
    case '~':
      node.unschedulable = true;
      return;
    case '?':
      node.ready = false;
      return;
    case '@': {
      const auto [key, value] = cut(text, '=');
      node.labels.set(Symbol(key), Symbol(value));
      return;
    }
    default: {
      const auto [label, effect] = cut(text, ':');
      const auto [key, value] = cut(label, '=');
      node.taints.push_back({Symbol(key), Symbol(value), parse_effect(effect)});
    }
  }
}

/// "a5", "x1:5" or "a{cpu=4}": the name, and its amounts with pod slots.
std::pair<std::string, Amounts> parse_host(const std::string& word) {
  if (word.back() == '}') {
    const auto [name, inside] = cut(word.substr(0, word.size() - 1), '{');
    Amounts amounts = parse_amounts(inside, ",");
    if (amounts.find(topology::pods_resource()) == nullptr) {
      amounts.set(topology::pods_resource(), kPodSlots);
    }
    return {name, amounts};
  }
  const std::size_t colon = word.find(':');
  const std::size_t letter = word.find_last_not_of("0123456789");
  const std::size_t name_end = colon != std::string::npos ? colon : letter + 1;
  const std::string number = word.substr(colon != std::string::npos ? colon + 1 : name_end);
  if (number.empty()) throw std::invalid_argument(word);
  return {word.substr(0, name_end),
          {{Symbol("gpu"), std::stoll(number)}, {topology::pods_resource(), kPodSlots}}};
}

NodeRecord parse_node(const std::string& word, const Words& levels) {
  const std::size_t end = std::min(word.find_first_of("~?!@"), word.size());
  Words path = split(word.substr(0, end), "/");
  const auto [name, amounts] = parse_host(path.back());
  path.back() = name;
  NodeRecord node;
  node.name = Symbol(name);
  node.ready = true;
  node.allocatable = node.capacity = amounts;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    if (path.at(l) != "-") node.labels.set(level_symbol(levels[l]), Symbol(path[l]));
  }
  for (std::size_t at = end; at < word.size();) {
    const std::size_t next = std::min(word.find_first_of("~?!@", at + 1), word.size());
    parse_extra(node, word[at], word.substr(at + 1, next - at - 1));
    at = next;
  }
  return node;
}

Holding parse_holding(const std::string& word) {
  const auto [key, inside] = cut(word.substr(1, word.size() - 2), '{');
  Holding holding;
  for (const std::string& value : split(key, "/")) holding.domain.emplace_back(value);
  holding.total = parse_amounts(inside, ",");
  return holding;
}

topology::LabelRequirement parse_requirement(const std::string& text) {
  const Words words = split(text, " ");
  const Words operators = {"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"};
  const auto op = std::find(operators.begin(), operators.end(), words.at(1));
  if (op == operators.end()) throw std::invalid_argument(text);
  topology::LabelRequirement requirement;
  requirement.key = Symbol(words[0]);
  requirement.op = static_cast<topology::LabelOperator>(op - operators.begin());
  if (words.size() > 2) {
    for (const std::string& value : split(words[2], "/")) {
      requirement.values.emplace_back(value);
    }
  }
  return requirement;
}

void parse_affinity(topology::NodeFilter& filter, const std::string& text) {
  filter.required.emplace();
  for (const std::string& term : split(text, " | ")) {
    topology::NodeSelectorTerm out;
    for (const std::string& expression : split(term, " & ")) {
      out.expressions.push_back(parse_requirement(expression));
    }
    filter.required->push_back(std::move(out));
  }
}

topology::Toleration parse_toleration(const std::string& text) {
  const auto [key, value] = cut(text, '=');
  topology::Toleration toleration;
  toleration.key = Symbol(key);
  toleration.value = Symbol(value);
  if (text.find('=') == std::string::npos) toleration.op = topology::TolerationOperator::kExists;
  return toleration;
}

void parse_size(solver::PodSet& pod_set, const std::string& phrase) {
  const Words words = split(phrase, " ");
  pod_set.count = std::stoll(words[0]);
  if (words.size() == 2) {
    pod_set.request = {{Symbol("gpu"), 1}};
  } else if (words.at(3) != "nothing") {
    pod_set.request = parse_amounts(words[3], "+");
  }
}

void parse_phrase(solver::PodSet& pod_set, const std::string& phrase) {
  const auto [word, rest] = cut(phrase, ' ');
  if (word == "required") {
    pod_set.topology.required = level_symbol(rest);
  } else if (word == "preferred") {
    pod_set.topology.preferred = level_symbol(rest);
  } else if (word == "unconstrained") {
    pod_set.topology.unconstrained = rest != "false";
  } else if (word == "slices") {
    const Words words = split(rest, " ");  // of N at L
    pod_set.topology.layers.push_back({level_symbol(words.at(3)), std::stoll(words[1])});
  } else if (word == "tolerates") {
    pod_set.filter.tolerations.push_back(parse_toleration(rest));
  } else if (word == "selects") {
    const auto [key, value] = cut(rest, '=');
    pod_set.filter.node_selector.emplace_back(Symbol(key), Symbol(value));
  } else if (word == "affinity") {
    parse_affinity(pod_set.filter, rest);
  } else if (word == "prefers") {
    const auto [weight, label] = cut(rest, ' ');
    const auto [key, value] = cut(label, '=');
    pod_set.filter.preferred.push_back(
        {std::stoi(weight), {{parse_requirement(key + " In " + value)}, {}}});
  } else if (word == "group") {
    pod_set.unit = rest;
  } else {
    throw std::invalid_argument(phrase);
  }
}

std::string node_text(const NodeRecord& node, const WorldSpec& world) {
  std::string out;
  for (const topology::TopologyLevel& level : world.topology.levels) {
    const auto value = node.labels.find(level.label);
    if (level.label == topology::hostname_label()) continue;
    out += (value ? value->str() : "-") + "/";
  }
  out += node.name.str() + "{" + amounts_text(node.allocatable, ",") + "}";
  for (const auto& [key, value] : node.labels) {
    if (!level_index(world, key)) out += "@" + key.str() + "=" + value.str();
  }
  for (const topology::Taint& taint : node.taints) out += "!" + taint.text();
  if (node.unschedulable) out += "~";
  if (!node.ready) out += "?";
  return out;
}

std::string pod_set_text(const solver::PodSet& pod_set) {
  const solver::TopologyRequest& request = pod_set.topology;
  const std::string asks = amounts_text(pod_set.request, "+");
  std::string out = std::to_string(pod_set.count) + " pods of " + (asks.empty() ? "nothing" : asks);
  if (request.required) out += ", required " + level_name(*request.required);
  if (request.preferred) out += ", preferred " + level_name(*request.preferred);
  if (request.unconstrained)
    out += *request.unconstrained ? ", unconstrained" : ", unconstrained false";
  for (const solver::SliceLayer& layer : request.layers) {
    out += ", slices of " + std::to_string(layer.size) + " at " + level_name(layer.level);
  }
  for (const topology::Toleration& toleration : pod_set.filter.tolerations) {
    out += ", tolerates " + toleration.key.str();
    if (!toleration.value.empty()) out += "=" + toleration.value.str();
  }
  for (const auto& [key, value] : pod_set.filter.node_selector) {
    out += ", selects " + key.str() + "=" + value.str();
  }
  for (const topology::PreferredTerm& term : pod_set.filter.preferred) {
    out += ", prefers " + std::to_string(term.weight);
    for (const topology::LabelRequirement& requirement : term.term.expressions) {
      out += " " + requirement.key.str() + "=";
      for (const topology::AskedText& value : requirement.values) out += value.str();
    }
  }
  if (!pod_set.unit.empty()) out += ", group " + pod_set.unit;
  return out;
}

}  // namespace

WorldSpec parse_world(const std::string& text) {
  WorldSpec world;
  world.topology.name = "t";
  Words levels;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word.rfind("levels=", 0) == 0) {
      levels = split(word.substr(7), ",");
    } else if (word[0] == '-' && word.back() == '}' && word[1] != '/') {
      world.holdings.push_back(parse_holding(word));
    } else {
      if (levels.empty()) {
        const std::string path = word.substr(0, word.find_first_of("{~?!@"));
        levels = default_levels(split(path, "/").size());
      }
      world.nodes.push_back(parse_node(word, levels));
    }
  }
  for (const std::string& level : levels) {
    world.topology.levels.push_back({level_symbol(level), level == "host" ? level : "", ""});
  }
  return world;
}

solver::Gang parse_gang(const std::string& text) {
  solver::Gang gang;
  for (const std::string& part : split(text, "; ")) {
    const Words phrases = split(part, ", ");
    solver::PodSet pod_set;
    pod_set.name = "ps" + std::to_string(gang.pod_sets.size());
    parse_size(pod_set, phrases[0]);
    for (std::size_t i = 1; i < phrases.size(); ++i) parse_phrase(pod_set, phrases[i]);
    gang.pod_sets.push_back(std::move(pod_set));
  }
  return gang;
}

std::string world_text(const WorldSpec& world) {
  std::string out = "levels=";
  for (const topology::TopologyLevel& level : world.topology.levels) {
    out += (out.back() == '=' ? "" : ",") + level_name(level.label);
  }
  for (const NodeRecord& node : world.nodes) out += " " + node_text(node, world);
  for (const Holding& holding : world.holdings) {
    std::string key;
    for (Symbol value : holding.domain) key += (key.empty() ? "" : "/") + value.str();
    out += " -" + key + "{" + amounts_text(holding.total, ",") + "}";
  }
  return out;
}

std::string gang_text(const solver::Gang& gang) {
  std::string out;
  for (const solver::PodSet& pod_set : gang.pod_sets) {
    out += (out.empty() ? "" : "; ") + pod_set_text(pod_set);
  }
  return out;
}

}  // namespace tessera::test
