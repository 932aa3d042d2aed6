// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/flow_bound.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>

namespace tessera::solver {
namespace {

using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Graph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<
        boost::edge_capacity_t, std::int64_t,
        boost::property<boost::edge_residual_capacity_t, std::int64_t,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

void connect(Graph& graph, std::size_t from, std::size_t to, std::int64_t capacity) {
  const auto there = boost::add_edge(from, to, graph).first;
  const auto back = boost::add_edge(to, from, graph).first;
  const auto capacities = boost::get(boost::edge_capacity, graph);
  const auto reverse = boost::get(boost::edge_reverse, graph);
  capacities[there] = capacity;
  capacities[back] = 0;
  reverse[there] = back;
  reverse[back] = there;
}

}  // namespace

std::int64_t most_shared_out(std::span<const Supply> supplies,
                             std::span<const std::int64_t> capacities) {
  // Vertices: the source, the supplies, the domains, the sink.
  const std::size_t first_domain = 1 + supplies.size(), sink = first_domain + capacities.size();
  Graph graph(sink + 1);
  for (std::size_t s = 0; s < supplies.size(); ++s) {
    connect(graph, 0, 1 + s, supplies[s].units);
    for (const std::uint32_t domain : supplies[s].domains) {
      connect(graph, 1 + s, first_domain + domain, supplies[s].units);
    }
  }
  for (std::size_t d = 0; d < capacities.size(); ++d) {
    connect(graph, first_domain + d, sink, std::max<std::int64_t>(capacities[d], 0));
  }
  return boost::push_relabel_max_flow(graph, 0, sink);
}

}  // namespace tessera::solver
