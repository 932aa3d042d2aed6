// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trees/tree_oracle.h"

#include <algorithm>
#include <random>
#include <set>

namespace tessera::test {
namespace {

using topology::Amounts;
using topology::Symbol;

/// Pods to place, each with the groups above it, outermost first.
struct Wanted {
  const TreePod* pod;
  const TreeVectorGroup* leaf;
  std::vector<const TreeVectorGroup*> above;
};
using WantedList = std::vector<Wanted>;

bool holds(const Amounts& free, const Amounts& total) {
  return std::all_of(total.begin(), total.end(),
                     [&](const auto& each) { return each.value <= free.get(each.resource); });
}

class BruteForce {
 public:
  BruteForce(const TreeVector& vector, const TreeVectorGang& gang) : vector_(vector), gang_(gang) {
    for (const topology::NodeRecord& node : vector.nodes) free_[node.name.str()] = node.allocatable;
    for (const TreeBound& bound : vector.bound) free_[bound.node].subtract(bound.total);
    find_running(gang.tree);
  }

  bool run() {
    std::vector<WantedList> ways = ways_of(gang_.tree, {});
    return std::any_of(ways.begin(), ways.end(),
                       [&](const WantedList& way) { return place(way, 0); });
  }

 private:
  using Path = std::vector<std::string>;
  using Bound = std::pair<const TreeVectorGroup*, std::string>;  // a group and a level of it

  /// The domain of a node at a level; nothing if it lacks a label.
  std::optional<Path> path(const topology::NodeRecord& node, const std::string& level) const {
    Path out;
    for (const std::string& key : vector_.levels) {
      const auto value = node.labels.find(Symbol(key));
      if (!value) return std::nullopt;
      out.push_back(value->str());
      if (key == level) break;
    }
    return out;
  }

  std::vector<std::string> find_running(const TreeVectorGroup& group) {
    std::vector<std::string> nodes;
    for (const TreeBound& bound : vector_.bound) {
      if (group.is_leaf() && bound.gang == gang_.name && bound.group == group.name)
        nodes.push_back(bound.node);
    }
    running_[&group] = static_cast<std::int64_t>(nodes.size());
    for (const TreeVectorGroup& child : group.children) {
      const std::vector<std::string> more = find_running(child);
      nodes.insert(nodes.end(), more.begin(), more.end());
    }
    if (group.required.empty()) return nodes;
    for (const std::string& name : nodes) {
      for (const topology::NodeRecord& node : vector_.nodes) {
        if (node.name.view() != name) continue;
        const std::optional<Path> at = path(node, group.required);
        const Bound bound{&group, group.required};
        const auto known = domain_.find(bound);
        if (!at || (known != domain_.end() && known->second != *at)) torn_.insert(&group);
        if (at) domain_[bound] = *at;
      }
    }
    return nodes;
  }

  /// Every list of pods that would meet the minimum of a group; an empty list: it is met.
  std::vector<WantedList> ways_of(const TreeVectorGroup& group,
                                  std::vector<const TreeVectorGroup*> above) const {
    above.push_back(&group);
    if (group.is_leaf()) {
      const std::int64_t lacking =
          std::max<std::int64_t>(group.min_pods.value_or(0) - running_.at(&group), 0);
      if (lacking > static_cast<std::int64_t>(group.pods.size())) return {};
      WantedList list;
      for (std::int64_t i = 0; i < lacking; ++i)
        list.push_back({&group.pods[static_cast<std::size_t>(i)], &group, above});
      return {list};
    }
    const auto count = group.children.size();
    const auto need =
        static_cast<std::size_t>(group.min_children.value_or(static_cast<std::int64_t>(count)));
    std::vector<WantedList> out;
    for (std::uint32_t chosen = 0; chosen < (1U << count); ++chosen) {
      if (static_cast<std::size_t>(__builtin_popcount(chosen)) != need) continue;
      std::vector<WantedList> lists{{}};
      for (std::size_t c = 0; c < count; ++c) {
        if ((chosen >> c & 1U) == 0) continue;
        std::vector<WantedList> longer;
        for (const WantedList& way : ways_of(group.children[c], above)) {
          for (WantedList list : lists) {
            list.insert(list.end(), way.begin(), way.end());
            longer.push_back(std::move(list));
          }
        }
        lists = std::move(longer);
      }
      out.insert(out.end(), lists.begin(), lists.end());
    }
    return out;
  }

  bool place(const WantedList& list, std::size_t next) {
    if (next == list.size()) return apart(vector_, gang_.tree, where_);
    const Wanted& wanted = list[next];
    for (const topology::NodeRecord& node : vector_.nodes) {
      Amounts& free = free_[node.name.str()];
      std::vector<Bound> fresh;
      if (!holds(free, wanted.pod->total) || !enter(node, wanted, fresh)) {
        for (const Bound& each : fresh) domain_.erase(each);
        continue;
      }
      free.subtract(wanted.pod->total);
      where_[wanted.leaf].push_back(node.name.str());
      const bool placed = place(list, next + 1);
      where_[wanted.leaf].pop_back();
      free.add(wanted.pod->total);
      for (const Bound& each : fresh) domain_.erase(each);
      if (placed) return true;
    }
    return false;
  }

  /// Notes the domains that a pod on this node gives the groups above it. False: one of them has
  /// another.
  bool enter(const topology::NodeRecord& node, const Wanted& wanted, std::vector<Bound>& fresh) {
    const TreeVectorGroup* parent = nullptr;
    for (const TreeVectorGroup* group : wanted.above) {
      for (const std::string& level : levels_of(*group, parent)) {
        if (torn_.count(group) > 0) return false;
        const std::optional<Path> at = path(node, level);
        if (!at) return false;
        const auto known = domain_.find({group, level});
        if (known == domain_.end()) {
          domain_[{group, level}] = *at;
          fresh.emplace_back(group, level);
        } else if (known->second != *at) {
          return false;
        }
      }
      parent = group;
    }
    return true;
  }

  const TreeVector& vector_;
  const TreeVectorGang& gang_;
  std::map<std::string, Amounts> free_;
  std::map<const TreeVectorGroup*, std::int64_t> running_;
  std::map<Bound, Path> domain_;
  std::map<const TreeVectorGroup*, std::vector<std::string>> where_;  // by leaf group
  std::set<const TreeVectorGroup*> torn_;
};

/// Draws one world.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  TreeVector run() {
    TreeVector out;
    out.id = "drawn";
    out.choice = static_cast<solver::DomainChoice>(roll(0, 4));
    const int depth = roll(0, 3);
    const std::vector<std::string> labels{"block", "rack", "host"};
    out.levels.assign(labels.begin(), labels.begin() + depth);
    const int nodes = roll(1, 7), racks = roll(1, 4), blocks = roll(1, 2);
    for (int i = 0; i < nodes; ++i) out.nodes.push_back(node(i, roll(0, racks - 1), blocks, depth));
    levels_ = out.levels;
    apart_ = !levels_.empty() && roll(0, 1) == 0;
    TreeVectorGang gang{"g", group(roll(1, 4), "g"), std::nullopt};
    for (const topology::NodeRecord& each : out.nodes) {
      const Amounts used = pod_of(roll(1, 2));
      if (roll(0, 2) == 0 && holds(each.allocatable, used))
        out.bound.push_back({each.name.str(), "", "", "", used, roll(0, 1) == 0});
    }
    if (!apart_) add_running(gang.tree, out);
    out.gangs.push_back(std::move(gang));
    return out;
  }

 private:
  int roll(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  static Amounts pod_of(int gpus) {
    return {{topology::gpu_resource(), gpus},
            {topology::cpu_resource(), 1 + gpus % 3},
            {topology::pods_resource(), 1}};
  }

  topology::NodeRecord node(int number, int rack, int blocks, int depth) {
    topology::NodeRecord out;
    out.name = Symbol("n" + std::to_string(number));
    // Racks of two blocks may have equal names.
    const std::vector<std::pair<std::string, std::string>> labels{
        {"block", "b" + std::to_string(rack % blocks)},
        {"rack", "r" + std::to_string(roll(0, 3) == 0 ? 0 : rack)},
        {"host", out.name.str()}};
    for (int l = 0; l < depth; ++l) {
      if (roll(0, 15) == 0) continue;
      const auto& [key, value] = labels[static_cast<std::size_t>(l)];
      out.labels.set(Symbol(key), Symbol(value));
    }
    out.allocatable = {{topology::gpu_resource(), roll(0, 5)},
                       {topology::cpu_resource(), roll(2, 8)},
                       {topology::pods_resource(), roll(2, 6)}};
    out.capacity = out.allocatable;
    out.ready = true;
    return out;
  }

  TreeVectorGroup group(int depth, const std::string& name) {
    TreeVectorGroup out;
    out.name = name;
    if (!levels_.empty() && roll(0, 2) > 0) out.required = any_level();
    if (!levels_.empty() && roll(0, 3) == 0) out.preferred = any_level();
    if (apart_ && roll(0, 2) == 0) {
      out.exclusive = any_level();
      out.everyone = roll(0, 1) == 0;
    }
    if (depth == 1 || pods_ > 5) {
      add_pods(out);
      return out;
    }
    if (apart_ && roll(0, 1) == 0) {
      out.spread = any_level();
      out.most = roll(1, 2);
    }
    const int children = roll(1, 3);
    for (int c = 0; c < children; ++c)
      out.children.push_back(group(depth - 1, name + "-" + std::to_string(c)));
    if (roll(0, 2) == 0) out.min_children = roll(0, children);
    return out;
  }

  std::string any_level() {
    return levels_[static_cast<std::size_t>(roll(0, static_cast<int>(levels_.size()) - 1))];
  }

  void add_pods(TreeVectorGroup& out) {
    const int count = roll(0, 3);
    const bool mixed = roll(0, 1) == 0;
    const int size = roll(1, 3);
    for (int i = 0; i < count; ++i) {
      out.pods.push_back({out.name + "." + std::to_string(i), pod_of(mixed ? roll(1, 4) : size)});
    }
    pods_ += count;
    // Which pods of a mixed leaf make up its minimum would be open.
    out.min_pods = mixed ? count : roll(0, count + (roll(0, 9) == 0 ? 1 : 0));
  }

  /// Some pods of the gang run already, wherever there was room.
  void add_running(TreeVectorGroup& group, TreeVector& out) {
    for (TreeVectorGroup& child : group.children) add_running(child, out);
    if (!group.is_leaf() || group.pods.empty() || roll(0, 4) > 0) return;
    const TreePod pod = group.pods.back();
    for (const topology::NodeRecord& node : out.nodes) {
      Amounts free = node.allocatable;
      for (const TreeBound& bound : out.bound) {
        if (bound.node == node.name.view()) free.subtract(bound.total);
      }
      if (!holds(free, pod.total)) continue;
      out.bound.push_back({node.name.str(), "g", group.name, pod.name, pod.total, false});
      group.pods.pop_back();
      return;
    }
  }

  std::mt19937_64 random_;
  std::vector<std::string> levels_;
  bool apart_ = false;  // exclusive and spread groups, and nothing that runs
  int pods_ = 0;
};

}  // namespace

TreeVector draw_tree_world(std::uint64_t seed) { return Draw(seed).run(); }

bool tree_fits(const TreeVector& vector, const TreeVectorGang& gang) {
  return BruteForce(vector, gang).run();
}

}  // namespace tessera::test
