// SPDX-License-Identifier: Apache-2.0
#include "tests/support/placement_verifier.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "tests/support/ground_truth.h"

namespace tessera::test {
namespace {

using topology::Symbol;
struct Entry {
  Path path;
  const GroundLeaf* leaf = nullptr;
  std::int64_t pods = 0;
};

class Check {
 public:
  Check(const World& world, const solver::Gang& gang, topology::Basis basis,
        solver::LeaderFilters leader_filters)
      : world_(world),
        spec_(world.spec()),
        gang_(gang),
        leader_filters_(leader_filters),
        ground_(world.spec(), basis) {}

  Verdict run(const solver::Placement& placement) {
    if (placement.pod_sets.size() != gang_.pod_sets.size()) {
      verdict_.faults.emplace_back("not one entry a pod set");
      return verdict_;
    }
    for (const solver::PodSetPlacement& pod_set : placement.pod_sets) {
      entries_.push_back(read(pod_set));
    }
    for (std::size_t p = 0; p < gang_.pod_sets.size(); ++p) {
      const solver::PodSet& pod_set = gang_.pod_sets[p];
      check_whole(pod_set, entries_[p]);
      check_nodes(p);
      check_required(pod_set, entries_[p]);
      if (!is_leader(p)) check_slices(pod_set, entries_[p]);
    }
    check_groups();
    check_room();
    return verdict_;
  }

 private:
  void fault(const std::string& pod_set, const std::string& text) {
    verdict_.faults.push_back(pod_set + ": " + text);
  }

  std::vector<Entry> read(const solver::PodSetPlacement& placement) const {
    std::vector<Entry> entries;
    for (const solver::LeafPods& pods : placement) {
      Entry entry;
      for (Symbol value : world_.tree().path(world_.tree().domain_of(pods.leaf))) {
        entry.path.push_back(value.str());
      }
      entry.leaf = ground_.find(entry.path);
      entry.pods = pods.pods;
      entries.push_back(std::move(entry));
    }
    return entries;
  }

  void check_whole(const solver::PodSet& pod_set, const std::vector<Entry>& entries) {
    std::int64_t pods = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      pods += entries[i].pods;
      if (entries[i].pods <= 0) fault(pod_set.name, "a leaf with no pods");
      if (entries[i].leaf == nullptr) fault(pod_set.name, "a leaf without an eligible node");
      if (i > 0 && !(entries[i - 1].path < entries[i].path)) {
        fault(pod_set.name, "leaves out of path order");
      }
    }
    if (pods != pod_set.count) {
      fault(pod_set.name,
            std::to_string(pods) + " of " + std::to_string(pod_set.count) + " pods placed");
    }
  }

  /// The other pod set of a group of two; nothing outside groups.
  std::optional<std::size_t> group_mate(std::size_t p) const {
    for (std::size_t q = 0; q < gang_.pod_sets.size(); ++q) {
      const bool same = gang_.pod_sets[q].unit == gang_.pod_sets[p].unit;
      if (q != p && same && !gang_.pod_sets[p].unit.empty()) return q;
    }
    return std::nullopt;
  }

  /// placement.md 4.9: the smaller of the two; of equal ones the second.
  bool is_leader(std::size_t p) const {
    const auto mate = group_mate(p);
    if (!mate) return false;
    const std::int64_t mine = gang_.pod_sets[p].count, other = gang_.pod_sets[*mate].count;
    return mine < other || (mine == other && p > *mate);
  }

  bool accepts(const solver::PodSet& pod_set, const std::vector<Entry>& entries) const {
    return std::all_of(entries.begin(), entries.end(), [&](const Entry& entry) {
      return entry.leaf == nullptr || ground_.accepts(*entry.leaf, pod_set.filter);
    });
  }

  void check_nodes(std::size_t p) {
    const solver::PodSet& pod_set = gang_.pod_sets[p];
    if (accepts(pod_set, entries_[p])) return;
    const auto mate = group_mate(p);
    if (leader_filters_ == solver::LeaderFilters::kWorkers && is_leader(p) &&
        accepts(gang_.pod_sets[*mate], entries_[p])) {
      ++verdict_.leaders_on_workers_filter;
      return;
    }
    fault(pod_set.name, "a node that the pods do not accept");
  }

  static std::map<Path, std::int64_t> pods_by_domain(const std::vector<Entry>& entries,
                                                     std::size_t level) {
    std::map<Path, std::int64_t> pods;
    for (const Entry& entry : entries) {
      pods[domain_at(entry.path, level)] += entry.pods;
    }
    return pods;
  }

  void check_required(const solver::PodSet& pod_set, const std::vector<Entry>& entries) {
    if (!pod_set.topology.required) return;
    const auto at = level_index(spec_, *pod_set.topology.required);
    if (!at) return fault(pod_set.name, "placed although its level is unknown");
    if (pods_by_domain(entries, *at).size() > 1) {
      fault(pod_set.name, "more than one domain of the required level");
    }
  }

  void check_slices(const solver::PodSet& pod_set, const std::vector<Entry>& entries) {
    for (const solver::SliceLayer& layer : pod_set.topology.layers) {
      const auto at = level_index(spec_, layer.level);
      if (!at || layer.size <= 0) {
        fault(pod_set.name, "placed although a slice layer makes no sense");
        continue;
      }
      for (const auto& [path, pods] : pods_by_domain(entries, *at)) {
        if (pods % layer.size != 0) fault(pod_set.name, "a split slice in " + path.back());
      }
    }
  }

  void check_groups() {
    for (std::size_t p = 0; p < gang_.pod_sets.size(); ++p) {
      const auto mate = group_mate(p);
      if (!mate || *mate < p) continue;
      const solver::PodSet& workers = gang_.pod_sets[is_leader(p) ? *mate : p];
      const auto at =
          workers.topology.required ? level_index(spec_, *workers.topology.required) : std::nullopt;
      if (!at) continue;
      std::vector<Entry> both = entries_[p];
      both.insert(both.end(), entries_[*mate].begin(), entries_[*mate].end());
      if (pods_by_domain(both, *at).size() > 1) fault(workers.name, "the group is split");
    }
  }

  void check_room() {
    std::map<const GroundLeaf*, AmountsByName> taken;
    for (std::size_t p = 0; p < entries_.size(); ++p) {
      const topology::Amounts pod = with_pod_slot(gang_.pod_sets[p].request);
      for (const Entry& entry : entries_[p]) {
        if (entry.leaf != nullptr) add_amounts(taken[entry.leaf], pod, entry.pods);
      }
    }
    for (const auto& [leaf, amounts] : taken) {
      for (const auto& [resource, amount] : amounts) {
        const auto free = leaf->free.find(resource);
        const std::int64_t room = free == leaf->free.end() ? 0 : free->second;
        if (amount > 0 && amount > room) {
          fault(leaf->nodes.front()->name.str(), resource + " oversubscribed");
        }
      }
    }
  }

  const World& world_;
  const WorldSpec& spec_;
  const solver::Gang& gang_;
  solver::LeaderFilters leader_filters_;
  GroundTruth ground_;
  std::vector<std::vector<Entry>> entries_;
  Verdict verdict_;
};

}  // namespace

Verdict verify_placement(const World& world, const solver::Gang& gang,
                         const solver::Placement& placement, topology::Basis basis,
                         solver::LeaderFilters leader_filters) {
  return Check(world, gang, basis, leader_filters).run(placement);
}

}  // namespace tessera::test
