// SPDX-License-Identifier: Apache-2.0
// World: a cluster of a fixed shape, partly used by running gangs, with an index of 16 live keys.
// The rows of the solver's benchmarks are timed on it.
//
// Seeds are fixed, so two worlds of one spec are alike. Rows share a world, since a million nodes
// take seconds to build, and leave as much of it in use as they found. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "bench/every_key.h"
#include "bench/gangs.h"
#include "solver/index/index.h"
#include "solver/search/booking.h"

namespace tessera::bench {

struct WorldSpec {
  /// kNvl: 18 trays of 4 GPUs a rack, 8 racks a block, 2 % of the nodes cordoned.
  /// kKueue: 16 nodes a rack, 16 racks a block, none cordoned.
  /// Both: about 5 % of the CPU of each node is used by pods that belong to no gang.
  enum class Shape : std::uint8_t { kNvl, kKueue } shape = Shape::kNvl;
  std::uint32_t nodes = 0;
  std::int64_t used_percent = 0;  // of the GPUs of all nodes, with kKueue of the nodes; by gangs
  friend bool operator==(const WorldSpec&, const WorldSpec&) = default;
};

/// Levels block, rack, host by the labels of the clusters' nodes.
topology::TopologySpec topology_of_worlds();

/// The cluster without any gang. Its tree is a live tree.
struct Cluster {
  explicit Cluster(const WorldSpec& spec);

  std::vector<topology::NodeRecord> nodes;
  std::unique_ptr<topology::DomainTree> tree;
  std::shared_ptr<const topology::CellMap> cells;
  std::unique_ptr<topology::Capacity> capacity;
  std::unique_ptr<solver::FlavorView> view;
};

class World {
 public:
  explicit World(const WorldSpec& spec);
  /// The world of this spec. Rows that follow each other share it while they ask for the same spec;
  /// another spec replaces it.
  static World& shared(const WorldSpec& spec);

  Cluster& cluster() { return cluster_; }
  solver::Index& index() { return index_; }
  const std::vector<Order>& orders() const { return orders_; }
  /// Running gangs of one of the orders.
  std::vector<solver::Booking>& running(std::size_t order) { return running_[order]; }

  /// One whole decision: key lookup, search, descent, booking (the undo record), and the deltas to
  /// all live keys. `live` null: the plain search. Nothing if the gang does not fit.
  std::optional<solver::Booking> decide(const Order& order, solver::Index* live);
  /// Decides and lets the gang run. False: it does not fit.
  bool start(std::size_t order);
  /// Ends a gang; untimed in all rows. `live` is brought up to date if it is not null.
  void end(const solver::Booking& booking, solver::Index* live);
  void end_any(std::size_t order);
  /// Makes the keys of all orders live in an index of this world's capacity.
  void make_live(solver::Index& index);
  /// False: a key is brought up to date when a request needs it, as in the product.
  void let_keys_follow(bool follow) { keys_follow_ = follow; }
  void settle() { solver::EveryKey(index_).follow(*cluster_.capacity); }

  /// The share of the GPUs (kKueue: of the CPU) that gangs hold. What pods without a gang use
  /// counts neither as held nor as there.
  double used_share() const;
  std::uint32_t random_below(std::uint32_t bound);

 private:
  void fill(const WorldSpec& spec);

  topology::Symbol counted_;  // the resource of used_share()
  Cluster cluster_;
  solver::Index index_;
  std::vector<Order> orders_;
  std::vector<std::vector<solver::Booking>> running_;  // by order
  std::mt19937 random_{11};
  bool keys_follow_ = true;
};

}  // namespace tessera::bench
