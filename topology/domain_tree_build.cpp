// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "topology/domain_tree.h"
#include "topology/text/text_order.h"

namespace tessera::topology {
namespace {

constexpr std::uint32_t kNoIndex = UINT32_MAX;

bool carries(const Labels& labels, const std::vector<std::pair<Symbol, Symbol>>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const auto& pair) { return labels.find(pair.first) == pair.second; });
}

/// For each entry of a column: the rank of its text among the distinct texts, in byte order.
struct Ranks {
  std::vector<std::uint32_t> rank;
  std::uint32_t distinct = 0;
};

/// Indexes of distinct texts in byte order.
std::vector<std::uint32_t> sorted_indexes(const std::vector<std::string_view>& texts) {
  struct Entry {
    std::uint64_t head;
    std::uint32_t index;
  };
  std::string_view prefix = texts.empty() ? std::string_view() : texts.front();
  for (const std::string_view text : texts) prefix = common_prefix(prefix, text);
  std::vector<Entry> entries;
  entries.reserve(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    entries.push_back({text_head(texts[i], prefix.size()), i});
  }
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) {
    return a.head != b.head ? a.head < b.head : texts[a.index] < texts[b.index];
  });
  std::vector<std::uint32_t> sorted;
  sorted.reserve(entries.size());
  for (const Entry& entry : entries) sorted.push_back(entry.index);
  return sorted;
}

Ranks rank_by_text(const std::vector<Symbol>& column) {
  Ranks ranks;
  if (column.empty()) return ranks;
  const auto by_id = [](Symbol a, Symbol b) { return a.id() < b.id(); };
  const auto [low, high] = std::minmax_element(column.begin(), column.end(), by_id);
  const std::uint32_t first_id = low->id();
  // Ids are dense in the process, so a table by id is smaller and faster than a hash map.
  std::vector<std::uint32_t> seen(high->id() - first_id + std::size_t{1}, kNoIndex);
  std::vector<std::string_view> texts;
  ranks.rank.reserve(column.size());
  for (const Symbol value : column) {
    std::uint32_t& slot = seen[value.id() - first_id];
    if (slot == kNoIndex) {
      slot = static_cast<std::uint32_t>(texts.size());
      texts.push_back(value.view());
    }
    ranks.rank.push_back(slot);
  }
  const std::vector<std::uint32_t> sorted = sorted_indexes(texts);
  std::vector<std::uint32_t> rank_of(sorted.size());
  for (std::uint32_t r = 0; r < sorted.size(); ++r) rank_of[sorted[r]] = r;
  for (std::uint32_t& rank : ranks.rank) rank = rank_of[rank];
  ranks.distinct = static_cast<std::uint32_t>(sorted.size());
  return ranks;
}

/// Reorders `order` by rank, keeping the order of equal ranks.
void stable_sort_by_rank(const Ranks& ranks, std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> next(ranks.distinct + std::size_t{1}, 0);
  for (const std::uint32_t rank : ranks.rank) ++next[rank + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> sorted(order.size());
  for (const std::uint32_t entry : order) sorted[next[ranks.rank[entry]]++] = entry;
  order = std::move(sorted);
}

/// At host level, nodes with one hostname are one leaf. It has the path of the first node
/// (placement.md 2.1).
void adopt_first_path(const Ranks& hosts, std::vector<std::vector<Symbol>>& columns) {
  if (hosts.distinct == hosts.rank.size()) return;
  std::vector<std::uint32_t> first(hosts.distinct, kNoIndex);
  for (std::uint32_t i = 0; i < hosts.rank.size(); ++i) {
    std::uint32_t& owner = first[hosts.rank[i]];
    if (owner == kNoIndex) owner = i;
    for (std::vector<Symbol>& column : columns) column[i] = column[owner];
  }
}

}  // namespace

/// The nodes in the tree, in node order, and their values: columns[level][member].
struct DomainTree::Members {
  std::vector<NodeId> nodes;
  std::vector<std::vector<Symbol>> columns;
};

bool DomainTree::path_of(const NodeRecord& node, std::vector<Symbol>& path) const {
  path.clear();
  if (!carries(node.labels, flavor_labels_)) return false;
  if (topology_.first_missing(node) >= 0 && !(open_ && topology_.allows_unlabelled(node.labels))) {
    return false;
  }
  for (std::size_t level = 0; level < topology_.levels.size(); ++level) {
    path.push_back(topology_.value(node, level).value_or(Symbol()));
  }
  return true;
}

DomainTree::Members DomainTree::select(std::span<const NodeRecord> nodes) {
  Members members;
  members.columns.resize(topology_.levels.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeRecord& node = nodes[i];
    if (!carries(node.labels, flavor_labels_)) {
      left_out_.push_back({NodeId{i}, LeftOut::kFlavorLabels});
      continue;
    }
    const int missing = topology_.first_missing(node);
    const bool fits = missing < 0 || (open_ && topology_.allows_unlabelled(node.labels));
    if (!node.usable() && !(live_ && fits)) {
      left_out_.push_back({NodeId{i}, node.ready ? LeftOut::kCordoned : LeftOut::kNotReady});
    } else if (!fits) {
      left_out_.push_back({NodeId{i}, LeftOut::kMissingLevel, missing});
    } else {
      members.nodes.push_back(NodeId{i});
      for (std::size_t level = 0; level < topology_.levels.size(); ++level) {
        members.columns[level].push_back(topology_.value(node, level).value_or(Symbol()));
      }
    }
  }
  return members;
}

DomainTree::DomainTree(const TopologySpec& topology, std::span<const NodeRecord> nodes,
                       const std::vector<std::pair<Symbol, Symbol>>& flavor_labels, bool open,
                       TreeUse use)
    : topology_(topology),
      flavor_labels_(flavor_labels),
      open_(open),
      live_(use == TreeUse::kLive && topology.host_level()) {
  Members members = select(nodes);
  if (live_) leave_out_doubles(nodes, members);
  std::vector<std::uint32_t> order(members.nodes.size());
  std::iota(order.begin(), order.end(), 0U);
  std::vector<Ranks> ranks(members.columns.size());
  // Finest level first: a stable sort by each level in turn ends in path order, nodes of a leaf in
  // name order.
  for (std::size_t level = members.columns.size(); level-- > 0;) {
    ranks[level] = rank_by_text(members.columns[level]);
    if (topology_.host_level() && level + 1 == members.columns.size()) {
      adopt_first_path(ranks[level], members.columns);
    }
    stable_sort_by_rank(ranks[level], order);
  }

  // For each member, in path order: the coarsest level at which its path differs from that of the
  // member before it.
  std::vector<int> first_change(order.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    int level = 0;
    while (level < level_count()) {
      const std::vector<std::uint32_t>& rank = ranks[static_cast<std::size_t>(level)].rank;
      if (rank[order[i - 1]] != rank[order[i]]) break;
      ++level;
    }
    first_change[i] = level;
  }
  number_domains(members, order, first_change);
  if (live_) add_spare_slots();
  index_values();
  if (!live_) return;
  show_usable(nodes);
  note_heads(common_hostname_prefix());
}

void DomainTree::number_domains(const Members& members, const std::vector<std::uint32_t>& order,
                                const std::vector<int>& first_change) {
  const std::size_t level_total = topology_.levels.size();
  std::vector<std::uint32_t> starts(level_total, 0);
  for (const int change : first_change) {
    for (std::size_t level = static_cast<std::size_t>(change); level < level_total; ++level) {
      ++starts[level];
    }
  }
  std::uint32_t next = 0;
  for (const std::uint32_t count : starts) {
    levels_.push_back({next, next + count});
    next += count;
  }
  values_.resize(next);
  parents_.assign(next, kNoIndex);
  children_.resize(next);

  std::vector<std::uint32_t> open_domain(level_total);  // next free number of each level
  for (std::size_t level = 0; level < level_total; ++level)
    open_domain[level] = levels_[level].begin;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto change = static_cast<std::size_t>(first_change[i]);
    for (std::size_t level = change; level < level_total; ++level) {
      const std::uint32_t domain = open_domain[level]++;
      values_[domain] = members.columns[level][order[i]];
      if (level > 0) {
        const std::uint32_t parent = open_domain[level - 1] - 1;
        parents_[domain] = parent;
        if (children_[parent].end == 0) children_[parent].begin = domain;
        children_[parent].end = domain + 1;
      }
    }
    if (change < level_total) {
      leaf_nodes_.push_back({static_cast<std::uint32_t>(nodes_.size()), 0});
    }
    ++leaf_nodes_.back().count;
    nodes_.push_back(members.nodes[order[i]]);
  }
}

void DomainTree::add_spare_slots() {
  const DomainRange leaves = levels_.back();
  const std::vector<Symbol> values(values_.begin() + leaves.begin, values_.end());
  const std::vector<NodeRun> leaf_nodes = std::move(leaf_nodes_);
  values_.resize(leaves.begin);
  parents_.resize(leaves.begin);
  leaf_nodes_.clear();

  const auto append = [&](std::uint32_t parent, DomainRange run) {
    const DomainRange old{run.begin - leaves.begin, run.end - leaves.begin};
    values_.insert(values_.end(), values.begin() + old.begin, values.begin() + old.end);
    leaf_nodes_.insert(leaf_nodes_.end(), leaf_nodes.begin() + old.begin,
                       leaf_nodes.begin() + old.end);
    for (std::uint32_t spare = std::max(1U, run.size() / 16); spare > 0; --spare) {
      values_.emplace_back();
      leaf_nodes_.push_back({static_cast<std::uint32_t>(nodes_.size()), 0});
      nodes_.emplace_back();
    }
    parents_.resize(values_.size(), parent);
  };
  if (level_count() == 1) {
    append(kNoIndex, leaves);
  } else {
    const DomainRange parents = levels_[levels_.size() - 2];
    for (std::uint32_t parent = parents.begin; parent < parents.end; ++parent) {
      const std::uint32_t begin = domain_count();
      append(parent, children_[parent]);
      children_[parent] = {begin, domain_count()};
    }
  }
  levels_.back().end = domain_count();
  children_.resize(domain_count());
}

void DomainTree::index_values() {
  const bool host = topology_.host_level();
  const std::uint32_t end = host ? levels_.back().begin : domain_count();
  domain_by_value_.reserve(end);
  for (std::uint32_t domain = 0; domain < end; ++domain) {
    domain_by_value_.emplace(value_key(parents_[domain] + 1, values_[domain]), domain);
  }
  if (!host) return;
  place_by_hostname_.reserve(leaf_count());
  leaf_by_place_.resize(nodes_.size());
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    leaf_by_place_[leaf_nodes_[leaf].place] = leaf;
    if (is_hole(leaf)) continue;
    place_by_hostname_.emplace(values_[end + leaf], leaf_nodes_[leaf].place);
  }
}

void DomainTree::leave_out_doubles(std::span<const NodeRecord> nodes, Members& members) {
  const std::vector<Symbol>& hostnames = members.columns.back();
  const auto usable = [&](std::size_t member) {
    return nodes[index(members.nodes[member])].usable();
  };
  std::unordered_set<Symbol> unusable, doubled;
  for (std::size_t i = 0; i < hostnames.size(); ++i) {
    if (!usable(i)) unusable.insert(hostnames[i]);
  }
  if (unusable.empty()) return;
  for (std::size_t i = 0; i < hostnames.size(); ++i) {
    if (usable(i) && unusable.count(hostnames[i]) > 0) doubled.insert(hostnames[i]);
  }
  if (doubled.empty()) return;

  Members kept;
  kept.columns.resize(members.columns.size());
  for (std::size_t i = 0; i < hostnames.size(); ++i) {
    const NodeId node = members.nodes[i];
    if (!usable(i) && doubled.count(hostnames[i]) > 0) {
      const bool ready = nodes[index(node)].ready;
      left_out_.push_back({node, ready ? LeftOut::kCordoned : LeftOut::kNotReady});
      continue;
    }
    kept.nodes.push_back(node);
    for (std::size_t level = 0; level < kept.columns.size(); ++level) {
      kept.columns[level].push_back(members.columns[level][i]);
    }
  }
  members = std::move(kept);
  std::sort(left_out_.begin(), left_out_.end(),
            [](const LeftOutNode& a, const LeftOutNode& b) { return a.node < b.node; });
}

void DomainTree::show_usable(std::span<const NodeRecord> nodes) {
  shown_.assign(domain_count(), 0);
  existing_.assign(levels_.size(), 0);
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    if (is_hole(leaf)) continue;
    // The nodes of a leaf are all usable or all unusable: leave_out_doubles().
    if (nodes[index(nodes_[leaf_nodes_[leaf].place])].usable()) show(LeafId{leaf});
  }
}

}  // namespace tessera::topology
