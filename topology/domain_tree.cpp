// SPDX-License-Identifier: Apache-2.0
#include "topology/domain_tree.h"

#include <algorithm>
#include <string_view>

namespace tessera::topology {
namespace {

constexpr std::uint32_t kNoParent = UINT32_MAX;

bool is_region_or_zone(Symbol label) {
  static const Symbol kRegionLabel("topology.kubernetes.io/region");
  static const Symbol kZoneLabel("topology.kubernetes.io/zone");
  return label == kRegionLabel || label == kZoneLabel;
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

std::optional<Symbol> TopologySpec::value(const NodeRecord& node, std::size_t level) const {
  const Symbol label = levels[level].label;
  std::optional<Symbol> found = node.labels.find(label);
  if (!found && unlabelled == UnlabelledNodes::kKept && label == hostname_label()) {
    return node.name;
  }
  return found;
}

int TopologySpec::first_missing(const NodeRecord& node) const {
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (!value(node, i)) return static_cast<int>(i);
  }
  return -1;
}

bool TopologySpec::allows_unlabelled(const Labels& labels) const {
  if (unlabelled == UnlabelledNodes::kExclude || !host_level()) return false;
  if (unlabelled == UnlabelledNodes::kKept) return true;
  if (!labels.find(hostname_label())) return false;
  return std::none_of(levels.begin(), levels.end() - 1, [&](const TopologyLevel& level) {
    return !is_region_or_zone(level.label) && labels.find(level.label).has_value();
  });
}

int DomainTree::level_of(DomainId domain) const {
  int level = 0;
  while (index(domain) >= levels_[static_cast<std::size_t>(level)].end) ++level;
  return level;
}

DomainId DomainTree::ancestor(DomainId domain, int level) const {
  std::uint32_t at = index(domain);
  while (at >= levels_[static_cast<std::size_t>(level)].end) at = parents_[at];
  return DomainId{at};
}

std::vector<Symbol> DomainTree::path(DomainId domain) const {
  std::vector<Symbol> values;
  for (std::uint32_t at = index(domain); at != kNoParent; at = parents_[at]) {
    values.push_back(values_[at]);
  }
  std::reverse(values.begin(), values.end());
  return values;
}

void DomainTree::path(DomainId domain, std::span<Symbol> values) const {
  auto place = values.end();
  for (std::uint32_t at = index(domain); at != kNoParent; at = parents_[at]) *--place = values_[at];
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
  const NodeRun run = leaf_nodes_[index(leaf)];
  return std::span(nodes_).subspan(run.place, run.count);
}

std::optional<DomainId> DomainTree::walk_down(std::span<const Symbol> values) const {
  std::uint32_t parent = kNoParent;
  for (const Symbol value : values) {
    const auto found = domain_by_value_.find(value_key(parent + 1, value));  // kNoParent + 1 is 0
    if (found == domain_by_value_.end()) return std::nullopt;
    parent = found->second;
  }
  return DomainId{parent};
}

std::optional<DomainId> DomainTree::find_domain(std::span<const Symbol> values) const {
  if (values.empty() || values.size() >= topology_.levels.size()) return std::nullopt;
  return walk_down(values);
}

std::optional<LeafId> DomainTree::find_host(Symbol hostname) const {
  const auto found = place_by_hostname_.find(hostname);
  if (found == place_by_hostname_.end()) return std::nullopt;
  const LeafId leaf{leaf_by_place_[found->second]};
  if (is_hole(index(leaf)) || value(domain_of(leaf)) != hostname) return std::nullopt;
  return leaf;
}

std::optional<LeafId> DomainTree::find_leaf(std::span<const Symbol> values) const {
  const bool whole = values.size() == topology_.levels.size();
  if (!topology_.host_level()) {
    const std::optional<DomainId> domain = whole ? walk_down(values) : std::nullopt;
    return domain ? std::optional(leaf_of(*domain)) : std::nullopt;
  }
  if (!whole && values.size() != 1) return std::nullopt;
  const std::optional<LeafId> leaf = find_host(values.back());
  if (!leaf || !shown(*leaf)) return std::nullopt;
  std::uint32_t at = index(domain_of(*leaf));
  for (std::size_t level = values.size(); level-- > 0; at = parents_[at]) {
    if (values_[at] != values[level]) return std::nullopt;
  }
  return leaf;
}

std::uint32_t DomainTree::shown_leaves(DomainId domain) const {
  if (live_) return shown_[index(domain)];
  DomainRange run{index(domain), index(domain) + 1};
  while (run.begin < levels_.back().begin) {
    run = {children_[run.begin].begin, children_[run.end - 1].end};
  }
  return run.size();
}

std::vector<LeafId> DomainTree::shared_hostnames() const {
  std::vector<LeafId> shared;
  if (!topology_.host_level()) return shared;
  for (std::uint32_t leaf = 0; leaf < leaf_count(); ++leaf) {
    if (leaf_nodes_[leaf].count > 1 && shown(LeafId{leaf})) shared.push_back(LeafId{leaf});
  }
  return shared;
}

}  // namespace tessera::topology
