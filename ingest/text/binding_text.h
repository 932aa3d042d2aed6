// SPDX-License-Identifier: Apache-2.0
// What binds, in words: the sentence of a refusal for lack of room.
//
// The table of `schedule`, the explanation, conditions and JSON all use these functions on
// core::Binding, so they name the same pod set, level, unit and resource. They look nothing up and
// compute nothing.
#pragma once

#include <string>

#include "actors/explain/evidence.h"
#include "solver/gang/flavor_view.h"
#include "solver/gang/gang.h"

namespace tessera::encode {

/// "cluster", or the name of the level.
std::string row_name(const solver::FlavorView& view, const core::LevelEvidence& level);

/// "pod set y: rack needs 3 pods, best r1 has 2: cpu runs out". The pod set is named if the gang
/// has several.
std::string binding_text(const solver::FlavorView& view, const solver::Gang& gang,
                         const core::Evidence& evidence);

/// "3 hosts", "1 pod"
std::string amount_of_pods(std::int64_t pods, const core::Evidence& evidence);

}  // namespace tessera::encode
