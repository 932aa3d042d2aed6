// SPDX-License-Identifier: Apache-2.0
#include "solver/index/roll_up.h"

#include <algorithm>
#include <array>

#include "solver/counting/count_kernel.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;
using topology::DomainTree;
using topology::kChunkCells;

/// A domain with more children than this finds its minima by a tournament.
constexpr std::uint32_t kWide = 64;
/// Domains of one part of a parallel build; whole words of the buckets.
constexpr std::uint32_t kPart = 8 * Buckets::kWidth;

std::int64_t whole_units(std::int64_t pods, std::int64_t unit) {
  return unit == 1 ? pods : pods / unit * unit;
}

}  // namespace

RollUp::RollUp(const ResolvedRequest& request, const DomainTree& tree, bool with_leader)
    : request_(request), with_leader_(with_leader) {
  rows_ = InnerRows(tree.level(tree.leaf_level()).begin, with_leader, is_sliced(request, tree));
}

bool RollUp::serves(const ResolvedRequest& request) const {
  return request_.slice_level == request.slice_level && request_.slice_size == request.slice_size &&
         request_.unit == request.unit;
}

CountTable RollUp::table(const DomainTree& tree, const LeafRows& leaves) const {
  return {tree, request_, leaves, rows_, nullptr};
}

void RollUp::store(std::uint32_t domain, const Counts& counts) {
  auto& rows = rows_.rows;
  rows_.buckets.note(domain, counts.slices);
  rows.set(0, domain, counts.pods);
  if (rows_.slices != 0) rows.set(rows_.slices, domain, counts.slices);
  if (!with_leader_) return;
  rows.set(rows_.pods_with_leader, domain, counts.pods_with_leader);
  rows.set(rows_.slices_with_leader, domain, counts.slices_with_leader);
  rows.set(rows_.leaders, domain, counts.leaders);
}

Counts RollUp::plain_sum(const CountTable& table, DomainRange children, int level) const {
  Sum sum(with_leader_, request_.unit[static_cast<std::size_t>(level) + 1]);
  for (std::uint32_t c = children.begin; c < children.end; ++c) sum.add(table.at(DomainId{c}));
  return sum.total(slice_size(level));
}

void RollUp::build(const DomainTree& tree, const LeafRows& leaves, Workers* workers) {
  const CountTable numbers = table(tree, leaves);
  rows_.rows.own_all();  // two threads of a parallel build must not copy one chunk
  // Searches go over the lowest of these levels above all: it has the most domains.
  rows_.buckets.reset(rows_.rows.cells(), tree.level(std::max(0, tree.leaf_level() - 1)).begin);
  wide_.clear();
  for (int level = tree.leaf_level() - 1; level >= 0; --level) {
    const DomainRange all = tree.level(level);
    for (std::uint32_t d = all.begin; with_leader_ && d < all.end; ++d) {
      const DomainRange children = tree.children(DomainId{d});
      if (children.size() > kWide) build_wide(numbers, children, d, level);
    }
    if (workers == nullptr || all.size() < 2 * kPart) {
      build_level(tree, numbers, level, all);
      continue;
    }
    // Parts end where words of the buckets end, so that no two write one word.
    const std::uint32_t shift = rows_.buckets.shift();
    const std::uint32_t first = (all.begin + shift) / kPart, last = (all.end - 1 + shift) / kPart;
    workers->run(last - first + 1, [&](std::uint32_t part) {
      const std::uint32_t begin = (first + part) * kPart;
      build_level(
          tree, numbers, level,
          {std::max(begin, all.begin + shift) - shift, std::min(begin + kPart - shift, all.end)});
    });
  }
}

void RollUp::build_level(const DomainTree& tree, const CountTable& table, int level,
                         DomainRange part) {
  if (!with_leader_ && level == tree.leaf_level() - 1 && request_.unit.back() == 1 &&
      table.leaf_slice() <= 1) {
    return build_above_leaves(tree, table, part);
  }
  for (std::uint32_t d = part.begin; d < part.end; ++d) {
    const DomainRange children = tree.children(DomainId{d});
    if (!with_leader_) {
      store(d, leaderless_sum(table, children, level));
    } else if (children.size() <= kWide) {
      store(d, plain_sum(table, children, level));
    }
  }
}

/// build_level() for domains that add up the pods of their leaves. Takes at once all domains whose
/// leaves lie in one chunk.
void RollUp::build_above_leaves(const DomainTree& tree, const CountTable& table, DomainRange part) {
  const int level = tree.leaf_level() - 1;
  const std::uint32_t first = table.first_leaf();
  std::array<std::int64_t, kPart> sums;
  for (std::uint32_t d = part.begin; d < part.end;) {
    const std::span<const DomainRange> runs =
        tree.children(DomainRange{d, std::min(part.end, d + kPart)});
    const std::uint32_t chunk = (runs.front().begin - first) / kChunkCells;
    std::size_t inside = 0;
    while (inside < runs.size() && runs[inside].end - first <= (chunk + 1) * kChunkCells) ++inside;
    if (inside == 0) {
      store(d, leaderless_sum(table, runs.front(), level));
      ++d;
      continue;
    }
    sum_pods(table.leaves().rows.row(chunk, LeafRows::kCode).data(), first + chunk * kChunkCells,
             runs.first(inside), sums.data());
    for (std::size_t i = 0; i < inside; ++i, ++d) store_sums(d, level, sums[i], table.leaf_slice());
  }
}

/// store() for a domain that holds `pods`, in a request without a leader.
void RollUp::store_sums(std::uint32_t domain, int level, std::int64_t pods,
                        std::int64_t leaf_slice) {
  std::int64_t slices = leaf_slice * pods;
  rows_.rows.set(0, domain, pods);
  if (rows_.slices != 0) {
    if (slice_size(level) > 0) slices = pods / slice_size(level);
    rows_.rows.set(rows_.slices, domain, slices);
  }
  rows_.buckets.note(domain, slices);
}

/// The result of plain_sum(), read directly from the rows.
Counts RollUp::leaderless_sum(const CountTable& table, DomainRange children, int level) const {
  const std::int64_t unit = request_.unit[static_cast<std::size_t>(level) + 1];
  const std::int64_t slice = table.leaf_slice();
  Counts sum;
  if (table.is_leaf(DomainId{children.begin})) {
    const auto add = [&](std::span<const std::int32_t> codes) {
      if (unit == 1 && slice <= 1) {
        sum.pods += sum_pods(codes.data(), codes.size());
        return;
      }
      for (const std::int32_t code : codes) {
        const std::int64_t pods = std::max(code, 0);
        sum.pods += whole_units(pods, unit);
        if (slice > 1) sum.slices += pods / slice;
      }
    };
    table.leaves().rows.for_each_part(LeafRows::kCode, children.begin - table.first_leaf(),
                                      children.end - table.first_leaf(), add);
    if (slice == 1) sum.slices = sum.pods;
  } else {
    const auto add = [&](std::span<const std::int64_t> pods) {
      for (const std::int64_t each : pods) sum.pods += whole_units(each, unit);
    };
    const auto add_slices = [&](std::span<const std::int64_t> slices) {
      for (const std::int64_t each : slices) sum.slices += each;
    };
    rows_.rows.for_each_part(0, children.begin, children.end, add);
    rows_.rows.for_each_part(rows_.slices, children.begin, children.end, add_slices);
  }
  if (slice_size(level) > 0) sum.slices = sum.pods / slice_size(level);
  return sum;
}

void RollUp::build_wide(const CountTable& table, DomainRange children, std::uint32_t parent,
                        int level) {
  const std::int64_t unit = request_.unit[static_cast<std::size_t>(level) + 1];
  auto wide =
      std::make_shared<Wide>(Wide{Tournament(children.size()), Tournament(children.size())});
  for (std::uint32_t c = children.begin; c < children.end; ++c) {
    const Counts child = table.at(DomainId{c});
    if (child.leaders == 0) continue;
    wide->pods_lost.set(c - children.begin,
                        whole_units(child.pods, unit) - whole_units(child.pods_with_leader, unit));
    wide->slices_lost.set(c - children.begin, child.slices - child.slices_with_leader);
  }
  store(parent, plain_sum(table, children, level));
  wide_[parent] = std::move(wide);
}

void RollUp::slots_moved(const DomainTree& tree, const LeafRows& leaves, DomainId parent) {
  if (wide_.count(index(parent)) == 0) return;
  build_wide(table(tree, leaves), tree.children(parent), index(parent), tree.leaf_level() - 1);
}

void RollUp::move(const DomainTree& tree, const LeafRows& leaves, const LeafChanges& changes) {
  if (changes.levels.empty()) return;
  const CountTable numbers = table(tree, leaves);
  add_leaves(changes, numbers.leaf_slice());
  if (changes.levels.front().size() == 1 && !with_leader_)
    return move_path(changes, below_.front());
  int level = tree.leaf_level() - 1;
  for (std::size_t step = 0; step < changes.levels.size(); ++step, --level) {
    move_level(numbers, changes, step, level);
    below_.swap(above_);
  }
}

/// move() for leaves below one domain: each level above has one domain to move.
void RollUp::move_path(const LeafChanges& changes, Difference below) {
  int level = static_cast<int>(request_.unit.size()) - 2;
  for (const std::vector<TouchedDomain>& step : changes.levels) {
    if (below.pods == 0 && below.slices == 0) return;
    below = move_sums(index(step.front().domain), level--, below);
  }
}

/// Adds up, for each domain of the first level, how the pods of its leaves changed. The sums go
/// into below_.
void RollUp::add_leaves(const LeafChanges& changes, std::int64_t leaf_slice) {
  const std::int64_t unit = request_.unit.back();
  below_.clear();
  for (const TouchedDomain& touched : changes.levels.front()) {
    Difference sum;
    if (unit == 1 && leaf_slice <= 1) {
      for (std::uint32_t i = touched.first; i < touched.end; ++i) {
        sum.pods += std::max(changes.after[i], 0) - std::max(changes.before[i], 0);
      }
      sum.slices = leaf_slice * sum.pods;
    } else {
      for (std::uint32_t i = touched.first; i < touched.end; ++i) {
        const std::int64_t before = std::max(changes.before[i], 0);
        const std::int64_t after = std::max(changes.after[i], 0);
        sum.pods += whole_units(after, unit) - whole_units(before, unit);
        if (leaf_slice > 0) sum.slices += after / leaf_slice - before / leaf_slice;
      }
    }
    below_.push_back(sum);
  }
}

/// Moves the domains of one level by below_. The differences that they pass upwards go to above_.
void RollUp::move_level(const CountTable& table, const LeafChanges& changes, std::size_t step,
                        int level) {
  const std::vector<TouchedDomain>& domains = changes.levels[step];
  const bool topmost = step + 1 == changes.levels.size();
  above_.assign(topmost ? 0 : changes.levels[step + 1].size(), {});
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const bool same = below_[i].pods == 0 && below_[i].slices == 0;
    if (same && !with_leader_) continue;
    const Difference own = with_leader_
                               ? move_domain(table, changes, step, level, domains[i], below_[i])
                               : move_sums(index(domains[i].domain), level, below_[i]);
    if (topmost) continue;
    above_[domains[i].above].pods += own.pods;
    above_[domains[i].above].slices += own.slices;
  }
}

/// Moves one domain of a request with a leader. Returns the difference that it passes upwards.
RollUp::Difference RollUp::move_domain(const CountTable& table, const LeafChanges& changes,
                                       std::size_t step, int level, const TouchedDomain& touched,
                                       const Difference& below) {
  const std::uint32_t d = index(touched.domain);
  const std::int64_t pods = rows_.rows.get(0, d);
  const std::int64_t slices = rows_.slices == 0 ? pods : rows_.rows.get(rows_.slices, d);
  Counts after;
  after.pods = pods + below.pods;
  after.slices = slices + below.slices;
  if (slice_size(level) > 0) after.slices = after.pods / slice_size(level);
  if (touched.children.size() > kWide) {
    enter_changes(table, changes, step, touched,
                  request_.unit[static_cast<std::size_t>(level) + 1]);
    after = beside_leader(d, level, after);
  } else {
    after = plain_sum(table, touched.children, level);
  }
  store(d, after);
  const std::int64_t unit = request_.unit[static_cast<std::size_t>(level)];
  return {whole_units(after.pods, unit) - whole_units(pods, unit), after.slices - slices};
}

/// move_domain() without a leader.
RollUp::Difference RollUp::move_sums(std::uint32_t domain, int level, const Difference& below) {
  std::int64_t& pods = rows_.rows.at(0, domain);
  const std::int64_t pods_before = pods;
  pods += below.pods;
  std::int64_t slices_before = pods_before, slices_after = pods;
  if (rows_.slices != 0) {
    std::int64_t& slices = rows_.rows.at(rows_.slices, domain);
    slices_before = slices;
    slices = slice_size(level) > 0 ? pods / slice_size(level) : slices + below.slices;
    slices_after = slices;
  }
  rows_.buckets.note(domain, slices_after);
  const std::int64_t unit = request_.unit[static_cast<std::size_t>(level)];
  return {whole_units(pods, unit) - whole_units(pods_before, unit), slices_after - slices_before};
}

/// Tells the tournament of a wide domain about its touched children.
void RollUp::enter_changes(const CountTable& table, const LeafChanges& changes, std::size_t step,
                           const TouchedDomain& touched, std::int64_t unit) {
  std::shared_ptr<Wide>& wide = wide_.at(index(touched.domain));
  if (wide.use_count() > 1) wide = std::make_shared<Wide>(*wide);
  for (std::uint32_t i = touched.first; i < touched.end; ++i) {
    const DomainId domain = step == 0 ? DomainId{table.first_leaf() + changes.leaves[i]}
                                      : changes.levels[step - 1][i].domain;
    const Counts child = table.at(domain);
    const std::size_t at = index(domain) - touched.children.begin;
    const bool leads = child.leaders > 0;
    wide->pods_lost.set(
        at, leads ? whole_units(child.pods, unit) - whole_units(child.pods_with_leader, unit)
                  : Tournament::kAbsent);
    wide->slices_lost.set(at,
                          leads ? child.slices - child.slices_with_leader : Tournament::kAbsent);
  }
}

/// The numbers of a wide domain beside a leader, from the sums and the tournament.
Counts RollUp::beside_leader(std::uint32_t domain, int level, const Counts& linear) const {
  const Wide& wide = *wide_.at(domain);
  Counts out = linear;
  const std::int64_t pods_lost = wide.pods_lost.smallest();
  if (pods_lost == Tournament::kAbsent) return out;
  out.leaders = 1;
  out.pods_with_leader = out.pods - pods_lost;
  out.slices_with_leader = slice_size(level) > 0 ? out.pods_with_leader / slice_size(level)
                                                 : out.slices - wide.slices_lost.smallest();
  return out;
}

}  // namespace tessera::solver
