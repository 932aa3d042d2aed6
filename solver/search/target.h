// SPDX-License-Identifier: Apache-2.0
// PodSetTarget: where one pod set is to be placed.
//
// Made by the planner, which has chosen the flavors; read by place_gang() and by the order of its
// units. A value.
#pragma once

#include <string>

#include "solver/gang/flavor_view.h"

namespace tessera::solver {

/// The flavor of one pod set: null = no topology flavor, the pod set is not placed. Flavors are
/// placed in byte order of their names.
struct PodSetTarget {
  const FlavorView* view = nullptr;
  std::string flavor;
};

}  // namespace tessera::solver
