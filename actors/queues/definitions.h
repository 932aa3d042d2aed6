// SPDX-License-Identifier: Apache-2.0
// Definitions: the flavors, quota and queues that an engine works by, with all names looked up.
//
// Made from an Inventory whenever definitions change. Then immutable, and shared by the
// coordinator, the planner and the queues. They keep the inventory.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "actors/queues/directory.h"
#include "actors/quota/ledger.h"

namespace tessera::core {

struct Definitions {
  explicit Definitions(std::shared_ptr<const Inventory> inventory);
  /// Takes records that nobody else keeps.
  explicit Definitions(Inventory records)
      : Definitions(std::make_shared<const Inventory>(std::move(records))) {}
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;

  std::shared_ptr<const Inventory> inventory;
  std::vector<Flavor> flavors;
  Ledger ledger;  // without use
  Directory directory;
  std::vector<const PlanQueue*> queues;  // by position: in byte order of their names

  std::uint32_t position(const PlanQueue& queue) const;
  /// By flavor: the flavors that may have nodes in common with it, itself included, ascending. Two
  /// flavors may share nodes if their node labels do not contradict each other.
  std::vector<std::vector<FlavorId>> neighbours;
  std::size_t topology_flavors = 0;
  /// Adds the topology flavors that an admission took, with their neighbours, to an ascending list.
  void add_room(const Admission& admission, std::vector<FlavorId>& room) const;
};

}  // namespace tessera::core
