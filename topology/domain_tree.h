// SPDX-License-Identifier: Apache-2.0
// DomainTree: the domains of one flavor's nodes under one topology, flat and immutable.
//
// Domains are numbered level by level, coarsest first, and inside a level in path order (values
// compared one by one as bytes), so that "smaller path" is "smaller DomainId", the children of a
// domain are one run of the next level, and a level is one dense run for the counting kernels. A
// domain's identity is its whole path: two racks named r1 in different blocks are two domains
// (placement.md 2.1). Only domains with at least one eligible node exist. Built by the planner when
// nodes, flavors or topologies change; read from any thread. Does not know capacity or use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topology/node_record.h"

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
  int first_missing(const Labels& labels) const;
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

class DomainTree {
 public:
  /// `nodes` are all nodes, indexed by NodeId, sorted by name. `flavor_labels`: a node must carry
  /// them all. `open`: nodes that lack a level's label become leaves too (with empty values for the
  /// missing levels), provided the topology allows it (kUnconstrainedOnly), ends at the host, and
  /// they carry a hostname label but none of the level labels between region and zone and the host:
  /// a node of which half the fabric is known is out (kinds.md C2). Used for pod sets without a
  /// topology request.
  DomainTree(const TopologySpec& topology, std::span<const NodeRecord> nodes,
             const std::vector<std::pair<Symbol, Symbol>>& flavor_labels, bool open);

  const TopologySpec& topology() const { return topology_; }
  int level_count() const { return static_cast<int>(topology_.levels.size()); }
  int leaf_level() const { return level_count() - 1; }
  std::uint32_t domain_count() const { return static_cast<std::uint32_t>(values_.size()); }
  std::uint32_t leaf_count() const { return level(leaf_level()).size(); }

  DomainRange level(int level) const { return levels_[static_cast<std::size_t>(level)]; }
  int level_of(DomainId domain) const;
  Symbol value(DomainId domain) const { return values_[index(domain)]; }
  std::optional<DomainId> parent(DomainId domain) const;  // none at level 0
  DomainId ancestor(DomainId domain, int level) const;    // of a domain at or below `level`
  DomainRange children(DomainId domain) const {
    return children_[index(domain)];
  }                                                 // empty for leaves
  std::vector<Symbol> path(DomainId domain) const;  // values, coarsest first
  std::string path_text(DomainId domain) const;     // "b1/r1/a5"; an empty value is "-"

  LeafId leaf_of(DomainId domain) const;
  DomainId domain_of(LeafId leaf) const;
  std::span<const NodeId> nodes(
      LeafId leaf) const;  // at host level one, unless two share the hostname label
  /// By whole path, or at host level by the bare hostname; nothing if there is no such leaf.
  std::optional<LeafId> find_leaf(std::span<const Symbol> values) const;

  /// In node order. A node outside the flavor is kFlavorLabels whatever else is wrong with it.
  const std::vector<LeftOutNode>& left_out() const { return left_out_; }
  /// Host-level leaves that hold several nodes: their capacity adds up, path and filters are the
  /// first node's.
  std::vector<LeafId> shared_hostnames() const;

 private:
  struct Members;
  Members select(std::span<const NodeRecord> nodes,
                 const std::vector<std::pair<Symbol, Symbol>>& flavor_labels, bool open);
  void number_domains(const Members& members, const std::vector<std::uint32_t>& order,
                      const std::vector<int>& first_change);
  void index_leaves();

  TopologySpec topology_;
  std::vector<DomainRange> levels_;
  std::vector<Symbol> values_;
  std::vector<std::uint32_t> parents_;
  std::vector<DomainRange> children_;
  std::vector<std::uint32_t> node_offsets_;  // per leaf, leaf_count() + 1 entries
  std::vector<NodeId> nodes_;
  std::vector<LeftOutNode> left_out_;
  // (parent + 1, value) -> domain; at host level only leaves, with parent 0: a hostname is unique
  // in the tree.
  std::unordered_map<std::uint64_t, std::uint32_t> domain_by_value_;
};

}  // namespace tessera::topology
