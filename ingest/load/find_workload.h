// SPDX-License-Identifier: Apache-2.0
// Finds workloads by the names that people use: "eval-a", "job/eval-a" and "job-eval-a", each also
// with "ns/" in front.
//
// Called by commands that take a NAME. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "actors/records/inventory.h"
#include "topology/text/result.h"

namespace tessera::ingest {

/// "ml-train/job/eval-a": a workload as messages name it.
std::string full_name(const core::Workload& workload);

/// Positions of the workloads that `name` means, in their order. An empty `namespace_name` means
/// all namespaces. An exact workload name or "kind/name" wins over a bare object name.
std::vector<std::size_t> find_workloads(const core::Inventory& inventory, std::string_view name,
                                        std::string_view namespace_name);

/// The one workload of that name. kNotFound names the nearest name; kUsage lists all workloads if
/// the name is ambiguous.
Result<std::size_t> find_workload(const core::Inventory& inventory, std::string_view name,
                                  std::string_view namespace_name);

}  // namespace tessera::ingest
