// SPDX-License-Identifier: Apache-2.0
#include "tests/support/live_world.h"

#include <algorithm>
#include <array>

#include "solver/index/node_update.h"

namespace tessera::test {
namespace {

using topology::NodeId;
using topology::NodeRecord;
using topology::Symbol;

std::string numbered(const char* prefix, std::int64_t number) {
  std::string digits = std::to_string(number);
  return prefix + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits;
}

NodeRecord random_node(Dice& dice, std::int64_t number, std::int64_t rack, std::int64_t block) {
  NodeRecord node;
  node.name = Symbol(numbered("n", number));
  node.labels.set(topology::hostname_label(), node.name);
  node.labels.set(Symbol("rack"), Symbol(numbered("r", rack)));
  node.labels.set(Symbol("block"), Symbol(numbered("b", block)));
  if (dice.percent(50)) node.labels.set(Symbol("gen"), Symbol(dice.percent(50) ? "x" : "y"));
  node.allocatable.set(Symbol("gpu"), dice.between(1, 8));
  node.allocatable.set(Symbol("cpu"), dice.between(4, 20));
  node.allocatable.set(Symbol("memory"), dice.between(0, 9));
  node.allocatable.set(topology::pods_resource(), dice.percent(10) ? dice.between(0, 5) : 110);
  if (dice.percent(10)) {
    node.taints.push_back({Symbol("maint"), Symbol("yes"), topology::TaintEffect::kNoSchedule});
  }
  node.ready = !dice.percent(3);
  node.unschedulable = dice.percent(3);
  return node;
}

}  // namespace

LiveWorld::LiveWorld(const LiveWorldSpec& spec, std::uint64_t seed) : spec_(spec) {
  Dice dice(seed);
  std::int64_t number = 0, rack = 0;
  for (int b = 0; b < spec.blocks; ++b) {
    for (int r = 0; r < spec.racks_in_block; ++r, ++rack) {
      for (int n = 0; n < spec.nodes_in_rack; ++n) {
        nodes_.push_back(random_node(dice, number++, rack, b));
      }
    }
  }
  shapes_.topology = {"live",
                      {{Symbol("block"), "", ""},
                       {Symbol("rack"), "", ""},
                       {topology::hostname_label(), "host", ""}}};
  shapes_.nodes.push_back(nodes_.front());
  build();
}

LiveWorld::LiveWorld(const LiveWorld& other, int)
    : spec_(other.spec_),
      shapes_(other.shapes_),
      nodes_(other.nodes_),
      cells_(other.cells_),
      booked_(other.booked_) {
  build();
}

LiveWorld LiveWorld::rebuilt() const { return LiveWorld(*this, 0); }

void LiveWorld::build() {
  // Bookings name cells, and a new tree gives cells new numbers. So bookings are moved by their
  // nodes.
  std::vector<std::vector<NodeId>> holders;
  for (const solver::Booking& booking : booked_) {
    std::vector<NodeId>& nodes = holders.emplace_back();
    for (const solver::Booking::Part& part : booking.parts) {
      nodes.push_back(cells_->nodes(part.cell).front());
    }
  }
  tree_ = std::make_unique<topology::DomainTree>(shapes_.topology, nodes_,
                                                 std::vector<std::pair<Symbol, Symbol>>{}, false,
                                                 topology::TreeUse::kLive);
  const topology::DomainTree* trees[] = {tree_.get()};
  const std::uint32_t scopes[] = {0};
  cells_ = std::make_shared<topology::CellMap>(
      trees, scopes, static_cast<std::uint32_t>(nodes_.size()), topology::CellPolicy{});
  capacity_ = std::make_unique<topology::Capacity>(cells_, nodes_);
  view_ = std::make_unique<solver::FlavorView>(*tree_, cells_->cells_of_tree(0), nodes_,
                                               std::vector<topology::Toleration>{});
  index_ = std::make_unique<solver::Index>(spec_.index);
  for (std::size_t b = 0; b < booked_.size(); ++b) {
    solver::Booking& booking = booked_[b];
    for (std::size_t i = 0; i < booking.parts.size(); ++i) {
      solver::Booking::Part& part = booking.parts[i];
      part.cell = cells_->cells_of_node(holders[b][i]).front();
      capacity_->book(part.cell, booking.requests[part.request], part.pods);
    }
  }
}

solver::Answer LiveWorld::place(const solver::Gang& gang, const solver::SearchOptions& options,
                                Search search) {
  std::vector<std::int64_t> counts;
  for (const solver::PodSet& pod_set : gang.pod_sets) counts.push_back(pod_set.count);
  const std::vector<solver::PodSetTarget> targets(gang.pod_sets.size(),
                                                  solver::PodSetTarget{view_.get(), "live"});
  return solver::place_gang(gang, counts, targets, *capacity_, topology::Basis::kFree, options,
                            search == Search::kIndex ? index_.get() : nullptr);
}

void LiveWorld::book(const solver::Gang& gang, const solver::Placement& placement) {
  const std::vector<solver::PodSetTarget> targets(gang.pod_sets.size(),
                                                  solver::PodSetTarget{view_.get(), "live"});
  booked_.push_back(solver::book(gang, placement, targets, *capacity_));
}

void LiveWorld::release(std::size_t number) {
  solver::release(booked_[number], *capacity_);
  booked_.erase(booked_.begin() + static_cast<std::ptrdiff_t>(number));
}

void LiveWorld::update(NodeId node, NodeRecord record) {
  NodeRecord& current = nodes_[topology::index(node)];
  const topology::Amounts before = current.allocatable;
  current = std::move(record);
  const std::array views = {view_.get()};
  const bool followed = capacity_->resize_node(node, before, current.allocatable) &&
                        solver::update_node(node, *tree_, views, *capacity_, index_.get());
  if (followed) return;
  ++rebuilds_;
  earlier_ = totals();
  earlier_threads_ = threads_seen();
  build();
}

solver::Index::Totals LiveWorld::totals() const {
  const solver::Index::Totals& now = index_->totals();
  return {earlier_.found + now.found, earlier_.counted + now.counted,
          earlier_.evicted + now.evicted};
}

int LiveWorld::threads_seen() const { return std::max(earlier_threads_, index_->threads_seen()); }

std::string LiveWorld::text(const solver::Answer& answer) const {
  std::string out;
  if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
    for (const solver::PodSetPlacement& leaves : placement->pod_sets) {
      out += "|";
      for (const solver::LeafPods& leaf : leaves) {
        out +=
            " " + tree_->path_text(tree_->domain_of(leaf.leaf)) + "=" + std::to_string(leaf.pods);
      }
    }
    return out + " in " + std::to_string(placement->steps) + " steps";
  }
  if (const auto* ended = std::get_if<solver::OutOfSteps>(&answer)) {
    return "gave up after " + std::to_string(ended->steps) + " steps";
  }
  const auto& refusal = std::get<solver::Refusal>(answer);
  out = "refused " + std::to_string(static_cast<int>(refusal.obstacle)) + " set " +
        std::to_string(refusal.pod_set) + " need " + std::to_string(refusal.need) + " fits " +
        std::to_string(refusal.fits) + " level " + std::to_string(refusal.level) + " leaves " +
        std::to_string(refusal.leaves) + " in " + std::to_string(refusal.steps) + " steps";
  std::vector<std::string> parts;
  for (const solver::CauseCount& cause : refusal.causes) {
    parts.push_back(std::to_string(static_cast<int>(cause.kind)) + cause.detail + "x" +
                    std::to_string(cause.leaves));
  }
  std::sort(parts.begin(), parts.end());
  for (const solver::LayerCount& layer : refusal.layers) {
    parts.push_back(layer.level.str() + std::to_string(layer.fits) + "/" +
                    std::to_string(layer.need));
  }
  for (const std::string& part : parts) out += " " + part;
  return out;
}

}  // namespace tessera::test
