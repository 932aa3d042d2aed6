// SPDX-License-Identifier: Apache-2.0
#include "tests/support/shrink.h"

#include <algorithm>
#include <vector>

#include "tests/support/notation.h"

namespace tessera::test {
namespace {

template <class T>
std::vector<T> without(std::vector<T> list, std::size_t at) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  return list;
}

void add_smaller_worlds(const Situation& from, std::vector<Situation>& out) {
  for (std::size_t i = 0; i < from.world.nodes.size(); ++i) {
    out.push_back(from);
    out.back().world.nodes = without(from.world.nodes, i);
  }
  for (std::size_t i = 0; i < from.world.holdings.size(); ++i) {
    out.push_back(from);
    out.back().world.holdings = without(from.world.holdings, i);
  }
  for (std::size_t i = 0; i < from.world.nodes.size(); ++i) {
    if (!from.world.nodes[i].taints.empty()) {
      out.push_back(from);
      out.back().world.nodes[i].taints.clear();
    }
    for (const topology::Amount& amount : from.world.nodes[i].allocatable) {
      if (amount.value == 0) continue;
      out.push_back(from);
      out.back().world.nodes[i].allocatable.set(amount.resource, amount.value - 1);
    }
  }
}

void add_smaller_gangs(const Situation& from, std::vector<Situation>& out) {
  for (std::size_t p = 0; p < from.gang.pod_sets.size(); ++p) {
    const solver::PodSet& pod_set = from.gang.pod_sets[p];
    const auto changed = [&]() -> solver::PodSet& {
      out.push_back(from);
      return out.back().gang.pod_sets[p];
    };
    if (from.gang.pod_sets.size() > 1 && pod_set.unit.empty()) {
      out.push_back(from);
      out.back().gang.pod_sets = without(from.gang.pod_sets, p);
    }
    for (std::size_t l = 0; l < pod_set.topology.layers.size(); ++l) {
      changed().topology.layers = without(pod_set.topology.layers, l);
    }
    const std::int64_t unit = pod_set.topology.layers.empty() ? 1 : pod_set.topology.layers[0].size;
    if (pod_set.count > unit) changed().count -= unit;
    for (const topology::Amount& amount : pod_set.request) {
      changed().request.erase(amount.resource);
    }
    if (!pod_set.filter.tolerations.empty()) changed().filter.tolerations.clear();
    if (!pod_set.filter.node_selector.empty()) changed().filter.node_selector.clear();
    if (!pod_set.filter.preferred.empty()) changed().filter.preferred.clear();
  }
}

}  // namespace

Situation shrink(Situation situation, const std::function<bool(const Situation&)>& fails) {
  for (bool smaller = true; smaller;) {
    std::vector<Situation> candidates;
    add_smaller_worlds(situation, candidates);
    add_smaller_gangs(situation, candidates);
    const auto found = std::find_if(candidates.begin(), candidates.end(), fails);
    smaller = found != candidates.end();
    if (smaller) situation = *found;
  }
  return situation;
}

std::string situation_text(const Situation& situation) {
  return "world: " + world_text(situation.world) + "\ngang: " + gang_text(situation.gang);
}

}  // namespace tessera::test
