// SPDX-License-Identifier: Apache-2.0
#include "app/only_quota.h"

#include "ingest/load/find_workload.h"
#include "topology/text/wording.h"

namespace tessera::app {

void OnlyQuota::add(const core::Workload& workload, const core::ResourceFlavors& flavors) {
  workload_ = &workload;
  for (const auto& entry : flavors) flavors_.insert(entry.flavor.str());
}

void OnlyQuota::end_gang() {
  if (workload_ == nullptr) return;
  Gangs& gangs = gangs_[joined(flavors_)];
  if (gangs.first.empty()) {
    gangs.first = ingest::full_name(*workload_);
  } else {
    ++gangs.more;
  }
  workload_ = nullptr;
  flavors_.clear();
}

void OnlyQuota::tell(Messages& messages) const {
  for (const auto& [flavors, gangs] : gangs_) {
    const std::string who =
        gangs.first + (gangs.more > 0 ? " and " + std::to_string(gangs.more) + " more" : "");
    const std::string why =
        flavors.empty() ? "no flavor" : "flavor " + flavors + ", which names no topology";
    messages.note(who + ": only quota was checked, not the room on nodes (" + why + ")");
  }
}

}  // namespace tessera::app
