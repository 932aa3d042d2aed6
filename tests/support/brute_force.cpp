// SPDX-License-Identifier: Apache-2.0
#include "tests/support/brute_force.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "tests/support/ground_truth.h"

namespace tessera::test {
namespace {

/// Pods of `request` that `free` holds, at most `limit`.
std::int64_t pods_in(const AmountsByName& free, const topology::Amounts& request,
                     std::int64_t limit) {
  AmountsByName taken;
  for (std::int64_t pods = 0; pods < limit; ++pods) {
    add_amounts(taken, request, 1);
    for (const auto& [resource, amount] : taken) {
      const auto room = free.find(resource);
      if (amount > 0 && (room == free.end() || amount > room->second)) return pods;
    }
  }
  return limit;
}

struct LeafRoom {
  Path path;
  std::int64_t pods = 0;
};

/// Layer of slices by the index of its level.
struct Layer {
  std::size_t level = 0;
  std::int64_t size = 0;
};

/// Tries every count of every leaf in path order. A domain's remainder is checked when the path
/// leaves the domain.
class CountSearch {
 public:
  CountSearch(const std::vector<LeafRoom>& leaves, const std::vector<Layer>& layers)
      : leaves_(leaves), layers_(layers), room_after_(leaves.size() + 1, 0) {
    for (std::size_t i = leaves.size(); i > 0; --i) {
      room_after_[i - 1] = room_after_[i] + leaves[i - 1].pods;
    }
  }

  bool possible(std::int64_t pods) {
    dead_.clear();
    return from(0, pods, std::vector<std::int64_t>(layers_.size(), 0));
  }

 private:
  /// `partial[k]`: pods modulo the size of layer k in the domain of the leaf before `leaf`.
  bool from(std::size_t leaf, std::int64_t left, std::vector<std::int64_t> partial) {
    for (std::size_t k = 0; k < layers_.size(); ++k) {
      if (leaf == 0 || !leaves_domain(leaf, layers_[k].level)) continue;
      if (partial[k] != 0) return false;
    }
    if (leaf == leaves_.size()) return left == 0;
    if (room_after_[leaf] < left) return false;
    const State state{leaf, left, partial};
    if (dead_.count(state) > 0) return false;
    for (std::int64_t pods = 0; pods <= std::min(left, leaves_[leaf].pods); ++pods) {
      std::vector<std::int64_t> next = partial;
      for (std::size_t k = 0; k < layers_.size(); ++k) {
        next[k] = (next[k] + pods) % layers_[k].size;
      }
      if (from(leaf + 1, left - pods, std::move(next))) return true;
    }
    dead_.insert(state);
    return false;
  }

  /// Whether a domain of `level` ends before `leaf`.
  bool leaves_domain(std::size_t leaf, std::size_t level) const {
    return leaf == leaves_.size() ||
           domain_at(leaves_[leaf - 1].path, level) != domain_at(leaves_[leaf].path, level);
  }

  using State = std::tuple<std::size_t, std::int64_t, std::vector<std::int64_t>>;
  const std::vector<LeafRoom>& leaves_;
  const std::vector<Layer>& layers_;
  std::vector<std::int64_t> room_after_;
  std::set<State> dead_;
};

class Feasibility {
 public:
  Feasibility(const WorldSpec& world, const solver::PodSet& workers, const solver::PodSet* leader)
      : world_(world),
        truth_(world, topology::Basis::kFree),
        workers_(workers),
        leader_(leader),
        worker_pod_(with_pod_slot(workers.request)) {
    for (const solver::SliceLayer& layer : workers.topology.layers) {
      layers_.push_back({level_index(world, layer.level).value(), layer.size});
    }
  }

  bool exists() const {
    if (!workers_.topology.required) return exists_in(nullptr, 0);
    const std::size_t level = level_index(world_, *workers_.topology.required).value();
    std::set<Path> domains;
    for (const auto& [path, leaf] : truth_.leaves()) domains.insert(domain_at(path, level));
    return std::any_of(domains.begin(), domains.end(),
                       [&](const Path& domain) { return exists_in(&domain, level); });
  }

 private:
  /// Whether the pods fit inside one domain of `level`; without a domain: anywhere.
  bool exists_in(const Path* domain, std::size_t level) const {
    if (leader_ == nullptr) return workers_fit(domain, level, nullptr);
    const topology::Amounts pod = with_pod_slot(leader_->request);
    for (const auto& [path, leaf] : truth_.leaves()) {
      if (domain != nullptr && domain_at(path, level) != *domain) continue;
      if (!truth_.accepts(leaf, leader_->filter) || pods_in(leaf.free, pod, 1) == 0) continue;
      if (workers_fit(domain, level, &leaf)) return true;
    }
    return false;
  }

  bool workers_fit(const Path* domain, std::size_t level, const GroundLeaf* with_leader) const {
    std::vector<LeafRoom> rooms;
    for (const auto& [path, leaf] : truth_.leaves()) {
      if (domain != nullptr && domain_at(path, level) != *domain) continue;
      AmountsByName free = leaf.free;
      if (&leaf == with_leader) add_amounts(free, with_pod_slot(leader_->request), -1);
      const bool accepted = truth_.accepts(leaf, workers_.filter);
      rooms.push_back({path, accepted ? pods_in(free, worker_pod_, workers_.count) : 0});
    }
    return CountSearch(rooms, layers_).possible(workers_.count);
  }

  const WorldSpec& world_;
  GroundTruth truth_;
  const solver::PodSet& workers_;
  const solver::PodSet* leader_;
  topology::Amounts worker_pod_;
  std::vector<Layer> layers_;
};

}  // namespace

bool placement_exists(const WorldSpec& world, const solver::Gang& gang) {
  const solver::PodSet& first = gang.pod_sets[0];
  if (gang.pod_sets.size() == 1) return Feasibility(world, first, nullptr).exists();
  const solver::PodSet& second = gang.pod_sets[1];
  const bool swapped = second.count > first.count;  // the leader is the smaller one
  return Feasibility(world, swapped ? second : first, swapped ? &first : &second).exists();
}

}  // namespace tessera::test
