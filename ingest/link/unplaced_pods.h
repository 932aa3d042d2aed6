// SPDX-License-Identifier: Apache-2.0
// UnplacedPods: unbound pods that are not placed, or each on its own, counted by cause, so that one
// warning a cause names them.
//
// Filled by the linking step, pod by pod. Decides nothing about a pod.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "topology/text/result.h"

namespace tessera::ingest {

class UnplacedPods {
 public:
  enum class Cause : std::uint8_t {
    kAbsentWorkload,  // its workload is not in the input
    kPlainGroup,      // of a pod group of Kueue
    kForeignGroup,    // of a pod group of another scheduler
    kAbsentPodGroup,  // its PodGroup of KAI is not in the input
    kOtherScheduler,  // it names a PodGroup, but another scheduler than KAI's
    kUnreadKind,      // its owner is of a kind that is not read
    kOnItsOwn,        // the same, but such pods are placed
  };
  static constexpr std::size_t kCauses = 7;

  /// `name`: what the warning names: an owner, a group, a pod.
  void add(Cause cause, std::string name);
  void warn(std::vector<Error>& warnings) const;

 private:
  struct Counted {
    std::int64_t pods = 0;
    std::set<std::string> names;
  };
  std::array<Counted, kCauses> counted_;
};

}  // namespace tessera::ingest
