// SPDX-License-Identifier: Apache-2.0
#include "actors/books/seats.h"

#include <algorithm>

namespace tessera::core {
namespace {

bool among(const std::vector<const Amounts*>& requests, const Amounts& request) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const Amounts* each) { return each == &request || *each == request; });
}

}  // namespace

void Seats::add(const Amounts& request, std::int64_t pods) {
  seats_.push_back({&request, pods});
  if (!among(known_, request)) known_.push_back(&request);
}

void Seats::add(topology::CellId cell, const Amounts& request, std::int64_t pods) {
  at_cell_[topology::index(cell)].push_back(static_cast<std::uint32_t>(seats_.size()));
  add(request, pods);
}

void Seats::add(std::span<const topology::NodeId> nodes, const Amounts& request,
                std::int64_t pods) {
  for (const topology::NodeId node : nodes) {
    at_node_[topology::index(node)].push_back(static_cast<std::uint32_t>(seats_.size()));
  }
  add(request, pods);
}

/// `request`: null for any.
std::uint32_t Seats::find(const Numbers& numbers, std::uint32_t at, const Amounts* request) const {
  const auto here = numbers.find(at);
  if (here == numbers.end()) return kNone;
  for (const std::uint32_t number : here->second) {
    const Seat& seat = seats_[number];
    if (seat.left > 0 && (request == nullptr || *seat.request == *request)) return number;
  }
  return kNone;
}

std::uint32_t Seats::find(topology::NodeId node, const Amounts* request) const {
  for (const topology::CellId cell : cluster_->cells()->cells_of_node(node)) {
    const std::uint32_t number = find(at_cell_, topology::index(cell), request);
    if (number != kNone) return number;
  }
  return find(at_node_, topology::index(node), request);
}

std::vector<std::uint32_t> Seats::take(std::span<const PodRecord* const> pods) {
  std::vector<std::uint32_t> taken(pods.size(), kNone);
  for (const bool exact : {true, false}) {
    for (std::size_t i = 0; i < pods.size(); ++i) {
      const PodRecord& pod = *pods[i];
      if (exact != (among(known_, pod.request) || among(unplaced_, pod.request))) continue;
      const auto node = cluster_->find_node(pod.node.view());
      if (!node) continue;
      taken[i] = find(*node, exact ? &pod.request : nullptr);
      if (taken[i] != kNone) --seats_[taken[i]].left;
    }
  }
  return taken;
}

bool Seats::should_sit(const PodRecord& pod) const {
  return unplaced_.empty() || (among(known_, pod.request) && !among(unplaced_, pod.request));
}

}  // namespace tessera::core
