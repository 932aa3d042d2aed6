// SPDX-License-Identifier: Apache-2.0
// Admitted: a workload that was admitted, or that grew, described by names, so that it stays valid
// when trees change. A value; what it points to is shared and never changes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/records/gang_id.h"
#include "actors/records/workload.h"

namespace tessera::core {

struct Admitted {
  GangId gang{};
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Admission> admission;
  std::vector<std::string> waits_for_checks;
  /// The gang held something already: `admission` says only what it got besides (grown.h).
  bool grows = false;
};

}  // namespace tessera::core
