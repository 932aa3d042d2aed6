// SPDX-License-Identifier: Apache-2.0
#include "solver/index/live_counts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "topology/prefetch.h"

namespace tessera::solver {
namespace {

using topology::Basis;
using topology::Capacity;
using topology::kChunkCells;

/// How many leaves one of several threads counts at once. A chunk is a multiple of it.
constexpr std::uint32_t kSmallPart = 512;
/// Up to so many leaves are counted and moved by plain loops, which end before a kernel or
/// memmove() would begin.
constexpr std::uint32_t kFewLeaves = 4;
constexpr std::int64_t kMostPods = INT32_MAX;

}  // namespace

LiveCounts::LiveCounts(const CountRequest& request, Basis basis, const Capacity& capacity,
                       Workers* workers)
    : request_(request),
      basis_(basis),
      leaves_(request.view->tree().leaf_count(), request.has_leader) {
  leaves_.keeps_buckets = true;
  prepare(capacity);
  tally_.assign(worker_.exact.size(), 0);
  count_anew(capacity, workers);
}

/// Clears narrow_ if some amount is no multiple of its row's unit.
LiveCounts::Terms LiveCounts::terms_of(const Capacity& capacity, const Amounts& request,
                                       const Amounts& taken) {
  Terms terms;
  const topology::NarrowRows& free = capacity.narrow_free();
  bool small = true;
  for (const topology::Amount& amount : request) {
    if (amount.value <= 0) continue;
    const int row = capacity.row(amount.resource);
    const auto at = static_cast<std::uint32_t>(row);
    const std::int64_t less = row < 0 ? 0 : std::max<std::int64_t>(0, taken.get(amount.resource));
    terms.exact.push_back({row, amount.value, less, amount.resource});
    const int shift = row < 0 ? 0 : free.shift(at);
    const std::int64_t units = amount.value >> shift, units_less = less >> shift;
    const bool exact = (units << shift) == amount.value && (units_less << shift) == less;
    if (row >= 0 && (!exact || units > INT32_MAX || units_less > INT32_MAX)) narrow_ = false;
    if (!narrow_) continue;
    // A row below 0: no node has the resource, so nothing of it is free, and any divisor will do.
    terms.narrow.push_back({nullptr, static_cast<std::int32_t>(units_less),
                            row < 0 ? Divider31() : Divider31(static_cast<std::int32_t>(units))});
    small = small && row >= 0 && less == 0;
    if (!small) continue;
    const std::optional<SmallTerm> term =
        small_term(static_cast<std::int32_t>(units), free.bits(at), free.is_small(at));
    small = term.has_value();
    if (term) terms.small.push_back(*term);
  }
  if (terms.exact.size() > kMostTerms) narrow_ = false;
  if (!small || !narrow_) terms.small.clear();
  return terms;
}

void LiveCounts::prepare(const Capacity& capacity) {
  narrow_ = basis_ == Basis::kFree;
  units_version_ = capacity.narrow_free().version();
  worker_ = terms_of(capacity, request_.worker, {});
  if (request_.has_leader) {
    leader_ = terms_of(capacity, request_.leader, {});
    beside_leader_ = terms_of(capacity, request_.worker, request_.leader);
  }
}

/// A new unit of a row changes no quotient, only how it is computed from now on.
void LiveCounts::keep_units(const Capacity& capacity) {
  if (units_version_ != capacity.narrow_free().version()) prepare(capacity);
}

void LiveCounts::count_anew(const Capacity& capacity, Workers* workers) {
  keep_units(capacity);
  version_ = capacity.version();
  leaves_.buckets.clear();
  leaves_.rows.own_all();  // two threads must not copy one chunk
  const std::uint32_t leaves = leaves_.rows.cells();
  std::fill(tally_.begin(), tally_.end(), 0);
  if (workers != nullptr && !workers->worth_it(leaves)) workers = nullptr;
  const std::uint32_t size = workers == nullptr ? kChunkCells : kSmallPart;
  const std::uint32_t parts = (leaves + size - 1) / size;
  if (workers == nullptr) {
    for (std::uint32_t part = 0; part < parts; ++part) {
      count_part(capacity, part * size, size, tally_.data());
    }
  } else {
    std::vector<std::int64_t> tallies(parts * tally_.size(), 0);
    workers->run(parts, [&](std::uint32_t part) {
      count_part(capacity, part * size, size, tallies.data() + part * tally_.size());
    });
    for (std::size_t i = 0; i < tallies.size(); ++i) tally_[i % tally_.size()] += tallies[i];
  }
  for (RollUp& roll_up : roll_ups_) roll_up.build(view().tree(), leaves_, workers);
}

/// Counts `size` leaves from `first`, or as many as there are; all lie in one chunk.
void LiveCounts::count_part(const Capacity& capacity, std::uint32_t first, std::uint32_t size,
                            std::int64_t* tally) {
  const std::uint32_t count = std::min(size, leaves_.rows.cells() - first);
  CellRun run;
  if (view().numbered_alike(first / kChunkCells)) {
    run.use_part(capacity, first, count);
  } else {
    run.use_cells(capacity, view().cells().subspan(first, count));
  }
  Output out{&leaves_.rows.at(LeafRows::kCode, first), nullptr, nullptr};
  const auto verdict_of = [first](const FilterClass& filter) {
    return filter.excluded > 0 ? filter.verdict.data() + first : nullptr;
  };
  const FilterClass& leader_filter =
      request_.leader_filter ? *request_.leader_filter : *request_.worker_filter;
  if (request_.has_leader) {
    out.pods_with_leader = &leaves_.rows.at(LeafRows::kPodsWithLeader, first);
    out.leaders = &leaves_.rows.at(LeafRows::kLeaders, first);
  }
  std::vector<CountTerm> scratch;  // chunks may be counted by several threads
  count_run(run, verdict_of(*request_.worker_filter), verdict_of(leader_filter), out, tally,
            scratch);
}

void LiveCounts::count_run(CellRun& run, const std::uint16_t* worker_verdict,
                           const std::uint16_t* leader_verdict, const Output& out,
                           std::int64_t* tally, std::vector<CountTerm>& scratch) const {
  count_terms(run, worker_, worker_verdict, out.codes, tally, scratch);
  if (!request_.has_leader) return;
  count_terms(run, leader_, leader_verdict, out.leaders, nullptr, scratch);
  count_terms(run, beside_leader_, worker_verdict, out.pods_with_leader, nullptr, scratch);
  for (std::size_t i = 0; i < run.size(); ++i) {
    const bool leads = out.leaders[i] > 0;
    out.pods_with_leader[i] = std::max(0, leads ? out.pods_with_leader[i] : out.codes[i]);
    out.leaders[i] = leads ? 1 : 0;
  }
}

void LiveCounts::count_terms(CellRun& run, const Terms& terms, const std::uint16_t* verdict,
                             std::int32_t* codes, std::int64_t* tally,
                             std::vector<CountTerm>& scratch) const {
  if (run.in_place() && !terms.small.empty()) {
    std::array<SmallTerm, kMostTerms> small;
    for (std::size_t t = 0; t < terms.small.size(); ++t) {
      small[t] = terms.small[t];
      run.set_row(terms.exact[t].row, small[t]);
    }
    return count_small_cells(std::span(small).first(terms.small.size()), verdict, run.size(), codes,
                             tally);
  }
  if (narrow_) {
    scratch.resize(terms.narrow.size());
    for (std::size_t t = 0; t < scratch.size(); ++t) {
      scratch[t] = terms.narrow[t];
      scratch[t].free = run.narrow(terms.exact[t].row);
    }
    return count_cells(scratch, verdict, run.size(), codes, tally);
  }
  const std::vector<Term>& exact = terms.exact;
  std::vector<const std::int64_t*> free;
  for (const Term& term : exact) free.push_back(run.exact(basis_, term.row));
  for (std::size_t i = 0; i < run.size(); ++i) {
    if (verdict != nullptr && verdict[i] != 0) {
      codes[i] = kExcludedLeaf;
      continue;
    }
    std::int64_t code = kMostPods;
    for (std::size_t t = 0; t < exact.size(); ++t) {
      const std::int64_t left = topology::saturating_sub(free[t][i], exact[t].taken);
      if (left < exact[t].amount) {
        if (tally != nullptr) ++tally[t];
        code = -static_cast<std::int64_t>(t) - 1;
        break;
      }
      code = std::min(code, left / exact[t].amount);
    }
    codes[i] = static_cast<std::int32_t>(code);
  }
}

/// count_terms() of the workers for a few leaves.
void LiveCounts::count_few(CellRun& run, const std::uint16_t* verdict, std::int32_t* codes) const {
  for (std::size_t i = 0; i < run.size(); ++i) {
    codes[i] = verdict != nullptr && verdict[i] != 0 ? kExcludedLeaf : INT32_MAX;
  }
  // Backwards: the first term without room is written last, and stays.
  for (std::size_t t = worker_.narrow.size(); t-- > 0;) {
    const std::int32_t* const free = run.narrow(worker_.exact[t].row);
    const Divider31 per_pod = worker_.narrow[t].per_pod;
    const std::int32_t none = -static_cast<std::int32_t>(t) - 1;
    for (std::size_t i = 0; i < run.size(); ++i) {
      if (codes[i] == kExcludedLeaf) continue;
      const std::int32_t pods = per_pod.divide(free[i]);
      codes[i] = pods == 0 ? none : std::min(codes[i], pods);
    }
  }
}

void LiveCounts::catch_up(const Capacity& capacity, Touched& touched) {
  keep_units(capacity);
  move(touched);
  version_ = touched.until;
}

void LiveCounts::leaves_changed(const Capacity& capacity, Touched& touched) {
  keep_units(capacity);
  move(touched);
}

void LiveCounts::slots_moved(topology::SlotShift shift) {
  const std::uint32_t low = std::min(index(shift.hole), index(shift.at));
  const std::uint32_t high = std::max(index(shift.hole), index(shift.at));
  for (std::uint32_t row = 0; row < leaves_.rows.rows(); ++row) {
    if (low / kChunkCells == high / kChunkCells) {
      const std::uint32_t first = low / kChunkCells * kChunkCells;
      std::int32_t* const chunk = leaves_.rows.writable_row(low / kChunkCells, row).data();
      topology::rotate_slots(
          {topology::LeafId{index(shift.hole) - first}, topology::LeafId{index(shift.at) - first}},
          chunk);
      continue;
    }
    const bool up = index(shift.at) > index(shift.hole);
    const std::int32_t moving = leaves_.rows.get(row, index(shift.hole));
    for (std::uint32_t at = index(shift.hole); at != index(shift.at);) {
      const std::uint32_t from = up ? at + 1 : at - 1;
      leaves_.rows.set(row, at, leaves_.rows.get(row, from));
      at = from;
    }
    leaves_.rows.set(row, index(shift.at), moving);
  }
  const topology::DomainTree& tree = view().tree();
  leaves_.buckets.clear();
  const auto parent = tree.parent(tree.domain_of(shift.at));
  if (!parent) return;
  for (RollUp& roll_up : roll_ups_) roll_up.slots_moved(tree, leaves_, *parent);
}

void LiveCounts::prefetch(const Touched& touched) const {
  const auto fetch_rows = [](const auto& rows, std::uint32_t cell) {
    for (std::uint32_t row = 0; row < rows.rows(); ++row) {
      topology::prefetch_for_write(rows.peek(row, cell));
    }
  };
  for (const std::uint32_t leaf : touched.leaves) fetch_rows(leaves_.rows, leaf);
  for (const RollUp& roll_up : roll_ups_) {
    for (const std::vector<TouchedDomain>& level : touched.levels) {
      for (const TouchedDomain& each : level) {
        fetch_rows(roll_up.rows().rows, index(each.domain));
        roll_up.rows().buckets.prefetch(index(each.domain));
      }
    }
  }
}

void LiveCounts::move(Touched& touched) {
  const std::size_t n = touched.leaves.size();
  const std::uint32_t rows = leaves_.rows.rows();
  fresh_.resize(n * rows);
  stale_.resize(n * rows);
  Output out{fresh_.data(), nullptr, nullptr};
  const std::uint16_t* const verdict = touched.verdicts(*request_.worker_filter);
  const std::uint16_t* leader_verdict = verdict;
  if (request_.has_leader) {
    out.pods_with_leader = fresh_.data() + n * LeafRows::kPodsWithLeader;
    out.leaders = fresh_.data() + n * LeafRows::kLeaders;
    if (request_.leader_filter) leader_verdict = touched.verdicts(*request_.leader_filter);
  }
  if (n <= kFewLeaves && narrow_ && !request_.has_leader) {
    count_few(touched.run, verdict, out.codes);
  } else {
    count_run(touched.run, verdict, leader_verdict, out, nullptr, scratch_);
  }

  for (std::uint32_t row = 0; row < rows; ++row) {
    for (const Touched::Span& span : touched.spans) {
      std::int32_t* const kept = &leaves_.rows.at(row, span.leaf);
      const std::size_t first = row * n + span.begin;
      if (span.size > kFewLeaves) {
        std::copy_n(kept, span.size, stale_.data() + first);
        std::copy_n(fresh_.data() + first, span.size, kept);
        continue;
      }
      for (std::uint32_t i = 0; i < span.size; ++i) {
        stale_[first + i] = std::exchange(kept[i], fresh_[first + i]);
      }
    }
  }
  std::int32_t differences = 0;  // its bits are not 0 if anything changed
  for (std::size_t i = 0; i < n * rows; ++i) differences |= stale_[i] ^ fresh_[i];
  if (differences == 0) return;
  if (!leaves_.buckets.empty()) {
    for (std::size_t i = 0; i < n; ++i) leaves_.buckets.note(touched.leaves[i], fresh_[i]);
  }
  tally_codes({stale_.data(), n}, -1);
  tally_codes({fresh_.data(), n}, 1);
  const LeafChanges changes{touched.levels, touched.leaves, stale_.data(), fresh_.data()};
  for (RollUp& roll_up : roll_ups_) roll_up.move(view().tree(), leaves_, changes);
}

void LiveCounts::tally_codes(std::span<const std::int32_t> codes, std::int64_t sign) {
  if (codes.size() <= kFewLeaves) {
    for (const std::int32_t code : codes) {
      if (code < 0 && code != kExcludedLeaf) tally_[static_cast<std::size_t>(-code - 1)] += sign;
    }
    return;
  }
  std::int32_t any = 0;  // below 0 if some code is
  for (const std::int32_t code : codes) any |= code;
  if (any >= 0) return;
  for (std::size_t t = 0; t < tally_.size(); ++t) {
    const std::int32_t wanted = -static_cast<std::int32_t>(t) - 1;
    std::int32_t found = 0;
    for (const std::int32_t code : codes) found += code == wanted ? 1 : 0;
    tally_[t] += sign * found;
  }
}

RollUp* LiveCounts::find_roll_up(const ResolvedRequest& request) {
  const auto found = std::find_if(roll_ups_.begin(), roll_ups_.end(),
                                  [&](const RollUp& each) { return each.serves(request); });
  return found == roll_ups_.end() ? nullptr : &*found;
}

RollUp& LiveCounts::add_roll_up(const ResolvedRequest& request, Workers* workers) {
  RollUp& added = roll_ups_.emplace_back(request, view().tree(), request_.has_leader);
  const bool alone = workers == nullptr || !workers->worth_it(leaves_.rows.cells());
  added.build(view().tree(), leaves_, alone ? nullptr : workers);
  return added;
}

Exclusions LiveCounts::exclusions() const {
  Exclusions out;
  out.leaves = view().tree().shown_leaf_count();
  for (const CauseCount& cause : request_.worker_filter->causes) {
    if (cause.leaves > 0) out.causes.push_back(cause);
  }
  for (std::size_t i = 0; i < tally_.size(); ++i) {
    if (tally_[i] == 0) continue;
    out.causes.push_back({CauseCount::Kind::kResource, worker_.exact[i].resource.str(), tally_[i]});
  }
  return out;
}

}  // namespace tessera::solver
