// SPDX-License-Identifier: Apache-2.0
// A small world around one admission, in words: nodes, flavors, what the workload "old" was
// assigned, and where its bound pods run.
//
// For the tests of actors/books. Every node has 8 GPUs, and every pod takes one.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "actors/books/books.h"
#include "actors/records/inventory.h"

namespace tessera::test {

struct AdmissionScene {
  const char* name;
  const char* nodes;    // "name/hostname/block/rack/pool"; "-": no such label
  const char* flavors;  // "name:levels:pool"; levels "-": no topology
  /// Of one pod set each: "flavor levels domain:pods domain:pods"; "-": no flavor, no levels.
  std::vector<const char*> assignments;
  const char* pods;  // bound pods of the workload: "node:pods"
  const char* free;  // what each leaf should have, see free_text()
  const char* told;  // see told_text()

  friend std::ostream& operator<<(std::ostream& out, const AdmissionScene& scene) {
    return out << scene.name;
  }
};

core::Inventory inventory_of(const AdmissionScene& scene);

/// "a=4 a+b=12": the free GPUs of each leaf, by the names of its nodes. Of leaves of the same
/// nodes: the fewest.
std::string free_text(const core::Books& books);
/// "Kind(flavor) places pods", joined by "; ".
std::string told_text(const core::Accounting& accounting);

}  // namespace tessera::test
