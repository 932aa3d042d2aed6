// SPDX-License-Identifier: Apache-2.0
// BrokenInvariant: an owner of state found that it cannot be right: the process must end and
// recover (design.md 3.2). Thrown by owners of capacity, quota and plans; nobody else catches it
// but the edge of their actor.
#pragma once

#include <stdexcept>

namespace tessera::core {

struct BrokenInvariant : std::logic_error {
  using std::logic_error::logic_error;
};

}  // namespace tessera::core
