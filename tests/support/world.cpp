// SPDX-License-Identifier: Apache-2.0
#include "tests/support/world.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "solver/search/booking.h"
#include "tests/support/random_world.h"

namespace tessera::test {

using topology::NodeRecord;
using topology::Symbol;

topology::Amounts with_pod_slot(topology::Amounts request) {
  request.add({{topology::pods_resource(), 1}});
  return request;
}

World::World(WorldSpec spec) : spec_(std::move(spec)) {
  std::sort(spec_.nodes.begin(), spec_.nodes.end(),
            [](const NodeRecord& a, const NodeRecord& b) { return a.name.view() < b.name.view(); });
  own_ = std::make_unique<topology::DomainTree>(spec_.topology, spec_.nodes, spec_.flavor_labels,
                                                false);
  sibling_ = std::make_unique<topology::DomainTree>(*own_);
  const std::array<const topology::DomainTree*, 2> trees = {own_.get(), sibling_.get()};
  const std::array<std::uint32_t, 2> scopes = {0, 1};
  cells_ = std::make_shared<const topology::CellMap>(
      trees, scopes, static_cast<std::uint32_t>(spec_.nodes.size()), spec_.policy);
  capacity_ = std::make_unique<topology::Capacity>(cells_, spec_.nodes);
  view_ = std::make_unique<solver::FlavorView>(*own_, cells_->cells_of_tree(0), spec_.nodes,
                                               std::vector<topology::Toleration>{});
  apply_use();
}

void World::apply_use() {
  for (const BoundPod& pod : spec_.pods) {
    for (std::uint32_t n = 0; n < spec_.nodes.size(); ++n) {
      if (spec_.nodes[n].name == pod.node) capacity_->add_pod(topology::NodeId{n}, pod.total);
    }
  }
  for (const Holding& holding : spec_.holdings) {
    const auto leaf = own_->find_leaf(holding.domain);
    if (!leaf) continue;  // use on a domain without a leaf is dropped: placement.md 2.4
    capacity_->book(cells_->cells_of_tree(holding.sibling ? 1 : 0)[index(*leaf)], holding.total);
  }
}

solver::Answer World::place(const solver::Gang& gang, const solver::SearchOptions& options,
                            topology::Basis basis) {
  std::vector<std::int64_t> counts;
  for (const solver::PodSet& pod_set : gang.pod_sets) counts.push_back(pod_set.count);
  const std::vector<solver::PodSetTarget> targets(gang.pod_sets.size(),
                                                  solver::PodSetTarget{view_.get(), "own"});
  return solver::place_gang(gang, counts, targets, *capacity_, basis, options, index_.get());
}

void World::use_index(const solver::IndexLimits& limits) {
  index_ = std::make_unique<solver::Index>(limits);
}

void World::warm_up(std::uint64_t seed, int decisions) {
  Dice dice(seed);
  std::vector<solver::Booking> booked;
  for (int i = 0; i < decisions; ++i) {
    const solver::Gang gang =
        dice.percent(60) ? random_pod_set(dice, spec_) : random_group(dice, spec_);
    const solver::Answer answer = place(gang, {});
    const auto* placement = std::get_if<solver::Placement>(&answer);
    if (placement == nullptr) continue;
    const std::vector<solver::PodSetTarget> targets(gang.pod_sets.size(),
                                                    solver::PodSetTarget{view_.get(), "own"});
    booked.push_back(solver::book(gang, *placement, targets, *capacity_));
  }
  while (!booked.empty()) {
    const auto at = booked.begin() + dice.below(static_cast<std::int64_t>(booked.size()));
    solver::release(*at, *capacity_);
    booked.erase(at);
  }
}

void World::book(const solver::Gang& gang, const solver::Placement& placement) {
  for (std::size_t p = 0; p < placement.pod_sets.size(); ++p) {
    const topology::Amounts pod = with_pod_slot(gang.pod_sets[p].request);
    for (const solver::LeafPods& entry : placement.pod_sets[p]) {
      const topology::Amounts total = pod.times(entry.pods);
      capacity_->book(cells_->cells_of_tree(0)[index(entry.leaf)], total);
      spec_.holdings.push_back({false, leaf_key(entry.leaf), total});
    }
  }
}

std::vector<Symbol> World::leaf_key(topology::LeafId leaf) const {
  std::vector<Symbol> path = own_->path(own_->domain_of(leaf));
  if (spec_.topology.host_level()) path.erase(path.begin(), path.end() - 1);
  return path;
}

std::string World::text(const solver::PodSetPlacement& placement) const {
  std::string out;
  for (const solver::LeafPods& entry : placement) {
    if (!out.empty()) out += ' ';
    std::string name;
    for (Symbol value : leaf_key(entry.leaf)) name += (name.empty() ? "" : "/") + value.str();
    const bool ends_in_digit = name.find_last_not_of("0123456789") + 1 < name.size();
    out += name + (ends_in_digit ? ":" : "") + std::to_string(entry.pods);
  }
  return out;
}

}  // namespace tessera::test
