// SPDX-License-Identifier: Apache-2.0
#include "actors/queues/scan_record.h"

#include <algorithm>

namespace tessera::core {

std::size_t ScanRecord::start(std::size_t pod_set, Symbol resource) const {
  const auto at = stopped.find({pod_set, resource.id()});
  return at == stopped.end() ? 0 : static_cast<std::size_t>(at->second + 1);
}

bool ScanRecord::unfinished() const {
  return std::any_of(stopped.begin(), stopped.end(),
                     [](const auto& entry) { return entry.second != -1; });
}

}  // namespace tessera::core
