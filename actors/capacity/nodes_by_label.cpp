// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/nodes_by_label.h"

#include <algorithm>

namespace tessera::core {

using topology::NodeId;
using topology::NodeRecord;
using topology::Symbol;

NodesByLabel::NodesByLabel(std::span<const NodeRecord> nodes) : nodes_(nodes) {
  for (const bool usable : {true, false}) {
    for (std::uint32_t n = 0; n < nodes.size(); ++n) {
      const auto hostname = nodes[n].labels.find(topology::hostname_label());
      if (hostname && nodes[n].usable() == usable) hosts_.emplace(*hostname, NodeId{n});
    }
  }
  for (std::uint32_t n = 0; n < nodes.size(); ++n) hosts_.emplace(nodes[n].name, NodeId{n});
}

std::optional<NodeId> NodesByLabel::host(Symbol hostname) const {
  const auto found = hosts_.find(hostname);
  return found == hosts_.end() ? std::nullopt : std::optional(found->second);
}

std::span<const NodeId> NodesByLabel::at(std::span<const Symbol> labels,
                                         std::span<const Symbol> values) {
  Ids key;
  for (const Symbol label : labels) key.push_back(label.id());
  const auto [index, added] = by_labels_.try_emplace(std::move(key));
  for (std::uint32_t n = 0; added && n < nodes_.size(); ++n) {
    Ids has;
    for (const Symbol label : labels) {
      if (const auto value = nodes_[n].labels.find(label)) has.push_back(value->id());
    }
    if (has.size() == labels.size()) index->second[std::move(has)].push_back(NodeId{n});
  }
  Ids wanted;
  for (const Symbol value : values) wanted.push_back(value.id());
  const auto found = index->second.find(wanted);
  if (found == index->second.end()) return {};
  return found->second;
}

}  // namespace tessera::core
