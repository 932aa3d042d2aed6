// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/every_way.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "actors/planner/plan.h"
#include "actors/shortage/unit_room.h"
#include "solver/counting/counts.h"
#include "solver/search/group_domains.h"
#include "solver/search/place.h"

namespace tessera::core {
namespace {

using topology::CellId;
using topology::DomainId;
using topology::LeafId;

/// Of groups on two flavors: each domain of the workers is looked up among those of the leader.
constexpr std::size_t kMostSplitDomains = 2'000;

/// Where one pod set may go: leaves of one flavor.
struct Room {
  struct Leaf {
    CellId cell{};
    std::vector<DomainId> domains;  // at the level of each layer
  };
  std::vector<solver::Layer> layers;
  std::vector<Leaf> leaves;
};

/// One unit on one choice of flavors: its workers in a room, its leader in another, in one domain
/// if the level is required.
struct Seat {
  Room workers, leader;
  QuotaUse quota;  // of all its pods
};

class Ways {
 public:
  Ways(const Planner& planner, std::span<const Flavor> flavors, const Workload& workload,
       const PlanQueue& queue, Books& books, QuotaRule rule)
      : planner_(planner),
        flavors_(flavors),
        workload_(workload),
        queue_(queue),
        books_(books),
        rule_(rule),
        capacity_(books.scratch_capacity()) {
    const PodCounts counts = planner.pod_counts(workload);
    counts_ = counts.candidate(counts.fewer());
    for (std::size_t i = 0; i < pod_sets().size(); ++i) {
      amounts_.push_back(solver::pod_amounts(pod_sets()[i].request));
      rows_.push_back(capacity_.rows_of(amounts_.back()));
      const GangUnit unit = unit_of(workload.gang, i);
      if (unit.workers != i) continue;
      units_.push_back(unit);
      seats_.emplace_back();
      choose(units_.back(), 0, {});
    }
  }

  Way find() {
    if (from(0)) return Way::kFound;
    return (looks_ > kMostWays || split_) && !too_many_in_all() ? Way::kUnknown : Way::kNone;
  }

 private:
  using Chosen = std::vector<std::pair<Symbol, FlavorId>>;  // a flavor for each resource

  const std::vector<solver::PodSet>& pod_sets() const { return workload_.gang.pod_sets; }

  /// What one pod asks of quota.
  Amounts asked(std::size_t pod_set) const {
    Amounts amounts = pod_set < workload_.quota_requests.size() ? workload_.quota_requests[pod_set]
                                                                : pod_sets()[pod_set].request;
    for (const PlanGroup& group : queue_.groups) {
      if (!group.covers_all && group.covers(topology::pods_resource()))
        amounts.set(topology::pods_resource(), 1);
    }
    return amounts;
  }

  bool asks(const GangUnit& unit, const PlanGroup& group) const {
    for (std::size_t i = 0; i < pod_sets().size(); ++i) {
      if (!unit.has(i) || counts_[i] == 0) continue;
      for (const topology::Amount& amount : asked(i)) {
        if (amount.value > 0 && (group.covers_all || group.covers(amount.resource))) return true;
      }
    }
    return false;
  }

  /// Every choice of one flavor of each resource group from `at` on.
  void choose(const GangUnit& unit, std::size_t at, std::vector<FlavorId> flavors) {
    if (at == queue_.groups.size()) return add_seats(unit, flavors);
    const PlanGroup& group = queue_.groups[at];
    flavors.push_back({});
    if (!asks(unit, group)) {
      if (!group.flavors.empty()) flavors.back() = group.flavors.front();
      return choose(unit, at + 1, std::move(flavors));
    }
    for (const FlavorId flavor : group.flavors) {
      flavors.back() = flavor;
      choose(unit, at + 1, flavors);
    }
  }

  /// The flavors of the resources that a pod set asks for; empty: some resource has none.
  Chosen chosen(std::size_t pod_set, const std::vector<FlavorId>& flavors) const {
    Chosen out;
    for (const topology::Amount& amount : asked(pod_set)) {
      if (amount.value <= 0) continue;
      std::size_t group = 0;
      while (group < queue_.groups.size() && !queue_.groups[group].covers_all &&
             !queue_.groups[group].covers(amount.resource)) {
        ++group;
      }
      if (group == queue_.groups.size()) return {};
      out.emplace_back(amount.resource, flavors[group]);
    }
    return out;
  }

  /// Adds what the pods of a pod set take of quota.
  bool add_quota(std::size_t pod_set, const Chosen& chosen, QuotaUse& use) const {
    if (!queue_.quota || rule_ == QuotaRule::kIgnore) return true;
    const Amounts amounts = asked(pod_set);
    for (const auto& [resource, flavor] : chosen) {
      const auto column = books_.ledger().column(
          *queue_.quota, Symbol(flavors_[index(flavor)].record.name), resource);
      if (!column && !queue_.is_kai) return false;
      if (!column) continue;
      std::int64_t& sum = use[*column];
      sum = topology::saturating_add(
          sum, topology::saturating_mul(amounts.get(resource), counts_[pod_set]));
    }
    return true;
  }

  /// The one topology flavor of a pod set.
  std::optional<FlavorId> place_of(std::size_t pod_set, const Chosen& chosen) const {
    std::optional<FlavorId> found;
    for (const auto& [resource, flavor] : chosen) {
      if (found && *found != flavor) return std::nullopt;
      found = flavor;
    }
    if (!found || !flavors_[index(*found)].topology) return std::nullopt;
    if (mismatch(flavors_[index(*found)], pod_sets()[pod_set], queue_.topology_only, true)) {
      return std::nullopt;
    }
    return found;
  }

  const solver::FlavorView& view(FlavorId flavor, std::size_t pod_set) const {
    return *books_.cluster().view(flavor, !pod_sets()[pod_set].topology.explicit_request());
  }

  void add_seats(const GangUnit& unit, const std::vector<FlavorId>& flavors) {
    Seat seat;
    const Chosen of_workers = chosen(unit.workers, flavors);
    const auto workers = place_of(unit.workers, of_workers);
    if (!workers || !add_quota(unit.workers, of_workers, seat.quota)) return;
    std::optional<FlavorId> leader;
    if (unit.leader) {
      const Chosen of_leader = chosen(*unit.leader, flavors);
      leader = place_of(*unit.leader, of_leader);
      if (!leader || !add_quota(*unit.leader, of_leader, seat.quota)) return;
    }
    const solver::FlavorView& of = view(*workers, unit.workers);
    const auto resolved = solver::resolve(pod_sets()[unit.workers].topology, of.tree().topology());
    const auto* request = std::get_if<solver::ResolvedRequest>(&resolved);
    if (request == nullptr) return;
    const std::size_t filter = planner_.leader_filters() == topology::LeaderFilters::kOwn && leader
                                   ? *unit.leader
                                   : unit.workers;
    const std::optional<int> level =
        request->required ? std::optional(request->level) : std::nullopt;
    std::vector<Room> rooms = rooms_in(of, unit.workers, unit.workers, request->layers, level);
    const solver::FlavorView* other = leader ? &view(*leader, *unit.leader) : nullptr;
    std::vector<Room> beside;  // of the leader, by domain of its own flavor
    std::optional<int> there = level;
    if (other != nullptr && level) {
      const auto& levels = of.tree().topology().levels;
      there = other->tree().topology().find_level(
          levels[static_cast<std::size_t>(*level)].label.view());
      split_ = split_ || (other != &of && rooms.size() > kMostSplitDomains);
      if (!there || (other != &of && rooms.size() > kMostSplitDomains)) return;
    }
    if (other != nullptr) beside = rooms_in(*other, *unit.leader, filter, {}, there);
    for (std::size_t i = 0; i < rooms.size(); ++i) {
      std::size_t at = i;
      if (other != nullptr && level && other != &of) {
        const DomainId domain{of.tree().level(*level).begin + static_cast<std::uint32_t>(i)};
        const auto same = solver::same_domain(of.tree(), domain, other->tree());
        if (!same) continue;
        at = index(*same) - other->tree().level(*there).begin;
      }
      Seat added{std::move(rooms[i]), {}, seat.quota};
      if (other != nullptr) added.leader = beside[at];
      seats_.back().push_back(std::move(added));
    }
  }

  /// One room for each domain of `level`, or one in all. `filter`: the pod set whose filter holds.
  std::vector<Room> rooms_in(const solver::FlavorView& view, std::size_t pod_set,
                             std::size_t filter, const std::vector<solver::Layer>& layers,
                             std::optional<int> level) const {
    const topology::DomainTree& tree = view.tree();
    std::vector<Room> rooms(level ? tree.level(*level).size() : 1U);
    for (Room& room : rooms) room.layers = layers;
    if (counts_[pod_set] == 0) return rooms;
    const auto excluded = view.filter_class(pod_sets()[filter].filter);
    for (std::uint32_t number = 0; number < tree.leaf_count(); ++number) {
      if (excluded->verdict[number] != 0) continue;
      const DomainId leaf = tree.domain_of(LeafId{number});
      const std::uint32_t at =
          level ? index(tree.ancestor(leaf, *level)) - tree.level(*level).begin : 0;
      Room::Leaf& added = rooms[at].leaves.emplace_back();
      added.cell = view.cells()[number];
      for (const solver::Layer& layer : layers) {
        added.domains.push_back(tree.ancestor(leaf, layer.level));
      }
    }
    return rooms;
  }

  /// True if all leaves together lack some resource: then no way needs to be looked at. Leaves that
  /// share nodes have their room several times here.
  bool too_many_in_all() const {
    std::set<CellId> cells;
    for (const std::vector<Seat>& seats : seats_) {
      for (const Seat& seat : seats) {
        for (const Room* room : {&seat.workers, &seat.leader}) {
          for (const Room::Leaf& leaf : room->leaves) cells.insert(leaf.cell);
        }
      }
    }
    std::map<std::uint32_t, std::int64_t> asked;  // by row
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const topology::RowAmounts::Entry& each : rows_[i].entries) {
        std::int64_t& sum = asked[each.row];
        sum = topology::saturating_add(sum, topology::saturating_mul(each.value, counts_[i]));
      }
    }
    return std::any_of(asked.begin(), asked.end(), [&](const auto& each) {
      std::int64_t free = 0;
      for (const CellId cell : cells) {
        const std::int64_t here =
            capacity_.rows(topology::Basis::kFree).get(each.first, index(cell));
        free = topology::saturating_add(free, std::max<std::int64_t>(0, here));
      }
      return each.second > free;
    });
  }

  /// Places the units from `unit` on.
  bool from(std::size_t unit) {
    if (unit == units_.size()) return true;
    if (counts_[units_[unit].workers] == 0) return from(unit + 1);
    return std::any_of(seats_[unit].begin(), seats_[unit].end(), [&](const Seat& seat) {
      if (!take_quota(seat.quota)) return false;
      const bool done = seat_leader(unit, seat);
      for (const auto& [column, amount] : seat.quota) quota_[column] -= amount;
      return done;
    });
  }

  bool take_quota(const QuotaUse& use) {
    for (const auto& [column, amount] : use) {
      const std::int64_t most = rule_ == QuotaRule::kAvailable
                                    ? books_.ledger().available(*queue_.quota, column)
                                    : books_.ledger().maximum(*queue_.quota, column);
      if (topology::saturating_add(quota_[column], amount) > most) return false;
    }
    for (const auto& [column, amount] : use) quota_[column] += amount;
    return true;
  }

  bool seat_leader(std::size_t unit, const Seat& seat) {
    const std::optional<std::size_t> leader = units_[unit].leader;
    if (!leader || counts_[*leader] == 0) return seat_workers(unit, seat);
    return std::any_of(seat.leader.leaves.begin(), seat.leader.leaves.end(),
                       [&](const Room::Leaf& leaf) {
                         if (++looks_ > kMostWays || pods_in(leaf.cell, *leader) < 1) return false;
                         capacity_.assume(leaf.cell, rows_[*leader], 1);
                         const bool done = seat_workers(unit, seat);
                         capacity_.forget(leaf.cell, rows_[*leader], 1);
                         return done;
                       });
  }

  bool seat_workers(std::size_t unit, const Seat& seat) {
    const std::size_t workers = units_[unit].workers;
    std::int64_t most = 0;
    for (const Room::Leaf& leaf : seat.workers.leaves)
      most = topology::saturating_add(most, pods_in(leaf.cell, workers));
    return most >= counts_[workers] &&
           deal(unit, seat.workers, 0, counts_[workers],
                std::vector<std::int64_t>(seat.workers.layers.size(), 0));
  }

  std::int64_t pods_in(CellId cell, std::size_t pod_set) const {
    return solver::pods_that_fit(capacity_, topology::Basis::kFree, cell, amounts_[pod_set]);
  }

  /// Deals workers to the leaves from `at` on. `in_domain[k]`: pods in the domain of the last leaf
  /// at the level of layer k.
  bool deal(std::size_t unit, const Room& room, std::size_t at, std::int64_t left,
            std::vector<std::int64_t> in_domain) {
    if (++looks_ > kMostWays) return false;
    const std::size_t pod_set = units_[unit].workers;
    for (std::size_t k = 0; k < room.layers.size() && at > 0; ++k) {
      if (at < room.leaves.size() && room.leaves[at].domains[k] == room.leaves[at - 1].domains[k]) {
        continue;
      }
      if (in_domain[k] % room.layers[k].size != 0) return false;
      in_domain[k] = 0;
    }
    if (left == 0 && std::all_of(in_domain.begin(), in_domain.end(),
                                 [](std::int64_t pods) { return pods == 0; })) {
      return from(unit + 1);
    }
    if (at == room.leaves.size()) return left == 0 && from(unit + 1);
    const CellId cell = room.leaves[at].cell;
    for (std::int64_t pods = std::min(left, pods_in(cell, pod_set)); pods >= 0; --pods) {
      std::vector<std::int64_t> next = in_domain;
      for (std::int64_t& each : next) each += pods;
      if (pods > 0) capacity_.assume(cell, rows_[pod_set], pods);
      const bool done = deal(unit, room, at + 1, left - pods, std::move(next));
      if (pods > 0) capacity_.forget(cell, rows_[pod_set], pods);
      if (done) return true;
      if (looks_ > kMostWays) return false;
    }
    return false;
  }

  const Planner& planner_;
  std::span<const Flavor> flavors_;
  const Workload& workload_;
  const PlanQueue& queue_;
  const Books& books_;
  QuotaRule rule_;
  topology::Capacity& capacity_;
  std::vector<std::int64_t> counts_;
  std::vector<Amounts> amounts_;
  std::vector<topology::RowAmounts> rows_;
  std::vector<GangUnit> units_;
  std::vector<std::vector<Seat>> seats_;  // by unit
  QuotaUse quota_;                        // taken by the units before
  std::int64_t looks_ = 0;
  bool split_ = false;  // some seats were left out, see kMostSplitDomains
};

}  // namespace

Way some_way_fits(const Planner& planner, std::span<const Flavor> flavors, const Workload& workload,
                  const PlanQueue& queue, Books& books, QuotaRule rule) {
  const auto& pod_sets = workload.gang.pod_sets;
  const bool simple =
      std::all_of(pod_sets.begin(), pod_sets.end(), [&](const solver::PodSet& each) {
        return queue.topology_only || each.topology.explicit_request();
      });
  return simple ? Ways(planner, flavors, workload, queue, books, rule).find() : Way::kNone;
}

}  // namespace tessera::core
