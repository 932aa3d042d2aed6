// SPDX-License-Identifier: Apache-2.0
// Assignment: the domains that hold the pods of a pod set, as the JSON encodings take them. The
// order of the domains is kept: it gives the ranks of the pods. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tessera::encode {

struct AssignedDomain {
  std::vector<std::string> values;  // one per level
  std::int64_t pods = 0;
};

struct Assignment {
  std::vector<std::string> levels;
  std::vector<AssignedDomain> domains;
};

}  // namespace tessera::encode
