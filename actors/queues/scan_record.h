// SPDX-License-Identifier: Apache-2.0
// ScanRecord: where the flavor searches of a workload stopped in Kueue's rounds, and so where its
// next attempt starts (queues.md 7.5).
//
// A plain value. The flavor scan makes it, the queue keeps it and offers it with the workload.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "topology/text/symbol.h"

namespace tessera::core {

using topology::Symbol;

struct ScanRecord {
  /// (pod set, Symbol::id() of a resource) -> index of the flavor at which its search stopped; -1:
  /// it was the last.
  std::map<std::pair<std::size_t, std::uint32_t>, int> stopped;

  std::size_t start(std::size_t pod_set, Symbol resource) const;
  /// True if some search has flavors left: then the workload stays active.
  bool unfinished() const;
};

}  // namespace tessera::core
