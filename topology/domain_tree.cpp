// SPDX-License-Identifier: Apache-2.0
#include "topology/domain_tree.h"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace tessera::topology {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

bool is_region_or_zone(Symbol label) {
  static const Symbol kRegion("topology.kubernetes.io/region");
  static const Symbol kZone("topology.kubernetes.io/zone");
  return label == kRegion || label == kZone;
}

bool carries(const Labels& labels, const std::vector<std::pair<Symbol, Symbol>>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const auto& pair) { return labels.find(pair.first) == pair.second; });
}

std::uint64_t value_key(std::uint32_t parent_plus_one, Symbol value) {
  return (std::uint64_t{parent_plus_one} << 32) | value.id();
}

/// For each entry the rank of its text among the distinct texts of the column, in byte order.
struct Ranks {
  std::vector<std::uint32_t> rank;
  std::uint32_t distinct = 0;
};

std::size_t common_prefix(const std::vector<std::string_view>& texts) {
  std::string_view prefix = texts.empty() ? std::string_view() : texts.front();
  for (const std::string_view text : texts) {
    const auto end = std::mismatch(prefix.begin(), prefix.end(), text.begin(), text.end()).first;
    prefix = prefix.substr(0, static_cast<std::size_t>(end - prefix.begin()));
  }
  return prefix.size();
}

/// Indexes of distinct texts in byte order. Hostnames share a long prefix: the eight bytes behind
/// it decide nearly every comparison without touching the text.
std::vector<std::uint32_t> sorted_indexes(const std::vector<std::string_view>& texts) {
  struct Entry {
    std::uint64_t head;
    std::uint32_t index;
  };
  const std::size_t skip = common_prefix(texts);
  std::vector<Entry> entries;
  entries.reserve(texts.size());
  for (std::uint32_t i = 0; i < texts.size(); ++i) {
    std::uint64_t head = 0;
    for (std::size_t at = skip; at < skip + 8; ++at) {
      const unsigned char byte =
          at < texts[i].size() ? static_cast<unsigned char>(texts[i][at]) : std::uint8_t{0};
      head = (head << 8) | byte;
    }
    entries.push_back({head, i});
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
  std::vector<std::uint32_t> seen(high->id() - first_id + std::size_t{1}, kNone);
  std::vector<std::string_view> texts;
  ranks.rank.reserve(column.size());
  for (const Symbol value : column) {
    std::uint32_t& slot = seen[value.id() - first_id];
    if (slot == kNone) {
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

/// At host level, nodes of one hostname are one leaf with the path of the first (placement.md 2.1).
void adopt_first_path(const Ranks& hosts, std::vector<std::vector<Symbol>>& columns) {
  if (hosts.distinct == hosts.rank.size()) return;
  std::vector<std::uint32_t> first(hosts.distinct, kNone);
  for (std::uint32_t i = 0; i < hosts.rank.size(); ++i) {
    std::uint32_t& owner = first[hosts.rank[i]];
    if (owner == kNone) owner = i;
    for (std::vector<Symbol>& column : columns) column[i] = column[owner];
  }
}

}  // namespace

std::optional<int> TopologySpec::find_level(std::string_view text) const {
  if (text.empty()) return std::nullopt;
  const auto first_with = [&](auto text_of) -> std::optional<int> {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (text_of(levels[i]) == text) return static_cast<int>(i);
    }
    return std::nullopt;
  };
  if (auto level = first_with([](const TopologyLevel& l) { return l.label.view(); })) return level;
  if (auto level = first_with([](const TopologyLevel& l) { return std::string_view(l.alias); })) {
    return level;
  }
  return first_with([](const TopologyLevel& l) { return std::string_view(l.display); });
}

int TopologySpec::first_missing(const Labels& labels) const {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!labels.find(levels[i].label)) return static_cast<int>(i);
  }
  return -1;
}

bool TopologySpec::allows_unlabelled(const Labels& labels) const {
  if (unlabelled != UnlabelledNodes::kUnconstrainedOnly || !host_level()) return false;
  if (!labels.find(hostname_label())) return false;
  return std::none_of(levels.begin(), levels.end() - 1, [&](const TopologyLevel& level) {
    return !is_region_or_zone(level.label) && labels.find(level.label).has_value();
  });
}

/// The nodes in the tree, in node order, and their values: columns[level][member].
struct DomainTree::Members {
  std::vector<NodeId> nodes;
  std::vector<std::vector<Symbol>> columns;
};

DomainTree::Members DomainTree::select(std::span<const NodeRecord> nodes,
                                       const std::vector<std::pair<Symbol, Symbol>>& flavor_labels,
                                       bool open) {
  Members members;
  members.columns.resize(topology_.levels.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const NodeRecord& node = nodes[i];
    if (!carries(node.labels, flavor_labels)) {
      left_out_.push_back({NodeId{i}, LeftOut::kFlavorLabels});
    } else if (!node.ready) {
      left_out_.push_back({NodeId{i}, LeftOut::kNotReady});
    } else if (node.unschedulable) {
      left_out_.push_back({NodeId{i}, LeftOut::kCordoned});
    } else if (const int missing = topology_.first_missing(node.labels);
               missing >= 0 && !(open && topology_.allows_unlabelled(node.labels))) {
      left_out_.push_back({NodeId{i}, LeftOut::kMissingLevel, missing});
    } else {
      members.nodes.push_back(NodeId{i});
      for (std::size_t level = 0; level < topology_.levels.size(); ++level) {
        members.columns[level].push_back(
            node.labels.find(topology_.levels[level].label).value_or(Symbol()));
      }
    }
  }
  return members;
}

DomainTree::DomainTree(const TopologySpec& topology, std::span<const NodeRecord> nodes,
                       const std::vector<std::pair<Symbol, Symbol>>& flavor_labels, bool open)
    : topology_(topology) {
  Members members = select(nodes, flavor_labels, open);
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

  // For each member in path order the coarsest level at which its path leaves that of the member
  // before.
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
  index_leaves();
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
  parents_.assign(next, kNone);
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
    if (change < level_total) node_offsets_.push_back(static_cast<std::uint32_t>(nodes_.size()));
    nodes_.push_back(members.nodes[order[i]]);
  }
  node_offsets_.push_back(static_cast<std::uint32_t>(nodes_.size()));
}

void DomainTree::index_leaves() {
  const bool host = topology_.host_level();
  const std::uint32_t first = host ? levels_.back().begin : 0;
  domain_by_value_.reserve(domain_count() - first);
  for (std::uint32_t domain = first; domain < domain_count(); ++domain) {
    const std::uint32_t parent = host ? 0 : parents_[domain] + 1;  // kNone + 1 is 0
    domain_by_value_.emplace(value_key(parent, values_[domain]), domain);
  }
}

int DomainTree::level_of(DomainId domain) const {
  int level = 0;
  while (index(domain) >= levels_[static_cast<std::size_t>(level)].end) ++level;
  return level;
}

std::optional<DomainId> DomainTree::parent(DomainId domain) const {
  const std::uint32_t parent = parents_[index(domain)];
  if (parent == kNone) return std::nullopt;
  return DomainId{parent};
}

DomainId DomainTree::ancestor(DomainId domain, int level) const {
  std::uint32_t at = index(domain);
  while (at >= levels_[static_cast<std::size_t>(level)].end) at = parents_[at];
  return DomainId{at};
}

std::vector<Symbol> DomainTree::path(DomainId domain) const {
  std::vector<Symbol> values;
  for (std::uint32_t at = index(domain); at != kNone; at = parents_[at]) {
    values.push_back(values_[at]);
  }
  std::reverse(values.begin(), values.end());
  return values;
}

std::string DomainTree::path_text(DomainId domain) const {
  std::string text;
  for (const Symbol value : path(domain)) {
    if (!text.empty()) text += '/';
    text += value.empty() ? std::string_view("-") : value.view();
  }
  return text;
}

LeafId DomainTree::leaf_of(DomainId domain) const {
  return LeafId{index(domain) - levels_.back().begin};
}

DomainId DomainTree::domain_of(LeafId leaf) const {
  return DomainId{index(leaf) + levels_.back().begin};
}

std::span<const NodeId> DomainTree::nodes(LeafId leaf) const {
  const std::uint32_t begin = node_offsets_[index(leaf)];
  return std::span(nodes_).subspan(begin, node_offsets_[index(leaf) + 1] - begin);
}

std::optional<LeafId> DomainTree::find_leaf(std::span<const Symbol> values) const {
  const bool host = topology_.host_level();
  const bool whole = values.size() == topology_.levels.size();
  if (!whole && !(host && values.size() == 1)) return std::nullopt;
  std::uint32_t parent = 0;
  for (const Symbol value : host ? values.last(1) : values) {
    const auto found = domain_by_value_.find(value_key(parent, value));
    if (found == domain_by_value_.end()) return std::nullopt;
    parent = found->second + 1;
  }
  const DomainId domain{parent - 1};
  if (host && whole) {
    const std::vector<Symbol> actual = path(domain);
    if (!std::equal(actual.begin(), actual.end(), values.begin())) return std::nullopt;
  }
  return leaf_of(domain);
}

std::vector<LeafId> DomainTree::shared_hostnames() const {
  std::vector<LeafId> shared;
  if (!topology_.host_level()) return shared;
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    if (nodes(LeafId{leaf}).size() > 1) shared.push_back(LeafId{leaf});
  }
  return shared;
}

}  // namespace tessera::topology
