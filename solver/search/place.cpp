// SPDX-License-Identifier: Apache-2.0
#include "solver/search/place.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "solver/search/assumed_use.h"
#include "solver/search/counted.h"
#include "solver/search/descent.h"
#include "solver/search/group_domains.h"
#include "solver/search/level_scan.h"
#include "solver/search/refuse.h"
#include "solver/search/search.h"
#include "solver/search/shared_room.h"
#include "solver/search/units.h"

namespace tessera::solver {
namespace {

using topology::Basis;
using topology::Capacity;
using topology::CellId;
using topology::LeafId;

/// How many domains are tried for a group on two flavors.
constexpr std::size_t kMostDomainsTried = 64;

class GangPlacer {
 public:
  GangPlacer(const Gang& gang, std::span<const std::int64_t> counts,
             std::span<const PodSetTarget> targets, Capacity& capacity, Basis basis,
             const SearchOptions& options, Index* live)
      : gang_(gang),
        counts_(counts),
        targets_(targets),
        capacity_(capacity),
        basis_(basis),
        options_(options),
        live_(live),
        steps_(options.max_steps, options.stop),
        assumed_(capacity) {
    placement_.pod_sets.resize(gang.pod_sets.size());
    if (live_ != nullptr) live_->begin_decision();
  }

  Answer run() {
    std::optional<Refusal> refusal = place_all();
    if (steps_.over()) return OutOfSteps{steps_.spent()};
    if (refusal) {
      refusal->steps = steps_.spent();
      return std::move(*refusal);
    }
    placement_.steps = steps_.spent();
    return std::move(placement_);
  }

 private:
  std::optional<Refusal> place_all() {
    const std::vector<SearchUnit> all = units_of(gang_, counts_, targets_, options_);
    for (const SearchUnit& unit : all) {
      last_ = &unit == &all.back();
      std::optional<Refusal> refusal = place(unit);
      if (steps_.over()) return std::nullopt;
      if (refusal) {
        refusal->pod_set = static_cast<std::uint32_t>(unit.first);
        return refusal;
      }
    }
    return std::move(short_);
  }

  [[gnu::always_inline]] std::optional<Refusal> place(const SearchUnit& unit) {
    steps_.spend(1);
    if (!unit.well_formed) return refuse(Obstacle::kGroupShape);
    const bool split = unit.leader && targets_[*unit.leader].view != targets_[unit.workers].view;
    if (split) return place_split(unit);
    const FlavorView& view = *targets_[unit.workers].view;
    const auto resolved = resolve(gang_.pod_sets[unit.workers].topology, view.tree().topology());
    if (const Refusal* broken = std::get_if<Refusal>(&resolved)) return *broken;
    const auto& request = std::get<ResolvedRequest>(resolved);
    if (leaves_pods_over(request, counts_[unit.workers])) {
      return refuse_remainder(request, counts_[unit.workers]);
    }

    const CountRequest to_count = count_request(unit, view);
    const std::size_t taken = assumed_.size();
    std::optional<Refusal> refusal = search_once(unit, to_count, request);
    const bool shares = refusal && refusal->obstacle == Obstacle::kOverbooked &&
                        basis_ == Basis::kFree && capacity_.cells().any_bounds();
    if (shares) return place_in_shared_room(unit, to_count, request, taken);
    return refusal;
  }

  [[gnu::always_inline]] std::optional<Refusal> search_once(const SearchUnit& unit,
                                                            const CountRequest& to_count,
                                                            const ResolvedRequest& request) {
    const Counted counted(to_count, request, capacity_, basis_, live_);
    const SearchProblem problem = problem_of(unit, to_count, request, counted);
    const std::variant<Leaves, Shortfall> found = search(problem);
    if (steps_.over()) return std::nullopt;
    if (const auto* shortfall = std::get_if<Shortfall>(&found)) {
      return refuse_shortfall(problem, *shortfall, counted.exclusions());
    }
    const Leaves& leaves = std::get<Leaves>(found);
    if (!is_whole(problem, leaves)) {
      Refusal refusal = refuse_rest(problem, leaves, counted.exclusions());
      // Kueue goes on without the remainder: a later pod set may still be the one that it refuses.
      if (refusal.obstacle != Obstacle::kSliceRemainder) return refusal;
      refusal.pod_set = static_cast<std::uint32_t>(unit.first);
      if (!short_) short_ = std::move(refusal);
    }
    return accept(unit, *to_count.view, leaves);
  }

  SearchProblem problem_of(const SearchUnit& unit, const CountRequest& to_count,
                           const ResolvedRequest& request, const Counted& counted) {
    return {&to_count.view->tree(),
            &counted.table(),
            &request,
            counts_[unit.workers],
            unit.leader ? 1 : 0,
            ordering_for(request, options_, to_count.scores != nullptr),
            options_.balanced,
            &steps_};
  }

  void undo(const SearchUnit& unit, std::size_t taken) {
    assumed_.undo(taken);
    placement_.pod_sets[unit.workers].clear();
    if (unit.leader) placement_.pod_sets[*unit.leader].clear();
  }

  /// True if the members of a group on two flavors must or should share a domain.
  bool stays_together(const SearchUnit& unit) const {
    const TopologyRequest& request = gang_.pod_sets[unit.workers].topology;
    return request.required || request.preferred;
  }

  // The hot path has no part in what follows. Between its lines it would cost a decision with cold
  // caches a tenth.

  /// Places the members of a group on two flavors.
  [[gnu::cold, gnu::noinline]] std::optional<Refusal> place_split(const SearchUnit& unit) {
    if (stays_together(unit)) return place_on_two_flavors(unit);
    return place_apart(unit);
  }

  /// place() for what is off the hot path: the hot path has its own copy, line behind line.
  [[gnu::cold, gnu::noinline]] std::optional<Refusal> place_again(const SearchUnit& unit) {
    return place(unit);
  }

  std::optional<Refusal> place_apart(const SearchUnit& unit) {
    std::optional<Refusal> refusal = place_again({unit.workers, std::nullopt, unit.first, true});
    return refusal || steps_.over() ? refusal : place_again({*unit.leader, {}, unit.first, true});
  }

  /// Searches again with the room divided that leaves share (docs/placement.md,
  /// `sharedLeavesAboveHost`).
  [[gnu::cold, gnu::noinline]] std::optional<Refusal> place_in_shared_room(
      const SearchUnit& unit, const CountRequest& to_count, const ResolvedRequest& request,
      std::size_t taken) {
    undo(unit, taken);
    std::optional<Refusal> refusal;
    {
      SharedRoom shared(capacity_);
      {
        const Counted before(to_count, request, capacity_, basis_, live_);
        shared.divide(problem_of(unit, to_count, request, before), to_count);
      }
      refusal = search_once(unit, to_count, request);
    }
    // Nobody knew where the leader goes, so each share was made smaller by it. With the leader in
    // its place the workers may still fit.
    if (!refusal || steps_.over() || !unit.leader) return refusal;
    undo(unit, taken);
    return leader_first(unit, request) ? std::nullopt : std::move(refusal);
  }

  /// Tries the leader on one leaf after the other, and the workers in the rest.
  [[gnu::cold, gnu::noinline]] bool leader_first(const SearchUnit& unit,
                                                 const ResolvedRequest& request) {
    const SearchUnit workers{unit.workers, std::nullopt, unit.first, true};
    const FlavorView& view = *targets_[unit.workers].view;
    const CountRequest both = count_request(unit, view);
    const FilterClass& filter = both.leader_filter ? *both.leader_filter : *both.worker_filter;
    const std::size_t taken = assumed_.size();
    const bool last = std::exchange(last_, false);  // the workers read what the leader takes
    std::size_t tried = 0;
    for (std::uint32_t leaf = 0; leaf < view.tree().leaf_count(); ++leaf) {
      const CellId cell = view.cells()[leaf];
      if (filter.verdict[leaf] != 0 || pods_that_fit(capacity_, basis_, cell, both.leader) < 1) {
        continue;
      }
      if (tried++ == kMostDomainsTried || !steps_.spend(1)) break;
      undo(unit, taken);
      if (!take(cell, *unit.leader, 1)) continue;
      placement_.pod_sets[*unit.leader].push_back({LeafId{leaf}, 1});
      if (workers_beside(workers, request, LeafId{leaf}) && !steps_.over()) return true;
    }
    undo(unit, taken);
    last_ = last;
    return false;
  }

  /// Places the workers of a leader that is on `leaf`.
  bool workers_beside(const SearchUnit& workers, const ResolvedRequest& request, LeafId leaf) {
    if (!request.required) return !place_again(workers);
    const FlavorView& view = *targets_[workers.workers].view;
    const CountRequest to_count = count_request(workers, view);
    SharedRoom shared(capacity_);
    {
      const Counted counted(to_count, request, capacity_, basis_, live_);
      shared.divide(problem_of(workers, to_count, request, counted), to_count);
    }
    const Counted counted(to_count, request, capacity_, basis_, live_);
    const topology::DomainId domain =
        view.tree().ancestor(view.tree().domain_of(leaf), request.level);
    return counted.table().at(domain).slices * request.slice_size >= counts_[workers.workers] &&
           put_in(workers, to_count, request, counted, domain);
  }

  /// Places the workers in one domain and the leader, who is on another flavor, in the same one.
  [[gnu::cold]] std::optional<Refusal> place_on_two_flavors(const SearchUnit& unit) {
    const SearchUnit alone{unit.workers, std::nullopt, unit.first, true};
    const FlavorView& view = *targets_[unit.workers].view;
    const auto resolved = resolve(gang_.pod_sets[unit.workers].topology, view.tree().topology());
    if (const Refusal* broken = std::get_if<Refusal>(&resolved)) return *broken;
    const auto& request = std::get<ResolvedRequest>(resolved);
    if (leaves_pods_over(request, counts_[unit.workers])) {
      return refuse_remainder(request, counts_[unit.workers]);
    }
    const CountRequest to_count = count_request(alone, view);
    std::vector<Candidate> found;
    Refusal refusal;
    {
      const Counted counted(to_count, request, capacity_, basis_, live_);
      const SearchProblem problem = problem_of(alone, to_count, request, counted);
      for (int level = request.level; level >= (request.required ? request.level : 0); --level) {
        add_tight_first(problem, level, found);
      }
      if (!steps_.spend(static_cast<std::int64_t>(found.size()))) return std::nullopt;
      const Shortfall leader_only{request.level, false, 0, true};
      refusal = refuse_shortfall(
          problem,
          found.empty() && view.tree().shown_leaf_count() > 0
              ? required_shortfall(problem, request.level)
              : (found.empty() ? Shortfall{request.level, true, 0, false} : leader_only),
          counted.exclusions());
    }
    keep_with_leader(unit, found);
    const std::size_t taken = assumed_.size();
    const bool last = std::exchange(last_, false);  // the leader reads what the workers take
    for (std::size_t i = 0; i < std::min(found.size(), kMostDomainsTried); ++i) {
      if (both_in(unit, to_count, request, found[i].domain)) return std::nullopt;
      undo(unit, taken);
      if (steps_.over()) return std::nullopt;
    }
    last_ = last;
    if (request.required) return refusal;
    return place_apart(unit);
  }

  /// Removes the domains that cannot take the leader even without the workers.
  void keep_with_leader(const SearchUnit& unit, std::vector<Candidate>& domains) {
    const topology::DomainTree& tree = targets_[unit.workers].view->tree();
    const FlavorView& other = *targets_[*unit.leader].view;
    const auto resolved = resolve(gang_.pod_sets[*unit.leader].topology, other.tree().topology());
    const auto* own = std::get_if<ResolvedRequest>(&resolved);
    if (own == nullptr) return domains.clear();
    const CountRequest to_count =
        count_request({*unit.leader, std::nullopt, unit.first, true}, other);
    const Counted counted(to_count, *own, capacity_, basis_, live_);
    std::erase_if(domains, [&](const Candidate& each) {
      const auto there = same_domain(tree, each.domain, other.tree());
      return !there || counted.table().at(*there).pods < 1;
    });
  }

  /// Books workers and leader in `domain`; if false, a part may be booked.
  bool both_in(const SearchUnit& unit, const CountRequest& to_count, const ResolvedRequest& request,
               topology::DomainId domain) {
    const FlavorView& view = *targets_[unit.workers].view;
    const FlavorView& other = *targets_[*unit.leader].view;
    const auto there = same_domain(view.tree(), domain, other.tree());
    if (!there) return false;
    const SearchUnit workers{unit.workers, std::nullopt, unit.first, true};
    const SearchUnit leader{*unit.leader, std::nullopt, unit.first, true};
    {
      const Counted counted(to_count, request, capacity_, basis_, live_);
      if (!put_in(workers, to_count, request, counted, domain)) return false;
    }
    const auto resolved = resolve(gang_.pod_sets[*unit.leader].topology, other.tree().topology());
    const auto* own = std::get_if<ResolvedRequest>(&resolved);
    if (own == nullptr) return false;
    const CountRequest leader_count = count_request(leader, other);
    const Counted counted(leader_count, *own, capacity_, basis_, live_);
    if (counted.table().at(*there).pods < 1) return false;
    return put_in(leader, leader_count, *own, counted, *there);
  }

  /// Books all pods of a pod set in one domain.
  bool put_in(const SearchUnit& unit, const CountRequest& to_count, const ResolvedRequest& request,
              const Counted& counted, topology::DomainId domain) {
    const SearchProblem problem = problem_of(unit, to_count, request, counted);
    const Leaves leaves =
        descend(problem, problem.tree->level_of(domain), {{domain, problem.pods, 0}}, false);
    return !steps_.over() && is_whole(problem, leaves) && !accept(unit, *to_count.view, leaves) &&
           !steps_.over();
  }

  bool leaves_pods_over(const ResolvedRequest& request, std::int64_t pods) const {
    return options_.slice_remainder == SliceRemainder::kReject && pods % request.slice_size != 0;
  }

  CountRequest count_request(const SearchUnit& unit, const FlavorView& view) const {
    const PodSet& workers = gang_.pod_sets[unit.workers];
    CountRequest out;
    out.view = &view;
    out.worker = pod_amounts(workers.request);
    out.worker_filter = view.filter_class(workers.filter);
    if (unit.leader) {
      const PodSet& leader = gang_.pod_sets[*unit.leader];
      out.has_leader = true;
      out.leader = pod_amounts(leader.request);
      if (options_.leader_filters == LeaderFilters::kOwn)
        out.leader_filter = view.filter_class(leader.filter);
    }
    if (options_.preferred_affinity) out.scores = view.scores(workers.filter);
    return out;
  }

  /// Notes the shares and books what they use. Refuses if overlapping cells do not have the room
  /// together.
  std::optional<Refusal> accept(const SearchUnit& unit, const FlavorView& view,
                                const Leaves& leaves) {
    if (!steps_.spend(static_cast<std::int64_t>(leaves.size()))) return std::nullopt;
    placement_.pod_sets[unit.workers].reserve(leaves.size());
    for (const Share& share : leaves) {
      const LeafId leaf = view.tree().leaf_of(share.domain);
      const CellId cell = view.cells()[index(leaf)];
      if (share.pods > 0) placement_.pod_sets[unit.workers].push_back({leaf, share.pods});
      if (share.leaders > 0) placement_.pod_sets[*unit.leader].push_back({leaf, share.leaders});
      // No other cell sees this one, and no pod set comes after: nothing reads its room again.
      if (last_ && capacity_.cells().observers(cell).empty()) continue;
      if (!take(cell, unit.workers, share.pods)) return refuse(Obstacle::kOverbooked);
      if (unit.leader && !take(cell, *unit.leader, share.leaders))
        return refuse(Obstacle::kOverbooked);
    }
    return std::nullopt;
  }

  bool take(CellId cell, std::size_t pod_set, std::int64_t pods) {
    if (pods == 0) return true;
    rows_.resize(gang_.pod_sets.size());  // only once: assumed_ points into it
    std::optional<topology::RowAmounts>& per_pod = rows_[pod_set];
    if (!per_pod) per_pod = capacity_.rows_of(pod_amounts(gang_.pod_sets[pod_set].request));
    if (basis_ == Basis::kFree && !capacity_.fits(cell, *per_pod, pods)) return false;
    assumed_.take(cell, *per_pod, pods);
    return true;
  }

  const Gang& gang_;
  std::span<const std::int64_t> counts_;
  std::span<const PodSetTarget> targets_;
  Capacity& capacity_;
  Basis basis_;
  const SearchOptions& options_;
  Index* live_;  // null: plain search
  Steps steps_;
  bool last_ = false;                                      // the unit at work is the last one
  std::vector<std::optional<topology::RowAmounts>> rows_;  // by pod set; made when needed
  AssumedUse assumed_;
  Placement placement_;
  std::optional<Refusal> short_;  // of a pod set whose slices leave pods over: the gang is refused
};

}  // namespace

Answer place_gang(const Gang& gang, std::span<const std::int64_t> counts,
                  std::span<const PodSetTarget> targets, Capacity& capacity, Basis basis,
                  const SearchOptions& options, Index* live) {
  if (live != nullptr && !live->enabled()) live = nullptr;
  return GangPlacer(gang, counts, targets, capacity, basis, options, live).run();
}

Amounts pod_amounts(const Amounts& request) {
  Amounts out = request;
  out.set(topology::pods_resource(),
          topology::saturating_add(request.get(topology::pods_resource()), 1));
  return out;
}

}  // namespace tessera::solver
