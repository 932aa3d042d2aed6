// SPDX-License-Identifier: Apache-2.0
// The gangs that the benchmarks place. There are 16 different requests for each shape of cluster,
// the timed requests among them; the index keeps all of them live.
//
// Values; GPU counts, CPU sizes, tolerations and node selectors differ, so that 16 leaf keys and
// several filter classes are live.
#pragma once

#include <vector>

#include "solver/search/place.h"

namespace tessera::bench {

/// A gang with all that place_gang() needs to place it.
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
topology::Symbol product_label();  // "gb200"; on one node of 200 "gb300"
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

/// A gang of the sliced shape with `pods` pods. `required`: it must be in one block; else a block
/// is only preferred.
solver::Gang sliced_gang(std::int64_t pods, bool required);
/// kPreferredRack with a leader for which there is room beside any 9 workers.
solver::Gang led_gang();
/// kPreferredRack, or led_gang(), with tolerations for all 256 nodes of a free block. With fewer
/// nodes the racks of a block could not get even shares.
solver::Gang whole_block_gang(bool led);
/// Like kOneRack, with an amount of CPU that no other `number` below 12,000 has.
solver::Gang odd_gang(std::int64_t number);

}  // namespace tessera::bench
