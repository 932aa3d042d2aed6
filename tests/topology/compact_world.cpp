// SPDX-License-Identifier: Apache-2.0
#include "tests/topology/compact_world.h"

#include <algorithm>
#include <sstream>

namespace tessera::test {
using topology::Symbol;

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

topology::TopologySpec compact_topology(std::string_view levels) {
  topology::TopologySpec spec;
  spec.name = "compact";
  for (const std::string& word : words(levels)) {
    const Symbol label = word == "host" ? topology::hostname_label() : Symbol(word);
    spec.levels.push_back({label, "", ""});
  }
  return spec;
}

namespace {

topology::NodeRecord compact_node(const topology::TopologySpec& spec, std::string word) {
  topology::NodeRecord node;
  node.ready = true;
  std::int64_t gpus = 4;
  for (std::size_t at = 0; (at = word.find_last_of("!~+*")) != std::string::npos;) {
    const std::string rest = word.substr(at + 1);
    if (word[at] == '!') node.unschedulable = true;
    if (word[at] == '~') node.ready = false;
    if (word[at] == '*') gpus = std::stoll(rest);
    if (word[at] == '+') {
      const std::size_t equals = rest.find('=');
      node.labels.set(Symbol(rest.substr(0, equals)), Symbol(rest.substr(equals + 1)));
    }
    word.resize(at);
  }
  const std::size_t colon = word.find(':');
  std::istringstream path(colon == std::string::npos ? word : word.substr(colon + 1));
  std::string value;
  for (const topology::TopologyLevel& level : spec.levels) {
    std::getline(path, value, '/');
    if (value == "-") continue;
    node.labels.set(level.label, value == "''" ? Symbol() : Symbol(value));
  }
  node.name = Symbol(colon == std::string::npos ? value : word.substr(0, colon));
  node.allocatable = {{topology::gpu_resource(), gpus}, {topology::pods_resource(), 10}};
  return node;
}

}  // namespace

void sort_by_name(std::vector<topology::NodeRecord>& nodes) {
  std::sort(nodes.begin(), nodes.end(),
            [](const auto& a, const auto& b) { return topology::ByText()(a.name, b.name); });
}

CompactWorld compact_world(std::string_view levels, std::string_view nodes) {
  CompactWorld world;
  world.topology = compact_topology(levels);
  for (const std::string& word : words(nodes)) {
    world.nodes.push_back(compact_node(world.topology, word));
  }
  sort_by_name(world.nodes);
  return world;
}

std::string node_names(std::span<const topology::NodeId> ids,
                       const std::vector<topology::NodeRecord>& nodes) {
  std::string text;
  for (const topology::NodeId id : ids) {
    text += (text.empty() ? "" : "+") + nodes[index(id)].name.str();
  }
  return text;
}

std::string leaves_text(const topology::DomainTree& tree,
                        const std::vector<topology::NodeRecord>& nodes) {
  std::string text;
  for (std::uint32_t i = 0; i < tree.leaf_count(); ++i) {
    const topology::DomainId domain = tree.domain_of(topology::LeafId{i});
    const std::string members = node_names(tree.nodes(topology::LeafId{i}), nodes);
    text += (text.empty() ? "" : " ") + tree.path_text(domain);
    if (members != tree.value(domain).view()) text += "=" + members;
  }
  return text;
}

}  // namespace tessera::test
