// SPDX-License-Identifier: Apache-2.0
// DomainTree: the domains of one flavor's nodes under one topology, flat.
//
// Domains are numbered level by level, coarsest first, and inside a level in path order (values
// compared one by one as bytes). So "smaller path" is "smaller DomainId", the children of a domain
// are one run of the next level, and a level is one dense run for the counting kernels. A domain is
// its whole path: two racks named r1 in different blocks are two domains (placement.md 2.1). Only
// domains with at least one eligible node exist. Built by actors/capacity/cluster.h; read from any
// thread. A tree made for TreeUse::kLive follows its nodes in place (see live()); its owner keeps
// readers out while it changes. Does not know capacity or use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topology/nodes/node_record.h"

namespace tessera::topology {

struct TopologyLevel {
  Symbol label;
  std::string alias;    // short name for people ("rack"); empty: none
  std::string display;  // label whose value is shown instead of the level's own; empty: none
};

/// What happens to a node that lacks the label of a level.
enum class UnlabelledNodes : std::uint8_t {
  kExclude,            // out (Kueue)
  kUnconstrainedOnly,  // a leaf for pod sets without a topology request
  kKept,  // the same whatever labels it has, and its name stands for a hostname label that it lacks
          // (KAI, gangs.md 6.1 [D])
};

struct TopologySpec {
  std::string name;
  std::vector<TopologyLevel> levels;  // coarsest first; 1..16
  UnlabelledNodes unlabelled = UnlabelledNodes::kExclude;
  bool derived = false;  // made from node labels because the input names none (spec/kinds.md C2)

  bool host_level() const { return !levels.empty() && levels.back().label == hostname_label(); }
  /// By label, alias or display label, in this order; nothing if unknown.
  std::optional<int> find_level(std::string_view text) const;
  /// The first level whose label is missing, or -1. An empty value counts as present
  /// (placement.md 2.1).
  int first_missing(const NodeRecord& node) const;
  /// The value of a level on a node; nothing if the node lacks it.
  std::optional<Symbol> value(const NodeRecord& node, std::size_t level) const;
  /// True if a node that lacks a level may still be a leaf of an open tree (see DomainTree).
  bool allows_unlabelled(const Labels& labels) const;
};

enum class DomainId : std::uint32_t {};
inline std::uint32_t index(DomainId id) { return static_cast<std::uint32_t>(id); }

enum class LeafId : std::uint32_t {};  // 0.. within the last level, in path order
inline std::uint32_t index(LeafId id) { return static_cast<std::uint32_t>(id); }

/// Half-open run of domains of one level.
struct DomainRange {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t size() const { return end - begin; }
};

/// Why a node is in no domain of a tree.
enum class LeftOut : std::uint8_t { kCordoned, kNotReady, kFlavorLabels, kMissingLevel };

struct LeftOutNode {
  NodeId node;
  LeftOut cause;
  int level = -1;  // kMissingLevel: the first level whose label is missing
};

enum class TreeUse : std::uint8_t {
  kOnce,  // immutable, holds usable nodes only
  kLive,  // can be changed; a topology above the host is built as for kOnce, see live()
};

/// What DomainTree::insert() did to the slots of one domain. It took out the slot `hole` and put it
/// in again at `at`; each slot between them, and the one that was at `at`, moved by one towards
/// `hole`. The two are equal if nothing moved.
struct SlotShift {
  LeafId hole, at;
};

/// Moves the entries of a row, indexed by LeafId, in the same way.
template <class T>
void rotate_slots(SlotShift shift, T* row) {
  T* const hole = row + index(shift.hole);
  T* const at = row + index(shift.at);
  if (at < hole) {
    std::rotate(at, hole, hole + 1);
  } else {
    std::rotate(hole, hole + 1, at + 1);
  }
}

class DomainTree {
 public:
  /// `nodes`: all nodes, indexed by NodeId, sorted by name. `flavor_labels`: a node must carry them
  /// all. `open`: for pod sets without a topology request. A node that lacks a level's label is
  /// then a leaf too, with an empty value for each missing level. It needs a topology that allows
  /// it and ends at the host. Under kUnconstrainedOnly the node needs a hostname label and must
  /// have none of the labels between the zone and the host: if half of its fabric is known, it
  /// stays out (kinds.md C2).
  DomainTree(const TopologySpec& topology, std::span<const NodeRecord> nodes,
             const std::vector<std::pair<Symbol, Symbol>>& flavor_labels, bool open,
             TreeUse use = TreeUse::kOnce);

  const TopologySpec& topology() const { return topology_; }
  int level_count() const { return static_cast<int>(topology_.levels.size()); }
  int leaf_level() const { return level_count() - 1; }
  std::uint32_t domain_count() const { return static_cast<std::uint32_t>(values_.size()); }
  /// Holes and hidden leaves included.
  std::uint32_t leaf_count() const { return level(leaf_level()).size(); }

  DomainRange level(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  int level_of(DomainId domain) const;
  Symbol value(DomainId domain) const { return values_[index(domain)]; }
  std::optional<DomainId> parent(DomainId domain) const {  // none at level 0
    const std::uint32_t parent = parents_[index(domain)];
    return parent == UINT32_MAX ? std::nullopt : std::optional(DomainId{parent});
  }
  DomainId ancestor(DomainId domain, int level) const;  // of a domain at or below `level`
  DomainRange children(DomainId domain) const {
    return children_[index(domain)];
  }  // empty for leaves
  /// The children of each domain of a run.
  std::span<const DomainRange> children(DomainRange domains) const {
    return std::span(children_).subspan(domains.begin, domains.size());
  }
  std::vector<Symbol> path(DomainId domain) const;  // values, coarsest first
  /// Writes the path to `values`, which has one place for each level down to the domain's.
  void path(DomainId domain, std::span<Symbol> values) const;
  std::string path_text(DomainId domain) const;  // "b1/r1/a5"; an empty value is "-"

  LeafId leaf_of(DomainId domain) const;
  DomainId domain_of(LeafId leaf) const;
  std::span<const NodeId> nodes(
      LeafId leaf) const;  // at host level one, unless two share the hostname label; none: a hole
  /// Finds a leaf by its whole path, or at host level by the hostname alone. Nothing if there is no
  /// such leaf, or if the leaf is hidden.
  std::optional<LeafId> find_leaf(std::span<const Symbol> values) const;
  /// The leaf of a host-level tree with this hostname, shown or hidden.
  std::optional<LeafId> find_host(Symbol hostname) const;
  /// Finds a domain by a path that ends above the leaves. The domain need not exist() at the
  /// moment.
  std::optional<DomainId> find_domain(std::span<const Symbol> values) const;

  bool shown(LeafId leaf) const { return !live_ || shown_[index(domain_of(leaf))] > 0; }
  bool exists(DomainId domain) const { return !live_ || shown_[index(domain)] > 0; }
  /// Shown leaves at or below the domain.
  std::uint32_t shown_leaves(DomainId domain) const;
  std::uint32_t shown_leaf_count() const { return existing(leaf_level()); }
  /// How many domains of a level exist. At the last level: how many leaves are shown.
  std::uint32_t existing(int at_level) const {
    return live_ ? existing_[static_cast<std::size_t>(at_level)] : level(at_level).size();
  }

  /// True if the tree can be changed: it was made for kLive, and its topology ends at the host. (A
  /// leaf above the host depends on several nodes.) In a live tree:
  /// - a leaf is shown if its nodes are usable. An unusable node is a hidden leaf, unless a usable
  ///   node has the same hostname: then the unusable node is left out;
  /// - each domain has spare slots behind its leaves, a sixteenth of their number and at least one.
  ///   A spare or vacated slot is a hole: a hidden leaf without nodes, with an empty value;
  /// - the leaves of a domain, holes apart, are in path order. Holes lie anywhere;
  /// - a domain exists while a leaf below it is shown.
  /// A domain keeps its number. A leaf keeps its number until an insert() into the same domain.
  bool live() const { return live_; }
  /// show() and hide() need live() and a leaf that is no hole. A second call does nothing.
  /// O(levels).
  void show(LeafId leaf) { set_shown(leaf, true); }
  void hide(LeafId leaf) { set_shown(leaf, false); }
  /// Makes the leaf a hole. Needs live().
  void vacate(LeafId leaf);
  /// Puts the node at its whole path as a hidden leaf. It takes the hole of its domain that is
  /// nearest to its place in path order; no slot of another domain moves. Nothing, and no change,
  /// if the tree must be built anew: it is not live(), the domain is unknown or has no hole, or the
  /// hostname is taken.
  std::optional<SlotShift> insert(std::span<const Symbol> path, NodeId node);

  /// Fills `path` with the values of the leaf that a node with this record belongs to, usable or
  /// not. False if the node belongs to no leaf. The caller keeps `path` to reuse its memory.
  bool path_of(const NodeRecord& node, std::vector<Symbol>& path) const;

  /// In node order, as of the build. A node outside the flavor has the cause kFlavorLabels,
  /// whatever else is wrong with the node.
  const std::vector<LeftOutNode>& left_out() const { return left_out_; }
  /// Shown host-level leaves that hold several nodes. The capacity of such a leaf is the sum over
  /// its nodes; its path, labels and taints are those of the first node.
  std::vector<LeafId> shared_hostnames() const;

 private:
  struct Members;
  /// The nodes of a leaf in nodes_. A leaf keeps its place when its slot moves, and a hole has a
  /// place too: a hostname finds its leaf by the place.
  struct NodeRun {
    std::uint32_t place = 0, count = 0;
  };

  static std::uint64_t value_key(std::uint32_t parent_plus_one, Symbol value) {
    return (std::uint64_t{parent_plus_one} << 32) | value.id();
  }

  Members select(std::span<const NodeRecord> nodes);
  void leave_out_doubles(std::span<const NodeRecord> nodes, Members& members);
  void number_domains(const Members& members, const std::vector<std::uint32_t>& order,
                      const std::vector<int>& first_change);
  void index_values();

  void add_spare_slots();
  void show_usable(std::span<const NodeRecord> nodes);
  void set_shown(LeafId leaf, bool shown);
  bool is_hole(std::uint32_t leaf) const { return leaf_nodes_[leaf].count == 0; }
  std::string_view common_hostname_prefix() const;
  void note_heads(std::string_view prefix);
  std::uint32_t position_of(std::string_view hostname, DomainRange leaves) const;
  std::optional<SlotShift> nearest_hole(std::uint32_t position, DomainRange leaves) const;
  std::optional<DomainId> walk_down(std::span<const Symbol> values) const;

  TopologySpec topology_;
  std::vector<std::pair<Symbol, Symbol>> flavor_labels_;
  bool open_;
  bool live_ = false;
  std::vector<DomainRange> levels_;
  std::vector<Symbol> values_;
  std::vector<std::uint32_t> parents_;
  std::vector<DomainRange> children_;
  std::vector<NodeRun> leaf_nodes_;
  std::vector<NodeId> nodes_;
  std::vector<LeftOutNode> left_out_;
  // (parent + 1, value) -> domain. All domains except the leaves of a host-level tree.
  std::unordered_map<std::uint64_t, std::uint32_t> domain_by_value_;
  // Only in a host-level tree, where a hostname is unique. vacate() keeps the entry: find_host()
  // checks the leaf, and insert() usually brings the same hostname back.
  std::unordered_map<Symbol, std::uint32_t> place_by_hostname_;
  std::vector<std::uint32_t> leaf_by_place_;
  // Only in a live tree.
  std::vector<std::uint32_t> shown_;     // leaves at or below each domain
  std::vector<std::uint32_t> existing_;  // domains by level
  std::string prefix_;                   // of all hostnames
  std::vector<std::uint64_t> heads_;  // of the hostnames behind it, see topology/text/text_order.h
};

}  // namespace tessera::topology
