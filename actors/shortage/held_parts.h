// SPDX-License-Identifier: Apache-2.0
// HeldParts: what gangs hold, by node.
//
// Made once for all refusals of a run, since a refusal asks about a few nodes and the cluster may
// hold a hundred thousand gangs. Valid until the books change; the books outlive it. Read by one
// thread. Bound pods that no gang stands for are in counted_pods.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/books/books.h"

namespace tessera::core {

class HeldParts {
 public:
  struct Part {
    GangId gang;
    const Held* held;
    const Held::Pods* pods;
  };
  explicit HeldParts(const Books& books);

  std::span<const Part> all() const { return parts_; }
  /// Positions in all(), ascending. A part on a cell of several nodes is on each of them.
  std::span<const std::uint32_t> on(topology::NodeId node) const;

 private:
  std::vector<Part> parts_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_node_;
};

}  // namespace tessera::core
