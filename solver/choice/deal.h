// SPDX-License-Identifier: Apache-2.0
// Deals pods to a list of domains: the orders of the list, the best-fit pick, and consume()
// (placement.md 4.2, 4.3, 4.6).
//
// Pure functions on small lists of candidates. Used by the search at every level, and by balanced
// placement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solver/choice/options.h"
#include "solver/counting/count_table.h"

namespace tessera::solver {

/// One domain of a list that pods are dealt to.
struct Candidate {
  topology::DomainId domain{};
  Counts counts;
};

/// What one domain gets.
struct Share {
  topology::DomainId domain{};
  std::int64_t pods = 0;
  std::int64_t leaders = 0;
};

/// How lists are ordered and whether the last domain is picked by best fit.
struct Ordering {
  Algorithm algorithm = Algorithm::kBestFit;
  bool affinity = false;

  bool best_fit() const { return algorithm == Algorithm::kBestFit; }
};

/// The ordering that the options give a request. `scored`: some domain may have a score. Without
/// scores, affinity changes nothing.
inline Ordering ordering_for(const ResolvedRequest& request, const SearchOptions& options,
                             bool scored) {
  const Algorithm algorithm = request.unconstrained ? options.unconstrained
                              : request.required    ? options.required
                                                    : options.preferred;
  return {algorithm, scored};
}

/// Whether a load is counted in slices or in pods.
enum class Unit : std::uint8_t { kPods, kSlices };

std::int64_t amount(const Counts& counts, Unit unit, bool with_leader);

/// The orders of sort_with_leader() and sort_for_workers().
bool before_with_leader(const Candidate& a, const Candidate& b, const Ordering& ordering);
bool before_for_workers(const Candidate& a, const Candidate& b, const Ordering& ordering);

/// Domains that can hold the leader first, then by what they can take beside it; ends in path
/// order.
void sort_with_leader(std::span<Candidate> list, const Ordering& ordering);
/// Sorts by how many workers a domain can take without a leader; ends in path order.
void sort_for_workers(std::span<Candidate> list, const Ordering& ordering);

/// Position in `list` of the smallest candidate that takes `need` and the leaders; 0 if there is
/// none. With affinity, only the candidates at the front with the first one's score are looked at.
std::size_t best_fit(std::span<const Candidate> list, std::int64_t need, std::int64_t leaders,
                     Unit unit, const Ordering& ordering);

/// Moves to the front the first candidate that can hold the leader without making the rest too
/// small for `need`.
void lead_first(std::span<Candidate> list, std::int64_t need, std::int64_t leaders, Unit unit);

/// What must be dealt: `pods` (whole slices of `slice_size` if the unit is slices) and `leaders`.
struct Load {
  std::int64_t pods = 0;
  std::int64_t leaders = 0;
  std::int64_t slice_size = 1;
  Unit unit = Unit::kPods;

  std::int64_t need() const { return unit == Unit::kSlices ? pods / slice_size : pods; }
};

/// Deals the load to the list in order and adds the shares to `out`. Adds nothing if the whole list
/// cannot take the load. May reorder the list.
void consume(std::span<Candidate> list, const Load& load, const Ordering& ordering,
             std::vector<Share>& out);

}  // namespace tessera::solver
