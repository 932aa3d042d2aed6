// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/topology_objects.h"

#include <algorithm>
#include <set>
#include <string>

#include "ingest/fields/api_names.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "ingest/objects/node_filter_reader.h"
#include "ingest/objects/nodes.h"

namespace tessera::ingest {
namespace {

using reader::Value;
using topology::Symbol;

// Limits of the API (placement.md 1.1, 1.2).
constexpr std::size_t kMaxLevelsOfTopology = 16;
constexpr std::size_t kMaxFlavorEntries = 8;

/// Checks one level, given the levels above it.
void check_level(ReadContext& context, const ObjectHeader& header, Value level,
                 const std::string& label, const topology::TopologySpec& above, bool last) {
  const std::string path = item("spec.levels", above.levels.size()) + ".nodeLabel";
  const Value at = level["nodeLabel"];
  for (const std::string& fault : label_key_faults(label)) {
    context.error(header, at, path, ingest::quoted(label) + " is not a label key: " + fault);
  }
  const Symbol symbol(label);
  const bool repeated = std::any_of(above.levels.begin(), above.levels.end(),
                                    [&](const auto& other) { return other.label == symbol; });
  if (repeated)
    context.error(header, at, path, ingest::quoted(label) + " stands at a level above already");
  if (symbol == topology::hostname_label() && !last) {
    context.error(header, at, path, ingest::quoted(label) + " must be the last level");
  }
}

/// Aliases of levels, which KAI has: each a name of one level alone.
void check_aliases(ReadContext& context, const ObjectHeader& header, Value levels,
                   const topology::TopologySpec& read) {
  std::set<std::string> names;
  for (const topology::TopologyLevel& level : read.levels) names.insert(level.label.str());
  std::size_t index = 0;
  for (Value level = levels.first(); level; level = level.next()) {
    const std::string& alias = read.levels[index].alias;
    const std::string path = item("spec.levels", index++) + ".alias";
    if (alias.empty() || names.insert(alias).second) continue;
    context.error(header, level["alias"], path,
                  ingest::quoted(alias) + " is the name of another level");
  }
}

std::optional<topology::TopologySpec> read_topology(ReadContext& context,
                                                    const ObjectHeader& header, Value root,
                                                    bool has_aliases) {
  const std::size_t errors = context.error_count();
  topology::TopologySpec read;
  read.name = header.name;
  const Value spec = context.map(header, root, "spec", "");
  const Value levels = context.sequence(header, spec, "levels", "spec");
  if (levels.size() == 0 || levels.size() > kMaxLevelsOfTopology) {
    context.error(header, levels ? levels : spec, "spec.levels",
                  "has " + std::to_string(levels.size()) + " levels (right: 1..16)");
    return std::nullopt;
  }
  for (Value level = levels.first(); level; level = level.next()) {
    const std::string path = item("spec.levels", read.levels.size());
    const std::string label = read_required(context, header, level, "nodeLabel", path);
    if (!label.empty()) check_level(context, header, level, label, read, !level.next());
    read.levels.push_back({Symbol(label), {}, {}});
    if (!has_aliases) continue;
    read.levels.back().alias = context.text(header, level, "alias", path).value_or("");
  }
  check_aliases(context, header, levels, read);
  if (context.error_count() != errors) return std::nullopt;
  return read;
}

std::vector<std::pair<Symbol, Symbol>> read_node_labels(ReadContext& context,
                                                        const ObjectHeader& header, Value spec) {
  std::vector<std::pair<Symbol, Symbol>> labels;
  const Value entries = context.map(header, spec, "nodeLabels", "spec");
  for (Value entry = entries.first(); entry; entry = entry.next()) {
    if (entry.is(reader::Type::kMap) || entry.is(reader::Type::kSequence)) {
      context.error(header, entry, member("spec.nodeLabels", entry.key()), "must be a text");
    } else {
      labels.emplace_back(Symbol(entry.key()), Symbol(entry.text()));
    }
  }
  std::sort(labels.begin(), labels.end(),
            [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); });
  return labels;
}

}  // namespace

void read_kueue_topology(ReadContext& context, const ObjectHeader& header, Value root) {
  auto read = read_topology(context, header, root, false);
  if (read) context.inventory.topologies.push_back(std::move(*read));
}

void read_kai_topology(ReadContext& context, const ObjectHeader& header, Value root) {
  auto read = read_topology(context, header, root, true);
  // The level of the hosts is added below (ingest/link/topologies.h).
  if (read && read->levels.size() == kMaxLevelsOfTopology && !read->host_level()) {
    return context.error(header, root["spec"]["levels"], "spec.levels",
                         "has 16 levels above kubernetes.io/hostname (right: at most 15)");
  }
  if (read) context.kai_topologies.push_back(std::move(*read));
}

void read_resource_flavor(ReadContext& context, const ObjectHeader& header, Value root) {
  const std::size_t errors = context.error_count();
  const Value spec = context.map(header, root, "spec", "");
  core::FlavorRecord flavor;
  flavor.name = header.name;
  flavor.node_labels = read_node_labels(context, header, spec);
  flavor.node_taints = read_taints(context, header, spec, "nodeTaints", "spec");
  flavor.tolerations = read_tolerations(context, header, spec, "tolerations", "spec");
  flavor.topology = context.text(header, spec, "topologyName", "spec").value_or("");
  for (const std::string_view key : {"nodeLabels", "nodeTaints", "tolerations"}) {
    const Value list = spec[key];
    if (list.size() <= kMaxFlavorEntries) continue;
    context.error(header, list, "spec." + std::string(key),
                  "has " + std::to_string(list.size()) + " entries (right: at most 8)");
  }
  if (!flavor.topology.empty() && spec["nodeLabels"].size() == 0) {
    context.error(header, spec["topologyName"], "spec.topologyName",
                  "needs at least one entry in spec.nodeLabels");
  }
  if (context.error_count() == errors) context.inventory.flavors.push_back(std::move(flavor));
}

}  // namespace tessera::ingest
