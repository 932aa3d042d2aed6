// SPDX-License-Identifier: Apache-2.0
// The gangs that the benchmarks place: for each shape of cluster 16 different requests, all of
// which the index keeps alive, the timed ones among them.
//
// Values; GPU counts, CPU sizes, tolerations and node selectors differ, so that 16 leaf keys and
// several filter classes are live.
#pragma once

#include <vector>

#include "solver/search/place.h"

namespace tessera::bench {

/// A gang with what place_gang() wants beside it.
struct Order {
  solver::Gang gang;
  std::vector<std::int64_t> counts;
  std::vector<solver::PodSetTarget> targets;
  solver::SearchOptions options;
};

Order order(solver::Gang gang, const solver::FlavorView& view);
/// The same under `balancedPlacement: Kueue`.
Order balanced(Order order);

// Labels and taints of the clusters' nodes.
topology::Symbol product_label();  // "gb200", but for one node of 200
topology::Taint upkeep_taint();    // on one node of 100

/// Places in nvl_gangs().
enum NvlGang : std::size_t {
  kSlicedBlock,  // 64 pods of 4 GPU, slices of 16 at rack, required block; not on other products
  kOneRack,      // 8 pods of 1 GPU, required rack
  kWholeRack,    // 19 pods of 4 GPU, required rack: a rack has 18 trays
};
std::vector<solver::Gang> nvl_gangs();

/// Places in kueue_gangs().
enum KueueGang : std::size_t {
  kPreferredRack,  // 2,304 pods, preferred rack: 9 on each node of a free block
};
std::vector<solver::Gang> kueue_gangs();

/// `pods` of the sliced shape; `required`: a block, else it is preferred only.
solver::Gang sliced_gang(std::int64_t pods, bool required);
/// kPreferredRack with a leader for which there is room beside any 9 workers.
solver::Gang led_gang();
/// kPreferredRack, or led_gang(), that may use all 256 nodes of a free block: with less no share of
/// a block's racks is even.
solver::Gang whole_block_gang(bool led);
/// kOneRack with a CPU amount that no other has.
solver::Gang odd_gang(std::int64_t number);

}  // namespace tessera::bench
