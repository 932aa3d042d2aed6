// SPDX-License-Identifier: Apache-2.0
// World: one topology, its nodes and what is in use on them, ready to place gangs. For tests of the
// solver.
//
// A WorldSpec is the plain data, which the verifier and the brute force read. A World builds the
// engine's structures from it, with two flavors over the same hosts: place() uses `own`, and
// `sibling` only holds something. Bookings made through a World are recorded in its spec.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solver/index/index.h"
#include "solver/search/place.h"
#include "topology/capacity.h"
#include "topology/domain_tree.h"

namespace tessera::test {

/// A pod that belongs to no workload. `total` includes its pod slot. A pod on a node that does not
/// exist is ignored.
struct BoundPod {
  topology::Symbol node;
  topology::Amounts total;
};

/// What workloads hold on one leaf: a hostname, or the whole path where the last level is not the
/// host.
struct Holding {
  bool sibling = false;
  std::vector<topology::Symbol> domain;
  topology::Amounts total;  // pods included
};

struct WorldSpec {
  topology::TopologySpec topology;
  std::vector<std::pair<topology::Symbol, topology::Symbol>> flavor_labels;
  std::vector<topology::NodeRecord> nodes;  // any order
  std::vector<BoundPod> pods;
  std::vector<Holding> holdings;
  topology::CellPolicy policy;
};

/// A pod takes its request and one pod slot (placement.md 2.3).
topology::Amounts with_pod_slot(topology::Amounts request);

class World {
 public:
  explicit World(WorldSpec spec);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const WorldSpec& spec() const { return spec_; }  // nodes sorted by name
  const topology::DomainTree& tree() const { return *own_; }

  /// Places all pod sets, each with its own count, on flavor `own`.
  solver::Answer place(const solver::Gang& gang, const solver::SearchOptions& options,
                       topology::Basis basis = topology::Basis::kFree);

  void book(const solver::Gang& gang, const solver::Placement& placement);

  /// From now on place() goes through an index.
  void use_index(const solver::IndexLimits& limits);
  /// Places and books `decisions` random gangs through the index, then takes all of them back in
  /// random order. The books end as they were, but the index has a history.
  void warm_up(std::uint64_t seed, int decisions);

  /// The key of a leaf as a Holding names it.
  std::vector<topology::Symbol> leaf_key(topology::LeafId leaf) const;

  /// "a5 x1:2": leaf names and pods in the answer's order; whole paths where the last level is not
  /// the host.
  std::string text(const solver::PodSetPlacement& placement) const;

 private:
  void apply_use();

  WorldSpec spec_;
  std::unique_ptr<topology::DomainTree> own_, sibling_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::unique_ptr<topology::Capacity> capacity_;
  std::unique_ptr<solver::FlavorView> view_;
  std::unique_ptr<solver::Index> index_;  // null: plain search
};

}  // namespace tessera::test
