// SPDX-License-Identifier: Apache-2.0
#include "tests/support/small_oracle.h"

#include <algorithm>
#include <map>
#include <set>

namespace tessera::test {
namespace {

constexpr std::int64_t kSlots = 110;

std::vector<std::string> prefix(const std::vector<std::string>& path, std::size_t level) {
  return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(level + 1)};
}

}  // namespace

struct SmallOracle::Task {
  const SmallCluster::Work& work;
  const std::vector<std::int64_t>& counts;
};

bool SmallOracle::fits(const std::vector<Held>& held) const {
  const std::uint32_t all = 1U << cluster_.nodes.size();
  for (std::uint32_t set = 1; set < all; ++set) {
    std::int64_t cpu = 0, gpu = 0, pods = 0;
    for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
      if ((set >> n & 1U) == 0) continue;
      cpu += cluster_.nodes[n].cpu;
      gpu += cluster_.nodes[n].gpu;
      pods += kSlots;
    }
    for (const Held& each : held) {
      if ((each.leaf & ~set) != 0) continue;
      cpu -= each.cpu;
      gpu -= each.gpu;
      pods -= each.pods;
    }
    if (cpu < 0 || gpu < 0 || pods < 0) return false;
  }
  return true;
}

std::vector<SmallOracle::Leaf> SmallOracle::leaves(std::size_t flavor) const {
  const SmallCluster::Flavor& of = cluster_.flavors[flavor];
  std::map<std::vector<std::string>, std::uint32_t> by_path;
  for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
    const SmallCluster::Node& node = cluster_.nodes[n];
    if (of.half && !node.half) continue;
    const std::size_t levels = of.hosts ? kSmallLevels : kSmallLevels - 1;
    by_path[{node.path, node.path + levels}] |= 1U << n;
  }
  std::vector<Leaf> out;
  for (const auto& [path, nodes] : by_path) out.push_back({nodes, path});
  return out;
}

std::uint32_t SmallOracle::leaf(std::size_t flavor, const std::vector<std::string>& path) const {
  for (const Leaf& each : leaves(flavor)) {
    if (each.path == path) return each.nodes;
  }
  return 0;
}

std::vector<std::int64_t> SmallOracle::counts(const SmallCluster::Pods& pods) {
  std::vector<std::int64_t> out;
  for (std::int64_t count = pods.count; count >= pods.least.value_or(pods.count); --count) {
    if (count % pods.slice == 0) out.push_back(count);
  }
  return out;
}

std::vector<std::int64_t> SmallOracle::fewest(const SmallCluster::Work& work) {
  std::vector<std::int64_t> out;
  for (const SmallCluster::Pods& pods : work.pods) {
    const std::vector<std::int64_t> each = counts(pods);
    if (each.empty()) return {};
    out.push_back(each.back());
  }
  return out;
}

bool SmallOracle::possible(const SmallCluster::Work& work, const std::vector<std::int64_t>& counts,
                           const std::vector<Held>& held) const {
  std::vector<Held> all = held;
  return place_set({work, counts}, 0, all);
}

bool SmallOracle::place_set(const Task& task, std::size_t set, std::vector<Held>& held) const {
  if (set == task.work.pods.size()) return true;
  const SmallCluster::Pods& pods = task.work.pods[set];
  for (const std::size_t flavor : task.work.flavors) {
    const std::vector<Leaf> all = leaves(flavor);
    if (!pods.required) {
      if (deal(task, set, all, 0, task.counts[set], 0, held)) return true;
      continue;
    }
    std::set<std::vector<std::string>> domains;
    for (const Leaf& each : all) domains.insert(prefix(each.path, *pods.required));
    for (const std::vector<std::string>& domain : domains) {
      std::vector<Leaf> inside;
      for (const Leaf& each : all) {
        if (prefix(each.path, *pods.required) == domain) inside.push_back(each);
      }
      if (deal(task, set, inside, 0, task.counts[set], 0, held)) return true;
    }
  }
  return false;
}

/// Deals the pods that are left to the leaves from `at` on. `in_slice`: pods in the domain of the
/// last leaf at the level of slices.
bool SmallOracle::deal(const Task& task, std::size_t set, const std::vector<Leaf>& leaves,
                       std::size_t at, std::int64_t left, std::int64_t in_slice,
                       std::vector<Held>& held) const {
  const SmallCluster::Pods& pods = task.work.pods[set];
  const bool new_domain =
      pods.slice_level && at > 0 &&
      (at == leaves.size() || prefix(leaves[at].path, *pods.slice_level) !=
                                  prefix(leaves[at - 1].path, *pods.slice_level));
  if (new_domain && in_slice % pods.slice != 0) return false;
  if (new_domain) in_slice = 0;
  if (at == leaves.size()) return left == 0 && place_set(task, set + 1, held);
  for (std::int64_t count = 0; count <= left; ++count) {
    if (count == 0) {
      if (deal(task, set, leaves, at + 1, left, in_slice, held)) return true;
      continue;
    }
    held.push_back({leaves[at].nodes, count * pods.cpu, count * pods.gpu, count});
    const bool room = fits(held);
    const bool done = room && deal(task, set, leaves, at + 1, left - count, in_slice + count, held);
    held.pop_back();
    if (done) return true;
    if (!room) break;
  }
  return false;
}

}  // namespace tessera::test
