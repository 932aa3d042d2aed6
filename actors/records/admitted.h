// SPDX-License-Identifier: Apache-2.0
// Admitted: a workload that was admitted, by names: good whatever happens to trees afterwards. A
// value; what it points to is shared and never changes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "actors/records/workload.h"

namespace tessera::core {

struct Admitted {
  std::size_t number = 0;
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Admission> admission;
  std::vector<std::string> waits_for_checks;
};

}  // namespace tessera::core
