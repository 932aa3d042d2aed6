// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_oracle.h"

#include <algorithm>
#include <set>

namespace tessera::test {
namespace {

using SmallPods = SmallCluster::Pods;
using SmallWork = SmallCluster::Work;

constexpr std::int64_t kSlots = 110;

SmallOracle::Path prefix(const SmallOracle::Path& path, std::size_t length) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)};
}

bool is_host(const SmallOracle::Path& path) { return !path.empty() && path.back()[0] == 'n'; }

/// True if the leaf is in the domain, which may be of another flavor's topology. A host is known by
/// its name alone.
bool within(const SmallOracle::Path& leaf, const SmallOracle::Path& domain) {
  if (is_host(domain)) return is_host(leaf) && leaf.back() == domain.back();
  return leaf.size() >= domain.size() && prefix(leaf, domain.size()) == domain;
}

}  // namespace

struct SmallOracle::Task {
  const SmallWork& work;
  const std::vector<std::int64_t>& counts;
  std::vector<Unit> units;
};

SmallOracle::World SmallOracle::empty(bool healthy) const {
  World world;
  for (std::size_t n = 0; n < cluster_->nodes.size(); ++n) {
    if (healthy || cluster_->nodes[n].health == SmallCluster::Health::kGood) {
      world.usable |= 1U << n;
    }
  }
  return world;
}

SmallOracle::World SmallOracle::now() const {
  World world = empty(false);
  for (const SmallCluster::Holder& holder : cluster_->holders) {
    const bool loose = holder.kind == SmallCluster::Holder::Kind::kPods;
    const auto hold = [&](std::size_t node, std::int64_t pods, const std::string& name) {
      world.held.push_back({1U << node, pods * holder.cpu, pods * holder.gpu, pods, name});
    };
    for (std::int64_t pod = 0; loose && pod < holder.pods; ++pod) {
      hold(holder.node, 1, holder.name + "-" + std::to_string(pod));
    }
    if (!loose) hold(holder.node, holder.pods, holder.name);
    if (holder.stray) hold(*holder.stray, 1, holder.name);
  }
  return world;
}

bool SmallOracle::fits(const World& world) const {
  const Nodes all = 1U << cluster_->nodes.size();
  for (Nodes set = 1; set < all; ++set) {
    if ((set & ~world.usable) != 0) continue;
    std::int64_t cpu = 0, gpu = 0, pods = 0;
    for (std::size_t n = 0; n < cluster_->nodes.size(); ++n) {
      if ((set >> n & 1U) == 0) continue;
      cpu += cluster_->nodes[n].cpu;
      gpu += cluster_->nodes[n].gpu;
      pods += kSlots;
    }
    for (const Held& each : world.held) {
      const Nodes leaf = each.leaf & world.usable;
      if (leaf == 0 || (leaf & ~set) != 0) continue;
      cpu -= each.cpu;
      gpu -= each.gpu;
      pods -= each.pods;
    }
    if ((cpu < 0 && !world.any_cpu) || (gpu < 0 && !world.any_gpu) ||
        (pods < 0 && !world.any_pods)) {
      return false;
    }
  }
  return true;
}

std::vector<SmallOracle::Leaf> SmallOracle::leaves(const World& world, std::size_t flavor) const {
  const SmallCluster::Flavor& of = cluster_->flavors[flavor];
  const bool flat = of.leaves == SmallCluster::Leaves::kHostsOnly;
  std::map<Path, Nodes> by_path;
  for (std::size_t n = 0; n < cluster_->nodes.size(); ++n) {
    const SmallCluster::Node& node = cluster_->nodes[n];
    if ((of.half && !node.half) || (node.rackless && !flat)) continue;
    if ((world.usable >> n & 1U) == 0) continue;
    const std::size_t last = of.leaves == SmallCluster::Leaves::kRacks ? 2 : 3;
    by_path[{node.path + (flat ? 2 : 0), node.path + last}] |= 1U << n;
  }
  std::vector<Leaf> out;
  for (const auto& [path, nodes] : by_path) out.push_back({nodes, path});
  return out;
}

SmallOracle::Nodes SmallOracle::leaf(const World& world, std::size_t flavor,
                                     const Path& path) const {
  for (const Leaf& each : leaves(world, flavor)) {
    if (each.path == path) return each.nodes;
  }
  return 0;
}

bool SmallOracle::knows(std::size_t flavor, const SmallPods& pods) const {
  const SmallCluster::Leaves leaves = cluster_->flavors[flavor].leaves;
  for (const std::optional<std::size_t>& level :
       {pods.required, pods.preferred, pods.slice_level}) {
    if (!level) continue;
    if (leaves == SmallCluster::Leaves::kRacks && *level == 2) return false;
    if (leaves == SmallCluster::Leaves::kHostsOnly && *level != 2) return false;
  }
  return true;
}

std::vector<SmallOracle::Unit> SmallOracle::units(const SmallWork& work) {
  std::vector<Unit> units;
  if (work.grouped) {
    // The leader is the smaller one; of equals the second.
    const bool second_leads = work.pods[1].count <= work.pods[0].count;
    units.push_back({second_leads ? 0U : 1U, second_leads ? 1U : 0U});
  }
  for (std::size_t p = work.grouped ? 2 : 0; p < work.pods.size(); ++p) units.push_back({p, {}});
  return units;
}

std::vector<std::int64_t> SmallOracle::counts(const SmallPods& pods) {
  std::vector<std::int64_t> out;
  for (std::int64_t count = pods.count; count >= pods.least.value_or(pods.count); --count) {
    if (count % pods.slice == 0) out.push_back(count);
  }
  return out;
}

std::vector<std::int64_t> SmallOracle::fewest(const SmallWork& work) {
  std::vector<std::int64_t> out;
  for (const SmallPods& pods : work.pods) {
    const std::vector<std::int64_t> each = counts(pods);
    if (each.empty()) return {};
    out.push_back(each.back());
  }
  return out;
}

std::vector<std::pair<std::size_t, std::size_t>> SmallOracle::flavors_of(const SmallWork& work,
                                                                         const Unit& unit) const {
  const SmallCluster::Queue& queue = cluster_->queues[work.queue];
  std::vector<std::pair<std::size_t, std::size_t>> out;
  if (!queue.split) {
    for (const std::size_t flavor : queue.flavors) out.emplace_back(flavor, flavor);
    return out;
  }
  const auto of = [&](const SmallPods& pods) { return queue.flavors[pods.gpu > 0 ? 1 : 0]; };
  out.emplace_back(of(work.pods[unit.workers]), of(work.pods[unit.leader.value_or(unit.workers)]));
  return out;
}

bool SmallOracle::possible(const SmallWork& work, const std::vector<std::int64_t>& counts,
                           const World& world) const {
  World copy = world;
  return place_units({work, counts, units(work)}, 0, copy);
}

bool SmallOracle::place_units(const Task& task, std::size_t unit, World& world) const {
  if (unit == task.units.size()) return true;
  const auto pairs = flavors_of(task.work, task.units[unit]);
  return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
    return place_on(task, task.units[unit], pair.first, pair.second, world,
                    [&](World& after) { return place_units(task, unit + 1, after); });
  });
}

bool SmallOracle::place_on(const Task& task, const Unit& unit, std::size_t flavor,
                           std::size_t leader_flavor, World& world, const Then& then) const {
  const SmallPods& workers = task.work.pods[unit.workers];
  if (!knows(flavor, workers)) return false;
  const SmallPods* leader = unit.leader ? &task.work.pods[*unit.leader] : nullptr;
  if (leader != nullptr && !knows(leader_flavor, *leader)) return false;
  std::set<std::optional<Path>> domains = {std::nullopt};
  if (workers.required) {
    const std::size_t length = cluster_->flavors[flavor].leaves == SmallCluster::Leaves::kHostsOnly
                                   ? 1
                                   : *workers.required + 1;
    domains.clear();
    for (const Leaf& each : leaves(world, flavor)) domains.insert(prefix(each.path, length));
  }
  return std::any_of(domains.begin(), domains.end(), [&](const std::optional<Path>& domain) {
    const Then and_workers = [&](World& after) {
      return place_pods(task.work, workers, flavor, task.counts[unit.workers], domain, after, then);
    };
    if (leader == nullptr) return and_workers(world);
    return place_pods(task.work, *leader, leader_flavor, task.counts[*unit.leader], domain, world,
                      and_workers);
  });
}

std::vector<SmallOracle::Leaf> SmallOracle::leaves_in(const World& world, std::size_t flavor,
                                                      const SmallPods& pods,
                                                      const std::optional<Path>& domain) const {
  std::vector<Leaf> inside;
  const bool racks = cluster_->flavors[flavor].leaves == SmallCluster::Leaves::kRacks;
  for (Leaf& each : leaves(world, flavor)) {
    if (domain && !within(each.path, *domain)) continue;
    bool tolerated = true;
    for (std::size_t n = 0; n < cluster_->nodes.size() && !racks; ++n) {
      if ((each.nodes >> n & 1U) != 0) tolerated = pods.tolerates || !cluster_->nodes[n].tainted;
    }
    if (tolerated) inside.push_back(std::move(each));
  }
  return inside;
}

bool SmallOracle::within_quota(const SmallWork& work, std::size_t flavor,
                               const World& world) const {
  const SmallCluster::Queue& queue = cluster_->queues[work.queue];
  const auto spent = world.spent.find({work.queue, flavor});
  if (world.any_quota || spent == world.spent.end()) return true;
  return (!queue.cpu || spent->second.cpu <= *queue.cpu) &&
         (!queue.gpu || spent->second.gpu <= *queue.gpu);
}

bool SmallOracle::place_pods(const SmallWork& work, const SmallPods& pods, std::size_t flavor,
                             std::int64_t count, const std::optional<Path>& domain, World& world,
                             const Then& then) const {
  Amounts& spent = world.spent[{work.queue, flavor}];
  spent.cpu += count * pods.cpu;
  spent.gpu += count * pods.gpu;
  const bool done = within_quota(work, flavor, world) &&
                    deal(pods, leaves_in(world, flavor, pods, domain), 0, count, 0, world, then);
  spent.cpu -= count * pods.cpu;
  spent.gpu -= count * pods.gpu;
  return done;
}

/// Deals the pods that are left to the leaves from `at` on. `in_slice`: pods in the domain of the
/// last leaf at the level of slices.
bool SmallOracle::deal(const SmallPods& pods, const std::vector<Leaf>& leaves, std::size_t at,
                       std::int64_t left, std::int64_t in_slice, World& world,
                       const Then& then) const {
  const auto slice_of = [&](const Leaf& leaf) {
    return prefix(leaf.path, std::min(leaf.path.size(), *pods.slice_level + 1));
  };
  const bool new_domain = pods.slice_level && at > 0 &&
                          (at == leaves.size() || slice_of(leaves[at]) != slice_of(leaves[at - 1]));
  if (new_domain && in_slice % pods.slice != 0) return false;
  if (new_domain) in_slice = 0;
  if (at == leaves.size()) return left == 0 && then(world);
  for (std::int64_t count = 0; count <= left; ++count) {
    if (count == 0) {
      if (deal(pods, leaves, at + 1, left, in_slice, world, then)) return true;
      continue;
    }
    world.held.push_back({leaves[at].nodes, count * pods.cpu, count * pods.gpu, count, ""});
    const bool room = fits(world);
    const bool done =
        room && deal(pods, leaves, at + 1, left - count, in_slice + count, world, then);
    world.held.pop_back();
    if (done) return true;
    if (!room) break;
  }
  return false;
}

std::vector<SmallOracle::Room> SmallOracle::rooms(const SmallWork& work, const Unit& unit,
                                                  std::size_t flavor, std::size_t leader_flavor,
                                                  std::optional<std::size_t> level, bool slices,
                                                  const World& world) const {
  SmallPods workers = work.pods[unit.workers];
  if (!slices) {
    workers.slice_level.reset();
    workers.slice = 1;
  }
  const SmallPods* leader = slices && unit.leader ? &work.pods[*unit.leader] : nullptr;
  std::set<Path> domains;
  if (!level) domains.insert(Path());
  const bool flat = cluster_->flavors[flavor].leaves == SmallCluster::Leaves::kHostsOnly;
  for (const Leaf& each : leaves(world, flavor)) {
    domains.insert(prefix(each.path, level ? (flat ? 1 : *level + 1) : 0));
  }
  World copy = world;
  copy.any_quota = true;
  std::vector<Room> out;
  for (const Path& domain : domains) {
    const auto takes = [&](std::int64_t count, bool with_leader) {
      const Then and_workers = [&](World& after) {
        return place_pods(work, workers, flavor, count, domain, after, [](World&) { return true; });
      };
      if (!with_leader) return and_workers(copy);
      return place_pods(work, *leader, leader_flavor, 1, domain, copy, and_workers);
    };
    Room room{domain, 0, leader == nullptr || takes(0, true)};
    const bool with_leader = leader != nullptr && room.leads;
    while (room.pods < 30 && takes(room.pods + workers.slice, with_leader)) {
      room.pods += workers.slice;
    }
    out.push_back(room);
  }
  return out;
}

}  // namespace tessera::test
