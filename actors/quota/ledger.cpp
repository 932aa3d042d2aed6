// SPDX-License-Identifier: Apache-2.0
#include "actors/quota/ledger.h"

#include <algorithm>
#include <set>

#include "topology/parent_forest.h"

namespace tessera::core {
namespace {

using topology::kUnlimited;

std::int64_t plus(std::int64_t a, std::int64_t b) {
  return a == kUnlimited || b == kUnlimited ? kUnlimited : topology::saturating_add(a, b);
}

std::int64_t minus(std::int64_t a, std::int64_t b) {
  return a == kUnlimited ? kUnlimited : topology::saturating_sub(a, b);
}

std::uint32_t index(QuotaNode id) { return static_cast<std::uint32_t>(id); }

constexpr Symbol kAllFlavors;

std::uint64_t column_key(Symbol flavor, Symbol resource) {
  return std::uint64_t{flavor.id()} << 32 | resource.id();
}

/// What a KAI Queue bounds.
constexpr std::pair<Symbol (*)(), KaiQuota KaiQueueRecord::*> kKaiQuotas[] = {
    {topology::cpu_resource, &KaiQueueRecord::cpu},
    {[] { return Symbol("memory"); }, &KaiQueueRecord::memory},
    {topology::gpu_resource, &KaiQueueRecord::gpu}};

}  // namespace

Ledger::Ledger(std::span<const ClusterQueueRecord> queues, std::span<const CohortRecord> cohorts,
               std::span<const KaiQueueRecord> kai_queues) {
  for (const ClusterQueueRecord& queue : queues) name_columns(queue.groups);
  for (const CohortRecord& cohort : cohorts) name_columns(cohort.groups);
  if (!kai_queues.empty()) {
    for (const auto& [resource, quota] : kKaiQuotas) name_column(kAllFlavors, resource());
  }
  for (const CohortRecord& record : cohorts) {
    const QuotaNode id = cohort_node(record.name);
    if (!record.parent.empty()) {
      const QuotaNode parent = cohort_node(record.parent);
      nodes_[index(id)].parent = parent;
    }
    set_quotas(id, record.groups);
  }
  for (const ClusterQueueRecord& record : queues) {
    const std::optional<QuotaNode> parent =
        record.cohort.empty() ? std::nullopt : std::optional(cohort_node(record.cohort));
    const QuotaNode id = add_node(record.name, false);
    queues_[record.name] = id;
    nodes_[index(id)].parent = parent;
    set_quotas(id, record.groups);
  }
  add_kai_queues(kai_queues);
  grow_trees();
}

void Ledger::name_columns(const std::vector<ResourceGroup>& groups) {
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        name_column(Symbol(flavor.flavor), quota.resource);
      }
    }
  }
}

QuotaColumn Ledger::name_column(Symbol flavor, Symbol resource) {
  const QuotaColumn next{static_cast<std::uint32_t>(columns_->size())};
  return columns_->try_emplace(column_key(flavor, resource), next).first->second;
}

QuotaNode Ledger::add_node(const std::string& name, bool is_kai) {
  const QuotaNode id{static_cast<std::uint32_t>(nodes_.size())};
  nodes_.push_back({name, is_kai});
  return id;
}

QuotaNode Ledger::cohort_node(const std::string& name) {
  const auto at = cohorts_.find(name);
  return at != cohorts_.end() ? at->second : cohorts_[name] = add_node(name, false);
}

void Ledger::add_kai_queues(std::span<const KaiQueueRecord> records) {
  std::map<std::string, QuotaNode> nodes;
  for (const KaiQueueRecord& record : records) {
    nodes[record.name] = add_node(record.name, true);
    queues_.try_emplace(record.name, nodes[record.name]);
  }
  for (const KaiQueueRecord& record : records) {
    const QuotaNode id = nodes[record.name];
    const auto parent = nodes.find(record.parent);
    if (parent != nodes.end()) nodes_[index(id)].parent = parent->second;
    for (const auto& [resource, quota] : kKaiQuotas) {
      Cell& at = cell(id, *column(id, kAllFlavors, resource()));
      if (has_parent(id)) {
        at.borrowing_limit = (record.*quota).limit;
      } else {
        at.nominal = (record.*quota).limit;
      }
    }
  }
}

void Ledger::set_quotas(QuotaNode node, const std::vector<ResourceGroup>& groups) {
  std::set<std::size_t> seen;  // a resource in two groups: the first counts
  for (const ResourceGroup& group : groups) {
    for (const FlavorQuotas& flavor : group.flavors) {
      for (const ResourceQuota& quota : flavor.resources) {
        const QuotaColumn at = columns_->at(column_key(Symbol(flavor.flavor), quota.resource));
        if (!seen.insert(static_cast<std::size_t>(at)).second) continue;
        Cell& cell_ref = cell(node, at);
        cell_ref.nominal = quota.nominal;
        cell_ref.borrowing_limit = quota.borrowing_limit;
        cell_ref.lending_limit = quota.lending_limit;
      }
    }
  }
}

void Ledger::grow_trees() {
  using topology::ParentForest;
  std::vector<ParentForest::Position> parents;
  parents.reserve(nodes_.size());
  for (const Node& each : nodes_) {
    parents.push_back(each.parent ? index(*each.parent) : ParentForest::kNone);
  }
  const ParentForest forest(parents);
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    Node& each = nodes_[i];
    each.in_cycle = forest.circle(i).has_value();
    each.root = QuotaNode{forest.root(i)};
    if (forest.parent(i) == ParentForest::kNone) each.parent.reset();
    for (const ParentForest::Position child : forest.children(i)) {
      each.children.push_back(QuotaNode{child});
    }
    for (Cell& cell_ref : each.cells) cell_ref.subtree = cell_ref.nominal;
  }
  for (std::size_t i = forest.size(); i-- > 0;) add_lent(QuotaNode{forest.order()[i]});
}

/// Adds what the children lend. The children are done.
void Ledger::add_lent(QuotaNode id) {
  Node& own = nodes_[index(id)];
  std::vector<std::pair<std::uint32_t, std::int64_t>> lent;  // by column
  for (const QuotaNode child : own.children) {
    own.height = std::max(own.height, height(child) + 1);
    for (const Cell& each : node(child).cells) {
      const std::int64_t amount = minus(each.subtree, local(child, QuotaColumn{each.column}));
      if (amount != 0) lent.emplace_back(each.column, amount);
    }
  }
  if (lent.empty()) return;
  std::sort(lent.begin(), lent.end());
  std::vector<Cell> all;
  auto at = own.cells.begin();
  for (const auto& [column, amount] : lent) {
    while (at != own.cells.end() && at->column <= column) all.push_back(*at++);
    if (all.empty() || all.back().column != column) all.emplace_back().column = column;
    all.back().subtree = plus(all.back().subtree, amount);
  }
  all.insert(all.end(), at, own.cells.end());
  own.cells = std::move(all);
}

Ledger Ledger::tree(QuotaNode root, std::vector<QuotaNode>& members) const {
  Ledger out;
  out.columns_ = columns_;
  members.assign(1, root);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const std::vector<QuotaNode>& below = node(members[i]).children;
    members.insert(members.end(), below.begin(), below.end());
  }
  std::sort(members.begin(), members.end());
  const auto renumber = [&](QuotaNode& id) {
    const auto at = std::lower_bound(members.begin(), members.end(), id);
    id = QuotaNode{static_cast<std::uint32_t>(at - members.begin())};
  };
  for (const QuotaNode id : members) {
    const QuotaNode own{static_cast<std::uint32_t>(out.nodes_.size())};
    Node& copy = out.nodes_.emplace_back(node(id));
    for (Cell& each : copy.cells) each.usage = 0;
    if (copy.parent) renumber(*copy.parent);
    renumber(copy.root);
    for (QuotaNode& child : copy.children) renumber(child);
    // A ClusterQueue hides a KAI Queue of the same name.
    if (queue(copy.name) == id) out.queues_.emplace(copy.name, own);
    if (cohort(copy.name) == id) out.cohorts_.emplace(copy.name, own);
  }
  return out;
}

std::optional<QuotaNode> Ledger::queue(const std::string& name) const {
  const auto at = queues_.find(name);
  return at == queues_.end() ? std::nullopt : std::optional(at->second);
}

std::optional<QuotaNode> Ledger::cohort(const std::string& name) const {
  const auto at = cohorts_.find(name);
  return at == cohorts_.end() ? std::nullopt : std::optional(at->second);
}

const std::string& Ledger::name(QuotaNode id) const { return node(id).name; }

std::optional<QuotaColumn> Ledger::column(QuotaNode id, Symbol flavor, Symbol resource) const {
  const auto at = columns_->find(column_key(node(id).is_kai ? kAllFlavors : flavor, resource));
  return at == columns_->end() ? std::nullopt : std::optional(at->second);
}

bool Ledger::has_parent(QuotaNode id) const { return node(id).parent.has_value(); }
QuotaNode Ledger::root(QuotaNode id) const { return node(id).root; }
bool Ledger::in_cycle(QuotaNode id) const { return node(id).in_cycle; }
int Ledger::height(QuotaNode id) const { return node(id).height; }

std::size_t Ledger::position(const Node& node, QuotaColumn column) {
  const std::vector<Cell>& cells = node.cells;
  const auto wanted = static_cast<std::uint32_t>(column);
  if (cells.empty() || wanted <= cells.front().column) return 0;
  // Columns are numbered as queues name them, so those of a queue mostly follow each other.
  const std::size_t near = wanted - cells.front().column;
  if (near < cells.size() && cells[near].column == wanted) return near;
  const auto before = [](const Cell& each, std::uint32_t number) { return each.column < number; };
  return static_cast<std::size_t>(std::lower_bound(cells.begin(), cells.end(), wanted, before) -
                                  cells.begin());
}

Ledger::Cell& Ledger::cell(QuotaNode id, QuotaColumn column) {
  Node& own = nodes_[index(id)];
  const std::size_t at = position(own, column);
  if (at < own.cells.size() && own.cells[at].column == static_cast<std::uint32_t>(column)) {
    return own.cells[at];
  }
  Cell made;
  made.column = static_cast<std::uint32_t>(column);
  return *own.cells.insert(own.cells.begin() + static_cast<std::ptrdiff_t>(at), made);
}

const Ledger::Cell& Ledger::cell(QuotaNode id, QuotaColumn column) const {
  static const Cell kNothing;
  const Node& own = node(id);
  const std::size_t at = position(own, column);
  const bool found =
      at < own.cells.size() && own.cells[at].column == static_cast<std::uint32_t>(column);
  return found ? own.cells[at] : kNothing;
}

std::int64_t Ledger::nominal(QuotaNode id, QuotaColumn column) const {
  return cell(id, column).nominal;
}
std::int64_t Ledger::usage(QuotaNode id, QuotaColumn column) const {
  return cell(id, column).usage;
}
std::int64_t Ledger::subtree(QuotaNode id, QuotaColumn column) const {
  return cell(id, column).subtree;
}

std::int64_t Ledger::local(QuotaNode id, QuotaColumn column) const {
  const Cell& at = cell(id, column);
  if (!at.lending_limit || !has_parent(id)) return 0;
  return std::max<std::int64_t>(0, minus(at.subtree, *at.lending_limit));
}

std::int64_t Ledger::local_free(QuotaNode id, QuotaColumn column) const {
  return std::max<std::int64_t>(0, minus(local(id, column), usage(id, column)));
}

std::int64_t Ledger::unclamped_available(QuotaNode id, QuotaColumn column) const {
  // Each node offers its own free amount beside what comes from its parent, which a borrowing limit
  // caps. Going up, both are kept as seen from `id`: what the parent has is still unknown.
  std::int64_t free = 0, cap = kUnlimited;
  for (; has_parent(id); id = *node(id).parent) {
    const Cell& at = cell(id, column);
    free = plus(free, local_free(id, column));
    if (!at.borrowing_limit) continue;
    const std::int64_t here = local(id, column);
    const std::int64_t seen_above =
        std::max<std::int64_t>(0, topology::saturating_sub(at.usage, here));
    const std::int64_t own = minus(minus(at.subtree, here), seen_above);
    cap = std::min(cap, plus(free, plus(own, *at.borrowing_limit)));
  }
  const Cell& root = cell(id, column);
  return std::min(cap, plus(free, minus(root.subtree, root.usage)));
}

std::int64_t Ledger::available(QuotaNode id, QuotaColumn column) const {
  return std::max<std::int64_t>(0, unclamped_available(id, column));
}

std::int64_t Ledger::maximum(QuotaNode id, QuotaColumn column) const {
  std::int64_t kept = 0, cap = kUnlimited;  // as seen from `id`, like unclamped_available()
  for (; has_parent(id); id = *node(id).parent) {
    const Cell& at = cell(id, column);
    if (at.borrowing_limit) {
      cap = std::min(cap, plus(kept, plus(at.subtree, *at.borrowing_limit)));
    }
    kept = plus(kept, local(id, column));
  }
  return std::min(cap, plus(kept, subtree(id, column)));
}

std::int64_t Ledger::most_below(QuotaNode id, QuotaColumn column, QuotaNode above,
                                bool idle) const {
  std::int64_t free = 0, cap = kUnlimited;  // as in unclamped_available()
  for (; id != above && has_parent(id); id = *node(id).parent) {
    const Cell& at = cell(id, column);
    const std::int64_t here = local(id, column);
    const std::int64_t used = idle ? 0 : at.usage;
    free = plus(free, std::max<std::int64_t>(0, minus(here, used)));
    if (!at.borrowing_limit) continue;
    const std::int64_t seen_above = std::max<std::int64_t>(0, topology::saturating_sub(used, here));
    const std::int64_t own = minus(minus(at.subtree, here), seen_above);
    cap = std::min(cap, plus(free, plus(own, *at.borrowing_limit)));
  }
  return cap;
}

Ledger::Carrier Ledger::carrier(QuotaNode id, QuotaColumn column, std::int64_t amount) const {
  const Cell& at = cell(id, column);
  if (!has_parent(id)) return {0, true};
  if (topology::saturating_add(at.usage, amount) <= at.nominal) return {0, false};
  std::int64_t rest = topology::saturating_sub(amount, local_free(id, column));
  Carrier found;
  for (auto up = node(id).parent; up; up = node(*up).parent) {
    found = {height(*up), !has_parent(*up)};
    if (topology::saturating_add(usage(*up, column), rest) <= subtree(*up, column)) break;
    rest = topology::saturating_sub(rest, local_free(*up, column));
  }
  return found;
}

int Ledger::borrowing_level(QuotaNode id, QuotaColumn column, std::int64_t amount) const {
  return carrier(id, column, amount).level;
}

bool Ledger::stays_below_root(QuotaNode id, QuotaColumn column, std::int64_t amount) const {
  return !carrier(id, column, amount).is_root;
}

const std::optional<std::int64_t>& Ledger::borrowing_limit(QuotaNode id, QuotaColumn column) const {
  return cell(id, column).borrowing_limit;
}

std::int64_t Ledger::limit(QuotaNode id, QuotaColumn column) const {
  return has_parent(id) ? *borrowing_limit(id, column) : nominal(id, column);
}

QuotaNode Ledger::tightest(QuotaNode id, QuotaColumn column, bool idle) const {
  const auto room = [&](QuotaNode at) {
    return minus(limit(at, column), idle ? 0 : usage(at, column));
  };
  QuotaNode found = id;
  for (auto up = node(id).parent; up; up = node(*up).parent) {
    if (room(*up) < room(found)) found = *up;
  }
  return found;
}

void Ledger::add(QuotaNode id, QuotaColumn column, std::int64_t amount) {
  for (std::optional<QuotaNode> at = id; at; at = node(*at).parent) {
    const std::int64_t above = topology::saturating_sub(amount, local_free(*at, column));
    std::int64_t& used = cell(*at, column).usage;
    used = topology::saturating_add(used, amount);
    if (above <= 0) return;
    amount = above;
  }
}

void Ledger::remove(QuotaNode id, QuotaColumn column, std::int64_t amount) {
  for (std::optional<QuotaNode> at = id; at; at = node(*at).parent) {
    std::int64_t& used = cell(*at, column).usage;
    const std::int64_t seen_above = topology::saturating_sub(used, local(*at, column));
    used = topology::saturating_sub(used, amount);
    if (seen_above <= 0) return;
    amount = std::min(amount, seen_above);
  }
}

}  // namespace tessera::core
