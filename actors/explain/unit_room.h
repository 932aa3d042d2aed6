// SPDX-License-Identifier: Apache-2.0
// UnitRoom: how many pods of one unit of a workload each domain of one world can take, as the
// solver counts them: the workers of a group beside their leader, and all of it after the units
// that are placed before.
//
// Used by Explainer, off the decision path. The earlier units are placed again by the same planner
// on the same books; their use is taken off a copy. What cannot be placed again takes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "actors/explain/refused_case.h"
#include "solver/counting/counts.h"

namespace tessera::core {

/// What one search places: a pod set, or the workers of a group with their leader.
struct GangUnit {
  std::size_t workers = 0;
  std::optional<std::size_t> leader;
  std::size_t first = 0;  // first member in spec order

  bool has(std::size_t pod_set) const { return pod_set == workers || pod_set == leader; }
};
GangUnit unit_of(const solver::Gang& gang, std::size_t pod_set);

class UnitRoom {
 public:
  /// `books` are a world's, and `rule` is how quota counts there. All outlive the room.
  UnitRoom(const RefusedCase& refused, const Scene& scene, const GangUnit& unit,
           const solver::ResolvedRequest& resolved, Books& books, QuotaRule rule);
  UnitRoom(const UnitRoom&) = delete;
  UnitRoom& operator=(const UnitRoom&) = delete;

  const solver::FlavorView& view() const { return *request_.view; }
  solver::Counts at(topology::DomainId domain) const { return table_->at(domain); }
  std::int64_t on_leaf(std::uint32_t leaf) const {
    return at(view().tree().domain_of(topology::LeafId{leaf})).pods;
  }
  /// The workers' filter: verdicts by LeafId.
  const solver::FilterClass& filter() const { return *request_.worker_filter; }
  /// The filter that holds for the leader.
  const solver::FilterClass& leader_filter() const {
    return request_.leader_filter ? *request_.leader_filter : filter();
  }
  /// What is free after the earlier units.
  const topology::Capacity& capacity() const { return capacity_ ? *capacity_ : *whole_; }
  /// Earlier units or a leader were taken into account.
  bool reduced() const { return capacity_.has_value() || request_.has_leader; }

 private:
  solver::CountRequest request_;
  const topology::Capacity* whole_;
  std::optional<topology::Capacity> capacity_;  // less the earlier units; nothing: there are none
  // One of two ways to count: a snapshot of the books' index, or from nothing.
  std::optional<solver::Index> snapshot_;
  std::optional<solver::CountRows> rows_;
  std::optional<solver::CountTable> table_;
};

/// The resource that runs out first on a cell (placement.md 2.3). The rows of the request are
/// looked up once, for many cells. The capacity outlives it.
class LimitingResource {
 public:
  LimitingResource(const topology::Capacity& capacity, const Amounts& per_pod);

  /// Position in resources(). Among equals: the first by name.
  std::size_t at(topology::CellId cell) const;
  Symbol on(topology::CellId cell) const { return resources_[at(cell)].name; }

  struct Resource {
    Symbol name;
    std::int64_t asked = 0;
    int row = -1;  // in the capacity; -1: no node has it
  };
  /// What the pod asks of, by name; there is always the pod slot.
  std::span<const Resource> resources() const { return resources_; }

 private:
  const topology::Capacity* capacity_;
  std::vector<Resource> resources_;
};

}  // namespace tessera::core
