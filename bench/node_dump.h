// SPDX-License-Identifier: Apache-2.0
// What `kubectl get nodes` prints for a cluster of GB200 trays: every field of a real node, in
// kubectl's order and indentation.
//
// Called by the reading benchmark. The same number of nodes gives the same bytes. A node takes 3.5
// kB in one line, 3.8 kB as YAML, 6.7 kB as indented JSON. Racks of 18 trays share a clique, 8
// racks a zone. Of a hundred nodes one is cordoned and one is not ready.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::bench {

enum class DumpFormat : std::uint8_t {
  kJson,     // `-o json`: four spaces a level, `kind` behind `items`
  kCompact,  // `get --raw`, `jq -c`: one line
  kYaml,     // `-o yaml`
};

/// The parts of a dump: the text before the first node, node `i` of `nodes`, and the text after the
/// last.
std::string dump_head(DumpFormat format);
std::string dump_node(int i, int nodes, DumpFormat format);
std::string dump_tail(DumpFormat format);

/// Calls `write` with one part after the other, so that 100,000 nodes are never in memory at once.
template <class Write>
void dump_nodes(int nodes, DumpFormat format, Write&& write) {
  write(dump_head(format));
  for (int i = 0; i < nodes; ++i) write(dump_node(i, nodes, format));
  write(dump_tail(format));
}

}  // namespace tessera::bench
