// SPDX-License-Identifier: Apache-2.0
// State hashes: how the planner's copy and the owners find out that they differ (design.md 3.2).
//
// The hash of a shard or quota root is a sum mod 2^64 over its cells or rows, so it does not depend
// on order and moves by delta. Each summand is linear in an amount: taking n of something and
// giving n back leaves no trace, any other history does. Equal in every run: resources count by
// their text. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string_view>

#include "actors/quota/ledger.h"
#include "topology/amounts.h"
#include "topology/cell_map.h"

namespace tessera::core {

/// Of a text, the same in every run and build.
std::uint64_t text_hash(std::string_view text);

/// What amounts weigh wherever they are: to be had once for a request that many cells hold.
std::uint64_t amounts_hash(const topology::Amounts& amounts);

/// What a cell's held (used + reserved) amounts add. Cells count by number: equal in all copies of
/// one cell map. For a booking: + amount * pods; for its release: minus the same.
std::uint64_t held_hash(topology::CellId cell, const topology::Amounts& amounts,
                        std::int64_t times);
/// The same with the amounts' own hash.
std::uint64_t held_hash(topology::CellId cell, std::uint64_t amounts, std::int64_t times);
/// What a node's allocatable, others' use and health add.
std::uint64_t node_hash(topology::NodeId node, const topology::Amounts& allocatable,
                        const topology::Amounts& others, bool usable);
std::uint64_t quota_hash(QuotaNode queue, QuotaColumn column, std::int64_t amount);

}  // namespace tessera::core
