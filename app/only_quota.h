// SPDX-License-Identifier: Apache-2.0
// OnlyQuota: the note that names placed gangs for which no node was looked at, since their flavor
// has no topology.
//
// Used by `schedule` and `simulate`, main thread. Keeps one gang a set of flavors and a number, so
// that a long trace costs nothing.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "actors/records/assignment.h"
#include "actors/records/workload.h"
#include "app/console/messages.h"

namespace tessera::app {

class OnlyQuota {
 public:
  /// A pod set of the current gang that has no topology flavor, with its flavors.
  void add(const core::Workload& workload, const core::ResourceFlavors& flavors);
  void end_gang();
  /// One note a set of flavors.
  void tell(Messages& messages) const;

 private:
  struct Gangs {
    std::string first;
    std::int64_t more = 0;
  };
  const core::Workload* workload_ = nullptr;  // of the current gang, if it has such a pod set
  std::set<std::string> flavors_;             // of the current gang
  std::map<std::string, Gangs> gangs_;        // by flavors
};

}  // namespace tessera::app
