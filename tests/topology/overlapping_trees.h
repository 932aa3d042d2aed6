// SPDX-License-Identifier: Apache-2.0
// Overlapping trees: flavors over one small world, and what is free on their leaves counted the
// plain way. For tests of Capacity.
//
// PlainSums knows what was done, leaf by leaf, and no cells. What is free on a leaf is what is left
// of it, and of every set of nodes above the host that bounds it.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/topology/compact_world.h"
#include "topology/capacity.h"

namespace tessera::topology {

/// Trees over one world. Each is written as "x rack host": a flavor label (or "-"), then the
/// levels.
class OverlappingTrees {
 public:
  OverlappingTrees(std::string_view nodes, const std::vector<std::string>& trees,
                   const CellPolicy& policy)
      : world_(test::compact_world("block rack host", nodes)) {
    for (const std::string& text : trees) {
      std::vector<std::pair<Symbol, Symbol>> labels;
      if (text[0] != '-') labels = {{Symbol(text.substr(0, 1)), Symbol("1")}};
      trees_.emplace_back(test::compact_topology(text.substr(2)), world_.nodes, labels, false);
      pointers_.push_back(&trees_.back());
      scopes_.push_back(static_cast<std::uint32_t>(text[0]));
    }
    map_ = std::make_shared<CellMap>(pointers_, scopes_,
                                     static_cast<std::uint32_t>(world_.nodes.size()), policy);
  }

  Capacity capacity() const { return Capacity(map_, world_.nodes); }
  const std::vector<NodeRecord>& nodes() const { return world_.nodes; }
  NodeId node(std::string_view name) const {
    std::uint32_t at = 0;
    while (world_.nodes[at].name.view() != name) ++at;
    return NodeId{at};
  }
  std::size_t tree_count() const { return trees_.size(); }
  const DomainTree& tree(std::size_t tree) const { return trees_[tree]; }
  std::uint32_t scope(std::size_t tree) const { return scopes_[tree]; }
  CellId cell(std::size_t tree, std::uint32_t leaf) const {
    return map_->cells_of_tree(tree)[leaf];
  }
  CellId cell(std::size_t tree, std::initializer_list<std::string_view> path) const {
    std::vector<Symbol> values;
    for (const std::string_view value : path) values.emplace_back(value);
    return cell(tree, index(*trees_[tree].find_leaf(values)));
  }

 private:
  test::CompactWorld world_;
  std::deque<DomainTree> trees_;
  std::vector<const DomainTree*> pointers_;
  std::vector<std::uint32_t> scopes_;
  std::shared_ptr<const CellMap> map_;
};

/// Everything that was done to a Capacity, as plain records. Counts the free amounts again from the
/// records, leaf by leaf and without cells (placement.md 2.4).
class PlainSums {
 public:
  PlainSums(const OverlappingTrees& cluster, const CellPolicy& policy)
      : cluster_(cluster), policy_(policy) {}

  struct Holding {
    std::size_t tree;
    std::uint32_t leaf;
    Amounts total;
    bool assumed;
  };
  struct Pod {
    NodeId node;
    Amounts total;
  };
  std::vector<Holding> holdings;
  std::vector<Pod> pods;

  std::int64_t amount(Basis basis, Symbol resource, std::size_t tree, std::uint32_t leaf) const {
    std::int64_t least = own(basis, resource, tree, leaf);
    for (const Nodes& bound : bounds_of(tree, leaf)) {
      least = std::min(least, left_of(basis, resource, bound));
    }
    return least;
  }

  bool fits(std::size_t tree, std::uint32_t leaf, const Amounts& total) const {
    return std::all_of(total.begin(), total.end(), [&](const Amount& asked) {
      if (asked.value <= 0) return true;
      for (std::size_t t = 0; t < cluster_.tree_count(); ++t) {
        for (std::uint32_t l = 0; l < cluster_.tree(t).leaf_count(); ++l) {
          const bool seen = is_host(t) ? sees(t, l, tree, leaf) : t == tree && l == leaf;
          if (seen && own(Basis::kFree, asked.resource, t, l) < asked.value) return false;
        }
      }
      return amount(Basis::kFree, asked.resource, tree, leaf) >= asked.value;
    });
  }

 private:
  using Nodes = std::set<NodeId>;

  Nodes nodes(std::size_t tree, std::uint32_t leaf) const {
    const auto list = cluster_.tree(tree).nodes(LeafId{leaf});
    return {list.begin(), list.end()};
  }
  bool is_host(std::size_t tree) const { return cluster_.tree(tree).topology().host_level(); }
  static bool holds(const Nodes& a, const Nodes& b) {
    return std::includes(a.begin(), a.end(), b.begin(), b.end());
  }
  static bool meet(const Nodes& a, const Nodes& b) {
    return std::find_first_of(a.begin(), a.end(), b.begin(), b.end()) != a.end();
  }
  std::int64_t net(Symbol resource, const Nodes& of) const {
    std::int64_t sum = 0;
    for (const NodeId node : of) {
      sum += cluster_.nodes()[index(node)].allocatable.get(resource);
      for (const Pod& pod : pods) sum -= pod.node == node ? pod.total.get(resource) : 0;
    }
    return sum;
  }

  /// What is left of one leaf by itself.
  std::int64_t own(Basis basis, Symbol resource, std::size_t tree, std::uint32_t leaf) const {
    std::int64_t sum = net(resource, nodes(tree, leaf));
    for (const Holding& held : holdings) {
      if (basis == Basis::kEmpty && !held.assumed) continue;
      if (sees(tree, leaf, held.tree, held.leaf)) sum -= held.total.get(resource);
    }
    return sum;
  }

  /// What is left of some nodes after all that is held inside.
  std::int64_t left_of(Basis basis, Symbol resource, const Nodes& of) const {
    std::int64_t sum = net(resource, of);
    for (const Holding& held : holdings) {
      if (basis == Basis::kEmpty && !held.assumed) continue;
      const Nodes theirs = nodes(held.tree, held.leaf);
      if (is_host(held.tree) ? meet(of, theirs) : holds(of, theirs)) {
        sum -= held.total.get(resource);
      }
    }
    return sum;
  }

  /// The leaves above the host, and all unions of those that meet, that bound a leaf.
  std::vector<Nodes> bounds_of(std::size_t tree, std::uint32_t leaf) const {
    std::vector<Nodes> out;
    if (policy_.own_usage_above_host) return out;
    std::set<Nodes> sets;
    for (std::size_t t = 0; t < cluster_.tree_count(); ++t) {
      for (std::uint32_t l = 0; !is_host(t) && l < cluster_.tree(t).leaf_count(); ++l) {
        sets.insert(nodes(t, l));
      }
    }
    for (bool grew = true; grew;) {
      grew = false;
      const std::vector<Nodes> known(sets.begin(), sets.end());
      for (const Nodes& a : known) {
        for (const Nodes& b : known) {
          if (!meet(a, b)) continue;
          Nodes both = a;
          both.insert(b.begin(), b.end());
          grew = sets.insert(std::move(both)).second || grew;
        }
      }
    }
    const Nodes mine = nodes(tree, leaf);
    for (const Nodes& each : sets) {
      if (is_host(tree) ? meet(each, mine) : holds(each, mine)) out.push_back(each);
    }
    return out;
  }

  bool sees(std::size_t tree, std::uint32_t leaf, std::size_t other,
            std::uint32_t other_leaf) const {
    const DomainTree& mine = cluster_.tree(tree);
    const DomainTree& theirs = cluster_.tree(other);
    const bool same_scope = cluster_.scope(tree) == cluster_.scope(other);
    if (is_host(tree)) {
      return is_host(other) && (policy_.overlapping_flavors || same_scope) &&
             mine.value(mine.domain_of(LeafId{leaf})) ==
                 theirs.value(theirs.domain_of(LeafId{other_leaf}));
    }
    const Nodes a = nodes(tree, leaf), b = nodes(other, other_leaf);
    if (policy_.own_usage_above_host) return !is_host(other) && same_scope && meet(a, b);
    return is_host(other) ? meet(a, b) : holds(a, b);
  }

  const OverlappingTrees& cluster_;
  const CellPolicy policy_;
};

}  // namespace tessera::topology
