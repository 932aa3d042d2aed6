// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/shard_layout.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "actors/capacity/state_hash.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::core {
namespace {

using topology::CellMap;
using topology::NodeRecord;
using topology::Symbol;
using topology::TopologySpec;

constexpr std::int64_t kBestCount = 64;
constexpr std::int64_t kMostShards = 512;
constexpr std::uint64_t kFlatShards = 16;
constexpr std::string_view kHashed = "shards are by a hash of the node's name";

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

/// The level as people write it.
std::string name_of(const topology::TopologyLevel& level) {
  return level.alias.empty() ? level.label.str() : level.alias;
}

/// Which levels of the primary topology may be the shard level.
class LevelRules {
 public:
  LevelRules(std::span<const TopologySpec> topologies, const TopologySpec& primary,
             std::vector<std::uint32_t> counts)
      : primary_(&primary), counts_(std::move(counts)), end_(counts_.size()) {
    for (const TopologySpec& each : topologies) {
      if (each.host_level() || each.levels.empty()) continue;
      const auto last = std::find_if(
          primary.levels.begin(), primary.levels.end(),
          [&](const topology::TopologyLevel& l) { return l.label == each.levels.back().label; });
      const std::size_t below = static_cast<std::size_t>(last - primary.levels.begin()) + 1;
      if (below >= end_) continue;
      end_ = below;
      ends_there_ = &each;
    }
  }

  bool allow(std::size_t level) const {
    return level < end_ && counts_[level] > 0 && counts_[level] <= kMostShards;
  }
  /// Why a level is not allowed.
  std::string objection(std::size_t level) const {
    const std::string name = name_of(primary_->levels[level]);
    if (level >= end_) {
      return "level " + name + " is below " + name_of(primary_->levels[end_ - 1]) +
             ", where topology " + ends_there_->name + " ends";
    }
    if (counts_[level] == 0) return "no node has a value at level " + name;
    return "level " + name + " has " + std::to_string(counts_[level]) +
           " domains, and there are at most " + std::to_string(kMostShards) + " shards";
  }
  /// The level whose number of domains is nearest kBestCount, the coarser of two equals. Not hosts.
  std::optional<std::size_t> best() const {
    std::optional<std::size_t> best;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t level = 0; level < levels_above_hosts(); ++level) {
      if (!allow(level)) continue;
      const std::int64_t distance = std::abs(counts_[level] - kBestCount);
      if (distance >= least) continue;
      least = distance;
      best = level;
    }
    return best;
  }
  std::vector<std::string> allowed_names() const {
    std::vector<std::string> names;
    for (std::size_t level = 0; level < levels_above_hosts(); ++level) {
      if (allow(level)) names.push_back(name_of(primary_->levels[level]));
    }
    return names;
  }

 private:
  std::size_t levels_above_hosts() const {
    return std::min(counts_.size(), primary_->levels.size() - (primary_->host_level() ? 1 : 0));
  }

  const TopologySpec* primary_;
  std::vector<std::uint32_t> counts_;  // of domains, by level
  std::size_t end_;                    // this level and all below are not allowed
  const TopologySpec* ends_there_ = nullptr;
};

/// The message for a text that names no level.
std::string unknown_level(const TopologySpec& topology, std::string_view text) {
  std::vector<std::string> names, known;
  for (const topology::TopologyLevel& level : topology.levels) {
    names.push_back(name_of(level));
    known.push_back(level.label.str());
    if (!level.alias.empty()) known.push_back(level.alias);
  }
  return "\"" + std::string(text) + "\" is not a level of topology " + topology.name + " (" +
         joined(names) + ")" + did_you_mean(text, known);
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

/// The deepest domain of the node: its first missing label ends the path. kNone: the first label is
/// missing already.
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
                         std::span<const TopologySpec> topologies, std::string_view level) {
  const TopologySpec* const primary = primary_of(topologies);
  if (nodes.empty()) level = {};  // no node tells whether the level is good
  if (primary != nullptr) {
    for (const topology::TopologyLevel& each : primary->levels) {
      domains_.labels.push_back(each.label);
    }
    // There are many hosts: they are counted only if `level` names them.
    const auto last = static_cast<int>(primary->levels.size()) - 1;
    if (primary->host_level() && primary->find_level(level) != last) domains_.labels.pop_back();
  }
  std::vector<std::uint32_t> deepest;
  deepest.reserve(nodes.size());
  for (const NodeRecord& node : nodes) deepest.push_back(domains_.add_path(node));

  if (primary != nullptr) {
    choose(topologies, *primary, level);
  } else if (!level.empty()) {
    fault_ = "no flavor has a topology; " + std::string(kHashed);
  }
  level_ ? name_shards(*level_) : name_flat_shards();

  std::vector<ShardId> home_of_node(nodes.size(), unplaced());
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    if (!level_) {
      home_of_node[node] = home(nodes[node]);
      continue;
    }
    std::uint32_t at = deepest[node];
    while (at != Domains::kNone && domains_.all[at].level > *level_) at = domains_.all[at].parent;
    if (at != Domains::kNone) home_of_node[node] = shard_of_domain_[at].value_or(unplaced());
  }
  place_cells(cells, home_of_node);
}

void ShardLayout::choose(std::span<const TopologySpec> topologies, const TopologySpec& primary,
                         std::string_view level) {
  const LevelRules rules(topologies, primary, domains_.counts());
  level_ = rules.best();
  if (level.empty()) return;
  const std::optional<int> wanted = primary.find_level(level);
  if (wanted && rules.allow(static_cast<std::size_t>(*wanted))) {
    level_ = static_cast<std::size_t>(*wanted);
    return;
  }
  const std::vector<std::string> names = rules.allowed_names();
  fault_ = wanted ? rules.objection(static_cast<std::size_t>(*wanted)) +
                        (names.empty() ? "" : "; right: " + joined(names))
                  : unknown_level(primary, level);
  fault_ +=
      level_ ? "; shards are by " + name_of(primary.levels[*level_]) : "; " + std::string(kHashed);
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
  std::vector<std::optional<ShardId>> shard_of_set(cells.cell_count());  // by the root of the set
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
