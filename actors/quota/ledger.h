// SPDX-License-Identifier: Apache-2.0
// Ledger: quota and use of a forest of ClusterQueues and Cohorts, by flavor and resource (queues.md
// 5), and of KAI Queues, by resource over all flavors (gangs.md 1.4, 7.4).
//
// One owner at a time: the planner or a quota root; copies are independent (what-if). Queues are
// leaves, cohorts inner nodes; a cohort exists as soon as something names it. A KAI tree is written
// in Kueue's terms. A root's nominal quota is its limit. Every other node has no nominal quota, and
// its borrowing limit is its limit. So each limit bounds the sum below it. kUnlimited plus or minus
// anything stays kUnlimited. Memory grows with the quotas that nodes have and lend. Always:
// available <= maximum while use is not above quota, and remove() undoes the add() of the same
// amounts. A cohort below itself has no meaning: its whole subtree is cut loose and in_cycle() says
// so. Does not know workloads, flavors' order or preemption.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/records/inventory.h"

namespace tessera::core {

enum class QuotaNode : std::uint32_t {};    // a ClusterQueue, Cohort or KAI Queue of the ledger
enum class QuotaColumn : std::uint32_t {};  // a (flavor, resource) pair; KAI: a resource

class Ledger {
 public:
  Ledger() = default;
  Ledger(std::span<const ClusterQueueRecord> queues, std::span<const CohortRecord> cohorts,
         std::span<const KaiQueueRecord> kai_queues);

  /// The tree below `root`, a node without parent: all columns, own nodes, no usage. `members` is
  /// filled: the numbers in this ledger of the tree's nodes 0, 1, .., ascending. Looks at no node
  /// of another tree.
  Ledger tree(QuotaNode root, std::vector<QuotaNode>& members) const;

  /// A ClusterQueue, else a KAI Queue of that name.
  std::optional<QuotaNode> queue(const std::string& name) const;
  std::optional<QuotaNode> cohort(const std::string& name) const;
  const std::string& name(QuotaNode node) const;
  /// Where `node` counts a resource of a flavor. Nothing: no queue and no cohort has quota for this
  /// pair. For a KAI Queue: the resource is not bounded.
  std::optional<QuotaColumn> column(QuotaNode node, Symbol flavor, Symbol resource) const;

  bool has_parent(QuotaNode node) const;
  /// The top of the tree that `node` is in.
  QuotaNode root(QuotaNode node) const;
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  /// The chain of cohorts above (or at) `node` leads into a cycle.
  bool in_cycle(QuotaNode node) const;
  /// 0 for an empty cohort and for queues, 1 for a cohort of queues only, else 1 + the highest
  /// child cohort.
  int height(QuotaNode node) const;

  std::int64_t nominal(QuotaNode node, QuotaColumn column) const;
  std::int64_t usage(QuotaNode node, QuotaColumn column) const;
  std::int64_t subtree(QuotaNode node, QuotaColumn column) const;
  /// What a queue may take now, at least 0. A request fits if and only if it is at most this.
  std::int64_t available(QuotaNode queue, QuotaColumn column) const;
  /// What a queue could get with its whole cohort idle.
  std::int64_t maximum(QuotaNode queue, QuotaColumn column) const;
  /// The most that the borrowing limits below the cohort `above` let a queue have, now or with
  /// everything `idle`, if that cohort had quota without end.
  std::int64_t most_below(QuotaNode queue, QuotaColumn column, QuotaNode above, bool idle) const;
  /// How far up the tree a request of `amount` borrows: height of the first cohort that can carry
  /// it, 0 within nominal quota.
  int borrowing_level(QuotaNode queue, QuotaColumn column, std::int64_t amount) const;
  /// True if some node below the root of the tree can carry a request of `amount`. Then what is
  /// short may be reclaimed from others ("may reclaim", queues.md 5).
  bool stays_below_root(QuotaNode queue, QuotaColumn column, std::int64_t amount) const;
  const std::optional<std::int64_t>& borrowing_limit(QuotaNode node, QuotaColumn column) const;
  /// KAI Queues only: the limit of one queue.
  std::int64_t limit(QuotaNode node, QuotaColumn column) const;
  /// KAI Queues only: of `queue` and the queues above it, the one whose limit leaves least room,
  /// the lowest of equals. `idle`: as if nothing were in use.
  QuotaNode tightest(QuotaNode queue, QuotaColumn column, bool idle) const;

  void add(QuotaNode queue, QuotaColumn column, std::int64_t amount);
  void remove(QuotaNode queue, QuotaColumn column, std::int64_t amount);

 private:
  struct Cell {
    std::uint32_t column = 0;
    std::int64_t nominal = 0, subtree = 0, usage = 0;
    std::optional<std::int64_t> borrowing_limit, lending_limit;
  };
  struct Node {
    std::string name;
    bool is_kai = false;
    std::vector<Cell> cells = {};  // ascending; a column that has none has no quota and no use
    std::optional<QuotaNode> parent = {};
    QuotaNode root{};  // kept, since a chain may be as long as there are cohorts
    std::vector<QuotaNode> children = {};  // ascending
    bool in_cycle = false;
    int height = 0;
  };

  void name_columns(const std::vector<ResourceGroup>& groups);
  QuotaColumn name_column(Symbol flavor, Symbol resource);
  QuotaNode add_node(const std::string& name, bool is_kai);
  QuotaNode cohort_node(const std::string& name);
  void add_kai_queues(std::span<const KaiQueueRecord> records);
  void set_quotas(QuotaNode node, const std::vector<ResourceGroup>& groups);
  /// Cuts circles, lists the children of each node and adds up the quota below each node.
  void grow_trees();
  void add_lent(QuotaNode node);
  /// Where a column is in the cells of a node, or would be.
  static std::size_t position(const Node& node, QuotaColumn column);
  Cell& cell(QuotaNode node, QuotaColumn column);  // made if there is none
  const Cell& cell(QuotaNode node, QuotaColumn column) const;
  std::int64_t local(QuotaNode node, QuotaColumn column) const;
  std::int64_t local_free(QuotaNode node, QuotaColumn column) const;
  struct Carrier {
    int level = 0;
    bool is_root = false;  // of the tree, or a queue without a cohort
  };
  /// The lowest node of the tree that can carry a request.
  Carrier carrier(QuotaNode queue, QuotaColumn column, std::int64_t amount) const;
  std::int64_t unclamped_available(QuotaNode node, QuotaColumn column) const;
  const Node& node(QuotaNode id) const { return nodes_[static_cast<std::uint32_t>(id)]; }

  std::vector<Node> nodes_;
  std::map<std::string, QuotaNode> queues_, cohorts_;
  /// By column_key(); the flavor of KAI's columns is the empty symbol.
  using Columns = std::unordered_map<std::uint64_t, QuotaColumn>;
  std::shared_ptr<Columns> columns_ =
      std::make_shared<Columns>();  // copies share it: never changes
};

}  // namespace tessera::core
