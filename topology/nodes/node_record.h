// SPDX-License-Identifier: Apache-2.0
// NodeRecord: what the engine keeps of one v1 Node.
//
// Filled by ingest/, read by the domain trees and filters. Amounts are in engine units
// (topology/nodes/amounts.h). `allocatable` decides what fits. `capacity` only shows that a node is
// degraded: it has fewer devices than it was built with.
#pragma once

#include <string>
#include <vector>

#include "topology/nodes/amounts.h"
#include "topology/nodes/labels.h"

namespace tessera::topology {

enum class NodeId : std::uint32_t {
};  // index into the list of nodes in use, in byte order of Node names
inline std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  Symbol key, value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  friend bool operator==(const Taint&, const Taint&) = default;

  /// "key=value:Effect", without "=" when the value is empty (placement.md M4).
  std::string text() const;
};

struct NodeRecord {
  Symbol name;
  std::string uid;
  Labels labels;
  std::vector<Taint> taints;
  bool ready = false;  // condition Ready is True; false if there is no such condition
  bool unschedulable = false;
  Amounts allocatable, capacity;

  /// False: the node is not ready or is cordoned, so no pod may go there (placement.md 2.1).
  bool usable() const { return ready && !unschedulable; }
};

Symbol hostname_label();  // "kubernetes.io/hostname"

}  // namespace tessera::topology
