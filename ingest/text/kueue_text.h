// SPDX-License-Identifier: Apache-2.0
// Refusals in Kueue's own words (placement.md section 10, M1-M5), byte for byte.
//
// Called where `messages: Kueue` is chosen, and by the conformance tests. Names levels by node
// label, never by alias. Adds no advice: ingest/text/decision_text.h writes refusals for people.
#pragma once

#include <string>

#include "solver/gang/answer.h"
#include "topology/domain_tree.h"

namespace tessera::encode {

/// The reason without Kueue's wrapping ("couldn't assign flavors to pod set ..."). For obstacles
/// that Kueue does not know (a slice size that does not divide the count, a group of another shape)
/// the text is ours.
std::string kueue_text(const solver::Refusal& refusal, const topology::TopologySpec& topology);

}  // namespace tessera::encode
