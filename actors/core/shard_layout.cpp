// SPDX-License-Identifier: Apache-2.0
#include "actors/core/shard_layout.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "actors/core/broken_invariant.h"
#include "actors/core/state_hash.h"

namespace tessera::core {
namespace {

using topology::CellMap;
using topology::NodeRecord;
using topology::Symbol;
using topology::TopologySpec;

constexpr std::size_t kNoLevel = SIZE_MAX;
constexpr std::int64_t kBestCount = 64;
constexpr std::int64_t kMostShards = 512;
constexpr std::uint64_t kFlatShards = 16;

/// Sets of cells, joined one pair at a time.
class CellSets {
 public:
  explicit CellSets(std::uint32_t cells) : parents_(cells) {
    std::iota(parents_.begin(), parents_.end(), 0U);
  }
  /// Halves the path on the way.
  std::uint32_t find(CellId cell) {
    std::uint32_t at = topology::index(cell);
    while (parents_[at] != at) at = parents_[at] = parents_[parents_[at]];
    return at;
  }
  void join(CellId a, CellId b) {
    const std::uint32_t first = find(a), second = find(b);
    // The smaller number is the root: cells come in order, so paths stay short.
    parents_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::uint32_t> parents_;
};

CellSets sets_that_see_each_other(const CellMap& cells, std::size_t node_count) {
  CellSets sets(cells.cell_count());
  for (std::uint32_t node = 0; node < node_count; ++node) {
    const std::span<const CellId> own = cells.cells_of_node(NodeId{node});
    for (std::size_t i = 1; i < own.size(); ++i) sets.join(own.front(), own[i]);
  }
  for (std::uint32_t cell = 0; cell < cells.cell_count(); ++cell) {
    for (const CellId observer : cells.observers(CellId{cell})) sets.join(CellId{cell}, observer);
  }
  return sets;
}

const TopologySpec* primary_of(std::span<const TopologySpec> topologies) {
  const auto host = std::find_if(topologies.begin(), topologies.end(),
                                 [](const TopologySpec& t) { return t.host_level(); });
  if (host != topologies.end()) return &*host;
  return topologies.empty() ? nullptr : &topologies.front();
}

std::size_t find_level(const TopologySpec* topology, Symbol text) {
  const int level = topology == nullptr ? -1 : topology->find_level(text.view()).value_or(-1);
  if (level < 0) {
    throw BrokenInvariant("shard level " + text.str() + " is no level of the primary topology");
  }
  return static_cast<std::size_t>(level);
}

std::string path_text(const std::vector<Symbol>& path) {
  std::string out;
  for (const Symbol value : path) {
    if (!out.empty()) out += '/';
    out += value.empty() ? "-" : value.view();
  }
  return out;
}

}  // namespace

/// The deepest domain of the node: its first missing label ends the path. kNone: not even one.
std::uint32_t ShardLayout::Domains::add_path(const NodeRecord& node) {
  std::uint32_t at = kNone;
  for (std::size_t level = 0; level < labels.size(); ++level) {
    const std::optional<Symbol> value = node.labels.find(labels[level]);
    if (!value) break;
    const auto [found, added] =
        by_value.try_emplace(std::uint64_t{at + 1} << 32 | value->id(), all.size());
    if (added) all.push_back({at, level, *value});
    at = found->second;
  }
  return at;
}

std::vector<Symbol> ShardLayout::Domains::path(std::uint32_t domain) const {
  std::vector<Symbol> out;
  for (; domain != kNone; domain = all[domain].parent) out.push_back(all[domain].value);
  std::reverse(out.begin(), out.end());
  return out;
}

std::vector<std::uint32_t> ShardLayout::Domains::counts() const {
  std::vector<std::uint32_t> out(labels.size(), 0);
  for (const Domain& domain : all) ++out[domain.level];
  return out;
}

ShardLayout::ShardLayout(const CellMap& cells, std::span<const NodeRecord> nodes,
                         std::span<const TopologySpec> topologies,
                         const std::optional<Symbol>& level) {
  const TopologySpec* const primary = primary_of(topologies);
  if (primary != nullptr) {
    for (const topology::TopologyLevel& each : primary->levels) {
      domains_.labels.push_back(each.label);
    }
  }
  std::size_t chosen = kNoLevel;
  if (level) {
    chosen = find_level(primary, *level);
    domains_.labels.resize(chosen + 1);
  } else if (primary != nullptr && primary->host_level()) {
    domains_.labels.pop_back();
  }
  std::vector<std::uint32_t> deepest;
  deepest.reserve(nodes.size());
  for (const NodeRecord& node : nodes) deepest.push_back(domains_.add_path(node));

  if (!level && primary != nullptr) chosen = choose_level(topologies, *primary);
  if (chosen == kNoLevel) {
    name_flat_shards();
  } else {
    name_shards(chosen);
  }

  std::vector<ShardId> home_of_node(nodes.size(), unplaced());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (chosen == kNoLevel) {
      home_of_node[node] = home(nodes[node]);
      continue;
    }
    std::uint32_t at = deepest[node];
    while (at != Domains::kNone && domains_.all[at].level > chosen) at = domains_.all[at].parent;
    if (at != Domains::kNone) home_of_node[node] = shard_of_domain_[at].value_or(unplaced());
  }
  place_cells(cells, home_of_node);
}

std::size_t ShardLayout::choose_level(std::span<const TopologySpec> topologies,
                                      const TopologySpec& primary) const {
  const std::vector<std::uint32_t> counts = domains_.counts();
  std::size_t end = counts.size();
  for (const TopologySpec& each : topologies) {
    if (each.host_level() || each.levels.empty()) continue;
    const auto last = std::find_if(
        primary.levels.begin(), primary.levels.end(),
        [&](const topology::TopologyLevel& l) { return l.label == each.levels.back().label; });
    end = std::min(end, static_cast<std::size_t>(last - primary.levels.begin()) + 1);
  }
  std::size_t best = kNoLevel;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t level = 0; level < end; ++level) {
    if (counts[level] == 0 || counts[level] > kMostShards) continue;
    const std::int64_t distance = std::abs(counts[level] - kBestCount);
    if (distance >= least) continue;
    least = distance;
    best = level;
  }
  return best;
}

void ShardLayout::name_shards(std::size_t level) {
  struct Shard {
    std::vector<Symbol> path;
    std::uint32_t domain;
  };
  std::vector<Shard> shards;
  for (std::uint32_t domain = 0; domain < domains_.all.size(); ++domain) {
    if (domains_.all[domain].level == level) shards.push_back({domains_.path(domain), domain});
  }
  std::sort(shards.begin(), shards.end(), [](const Shard& a, const Shard& b) {
    return std::lexicographical_compare(a.path.begin(), a.path.end(), b.path.begin(), b.path.end(),
                                        topology::ByText());
  });
  shard_of_domain_.resize(domains_.all.size());
  for (const Shard& shard : shards) {
    shard_of_domain_[shard.domain] = ShardId{size()};
    names_.push_back(path_text(shard.path));
  }
  names_.insert(names_.end(), {"wide", "unplaced"});
}

void ShardLayout::name_flat_shards() {
  domains_ = {};
  for (std::uint64_t i = 0; i < kFlatShards; ++i) {
    names_.push_back((i < 10 ? "flat-0" : "flat-") + std::to_string(i));
  }
  names_.insert(names_.end(), {"wide", "unplaced"});
}

void ShardLayout::place_cells(const CellMap& cells, const std::vector<ShardId>& home_of_node) {
  CellSets sets = sets_that_see_each_other(cells, home_of_node.size());
  std::vector<std::optional<ShardId>> shard_of_set(cells.cell_count());  // by its root
  for (std::uint32_t node = 0; node < home_of_node.size(); ++node) {
    const std::span<const CellId> own = cells.cells_of_node(NodeId{node});
    if (own.empty()) continue;
    std::optional<ShardId>& shard = shard_of_set[sets.find(own.front())];
    shard = !shard || *shard == home_of_node[node] ? home_of_node[node] : wide();
  }
  cells_.resize(size());
  shard_of_.reserve(cells.cell_count());
  for (std::uint32_t cell = 0; cell < cells.cell_count(); ++cell) {
    const ShardId shard = shard_of_set[sets.find(CellId{cell})].value_or(unplaced());
    shard_of_.push_back(shard);
    cells_[index(shard)].push_back(CellId{cell});
  }
}

ShardId ShardLayout::home(const NodeRecord& node) const {
  if (domains_.labels.empty()) {
    return ShardId{static_cast<std::uint32_t>(text_hash(node.name.view()) % kFlatShards)};
  }
  std::uint32_t at = Domains::kNone;
  for (const Symbol label : domains_.labels) {
    const std::optional<Symbol> value = node.labels.find(label);
    if (!value) break;
    const auto found = domains_.by_value.find(std::uint64_t{at + 1} << 32 | value->id());
    if (found == domains_.by_value.end()) break;
    at = found->second;
    if (shard_of_domain_[at]) return *shard_of_domain_[at];
  }
  return unplaced();
}

bool ShardLayout::move(NodeId node, const CellMap& cells, ShardId to) {
  if (!owns_its_cells(node, cells)) return false;
  for (const CellId cell : cells.cells_of_node(node)) {
    std::vector<CellId>& from = cells_[index(of(cell))];
    from.erase(std::lower_bound(from.begin(), from.end(), cell));
    std::vector<CellId>& into = cells_[index(to)];
    into.insert(std::lower_bound(into.begin(), into.end(), cell), cell);
    shard_of_[topology::index(cell)] = to;
  }
  return true;
}

bool owns_its_cells(NodeId node, const CellMap& cells) {
  const auto is_own = [&](CellId cell) {
    const std::span<const NodeId> nodes = cells.nodes(cell);
    return nodes.size() == 1 && nodes.front() == node;
  };
  for (const CellId cell : cells.cells_of_node(node)) {
    const std::span<const CellId> seen_by = cells.observers(cell);
    if (!is_own(cell) || !std::all_of(seen_by.begin(), seen_by.end(), is_own)) return false;
  }
  return true;
}

}  // namespace tessera::core
