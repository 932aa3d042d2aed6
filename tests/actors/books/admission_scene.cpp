// SPDX-License-Identifier: Apache-2.0
#include "tests/actors/books/admission_scene.h"

#include <algorithm>
#include <map>
#include <sstream>

#include "tests/support/cluster_builder.h"

namespace tessera::test {
namespace {

using core::Accounting;
using core::Books;
using core::Inventory;
using core::Mismatch;
using core::PodSetAssignment;
using core::Workload;
using topology::Symbol;

std::vector<std::string> words(const std::string& text, char separator = ' ') {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, separator);) {
    if (!word.empty()) out.push_back(word);
  }
  return out;
}

Symbol label_of(const std::string& level) {
  return Symbol(level == "block"  ? kBlock
                : level == "rack" ? kRack
                : level == "host" ? kHost
                                  : level);
}

topology::TopologySpec topology_of(const std::string& name, const std::string& levels) {
  topology::TopologySpec spec;
  spec.name = name;
  for (const std::string& level : words(levels, ','))
    spec.levels.push_back({label_of(level), "", ""});
  return spec;
}

/// An assignment of pods of one GPU: "flavor levels domain:pods domain:pods".
PodSetAssignment assignment_of(const std::string& name, const std::string& text) {
  const std::vector<std::string> parts = words(text);
  PodSetAssignment assignment;
  assignment.name = name;
  if (parts[0] != "-") assignment.flavors = {{"nvidia.com/gpu", parts[0]}};
  for (const std::string& level : words(parts[1], ',')) {
    if (level != "-") assignment.levels.push_back(label_of(level));
  }
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const std::vector<std::string> domain = words(parts[i], ':');
    std::vector<Symbol> values;
    for (const std::string& value : words(domain[0], '/')) values.emplace_back(value);
    const std::int64_t pods = std::stoll(domain[1]);
    assignment.count += pods;
    if (!assignment.levels.empty()) assignment.domains.add(values, pods);
  }
  return assignment;
}

const char* name_of(Mismatch::Kind kind) {
  const char* const names[] = {"NoNode", "OtherFlavor", "NoHost", "Elsewhere"};
  return names[static_cast<int>(kind)];
}

}  // namespace

Inventory inventory_of(const AdmissionScene& scene) {
  ClusterBuilder builder;
  for (const std::string& text : words(scene.nodes)) {
    const std::vector<std::string> parts = words(text, '/');
    builder.hosts("b/r/" + parts[0] + ":8");
    topology::Labels labels;
    const char* const keys[] = {kHost, kBlock, kRack, "pool"};
    for (std::size_t i = 0; i < 4; ++i) {
      if (parts[i + 1] != "-") labels.set(Symbol(keys[i]), Symbol(parts[i + 1]));
    }
    builder.node(parts[0]).labels = labels;
  }
  std::vector<topology::TopologySpec> topologies;
  std::vector<std::string> flavors;
  for (const std::string& text : words(scene.flavors)) {
    const std::vector<std::string> parts = words(text, ':');
    const bool aware = parts[1] != "-";
    builder.flavor(parts[0], aware ? parts[1] : "");
    builder.flavor_record(parts[0]).node_labels = {{Symbol("pool"), Symbol(parts[2])}};
    if (aware) topologies.push_back(topology_of(parts[1], parts[1]));
    flavors.push_back(parts[0]);
  }
  builder.queue("q", flavors, 1000);
  Workload& workload = builder.admitted("old", pods("0", 1, 1), "a:1", "f");
  workload.gang.pod_sets.clear();
  workload.quota_requests.clear();
  workload.status.admission->pod_sets.clear();
  for (std::size_t i = 0; i < scene.assignments.size(); ++i) {
    const std::string name = std::to_string(i);
    const PodSetAssignment assignment = assignment_of(name, scene.assignments[i]);
    workload.gang.pod_sets.push_back(pods(name, assignment.count, 1));
    workload.quota_requests.push_back(workload.gang.pod_sets.back().request);
    workload.status.admission->pod_sets.push_back(assignment);
  }
  int number = 0;
  for (const std::string& text : words(scene.pods)) {
    const std::vector<std::string> parts = words(text, ':');
    for (int i = 0; i < std::stoi(parts[1]); ++i) {
      builder.bound_pod("p" + std::to_string(number++), parts[0], 1).workload = "ns/old";
    }
  }
  Inventory inventory = builder.build();
  inventory.topologies = topologies;
  return inventory;
}

std::string free_text(const Books& books) {
  std::map<std::string, std::int64_t> free;
  const topology::CellMap& cells = books.capacity().cells();
  const auto name = [&](topology::NodeId node) {
    return books.cluster().nodes()[topology::index(node)].name.str();
  };
  for (std::uint32_t c = 0; c < cells.cell_count(); ++c) {
    std::string names;
    for (const topology::NodeId node : cells.nodes(topology::CellId{c})) {
      names += (names.empty() ? "" : "+") + name(node);
    }
    if (names.empty()) continue;
    const std::int64_t amount = books.capacity().amount(
        topology::Basis::kFree, topology::gpu_resource(), topology::CellId{c});
    const auto at = free.try_emplace(names, amount).first;
    at->second = std::min(at->second, amount);
  }
  std::string text;
  for (const auto& [names, amount] : free) {
    text += (text.empty() ? "" : " ") + names + "=" + std::to_string(amount);
  }
  return text;
}

std::string told_text(const Accounting& accounting) {
  std::string text;
  for (const Mismatch& told : accounting.mismatches) {
    text += (text.empty() ? "" : "; ") + std::string(name_of(told.kind)) + "(" + told.flavor.str() +
            ")";
    for (const std::string& place : told.places) text += " " + place;
    text += " " + std::to_string(told.pods);
  }
  return text;
}

}  // namespace tessera::test
