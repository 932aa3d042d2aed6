// SPDX-License-Identifier: Apache-2.0
#include "solver/search/place.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "solver/index/index.h"
#include "solver/search/refuse.h"
#include "solver/search/search.h"

namespace tessera::solver {
namespace {

using topology::Basis;
using topology::Capacity;
using topology::CellId;
using topology::LeafId;

/// What is placed in one search: a pod set, or the workers of a group with their leader.
struct SearchUnit {
  std::size_t workers = 0;
  std::optional<std::size_t> leader;
  std::size_t first =
      0;  // first member in spec order: decides the unit's turn, and is named in refusals
  bool well_formed = true;  // false: a group that is not one leader and its workers
};

/// What earlier pod sets of this gang will use. The destructor gives it back, when the placement is
/// decided.
class AssumedUse {
 public:
  explicit AssumedUse(Capacity& capacity) : capacity_(capacity) {}
  ~AssumedUse() {
    for (auto it = taken_.rbegin(); it != taken_.rend(); ++it)
      capacity_.forget(it->cell, *it->per_pod, it->pods);
  }
  AssumedUse(const AssumedUse&) = delete;
  AssumedUse& operator=(const AssumedUse&) = delete;

  /// `per_pod` outlives this object.
  void take(CellId cell, const topology::RowAmounts& per_pod, std::int64_t pods) {
    capacity_.assume(cell, per_pod, pods);
    taken_.push_back({cell, &per_pod, pods});
  }

 private:
  struct Taken {
    CellId cell;
    const topology::RowAmounts* per_pod;
    std::int64_t pods;
  };
  Capacity& capacity_;
  std::vector<Taken> taken_;
};

/// The units to place: pod sets, and groups of pod sets (placement.md 4.9). Flavor by flavor, in
/// byte order of the flavors' names (2.4).
std::vector<SearchUnit> units(const Gang& gang, std::span<const std::int64_t> counts,
                              std::span<const PodSetTarget> targets, bool by_flavor) {
  std::vector<SearchUnit> out;
  std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    if (targets[i].view == nullptr || counts[i] == 0) continue;
    const std::string& group = gang.pod_sets[i].group;
    if (group.empty()) {
      out.push_back({i, std::nullopt, i, true});
    } else {
      groups[{targets[i].flavor, group}].push_back(i);
    }
  }
  for (const auto& [key, members] : groups) {
    SearchUnit unit{members[0], std::nullopt, members[0], true};
    if (members.size() >= 2) {
      unit.leader = members[1];
      if (counts[members[1]] > counts[members[0]]) std::swap(unit.workers, *unit.leader);
      unit.well_formed = members.size() == 2 && counts[*unit.leader] == 1;
    }
    out.push_back(unit);
  }
  std::sort(out.begin(), out.end(), [&](const SearchUnit& a, const SearchUnit& b) {
    const std::string &x = targets[a.first].flavor, &y = targets[b.first].flavor;
    return by_flavor && x != y ? x < y : a.first < b.first;
  });
  return out;
}

/// `scored`: some domain may have a score. Without scores, affinity changes nothing.
Ordering ordering_for(const ResolvedRequest& request, const SearchOptions& options, bool scored) {
  const Algorithm algorithm = request.unconstrained ? options.unconstrained
                              : request.required    ? options.required
                                                    : options.preferred;
  return {algorithm, scored};
}

/// The counts of one unit, from the index or from nothing.
class Counted {
 public:
  Counted(const CountRequest& request, const ResolvedRequest& resolved, const Capacity& capacity,
          Basis basis, Index* live) {
    if (live != nullptr) {
      const Index::Found found = live->counts(request, resolved, capacity, basis);
      live_ = found.counts;
      table_ = found.table;
      return;
    }
    rows_ = count(request, resolved, capacity, basis, exclusions_);
    table_.emplace(request.view->tree(), resolved, rows_->leaves, rows_->inner,
                   request.scores.get());
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

  const CountTable& table() const { return *table_; }
  Exclusions exclusions() const { return live_ != nullptr ? live_->exclusions() : exclusions_; }

 private:
  const LiveCounts* live_ = nullptr;
  std::optional<CountRows> rows_;
  std::optional<CountTable> table_;
  Exclusions exclusions_;
};

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
    const std::vector<SearchUnit> all = units(gang_, counts_, targets_, options_.by_flavor);
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

  std::optional<Refusal> place(const SearchUnit& unit) {
    steps_.spend(1);
    if (!unit.well_formed) return refuse(Obstacle::kGroupShape);
    const PodSet& workers = gang_.pod_sets[unit.workers];
    const FlavorView& view = *targets_[unit.workers].view;
    const auto resolved = resolve(workers.topology, view.tree().topology());
    if (const Refusal* broken = std::get_if<Refusal>(&resolved)) return *broken;
    const auto& request = std::get<ResolvedRequest>(resolved);
    const std::int64_t pods = counts_[unit.workers];
    if (options_.slice_remainder == SliceRemainder::kReject && pods % request.slice_size != 0) {
      return refuse_remainder(request, pods);
    }

    const CountRequest to_count = count_request(unit, view);
    const Counted counted(to_count, request, capacity_, basis_, live_);
    const SearchProblem problem{&view.tree(),
                                &counted.table(),
                                &request,
                                pods,
                                unit.leader ? 1 : 0,
                                ordering_for(request, options_, to_count.scores != nullptr),
                                options_.balanced,
                                &steps_};
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
    return accept(unit, view, leaves);
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
