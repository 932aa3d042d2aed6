// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/counts.h"

#include <algorithm>
#include <limits>

namespace tessera::solver {
namespace {

using topology::Basis;
using topology::Capacity;
using topology::CellId;
using topology::DomainId;
using topology::LeafId;

constexpr std::int64_t kMostPods = std::numeric_limits<std::int32_t>::max();

/// A request whose rows are looked up once for all leaves. Resources are in byte order of their
/// names, so that the first one that gives 0 is the limiting one.
class Divider {
 public:
  Divider(const Capacity& capacity, Basis basis, const Amounts& request)
      : rows_(capacity.rows(basis)) {
    for (const topology::Amount& amount : request) {
      if (amount.value > 0)
        terms_.push_back({capacity.row(amount.resource), amount.value, amount.resource});
    }
  }

  /// Pods that fit into the free amount of the cell minus `taken`. `limiting`: index of the first
  /// term that gives 0.
  std::int64_t count(CellId cell, const Divider* taken, int* limiting) const {
    std::int64_t pods = kMostPods;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const Term& term = terms_[i];
      std::int64_t free =
          term.row < 0 ? 0 : rows_.get(static_cast<std::uint32_t>(term.row), index(cell));
      if (taken != nullptr) free = topology::saturating_sub(free, taken->amount_of(term.row));
      if (free < term.amount) {
        if (limiting != nullptr) *limiting = static_cast<int>(i);
        return 0;
      }
      pods = std::min(pods, free / term.amount);
    }
    return pods;
  }
  Symbol resource(int term) const { return terms_[static_cast<std::size_t>(term)].resource; }
  std::size_t size() const { return terms_.size(); }

 private:
  struct Term {
    int row;
    std::int64_t amount;
    Symbol resource;
  };
  std::int64_t amount_of(int row) const {
    for (const Term& term : terms_) {
      if (term.row == row && row >= 0) return term.amount;
    }
    return 0;
  }

  const topology::ChunkedRows<std::int64_t>& rows_;
  std::vector<Term> terms_;
};

class LeafCounter {
 public:
  LeafCounter(const CountRequest& request, const Capacity& capacity, Basis basis)
      : request_(request),
        worker_(capacity, basis, request.worker),
        leader_(capacity, basis, request.leader),
        limited_(worker_.size(), 0) {}

  /// Pods and leaders; slices follow from pods.
  Counts count(LeafId leaf) {
    const CellId cell = request_.view->cells()[index(leaf)];
    const bool worker_allowed = request_.worker_filter->verdict[index(leaf)] == 0;
    Counts out;
    if (worker_allowed) {
      int limiting = -1;
      out.pods = worker_.count(cell, nullptr, &limiting);
      if (out.pods == 0 && limiting >= 0) ++limited_[static_cast<std::size_t>(limiting)];
    }
    out.pods_with_leader = out.pods;
    const bool leader_allowed = request_.leader_filter != nullptr
                                    ? request_.leader_filter->verdict[index(leaf)] == 0
                                    : worker_allowed;
    if (request_.has_leader && leader_allowed && leader_.count(cell, nullptr, nullptr) > 0) {
      out.leaders = 1;
      if (worker_allowed) out.pods_with_leader = worker_.count(cell, &leader_, nullptr);
    }
    return out;
  }

  Exclusions exclusions() const {
    Exclusions out;
    out.leaves = request_.view->tree().shown_leaf_count();
    for (const CauseCount& cause : request_.worker_filter->causes) {
      if (cause.leaves > 0) out.causes.push_back(cause);
    }
    for (std::size_t i = 0; i < limited_.size(); ++i) {
      if (limited_[i] == 0) continue;
      out.causes.push_back(
          {CauseCount::Kind::kResource, worker_.resource(static_cast<int>(i)).str(), limited_[i]});
    }
    return out;
  }

 private:
  const CountRequest& request_;
  Divider worker_, leader_;
  std::vector<std::int64_t> limited_;  // leaves by limiting term of the workers' request
};

}  // namespace

CountRows::CountRows(const topology::DomainTree& tree, const ResolvedRequest& request,
                     bool with_leader)
    : leaves(tree.leaf_count(), with_leader),
      inner(tree.level(tree.leaf_level()).begin, with_leader, is_sliced(request, tree)),
      first_leaf(tree.level(tree.leaf_level()).begin) {}

void CountRows::set(DomainId domain, const Counts& counts) {
  const std::uint32_t i = index(domain);
  const bool with_leader = leaves.with_leader();
  if (i >= first_leaf) {
    const auto narrow = [](std::int64_t pods) { return static_cast<std::int32_t>(pods); };
    leaves.rows.set(LeafRows::kCode, i - first_leaf, narrow(counts.pods));
    if (!with_leader) return;
    leaves.rows.set(LeafRows::kPodsWithLeader, i - first_leaf, narrow(counts.pods_with_leader));
    leaves.rows.set(LeafRows::kLeaders, i - first_leaf, narrow(counts.leaders));
    return;
  }
  inner.rows.set(0, i, counts.pods);
  inner.rows.set(inner.slices, i, counts.slices);
  if (!with_leader) return;
  inner.rows.set(inner.pods_with_leader, i, counts.pods_with_leader);
  inner.rows.set(inner.slices_with_leader, i, counts.slices_with_leader);
  inner.rows.set(inner.leaders, i, counts.leaders);
}

CountRows count(const CountRequest& request, const ResolvedRequest& resolved,
                const Capacity& capacity, Basis basis, Exclusions& exclusions) {
  const topology::DomainTree& tree = request.view->tree();
  CountRows rows(tree, resolved, request.has_leader);
  LeafCounter leaves(request, capacity, basis);
  for (std::uint32_t i = 0; i < tree.leaf_count(); ++i) {
    rows.set(tree.domain_of(LeafId{i}), leaves.count(LeafId{i}));
  }
  exclusions = leaves.exclusions();

  const CountTable table(tree, resolved, rows.leaves, rows.inner, nullptr);
  for (int level = tree.leaf_level() - 1; level >= 0; --level) {
    const std::int64_t unit = resolved.unit[static_cast<std::size_t>(level) + 1];
    const std::int64_t slice_size = level == resolved.slice_level ? resolved.slice_size : 0;
    const topology::DomainRange domains = tree.level(level);
    for (std::uint32_t d = domains.begin; d < domains.end; ++d) {
      Sum sum(request.has_leader, unit);
      const topology::DomainRange children = tree.children(DomainId{d});
      for (std::uint32_t c = children.begin; c < children.end; ++c) sum.add(table.at(DomainId{c}));
      rows.set(DomainId{d}, sum.total(slice_size));
    }
  }
  return rows;
}

std::int64_t pods_that_fit(const Capacity& capacity, Basis basis, CellId cell,
                           const Amounts& request) {
  return Divider(capacity, basis, request).count(cell, nullptr, nullptr);
}

}  // namespace tessera::solver
