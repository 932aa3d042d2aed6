// SPDX-License-Identifier: Apache-2.0
// Admitted: a workload that was admitted, by names: good whatever happens to trees afterwards. A
// value; the workload's record is shared and never changes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/core/workload.h"

namespace tessera::core {

struct Admitted {
  std::size_t number = 0;
  std::shared_ptr<const Workload> workload;
  Admission admission;
  std::vector<std::string> waits_for_checks;
};

}  // namespace tessera::core
