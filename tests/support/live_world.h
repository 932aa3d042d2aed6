// SPDX-License-Identifier: Apache-2.0
// LiveWorld: a cluster whose nodes come, go and move while gangs are placed and end, with an index
// that has to follow. For the tests of the index.
//
// Three levels (block, rack, host), the names and resources of random_world.h, so that its random
// gangs fit. Nodes change through update(). Where the live tree cannot follow, everything is built
// anew, as an engine does it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "solver/index/index.h"
#include "solver/search/booking.h"
#include "solver/search/place.h"
#include "tests/support/random_world.h"

namespace tessera::test {

struct LiveWorldSpec {
  int blocks = 3, racks_in_block = 4, nodes_in_rack = 6;
  solver::IndexLimits index;
};

class LiveWorld {
 public:
  LiveWorld(const LiveWorldSpec& spec, std::uint64_t seed);

  const std::vector<topology::NodeRecord>& nodes() const { return nodes_; }
  topology::Capacity& capacity() { return *capacity_; }
  const solver::FlavorView& view() const { return *view_; }
  solver::Index& index() { return *index_; }
  int rebuilds() const { return rebuilds_; }
  /// The sum over all indexes that this world has had.
  solver::Index::Totals totals() const;
  int threads_seen() const;  // the most threads that any of its indexes used
  /// The topology and the nodes that random gangs are made for.
  const WorldSpec& shapes() const { return shapes_; }

  enum class Search { kPlain, kIndex };
  solver::Answer place(const solver::Gang& gang, const solver::SearchOptions& options,
                       Search search);
  void book(const solver::Gang& gang, const solver::Placement& placement);
  std::size_t booked() const { return booked_.size(); }
  void release(std::size_t number);

  /// Replaces the record of a node by one with the same name. The node's use stays.
  void update(topology::NodeId node, topology::NodeRecord record);

  /// The answer with names instead of numbers, so that the same cluster built anew gives the same
  /// text.
  std::string text(const solver::Answer& answer) const;
  /// A new world with the same nodes and bookings, without the history of this one.
  LiveWorld rebuilt() const;

 private:
  LiveWorld(const LiveWorld& other, int);
  void build();

  LiveWorldSpec spec_;
  WorldSpec shapes_;
  std::vector<topology::NodeRecord> nodes_;
  std::unique_ptr<topology::DomainTree> tree_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::unique_ptr<topology::Capacity> capacity_;
  std::unique_ptr<solver::FlavorView> view_;
  std::unique_ptr<solver::Index> index_;
  std::vector<solver::Booking> booked_;
  int rebuilds_ = 0;
  solver::Index::Totals earlier_;
  int earlier_threads_ = 0;
};

}  // namespace tessera::test
