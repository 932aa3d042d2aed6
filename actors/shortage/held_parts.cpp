// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/held_parts.h"

namespace tessera::core {

HeldParts::HeldParts(const Books& books) {
  for (const auto& [gang, held] : books.held()) {
    for (const Held::Pods& pods : held.pods) {
      const auto position = static_cast<std::uint32_t>(parts_.size());
      parts_.push_back({gang, &held, &pods});
      for (const topology::NodeId node : books.capacity().cells().nodes(pods.cell)) {
        by_node_[topology::index(node)].push_back(position);
      }
    }
  }
}

std::span<const std::uint32_t> HeldParts::on(topology::NodeId node) const {
  const auto at = by_node_.find(topology::index(node));
  return at == by_node_.end() ? std::span<const std::uint32_t>() : at->second;
}

}  // namespace tessera::core
