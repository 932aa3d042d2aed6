// SPDX-License-Identifier: Apache-2.0
// BrokenInvariant: an owner of state found that its state cannot be right: the process must end and
// recover. Thrown by owners of capacity, quota and plans; only the edge of their actor catches it.
#pragma once

#include <stdexcept>

namespace tessera::core {

struct BrokenInvariant : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace tessera::core
