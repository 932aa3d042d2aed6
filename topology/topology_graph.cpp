// SPDX-License-Identifier: Apache-2.0
#include "topology/topology_graph.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <optional>
#include <unordered_map>

namespace tessera::topology {
namespace {

struct Vertex {
  int level = 0;
  Symbol value;
  bool is_path = false;  // else: the value of a level, whatever its parents
};
struct Edge {
  NodeId example{};
};
/// Path -> its parent path; value -> every path that it occurs under.
using Containment = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Edge>;

class ContainmentBuilder {
 public:
  void add(const TopologySpec& topology, const NodeRecord& node, NodeId id) {
    std::optional<std::size_t> parent;
    for (std::size_t level = 0; level < topology.levels.size(); ++level) {
      const std::optional<Symbol> value = node.labels.find(topology.levels[level].label);
      if (!value) return;
      const Vertex vertex{static_cast<int>(level), *value, true};
      const std::uint64_t above = parent ? *parent + 1 : 0;
      const auto [at, is_new] = paths_.emplace((above << 32) | value->id(), 0);
      if (is_new) at->second = add_vertex(vertex);
      if (is_new && parent) {
        boost::add_edge(at->second, *parent, Edge{id}, graph_);
        boost::add_edge(value_vertex(vertex), *parent, Edge{id}, graph_);
      }
      parent = at->second;
    }
  }
  const Containment& graph() const { return graph_; }

 private:
  std::size_t value_vertex(Vertex vertex) {
    vertex.is_path = false;
    const std::uint64_t key = (static_cast<std::uint64_t>(vertex.level) << 32) | vertex.value.id();
    const auto [at, is_new] = values_.emplace(key, 0);
    if (is_new) at->second = add_vertex(vertex);
    return at->second;
  }
  std::size_t add_vertex(const Vertex& vertex) {
    const std::size_t added = boost::add_vertex(graph_);
    graph_[added] = vertex;
    return added;
  }

  Containment graph_;
  std::unordered_map<std::uint64_t, std::size_t> paths_, values_;
};

std::string path_text(const Containment& graph, std::size_t path) {
  std::string text = graph[path].value.str();
  for (auto up = boost::out_edges(path, graph); up.first != up.second;
       up = boost::out_edges(path, graph)) {
    path = boost::target(*up.first, graph);
    text = graph[path].value.str() + "/" + text;
  }
  return text;
}

/// Two nodes with one value of `fine` and different values of `coarse`.
struct Crossing {
  const NodeRecord* first;
  const NodeRecord* second;
};

std::optional<Crossing> find_crossing(Symbol fine, Symbol coarse,
                                      std::span<const NodeRecord> nodes) {
  std::unordered_map<Symbol, const NodeRecord*> first_with;
  for (const NodeRecord& node : nodes) {
    if (!node.usable()) continue;
    const std::optional<Symbol> value = node.labels.find(fine);
    const std::optional<Symbol> above = node.labels.find(coarse);
    if (!value || !above) continue;
    const NodeRecord* first = first_with.emplace(*value, &node).first->second;
    if (first->labels.find(coarse) != above) return Crossing{first, &node};
  }
  return std::nullopt;
}

std::string quoted(std::string_view text) { return '"' + std::string(text) + '"'; }

/// `nodes a and b share X "v" but have Y "p" and "q"`
std::string crossing_text(const Crossing& crossing, Symbol fine, Symbol coarse) {
  const auto value = [](const NodeRecord* node, Symbol label) {
    return quoted(node->labels.find(label)->view());
  };
  return "nodes " + crossing.first->name.str() + " and " + crossing.second->name.str() + " share " +
         fine.str() + " " + value(crossing.first, fine) + " but have " + coarse.str() + " " +
         value(crossing.first, coarse) + " and " + value(crossing.second, coarse);
}

using LabelGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

constexpr const char* kNameTheLevels =
    "; name the levels in a Topology, or under topologies in the configuration";

}  // namespace

std::vector<SharedValue> shared_values(const TopologySpec& topology,
                                       std::span<const NodeRecord> nodes) {
  ContainmentBuilder builder;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) builder.add(topology, nodes[i], NodeId{i});
  const Containment& graph = builder.graph();

  std::vector<SharedValue> shared;
  for (std::size_t vertex = 0; vertex < boost::num_vertices(graph); ++vertex) {
    if (graph[vertex].is_path || boost::out_degree(vertex, graph) < 2) continue;
    SharedValue value{graph[vertex].level, graph[vertex].value, {}};
    for (auto [edge, end] = boost::out_edges(vertex, graph); edge != end; ++edge) {
      value.parents.push_back(
          {path_text(graph, boost::target(*edge, graph)), graph[*edge].example});
    }
    std::sort(value.parents.begin(), value.parents.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    shared.push_back(std::move(value));
  }
  std::sort(shared.begin(), shared.end(), [](const SharedValue& a, const SharedValue& b) {
    return a.level != b.level ? a.level < b.level : ByText()(a.value, b.value);
  });
  return shared;
}

Result<std::vector<Symbol>> order_by_refinement(const std::vector<Symbol>& labels,
                                                std::span<const NodeRecord> nodes) {
  LabelGraph coarser(labels.size());  // from the coarser label to the finer
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (std::size_t j = i + 1; j < labels.size(); ++j) {
      const auto second_crosses = find_crossing(labels[j], labels[i], nodes);
      if (!second_crosses) {
        boost::add_edge(i, j, coarser);
        continue;
      }
      const auto first_crosses = find_crossing(labels[i], labels[j], nodes);
      if (first_crosses) {
        return fail(ErrorCode::kConflict,
                    "labels " + labels[i].str() + " and " + labels[j].str() +
                        " cross: " + crossing_text(*second_crosses, labels[j], labels[i]) + ", " +
                        crossing_text(*first_crosses, labels[i], labels[j]) + kNameTheLevels);
      }
      boost::add_edge(j, i, coarser);
    }
  }

  std::vector<std::size_t> fine_to_coarse;
  try {
    boost::topological_sort(coarser, std::back_inserter(fine_to_coarse));
  } catch (const boost::not_a_dag&) {
    // Orders of pairs can contradict each other only if some nodes lack some of the labels.
    std::string message = "labels";
    for (const Symbol label : labels) message += " " + label.str();
    message += " have no common order";
    for (const NodeRecord& node : nodes) {
      const auto lacking = std::find_if(labels.begin(), labels.end(), [&](Symbol label) {
        return !node.labels.find(label).has_value();
      });
      if (!node.usable() || lacking == labels.end()) continue;
      message += ": node " + node.name.str() + " has no " + lacking->str();
      break;
    }
    return fail(ErrorCode::kConflict, message + kNameTheLevels);
  }
  std::vector<Symbol> ordered;
  for (std::size_t i = fine_to_coarse.size(); i-- > 0;)
    ordered.push_back(labels[fine_to_coarse[i]]);
  return ordered;
}

}  // namespace tessera::topology
