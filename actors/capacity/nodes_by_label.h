// SPDX-License-Identifier: Apache-2.0
// NodesByLabel: finds nodes by what an assignment says of them: a host name, or the values of some
// labels.
//
// Made by Cluster when an assignment names a domain that its flavor does not have. Valid until the
// labels or the health of a node change. Knows no trees: the nodes may belong to any flavor, or to
// none. One thread at a time, since an index is built when it is first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "topology/nodes/node_record.h"

namespace tessera::core {

class NodesByLabel {
 public:
  /// The nodes outlive this.
  explicit NodesByLabel(std::span<const topology::NodeRecord> nodes);

  /// The node with this hostname label: of several the first usable one; of none the node with this
  /// name.
  std::optional<topology::NodeId> host(topology::Symbol hostname) const;
  /// The nodes that have these values of these labels, ascending.
  std::span<const topology::NodeId> at(std::span<const topology::Symbol> labels,
                                       std::span<const topology::Symbol> values);

 private:
  using Ids = std::vector<std::uint32_t>;  // of symbols
  using ByValues = std::map<Ids, std::vector<topology::NodeId>>;

  std::span<const topology::NodeRecord> nodes_;
  std::unordered_map<topology::Symbol, topology::NodeId> hosts_;
  std::map<Ids, ByValues> by_labels_;
};

}  // namespace tessera::core
