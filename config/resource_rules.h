// SPDX-License-Identifier: Apache-2.0
// ResourceRules: which resources of a pod count against quota, and as which resources (`resources`
// of the configuration file, as in Kueue's; queues.md 4).
//
// Immutable. Applied by ingest when requests are settled.
#pragma once

#include <string>
#include <vector>

#include "topology/nodes/quantity.h"

namespace tessera::config {

struct ResourceTransformation {
  std::string input;
  bool replaces = false;    // strategy Replace: the input itself is not counted
  std::string multiply_by;  // resource whose amount the input is first multiplied by; empty: none
  std::vector<std::pair<std::string, topology::Quantity>> outputs;  // resource, factor
};

struct ResourceRules {
  std::vector<std::string> excluded_prefixes;
  std::vector<ResourceTransformation> transformations;

  bool empty() const { return excluded_prefixes.empty() && transformations.empty(); }
};

}  // namespace tessera::config
