// SPDX-License-Identifier: Apache-2.0
// CycleNumber: cycles count from 1, in the order in which the coordinator begins them. 0 stands for
// no cycle.
#pragma once

#include <cstdint>

namespace tessera::core {

using CycleNumber = std::uint64_t;

}  // namespace tessera::core
