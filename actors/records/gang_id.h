// SPDX-License-Identifier: Apache-2.0
// GangId: the name of one gang in the engine, from the moment the coordinator takes it.
//
// The coordinator gives out ids, from 1, in the order in which it takes gangs. Gangs that hold
// something when the engine starts come first (held_at_start()). No id is given out twice. All
// others learn ids from committed records (CycleRecord::submitted) and compute none: an id is not a
// position in any list. A plain value.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tessera::core {

enum class GangId : std::uint64_t {};

/// Id 0 is never given out: it stands for no gang.
inline constexpr GangId kNoGang{0};

constexpr std::uint64_t index(GangId gang) { return static_cast<std::uint64_t>(gang); }
/// Decimal digits.
inline std::string text(GangId gang) { return std::to_string(index(gang)); }

}  // namespace tessera::core
