// SPDX-License-Identifier: Apache-2.0
// Packing: puts leaves with pods of different sizes on hosts, each leaf on hosts of its own list;
// finds a way whenever there is one.
//
// The last part of a gang tree's search, when every group has its domain. Pure but for the steps.
// Exact: a refusal is a proof unless the steps are over. Hosts that are free alike and serve the
// same leaves are tried once, states that failed are remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "solver/choice/steps.h"
#include "solver/trees/private_room.h"

namespace tessera::solver {

/// Equal pods and where they may go.
struct PackItem {
  const Need* need = nullptr;
  std::int64_t pods = 0;             // above 0
  std::vector<std::uint32_t> hosts;  // each once
};

/// By item: where its pods go, hosts ascending. Nothing: impossible, or the steps are over. The
/// room is only read.
std::optional<std::vector<std::vector<HostPods>>> pack(std::span<const PackItem> items,
                                                       PrivateRoom& room, Steps& steps);

}  // namespace tessera::solver
