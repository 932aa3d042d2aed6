// SPDX-License-Identifier: Apache-2.0
// A shape as people type it: "cpu=120,memory=800Gi,nvidia.com/gpu=4" (ux.md rule 11).
//
// Called by commands that count free slots. Pure.
#pragma once

#include <string_view>

#include "topology/nodes/amounts.h"
#include "topology/text/result.h"

namespace tessera::ingest {

/// The request of one pod, without its pod slot. A fault is kUsage, with an example of what is
/// right.
Result<topology::Amounts> parse_shape(std::string_view text);

}  // namespace tessera::ingest
