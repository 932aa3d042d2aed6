// SPDX-License-Identifier: Apache-2.0
// What the coordinator tells a quota root in a cycle (design.md 3.1 steps 1, 3); it answers as
// shards do (capacity/owner_step.h).
//
// Plain values. Items are in plan order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/capacity/owner_step.h"
#include "actors/quota/ledger.h"

namespace tessera::core {

/// Quota of one item.
struct ColumnAmount {
  std::uint32_t item;
  QuotaNode queue;  // numbered as in the whole forest
  QuotaColumn column;
  std::int64_t amount;
};

struct RootStep {
  CycleNumber cycle = 0;
  std::vector<GangId> released;
  std::shared_ptr<const BatchItems> items;
  std::vector<ColumnAmount> reserve;  // by item
  std::optional<std::uint64_t> hash;
};

}  // namespace tessera::core
