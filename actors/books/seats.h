// SPDX-License-Identifier: Apache-2.0
// Seats: the pods that an admission names, as seats on nodes that the bound pods of the workload
// take. So a pod that runs where it should is counted once, and one that runs elsewhere is seen.
//
// Made by Books for one workload at a time. A pod takes a seat of its own request on its node. A
// pod whose request is that of no pod set (it was changed on its way) takes any seat there. The
// answer depends on the order of the pods only where requests differ from those of the pod sets.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/capacity/cluster.h"

namespace tessera::core {

class Seats {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The cluster outlives the seats.
  explicit Seats(const Cluster& cluster) : cluster_(&cluster) {}

  /// Seats for `pods` pods, each on any node of a cell or on any of `nodes`. They are numbered in
  /// the order of the calls. `request` outlives the seats.
  void add(topology::CellId cell, const Amounts& request, std::int64_t pods);
  void add(std::span<const topology::NodeId> nodes, const Amounts& request, std::int64_t pods);
  /// Pods of this request have no seats: no domain says where they are.
  void add_unplaced(const Amounts& request) { unplaced_.push_back(&request); }

  /// The seat of each pod, or kNone.
  std::vector<std::uint32_t> take(std::span<const PodRecord* const> pods);
  /// True if the admission says where such a pod should be.
  bool should_sit(const PodRecord& pod) const;

 private:
  struct Seat {
    const Amounts* request;
    std::int64_t left;
  };
  using Numbers = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;
  void add(const Amounts& request, std::int64_t pods);
  std::uint32_t find(topology::NodeId node, const Amounts* request) const;
  std::uint32_t find(const Numbers& numbers, std::uint32_t at, const Amounts* request) const;

  const Cluster* cluster_;
  std::vector<Seat> seats_;
  std::vector<const Amounts*> known_, unplaced_;  // requests; `known_` each once
  Numbers at_cell_, at_node_;
};

}  // namespace tessera::core
