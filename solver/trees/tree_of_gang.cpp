// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_of_gang.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "solver/search/place.h"

namespace tessera::solver {
namespace {

using topology::TopologySpec;

/// True if `a` bounds more than `b`, both of one topology.
bool finer(TreeLevel a, TreeLevel b) { return a && (!b || a.level > b.level); }

class Maker {
 public:
  explicit Maker(const TreeOfGang& from) : from_(from), gang_(*from.gang) {
    TreeProblem& problem = out_.problem;
    problem.capacity = from.capacity;
    problem.basis = from.basis;
    problem.choice = from.choice;
    problem.cells = from.cells;
    for (const TreeTopology& each : from.topologies) problem.runs.push_back(each.runs);
    for (const PodSet& pod_set : gang_.pod_sets) needs_.push_back(need_of(pod_set.request));
  }

  GangTree make() {
    add_group(0, 0, {});
    sort_leaves();
    return std::move(out_);
  }

 private:
  /// Slices come before the other pods of their group.
  void sort_leaves() {
    std::vector<TreePods>& pods = out_.problem.pods;
    std::vector<std::size_t> order(pods.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto before = [&](std::size_t a, std::size_t b) { return pods[a].group < pods[b].group; };
    if (std::is_sorted(order.begin(), order.end(), before)) return;
    std::stable_sort(order.begin(), order.end(), before);
    std::vector<TreePods> sorted;
    std::vector<std::uint32_t> pod_sets;
    for (const std::size_t at : order) {
      sorted.push_back(std::move(pods[at]));
      pod_sets.push_back(out_.names.pod_set_of[at]);
    }
    pods = std::move(sorted);
    out_.names.pod_set_of = std::move(pod_sets);
  }

  TreeLevel level(std::uint32_t group, std::optional<Symbol> name) const {
    const int topology = from_.topology_of_group[group];
    if (!name || topology < 0) return {};
    const auto found =
        from_.topologies[static_cast<std::size_t>(topology)].spec->find_level(name->view());
    return found ? TreeLevel{topology, *found} : TreeLevel{};
  }

  /// What one pod takes, slot included. Rows are added as they are first asked for.
  Need need_of(const Amounts& request) {
    Need need;
    for (const topology::Amount& amount : pod_amounts(request)) {
      if (amount.value == 0) continue;
      const int row = from_.capacity->row(amount.resource);
      if (row < 0) {
        need.unknown = true;
        continue;
      }
      std::vector<std::uint32_t>& rows = out_.problem.rows;
      auto at = std::find(rows.begin(), rows.end(), static_cast<std::uint32_t>(row));
      if (at == rows.end()) at = rows.insert(at, static_cast<std::uint32_t>(row));
      need.parts.push_back({static_cast<std::uint32_t>(at - rows.begin()), amount.value});
    }
    return need;
  }

  std::uint32_t open_group(std::uint32_t parent, std::uint32_t stands_for) {
    const auto self = static_cast<std::uint32_t>(out_.problem.groups.size());
    TreeGroup group;
    group.parent = parent;
    out_.problem.groups.push_back(group);
    out_.names.group_of.push_back(stands_for);
    return self;
  }
  void close_group(std::uint32_t self) {
    out_.problem.groups[self].end = static_cast<std::uint32_t>(out_.problem.groups.size());
  }

  /// `spread`: the level of the parent's spread.
  void add_group(std::uint32_t group, std::uint32_t parent, TreeLevel spread) {
    const GangGroup& each = gang_.groups[group];
    TreeLevel own = level(group, each.topology.required);
    const TreeLevel exclusive = level(group, each.exclusive.level);
    if (finer(exclusive, own)) own = exclusive;
    const bool elsewhere = spread && own && own.runs != spread.runs;
    std::uint32_t outer = 0;
    if (elsewhere) {  // two topologies: a group for the spread, and in it the group itself
      outer = open_group(parent, group);
      out_.problem.groups[outer].required = spread;
      out_.problem.groups[outer].min_children = 1;
      parent = outer;
    } else if (spread && (!own || finer(spread, own))) {
      own = spread;
    }
    const std::uint32_t self = open_group(parent, group);
    TreeGroup& made = out_.problem.groups[self];
    made.required = own;
    made.preferred = level(group, each.topology.preferred);
    made.min_children = each.min_children;
    if (exclusive) made.exclusive = {exclusive, each.exclusive.everyone, nullptr};
    if (each.spread.level) made.spread = {level(group, each.spread.level), each.spread.most};
    const TreeLevel spreads = made.spread.level;
    add_pods(group, self);
    for (std::uint32_t c = group + 1; c < each.end; c = gang_.groups[c].end) {
      add_group(c, self, spreads);
    }
    close_group(self);
    if (elsewhere) close_group(outer);
  }

  void add_leaf(std::uint32_t self, std::uint32_t pod_set, std::int64_t must, std::int64_t more,
                std::vector<std::uint32_t> running) {
    std::sort(running.begin(), running.end());
    running.erase(std::unique(running.begin(), running.end()), running.end());
    TreePods leaf;
    leaf.group = self;
    leaf.must = must;
    leaf.more = more;
    leaf.running = std::move(running);
    if (pod_set != UINT32_MAX) {
      leaf.need = needs_[pod_set];
      leaf.barred = from_.barred[pod_set];
      if (!from_.counted.empty()) leaf.counted = from_.counted[pod_set];
    }
    out_.problem.pods.push_back(std::move(leaf));
    out_.names.pod_set_of.push_back(pod_set);
  }

  /// The group's own pods. The minimum lacks what neither runs nor is held; it takes the pods in
  /// the order of the pod sets.
  void add_pods(std::uint32_t group, std::uint32_t self) {
    const GangGroup& each = gang_.groups[group];
    std::int64_t lacking = each.min_pods - static_cast<std::int64_t>(from_.running[group].size());
    for (std::uint32_t p = each.pods_begin; p < each.pods_end; ++p) lacking -= held(p);
    lacking = std::max<std::int64_t>(lacking, 0);
    std::vector<std::uint32_t> running = from_.running[group];
    for (std::uint32_t p = each.pods_begin; p < each.pods_end; ++p) {
      const std::int64_t waiting = from_.counts[p] - held(p);
      const std::int64_t must = std::min(lacking, waiting);
      lacking -= must;
      for (const HostPods& on : held_on(p)) running.push_back(on.host);
      if (!gang_.pod_sets[p].topology.layers.empty()) {
        add_slices(self, p, must, waiting - must);
      } else if (waiting > 0) {
        add_leaf(self, p, must, waiting - must, std::move(running));
        running.clear();
      }
    }
    if (!running.empty()) add_leaf(self, UINT32_MAX, 0, 0, std::move(running));
    if (lacking > 0) out_.problem.groups[self].short_of_pods = true;
  }

  /// The slices of a pod set are child groups of one group, which needs as many of them as the
  /// minimum reaches into. A slice is placed whole or not at all.
  void add_slices(std::uint32_t self, std::uint32_t pod_set, std::int64_t must, std::int64_t more) {
    const std::int64_t size = gang_.pod_sets[pod_set].topology.layers.front().size;
    const std::uint32_t all = open_group(self, out_.names.group_of[self]);
    out_.problem.groups[all].min_children = (must + size - 1) / size;
    if (must > 0) ++out_.problem.groups[self].min_children;
    for (std::int64_t left = must + more; left > 0; left -= size) {
      add_slice(all, pod_set, std::min(size, left), 0);
    }
    close_group(all);
  }

  /// A slice of layer `layer`; the last one of its parent may be short.
  void add_slice(std::uint32_t parent, std::uint32_t pod_set, std::int64_t pods,
                 std::size_t layer) {
    const std::vector<SliceLayer>& layers = gang_.pod_sets[pod_set].topology.layers;
    const std::uint32_t slice = open_group(parent, out_.names.group_of[parent]);
    out_.problem.groups[slice].required = level(out_.names.group_of[parent], layers[layer].level);
    if (layer + 1 == layers.size()) {
      add_leaf(slice, pod_set, pods, 0, {});
    } else {
      const std::int64_t size = layers[layer + 1].size;
      out_.problem.groups[slice].min_children = (pods + size - 1) / size;
      for (std::int64_t left = pods; left > 0; left -= size) {
        add_slice(slice, pod_set, std::min(size, left), layer + 1);
      }
    }
    close_group(slice);
  }

  std::int64_t held(std::uint32_t pod_set) const {
    std::int64_t pods = 0;
    for (const HostPods& on : held_on(pod_set)) pods += on.pods;
    return pods;
  }
  std::span<const HostPods> held_on(std::uint32_t pod_set) const {
    return from_.held.empty() ? std::span<const HostPods>() : from_.held[pod_set];
  }

  const TreeOfGang& from_;
  const Gang& gang_;
  GangTree out_;
  std::vector<Need> needs_;  // by pod set
};

}  // namespace

GangTree tree_of_gang(const TreeOfGang& from) { return Maker(from).make(); }

std::vector<std::vector<HostPods>> pods_by_set(const TreeAnswer& answer, const TreeNames& names,
                                               std::size_t pod_sets) {
  std::vector<std::map<std::uint32_t, std::int64_t>> by_host(pod_sets);
  for (std::size_t leaf = 0; leaf < answer.pods.size(); ++leaf) {
    if (names.pod_set_of[leaf] == UINT32_MAX) continue;
    for (const HostPods& on : answer.pods[leaf]) {
      by_host[names.pod_set_of[leaf]][on.host] += on.pods;
    }
  }
  std::vector<std::vector<HostPods>> out(pod_sets);
  for (std::size_t p = 0; p < pod_sets; ++p) {
    for (const auto& [host, pods] : by_host[p]) out[p].push_back({host, pods});
  }
  return out;
}

}  // namespace tessera::solver
