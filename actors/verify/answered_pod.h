// SPDX-License-Identifier: Apache-2.0
// What verify() is given and what it says: the pods of an answer, and the rules that they break.
//
// Plain values, made by `tessera verify` and by tests. Positions are those of the Inventory that
// the answer is about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tessera::core {

/// A pod of an answer.
struct AnsweredPod {
  std::size_t workload = 0, pod_set = 0;  // positions in the inventory and in the gang
  std::int64_t rank = 0;                  // in its pod set
  std::string node;                       // its name
};

struct BrokenRule {
  std::string rule;     // Capacity, Node, Filter, Twice, Minimum, Required, Slice, Unit, Exclusive,
                        // Spread
  std::string subject;  // "ns/name", "ns/name group a/b", a node
  std::string message;  // one sentence
};

}  // namespace tessera::core
