// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/unplaced_pods.h"

#include "ingest/fields/shown_names.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

struct CauseWords {
  const char* one;
  const char* many;
  const char* rest;  // between the number and the names
};

constexpr CauseWords kCauseWords[UnplacedPods::kCauses] = {
    {"pod without a node belongs", "pods without a node belong",
     " to workloads that are not in the input and are not placed: "},
    {"pod", "pods", " of plain pod groups, which this version does not place: "},
    {"pod", "pods", " of pod groups of other schedulers, which this version does not place: "},
    {"pod without a node waits", "pods without a node wait",
     " for a PodGroup that is not in the input or was refused: "},
    {"pod names", "pods name",
     " a PodGroup, but only pods of schedulerName kai-scheduler are placed with it: "},
    {"pod without a node belongs", "pods without a node belong",
     " to objects of kinds that are not read and are not placed: "},
    {"pod without a node is", "pods without a node are",
     " owned by a kind that is not read and placed on its own: "},
};

}  // namespace

void UnplacedPods::add(Cause cause, std::string name) {
  Counted& counted = counted_[static_cast<std::size_t>(cause)];
  ++counted.pods;
  counted.names.insert(std::move(name));
}

void UnplacedPods::warn(std::vector<Error>& warnings) const {
  for (std::size_t i = 0; i < kCauses; ++i) {
    if (counted_[i].pods == 0) continue;
    const CauseWords& words = kCauseWords[i];
    warnings.push_back({ErrorCode::kInvalidInput, counted(counted_[i].pods, words.one, words.many) +
                                                      words.rest + shown_names(counted_[i].names)});
  }
}

}  // namespace tessera::ingest
