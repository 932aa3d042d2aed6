// SPDX-License-Identifier: Apache-2.0
// find_scene(): what a refusal is about: the flavor whose tree is shown, and the pod set.
//
// Called by Engine::explain(), off the decision path. Pure.
#pragma once

#include <optional>

#include "actors/shortage/refused_case.h"

namespace tessera::core {

/// The scene of a refusal. For Never: that of the first placement that failed in the healthy, empty
/// cluster. Else the first of these that exists: that of the first placement that failed now, or
/// in the healthy, empty cluster; the first topology flavor that was tried; the queue's first
/// topology flavor. Nothing if the refusal has to do with no topology.
std::optional<Scene> find_scene(const RefusedCase& refused);

}  // namespace tessera::core
