// SPDX-License-Identifier: Apache-2.0
// State hashes: how the planner's copy and the owners notice that they differ.
//
// The hash of a shard or quota root is a sum mod 2^64 over its cells or rows. It does not depend on
// order, and a change adds its difference. Each summand is linear in an amount: to take n of
// something and to give n back leaves no trace, any other history does. Equal in every run, since a
// resource counts by its text. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "topology/cell_map.h"
#include "topology/nodes/amounts.h"

namespace tessera::core {

/// The hash of a text, the same in every run and build.
std::uint64_t text_hash(std::string_view text);

/// The hash of amounts alone, without a cell: computed once for a request that many cells hold.
std::uint64_t amounts_hash(const topology::Amounts& amounts);

/// What the amounts held on a cell (used + reserved) add to the hash. A cell counts by its number,
/// which is equal in all copies of one cell map. `times`: the pods of a booking; minus the pods for
/// its release.
std::uint64_t held_hash(topology::CellId cell, const topology::Amounts& amounts,
                        std::int64_t times);
/// The same, from the hash of the amounts.
std::uint64_t held_hash(topology::CellId cell, std::uint64_t amounts, std::int64_t times);
/// What a node adds to the hash: its allocatable, the use of pods without a workload, its health.
std::uint64_t node_hash(topology::NodeId node, const topology::Amounts& allocatable,
                        const topology::Amounts& others, bool usable);

/// One random word for each kind of summand, so that summands of different kinds do not cancel out.
enum class HashOf : std::uint64_t {
  kHeld = 0x6c1f0e7a9b3d5284,
  kAllocatable = 0xd39a46b1e80c7f25,
  kOthers = 0x17e5c8f2a4609bd3,
  kUsable = 0xb8024d6ff1937eca,
  kQuota = 0x4ea7931c25d8b60f,
  kText = 0x93f10b5ed7a2486c,
};
/// The factor for number `number` of a kind: cell 7 and node 7 get unrelated factors.
std::uint64_t hash_factor(HashOf what, std::uint64_t number);

}  // namespace tessera::core
