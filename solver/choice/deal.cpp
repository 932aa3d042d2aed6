// SPDX-License-Identifier: Apache-2.0
#include "solver/choice/deal.h"

#include <algorithm>

namespace tessera::solver {
namespace {

/// Negative if `a` comes first. Packing orders put the most slices first, LeastFreeCapacity the
/// fewest. Among equals the fewest pods come first (the tighter domain), except in
/// MostFreeCapacity.
int compare_capacity(std::int64_t slices_a, std::int64_t pods_a, std::int64_t slices_b,
                     std::int64_t pods_b, Algorithm algorithm) {
  if (slices_a != slices_b) {
    const bool less =
        algorithm == Algorithm::kLeastFreeCapacity ? slices_a < slices_b : slices_a > slices_b;
    return less ? -1 : 1;
  }
  if (pods_a == pods_b) return 0;
  const bool less = algorithm == Algorithm::kMostFreeCapacity ? pods_a > pods_b : pods_a < pods_b;
  return less ? -1 : 1;
}

/// A domain has few children, and they are often in order already.
template <class Before>
void sort(std::span<Candidate> list, Before before) {
  constexpr std::size_t kFew = 40;
  if (list.size() > kFew) {
    if (!std::is_sorted(list.begin(), list.end(), before)) {
      std::sort(list.begin(), list.end(), before);
    }
    return;
  }
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!before(list[i], list[i - 1])) continue;
    const Candidate moving = list[i];
    std::size_t at = i;
    for (; at > 0 && before(moving, list[at - 1]); --at) list[at] = list[at - 1];
    list[at] = moving;
  }
}

}  // namespace

std::int64_t amount(const Counts& counts, Unit unit, bool with_leader) {
  if (unit == Unit::kSlices) return with_leader ? counts.slices_with_leader : counts.slices;
  return with_leader ? counts.pods_with_leader : counts.pods;
}

bool before_with_leader(const Candidate& a, const Candidate& b, const Ordering& ordering) {
  if (a.counts.leaders != b.counts.leaders) return a.counts.leaders > b.counts.leaders;
  if (ordering.affinity && a.counts.score != b.counts.score) return a.counts.score > b.counts.score;
  const int order =
      compare_capacity(a.counts.slices_with_leader, a.counts.pods_with_leader,
                       b.counts.slices_with_leader, b.counts.pods_with_leader, ordering.algorithm);
  return order != 0 ? order < 0 : a.domain < b.domain;
}

bool before_for_workers(const Candidate& a, const Candidate& b, const Ordering& ordering) {
  if (ordering.affinity && a.counts.score != b.counts.score) return a.counts.score > b.counts.score;
  const int order = compare_capacity(a.counts.slices, a.counts.pods, b.counts.slices, b.counts.pods,
                                     ordering.algorithm);
  return order != 0 ? order < 0 : a.domain < b.domain;
}

void sort_with_leader(std::span<Candidate> list, const Ordering& ordering) {
  sort(list,
       [&](const Candidate& a, const Candidate& b) { return before_with_leader(a, b, ordering); });
}

void sort_for_workers(std::span<Candidate> list, const Ordering& ordering) {
  sort(list,
       [&](const Candidate& a, const Candidate& b) { return before_for_workers(a, b, ordering); });
}

std::size_t best_fit(std::span<const Candidate> list, std::int64_t need, std::int64_t leaders,
                     Unit unit, const Ordering& ordering) {
  std::size_t best = list.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (ordering.affinity && list[i].counts.score != list[0].counts.score) break;
    if (list[i].counts.leaders < leaders) continue;
    const std::int64_t have = amount(list[i].counts, unit, leaders > 0);
    if (have < need) continue;
    if (best == list.size() || have < amount(list[best].counts, unit, leaders > 0)) best = i;
  }
  return best == list.size() ? 0 : best;
}

void lead_first(std::span<Candidate> list, std::int64_t need, std::int64_t leaders, Unit unit) {
  if (leaders == 0 || list.size() < 2) return;
  std::int64_t have = 0;
  for (const Candidate& c : list) have += amount(c.counts, unit, false);
  for (auto it = list.begin(); it != list.end(); ++it) {
    if (it->counts.leaders < leaders) continue;
    const std::int64_t lost = amount(it->counts, unit, false) - amount(it->counts, unit, true);
    if (have - lost < need) continue;
    std::rotate(list.begin(), it, it + 1);
    return;
  }
}

void consume(std::span<Candidate> list, const Load& load, const Ordering& ordering,
             std::vector<Share>& out) {
  const Unit unit = load.unit;
  const std::int64_t factor = unit == Unit::kSlices ? load.slice_size : 1;
  std::int64_t left = load.need(), leaders = load.leaders;
  lead_first(list, left, leaders, unit);

  const std::size_t before = out.size();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool leading = leaders > 0;
    const auto covers = [&](const Candidate& c) {
      return amount(c.counts, unit, leading) >= left && c.counts.leaders >= leaders;
    };
    const std::span<const Candidate> rest = list.subspan(i);
    const Candidate& chosen = ordering.best_fit() && covers(list[i])
                                  ? rest[best_fit(rest, left, leaders, unit, ordering)]
                                  : list[i];
    if (covers(chosen)) {
      out.push_back({chosen.domain, left * factor, leaders});
      return;
    }
    const std::int64_t units = std::min(amount(chosen.counts, unit, leading), left);
    const std::int64_t led = std::min(chosen.counts.leaders, leaders);
    out.push_back({chosen.domain, units * factor, led});
    left -= units;
    leaders -= led;
  }
  out.resize(before);
}

}  // namespace tessera::solver
