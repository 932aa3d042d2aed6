// SPDX-License-Identifier: Apache-2.0
// Caps on lists of objects that the engine compares with each other, so that their product costs
// time or memory (docs/placement.md, "What is read at most").
//
// Called by the Loader when all objects are read and sorted by name, before they are linked. What
// is above a cap is left out, the last names first, with one error a kind.
#pragma once

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

struct Caps {
  std::size_t flavors = 4096;
  std::size_t flavor_nodes = 50'000'000;  // flavors times nodes
  std::size_t topologies = 1024;
  /// Pairs of flavor and resource in the quotas of queues and cohorts, each once more for each
  /// cohort above; or queues and cohorts times different pairs, if that is less.
  std::size_t quotas = 1'500'000;
};

void keep_caps(ReadContext& context, const Caps& caps = {});

}  // namespace tessera::ingest
