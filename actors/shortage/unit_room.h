// SPDX-License-Identifier: Apache-2.0
// UnitRoom: how many pods of one unit of a workload each domain of one world can take, as the
// solver counts them: the workers of a group beside their leader, and all of it after the units
// that are placed before.
//
// Used by Explainer, off the decision path. The earlier units are placed again by the same planner
// on the same books; their use is taken off a copy. What cannot be placed again takes nothing.
// Unlike the solver's first count, leaves that share room have it once (joint_room.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/shortage/joint_room.h"
#include "actors/shortage/refused_case.h"
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

/// The flavors that the refused evaluation tried first. Nothing if no flavors can be chosen.
std::optional<FlavorChoice> first_choice(const RefusedCase& refused,
                                         std::span<const std::int64_t> counts, Books& books,
                                         QuotaRule rule);

class UnitRoom {
 public:
  /// `books` are a world's, and `rule` is how quota counts there. All outlive the room, but for
  /// `resolved`.
  UnitRoom(const RefusedCase& refused, const Scene& scene, const GangUnit& unit,
           const solver::ResolvedRequest& resolved, Books& books, QuotaRule rule);
  UnitRoom(const UnitRoom&) = delete;
  UnitRoom& operator=(const UnitRoom&) = delete;

  const solver::FlavorView& view() const { return *request_.view; }
  solver::Counts at(topology::DomainId domain) const {
    return joint_ && joint_->binds(domain) ? joint_->at(domain) : table_->at(domain);
  }
  /// All domains of level 0 together, if they are not the sum of each alone.
  std::optional<solver::Counts> all() const {
    return joint_ ? std::optional(joint_->all()) : std::nullopt;
  }
  std::int64_t on_leaf(std::uint32_t leaf) const {
    return at(view().tree().domain_of(topology::LeafId{leaf})).pods;
  }
  /// Workers on a leaf that also has the leader; 0 where the leader finds no place.
  std::int64_t beside_leader(std::uint32_t leaf) const {
    const solver::Counts counts = at(view().tree().domain_of(topology::LeafId{leaf}));
    return counts.leaders > 0 ? counts.pods_with_leader : 0;
  }
  /// The workers' filter: verdicts by LeafId.
  const solver::FilterClass& filter() const { return *request_.worker_filter; }
  /// The leaves that the leader may have, and the filter that holds for it there. Those of the
  /// workers if there is no leader, or if it is on their flavor.
  const solver::FlavorView& leader_view() const { return other_ ? *other_->view : view(); }
  const solver::FilterClass& leader_filter() const {
    if (other_) return *other_->filter;
    return request_.leader_filter ? *request_.leader_filter : filter();
  }
  bool leader_apart() const { return other_.has_value(); }
  /// The resource that leaves which share room lack together.
  std::optional<Symbol> short_on(std::uint32_t leaf) const {
    return joint_ ? joint_->short_on(leaf) : std::nullopt;
  }
  /// What is free after the earlier units.
  const topology::Capacity& capacity() const { return capacity_ ? *capacity_ : *whole_; }
  /// Earlier units or a leader were taken into account.
  bool reduced() const { return capacity_.has_value() || request_.has_leader || other_; }

 private:
  solver::CountRequest request_;
  solver::ResolvedRequest resolved_;
  const topology::Capacity* whole_;
  std::optional<topology::Capacity> capacity_;  // less the earlier units; nothing: there are none
  // One of two ways to count: a snapshot of the books' index, or from nothing.
  std::optional<solver::Index> snapshot_;
  std::optional<solver::CountRows> rows_;
  std::optional<solver::CountTable> table_;
  std::optional<JointRoom::OtherLeader> other_;  // the leader is on another flavor
  std::unique_ptr<JointRoom> joint_;             // null: no leaves bound each other
};

/// The leaves of a domain, as LeafIds; nothing: all leaves.
topology::DomainRange leaves_in(const topology::DomainTree& tree,
                                std::optional<topology::DomainId> domain);

/// The resource that runs out first on a cell (placement.md 2.3). The rows of the request are
/// looked up once, for many cells. The capacity outlives it.
class LimitingResource {
 public:
  /// `beside`: taken off each cell first.
  LimitingResource(const topology::Capacity& capacity, const Amounts& per_pod,
                   const Amounts& beside = {});

  /// Position in resources(). Among equals: the first by name.
  std::size_t at(topology::CellId cell) const;
  Symbol on(topology::CellId cell) const { return resources_[at(cell)].name; }
  /// How many pods all resources are enough for.
  std::int64_t pods(topology::CellId cell) const { return room(resources_[at(cell)], cell); }
  /// All that run out first, at the same number of pods.
  std::vector<Symbol> all_on(topology::CellId cell) const;
  /// All that are enough for less than `pods`.
  std::vector<Symbol> short_of(topology::CellId cell, std::int64_t pods) const;

  struct Resource {
    Symbol name;
    std::int64_t asked = 0, beside = 0;
    int row = -1;  // in the capacity; -1: no node has it
  };
  /// What the pod asks of, by name; there is always the pod slot.
  std::span<const Resource> resources() const { return resources_; }

 private:
  /// For how many pods one resource is enough.
  std::int64_t room(const Resource& resource, topology::CellId cell) const;
  /// What is left of one resource.
  std::int64_t free(const Resource& resource, topology::CellId cell) const;

  const topology::Capacity* capacity_;
  std::vector<Resource> resources_;
};

}  // namespace tessera::core
