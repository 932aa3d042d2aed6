// SPDX-License-Identifier: Apache-2.0
// CountedPods: the bound pods that count by themselves, by node and by owner.
//
// Made once for all refusals of a run, since a refusal asks for the pods of a few nodes and the
// cluster may have a million. A pod that an assignment stands for is not here: its gang is. Valid
// until the books change; the inventory and the books outlive it. Read by one thread.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/books/books.h"
#include "actors/records/inventory.h"

namespace tessera::core {

/// "job/a"; "workload/a" of a Workload without an owner.
std::string display_name(const Workload& workload);

class CountedPods {
 public:
  CountedPods(const Inventory& inventory, const Books& books);

  /// Positions in Inventory::pods, ascending.
  std::span<const std::size_t> on(topology::NodeId node) const;
  std::span<const std::size_t> of(const std::string& namespace_name, const std::string& name) const;
  /// The owner of a pod, "pod/x" without one; and its workload's position, if that is in the input.
  std::string name_of(std::size_t pod) const;
  std::optional<std::size_t> workload_of(std::size_t pod) const;

 private:
  const Inventory* inventory_;
  std::unordered_map<std::string, std::size_t> workloads_;  // by key; empty if no pod names one
  std::unordered_map<std::uint32_t, std::vector<std::size_t>> by_node_;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> by_owner_;
};

}  // namespace tessera::core
