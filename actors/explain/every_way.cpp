// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/every_way.h"

#include <algorithm>
#include <vector>

#include "solver/counting/counts.h"
#include "solver/search/place.h"

namespace tessera::core {
namespace {

using topology::CellId;
using topology::DomainId;
using topology::LeafId;

/// Where one pod set may go: the leaves of one domain of its required level, or all.
struct Room {
  struct Leaf {
    CellId cell{};
    std::vector<DomainId> domains;  // at the level of each layer
  };
  std::vector<solver::Layer> layers;
  std::vector<Leaf> leaves;
};

class Ways {
 public:
  Ways(const Planner& planner, std::span<const Flavor> flavors, const Workload& workload,
       const PlanQueue& queue, Books& books)
      : gang_(workload.gang), capacity_(books.scratch_capacity()) {
    const PodCounts counts = planner.pod_counts(workload);
    counts_ = counts.candidate(counts.fewer());
    for (const solver::PodSet& pod_set : gang_.pod_sets) {
      amounts_.push_back(solver::pod_amounts(pod_set.request));
      rows_.push_back(capacity_.rows_of(amounts_.back()));
      rooms_.emplace_back();
      for (const PlanGroup& group : queue.groups) {
        for (const FlavorId id : group.flavors) {
          const Flavor& flavor = flavors[index(id)];
          if (!flavor.topology || mismatch(flavor, pod_set, queue.topology_only, true)) continue;
          add_rooms(*books.cluster().view(id, !pod_set.topology.explicit_request()), pod_set);
        }
      }
    }
  }

  bool any() { return from(0); }

 private:
  void add_rooms(const solver::FlavorView& view, const solver::PodSet& pod_set) {
    const topology::DomainTree& tree = view.tree();
    const auto resolved = solver::resolve(pod_set.topology, tree.topology());
    const auto* request = std::get_if<solver::ResolvedRequest>(&resolved);
    if (request == nullptr) return;
    const auto filter = view.filter_class(pod_set.filter);
    std::optional<DomainId> last;
    for (std::uint32_t number = 0; number < tree.leaf_count(); ++number) {
      if (filter->verdict[number] != 0) continue;
      const DomainId leaf = tree.domain_of(LeafId{number});
      const DomainId domain = tree.ancestor(leaf, request->required ? request->level : 0);
      if (!last || (request->required && *last != domain)) {
        rooms_.back().push_back({request->layers, {}});
      }
      last = domain;
      Room::Leaf& added = rooms_.back().back().leaves.emplace_back();
      added.cell = view.cells()[number];
      for (const solver::Layer& layer : request->layers) {
        added.domains.push_back(tree.ancestor(leaf, layer.level));
      }
    }
  }

  /// Places the pod sets from `pod_set` on.
  bool from(std::size_t pod_set) {
    if (pod_set == rooms_.size()) return true;
    if (counts_[pod_set] == 0) return from(pod_set + 1);
    return std::any_of(rooms_[pod_set].begin(), rooms_[pod_set].end(), [&](const Room& room) {
      std::int64_t most = 0;
      for (const Room::Leaf& leaf : room.leaves) most += pods_in(leaf.cell, pod_set);
      return most >= counts_[pod_set] && deal(pod_set, room, 0, counts_[pod_set],
                                              std::vector<std::int64_t>(room.layers.size(), 0));
    });
  }

  std::int64_t pods_in(CellId cell, std::size_t pod_set) const {
    return solver::pods_that_fit(capacity_, topology::Basis::kFree, cell, amounts_[pod_set]);
  }

  /// Deals pods to the leaves from `at` on. `in_domain[k]`: pods in the domain of the last leaf at
  /// the level of layer k.
  bool deal(std::size_t pod_set, const Room& room, std::size_t at, std::int64_t left,
            std::vector<std::int64_t> in_domain) {
    if (++looks_ > kMostWays) return false;
    for (std::size_t k = 0; k < room.layers.size() && at > 0; ++k) {
      if (at < room.leaves.size() && room.leaves[at].domains[k] == room.leaves[at - 1].domains[k]) {
        continue;
      }
      if (in_domain[k] % room.layers[k].size != 0) return false;
      in_domain[k] = 0;
    }
    if (left == 0 && std::all_of(in_domain.begin(), in_domain.end(),
                                 [](std::int64_t pods) { return pods == 0; })) {
      return from(pod_set + 1);
    }
    if (at == room.leaves.size()) return left == 0 && from(pod_set + 1);
    const CellId cell = room.leaves[at].cell;
    for (std::int64_t pods = std::min(left, pods_in(cell, pod_set)); pods >= 0; --pods) {
      std::vector<std::int64_t> next = in_domain;
      for (std::int64_t& each : next) each += pods;
      if (pods > 0) capacity_.assume(cell, rows_[pod_set], pods);
      const bool done = deal(pod_set, room, at + 1, left - pods, std::move(next));
      if (pods > 0) capacity_.forget(cell, rows_[pod_set], pods);
      if (done) return true;
      if (looks_ > kMostWays) return false;
    }
    return false;
  }

  const solver::Gang& gang_;
  topology::Capacity& capacity_;
  std::vector<std::int64_t> counts_;
  std::vector<Amounts> amounts_;
  std::vector<topology::RowAmounts> rows_;
  std::vector<std::vector<Room>> rooms_;  // by pod set
  std::int64_t looks_ = 0;
};

}  // namespace

bool some_way_fits(const Planner& planner, std::span<const Flavor> flavors,
                   const Workload& workload, const PlanQueue& queue, Books& books) {
  const auto& pod_sets = workload.gang.pod_sets;
  const bool simple =
      std::all_of(pod_sets.begin(), pod_sets.end(), [&](const solver::PodSet& each) {
        return each.group.empty() && (queue.topology_only || each.topology.explicit_request());
      });
  return simple && Ways(planner, flavors, workload, queue, books).any();
}

}  // namespace tessera::core
