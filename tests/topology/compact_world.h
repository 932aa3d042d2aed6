// SPDX-License-Identifier: Apache-2.0
// Small worlds in one line, for tests of topology/.
//
// Levels: "block rack host"; `host` stands for kubernetes.io/hostname, other words are labels as
// they are. Nodes: "n1:b1/r1/a" is Node n1 with one value a level; without "n1:" the last value is
// the name too. A value "-" is a label that is missing, "''" an empty one. Behind the path: "!"
// cordoned, "~" not ready, "+key=value" one more label, "*5" five GPUs (4 if not given; always 10
// pods).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/domain_tree.h"

namespace tessera::test {

struct CompactWorld {
  topology::TopologySpec topology;
  std::vector<topology::NodeRecord> nodes;  // by name
};

CompactWorld compact_world(std::string_view levels, std::string_view nodes);

topology::TopologySpec compact_topology(std::string_view levels);

std::vector<std::string> words(std::string_view text);

/// Sorts by name, as the engine numbers nodes.
void sort_by_name(std::vector<topology::NodeRecord>& nodes);

/// "n1+n2"
std::string node_names(std::span<const topology::NodeId> ids,
                       const std::vector<topology::NodeRecord>& nodes);

/// The leaves in order, "b1/r1/a b1/r2/c=n1+n2"; nodes are named where they are not just the last
/// value.
std::string leaves_text(const topology::DomainTree& tree,
                        const std::vector<topology::NodeRecord>& nodes);

}  // namespace tessera::test
