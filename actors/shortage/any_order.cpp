// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/any_order.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "actors/queues/shape.h"
#include "actors/shortage/every_way.h"

namespace tessera::core {
namespace {

/// Pod sets that are placed together: one, or the members of a group, in spec order.
using Unit = std::vector<std::size_t>;

std::vector<Unit> units_of(const solver::Gang& gang) {
  std::vector<Unit> units;
  std::map<std::string, std::size_t> of_group;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    const solver::PodSet& pod_set = gang.pod_sets[i];
    if (pod_set.count == 0) continue;
    const auto [at, added] = pod_set.unit.empty()
                                 ? std::pair(of_group.end(), true)
                                 : of_group.try_emplace(pod_set.unit, units.size());
    if (added) {
      units.push_back({i});
    } else {
      units[at->second].push_back(i);
    }
  }
  return units;
}

/// The workload with these units only, in this order.
Workload with_units(const Workload& workload, const std::vector<Unit>& units) {
  Workload copy = workload;
  copy.gang.pod_sets.clear();
  copy.quota_requests.clear();
  copy.templates.clear();
  for (const Unit& unit : units) {
    for (const std::size_t i : unit) {
      copy.gang.pod_sets.push_back(workload.gang.pod_sets[i]);
      copy.quota_requests.push_back(i < workload.quota_requests.size()
                                        ? workload.quota_requests[i]
                                        : workload.gang.pod_sets[i].request);
    }
  }
  return copy;
}

class OrderSearch {
 public:
  OrderSearch(const Planner& planner, const Workload& workload, const PlanQueue& queue,
              Books& books, QuotaRule rule)
      : planner_(planner.in_spec_order()),
        workload_(workload),
        queue_(queue),
        books_(books),
        rule_(rule),
        units_(units_of(workload.gang)) {
    allowance_.most = kMostSteps;
  }

  bool may_fit() {
    if (units_.size() < 2) return false;
    for (const Unit& unit : units_) {
      const bool fits = placed({unit});
      if (allowance_.over) return true;
      if (!fits) return false;
    }
    each_fits_alone_ = true;
    return orders_may_fit();
  }

  /// After may_fit(): each unit fits alone, but no order of them does.
  bool each_fits_alone() const { return each_fits_alone_; }

 private:
  bool placed(const std::vector<Unit>& units) {
    const Attempt attempt =
        planner_.evaluate(with_units(workload_, units), queue_, books_, rule_, allowance_);
    return attempt.placed;
  }

  /// Equal units have equal numbers.
  std::vector<std::size_t> kinds() const {
    std::map<std::string, std::size_t> known;
    std::vector<std::size_t> kinds;
    for (const Unit& unit : units_) {
      Workload alone = with_units(workload_, {unit});
      for (solver::PodSet& pod_set : alone.gang.pod_sets) {
        pod_set.unit = pod_set.unit.empty() ? "" : "g";
      }
      kinds.push_back(known.try_emplace(shape_of(alone, queue_), known.size()).first->second);
    }
    return kinds;
  }

  bool orders_may_fit() {
    const std::vector<std::size_t> kind = kinds();
    std::vector<std::size_t> order = kind;
    std::sort(order.begin(), order.end());
    int tried = 0;
    do {
      if (tried++ == kMostOrders) return true;
      if (placed(in_order(kind, order)) || allowance_.over) return true;
    } while (std::next_permutation(order.begin(), order.end()));
    return false;
  }

  std::vector<Unit> in_order(const std::vector<std::size_t>& kind,
                             const std::vector<std::size_t>& order) const {
    std::vector<Unit> units;
    std::vector<bool> used(units_.size(), false);
    for (const std::size_t wanted : order) {
      std::size_t at = 0;
      while (used[at] || kind[at] != wanted) ++at;
      used[at] = true;
      units.push_back(units_[at]);
    }
    return units;
  }

  Planner planner_;
  const Workload& workload_;
  const PlanQueue& queue_;
  Books& books_;
  QuotaRule rule_;
  std::vector<Unit> units_;
  Allowance allowance_;
  bool each_fits_alone_ = false;
};

}  // namespace

OtherOrder another_order(const Planner& planner, std::span<const Flavor> flavors,
                         const Workload& workload, const PlanQueue& queue, Books& books,
                         QuotaRule rule) {
  // The search of a tree does not go by the order of its pod sets.
  if (workload.gang.is_tree()) return OtherOrder::kNone;
  OrderSearch orders(planner, workload, queue, books, rule);
  if (orders.may_fit()) return OtherOrder::kMayFit;
  if (!orders.each_fits_alone()) return OtherOrder::kNone;
  switch (some_way_fits(planner, flavors, workload, queue, books, rule)) {
    case Way::kFound:
      return OtherOrder::kMayFit;
    case Way::kUnknown:
      return OtherOrder::kNoneTried;
    case Way::kNone:
      break;
  }
  return OtherOrder::kNone;
}

}  // namespace tessera::core
