// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/find_workload.h"

#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

bool is_exact(const core::Workload& workload, std::string_view name) {
  return name == workload.name || name == workload.origin.display() ||
         name == "workload/" + workload.name;
}

/// `name` without the namespace of the workload in front; `name` itself if no namespace is there.
std::string_view inside_namespace(const core::Workload& workload, std::string_view name) {
  const std::string& ns = workload.namespace_name;
  if (name.size() > ns.size() && name.substr(0, ns.size()) == ns && name[ns.size()] == '/') {
    return name.substr(ns.size() + 1);
  }
  return name;
}

std::vector<std::size_t> matches(const core::Inventory& inventory, std::string_view namespace_name,
                                 std::string_view name, bool exact) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < inventory.workloads.size(); ++i) {
    const core::Workload& workload = inventory.workloads[i];
    if (!namespace_name.empty() && workload.namespace_name != namespace_name) continue;
    const std::string_view inside = inside_namespace(workload, name);
    const bool match = exact ? is_exact(workload, name) || is_exact(workload, inside)
                             : name == workload.origin.name || inside == workload.origin.name;
    if (match) found.push_back(i);
  }
  return found;
}

}  // namespace

std::string full_name(const core::Workload& workload) {
  return workload.namespace_name + "/" + workload.origin.display();
}

std::vector<std::size_t> find_workloads(const core::Inventory& inventory, std::string_view name,
                                        std::string_view namespace_name) {
  std::vector<std::size_t> found = matches(inventory, namespace_name, name, true);
  return found.empty() ? matches(inventory, namespace_name, name, false) : found;
}

Result<std::size_t> find_workload(const core::Inventory& inventory, std::string_view name,
                                  std::string_view namespace_name) {
  const std::vector<std::size_t> found = find_workloads(inventory, name, namespace_name);
  if (found.size() == 1) return found.front();
  const std::string quoted = "\"" + std::string(name) + "\"";
  if (found.size() > 1) {
    std::string list;
    for (const std::size_t i : found) {
      list += (list.empty() ? "" : ", ") + full_name(inventory.workloads[i]);
    }
    return fail(ErrorCode::kUsage, "workload " + quoted + " is ambiguous (" + list + ")");
  }
  std::vector<std::string> known;
  for (const core::Workload& workload : inventory.workloads) {
    if (!namespace_name.empty() && workload.namespace_name != namespace_name) continue;
    known.push_back(workload.origin.display());
    known.push_back(workload.origin.name);
    known.push_back(workload.name);
    known.push_back(full_name(workload));
    known.push_back(workload.namespace_name + "/" + workload.origin.name);
  }
  const std::string where =
      namespace_name.empty() ? "" : " in namespace " + std::string(namespace_name);
  return fail(ErrorCode::kNotFound,
              "workload " + quoted + " is not in the input" + where + did_you_mean(name, known));
}

}  // namespace tessera::ingest
