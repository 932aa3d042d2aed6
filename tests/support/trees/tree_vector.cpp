// SPDX-License-Identifier: Apache-2.0
#include "tests/support/trees/tree_vector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace tessera::test {
namespace {

using nlohmann::json;
using topology::Amounts;
using topology::Symbol;

Amounts pod_total(const json& requests) {
  Amounts out;
  for (const auto& [name, text] : requests.items()) {
    const auto quantity = topology::Quantity::parse(text.get_ref<const std::string&>());
    EXPECT_TRUE(quantity.has_value()) << text;
    if (name != "pods" && quantity)
      out.set(Symbol(name), topology::engine_amount(Symbol(name), *quantity));
  }
  out.set(topology::pods_resource(), 1);
  return out;
}

TreeVectorGroup read_group(const json& object) {
  TreeVectorGroup out;
  out.name = object["name"].get<std::string>();
  if (object.contains("minMember")) out.min_pods = object["minMember"].get<std::int64_t>();
  if (object.contains("minSubGroup")) out.min_children = object["minSubGroup"].get<std::int64_t>();
  out.required = object.value("required", "");
  out.preferred = object.value("preferred", "");
  for (const json& child : object.value("children", json::array()))
    out.children.push_back(read_group(child));
  for (const json& pod : object.value("pods", json::array()))
    out.pods.push_back({pod["name"].get<std::string>(), pod_total(pod["requests"])});
  return out;
}

topology::NodeRecord read_tree_node(const json& object) {
  topology::NodeRecord node;
  node.name = Symbol(object["name"].get<std::string>());
  for (const auto& [key, value] : object["labels"].items())
    node.labels.set(Symbol(key), Symbol(value.get<std::string>()));
  for (const auto& [name, text] : object["allocatable"].items()) {
    const auto quantity = topology::Quantity::parse(text.get_ref<const std::string&>());
    EXPECT_TRUE(quantity.has_value()) << text;
    if (quantity)
      node.allocatable.set(Symbol(name), topology::engine_amount(Symbol(name), *quantity));
  }
  node.capacity = node.allocatable;
  node.ready = true;
  return node;
}

/// Checks one gang of a vector against its rules.
class RuleCheck {
 public:
  RuleCheck(const TreeVector& vector, const TreeVectorGang& gang, const TreePlaces& placed,
            std::set<std::string>& broken)
      : vector_(vector), gang_(gang), placed_(placed), broken_(broken) {}

  void run() {
    check(gang_.tree, nullptr);
    if (!apart(vector_, gang_.tree, where_)) broken_.insert("apart");
  }

 private:
  struct Seen {
    std::vector<std::string> nodes;  // of all pods, running ones too
    std::size_t fresh = 0;
    bool met = false;
  };

  Seen check(const TreeVectorGroup& group, const TreeVectorGroup* parent) {
    Seen out;
    std::int64_t have = 0, need = 0;
    if (group.is_leaf()) {
      for (const TreePod& pod : group.pods) {
        const auto at = placed_.find(pod.name);
        if (at == placed_.end()) continue;
        out.nodes.push_back(at->second);
        ++out.fresh;
      }
      for (const TreeBound& bound : vector_.bound) {
        if (bound.gang == gang_.name && bound.group == group.name) out.nodes.push_back(bound.node);
      }
      where_[&group] = out.nodes;
      have = static_cast<std::int64_t>(out.nodes.size());
      need = group.min_pods.value_or(0);
    } else {
      for (const TreeVectorGroup& child : group.children) {
        const Seen seen = check(child, &group);
        out.nodes.insert(out.nodes.end(), seen.nodes.begin(), seen.nodes.end());
        out.fresh += seen.fresh;
        have += seen.met ? 1 : 0;
      }
      need = group.min_children.value_or(static_cast<std::int64_t>(group.children.size()));
    }
    out.met = have >= need;
    if (out.fresh > 0 && !out.met) broken_.insert("minimum");
    for (const std::string& level : levels_of(group, parent)) {
      if (out.fresh > 0) check_required(level, out.nodes);
    }
    return out;
  }

  void check_required(const std::string& level, const std::vector<std::string>& nodes) {
    std::set<std::vector<std::string>> domains;
    for (const std::string& name : nodes) {
      std::vector<std::string> path;
      for (const std::string& key : vector_.levels) {
        const auto value = node(name).labels.find(Symbol(key));
        if (!value) broken_.insert("required");
        path.push_back(value ? value->str() : "");
        if (key == level) break;
      }
      domains.insert(path);
    }
    if (domains.size() > 1) broken_.insert("required");
  }

  const topology::NodeRecord& node(const std::string& name) const {
    for (const topology::NodeRecord& each : vector_.nodes) {
      if (each.name.view() == name) return each;
    }
    throw std::out_of_range("no node " + name);
  }

  const TreeVector& vector_;
  const TreeVectorGang& gang_;
  const TreePlaces& placed_;
  std::set<std::string>& broken_;
  std::map<const TreeVectorGroup*, std::vector<std::string>> where_;
};

/// The nodes of all pods below a group.
std::vector<std::string> nodes_below(
    const TreeVectorGroup& group,
    const std::map<const TreeVectorGroup*, std::vector<std::string>>& where) {
  const auto own = where.find(&group);
  std::vector<std::string> out = own == where.end() ? std::vector<std::string>() : own->second;
  for (const TreeVectorGroup& child : group.children) {
    const std::vector<std::string> more = nodes_below(child, where);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

/// The checks of apart(), group by group.
class ApartCheck {
 public:
  ApartCheck(const TreeVector& vector,
             const std::map<const TreeVectorGroup*, std::vector<std::string>>& where)
      : vector_(vector), where_(where) {}

  bool check(const TreeVectorGroup& group, const TreeVectorGroup& root) const {
    const std::vector<std::string> own = nodes_below(group, where_);
    if (!group.exclusive.empty() && !own.empty()) {
      const std::set<std::string> domain = domain_of(own[0], group.exclusive);
      for (const TreeBound& bound : vector_.bound) {
        const bool foreign = bound.gang.empty() && (group.everyone || bound.repels);
        if (foreign && domain.count(bound.node) > 0) return false;
      }
      if (!free_of_others(group, root, domain)) return false;
    }
    if (!group.spread.empty()) {
      std::map<std::set<std::string>, std::int64_t> children;
      for (const TreeVectorGroup& child : group.children) {
        const std::vector<std::string> nodes = nodes_below(child, where_);
        if (!nodes.empty() && ++children[domain_of(nodes[0], group.spread)] > group.most)
          return false;
      }
    }
    return std::all_of(group.children.begin(), group.children.end(),
                       [&](const TreeVectorGroup& child) { return check(child, root); });
  }

 private:
  /// The nodes of the domain that a node is in.
  std::set<std::string> domain_of(const std::string& name, const std::string& level) const {
    std::set<std::string> out;
    for (const topology::NodeRecord& node : vector_.nodes) {
      bool same = true;
      for (const std::string& key : vector_.levels) {
        const auto value = node.labels.find(Symbol(key));
        if (!value || value != record(name).labels.find(Symbol(key))) same = false;
        if (key == level) break;
      }
      if (same) out.insert(node.name.str());
    }
    return out;
  }

  const topology::NodeRecord& record(const std::string& name) const {
    return *std::find_if(
        vector_.nodes.begin(), vector_.nodes.end(),
        [&](const topology::NodeRecord& node) { return node.name.view() == name; });
  }

  /// True if no pod below `at`, outside `group`, that matters to the group is in its domain.
  bool free_of_others(const TreeVectorGroup& group, const TreeVectorGroup& at,
                      const std::set<std::string>& domain) const {
    if (&at == &group) return true;
    const bool above = contains(at, group);
    if (!above && !at.exclusive.empty()) {
      for (const std::string& node : nodes_below(at, where_)) {
        for (const std::string& taken : domain_of(node, at.exclusive)) {
          if (domain.count(taken) > 0) return false;
        }
      }
    }
    if (group.everyone && at.is_leaf()) {
      for (const std::string& node : nodes_below(at, where_)) {
        if (domain.count(node) > 0) return false;
      }
    }
    return std::all_of(at.children.begin(), at.children.end(), [&](const TreeVectorGroup& child) {
      return free_of_others(group, child, domain);
    });
  }

  static bool contains(const TreeVectorGroup& group, const TreeVectorGroup& inner) {
    return std::any_of(
        group.children.begin(), group.children.end(),
        [&](const TreeVectorGroup& child) { return &child == &inner || contains(child, inner); });
  }

  const TreeVector& vector_;
  const std::map<const TreeVectorGroup*, std::vector<std::string>>& where_;
};

const TreePod* find_pod(const TreeVectorGroup& group, const std::string& name) {
  for (const TreePod& pod : group.pods) {
    if (pod.name == name) return &pod;
  }
  for (const TreeVectorGroup& child : group.children) {
    if (const TreePod* found = find_pod(child, name)) return found;
  }
  return nullptr;
}

}  // namespace

TreeVector read_tree_vector(const std::string& line) {
  const json object = json::parse(line);
  TreeVector out;
  out.id = object["id"].get<std::string>();
  out.levels = object["levels"].get<std::vector<std::string>>();
  for (const json& node : object["nodes"]) out.nodes.push_back(read_tree_node(node));
  std::sort(out.nodes.begin(), out.nodes.end(),
            [](const auto& a, const auto& b) { return a.name.view() < b.name.view(); });
  for (const json& bound : object["bound"]) {
    out.bound.push_back({bound["node"].get<std::string>(), bound.value("gang", ""),
                         bound.value("group", ""), bound.value("pod", ""),
                         pod_total(bound["requests"]), false});
  }
  for (const json& gang : object["gangs"]) {
    const json& feasible = object["feasible"][gang["name"].get<std::string>()];
    out.gangs.push_back({gang["name"].get<std::string>(), read_group(gang["tree"]),
                         feasible.is_null() ? std::nullopt : std::optional(feasible.get<bool>()),
                         gang.value("priority", std::int64_t{0})});
  }
  out.kai_defect = object.contains("kai_defect");
  return out;
}

std::vector<std::string> levels_of(const TreeVectorGroup& group, const TreeVectorGroup* parent) {
  std::vector<std::string> out;
  if (!group.required.empty()) out.push_back(group.required);
  if (!group.exclusive.empty()) out.push_back(group.exclusive);
  if (parent != nullptr && !parent->spread.empty()) out.push_back(parent->spread);
  return out;
}

bool apart(const TreeVector& vector, const TreeVectorGroup& root,
           const std::map<const TreeVectorGroup*, std::vector<std::string>>& where) {
  return ApartCheck(vector, where).check(root, root);
}

std::vector<std::string> broken_rules(const TreeVector& vector,
                                      const std::map<std::string, TreePlaces>& placed) {
  std::set<std::string> broken;
  std::map<std::string, Amounts> used;
  for (const TreeBound& bound : vector.bound) used[bound.node].add(bound.total);
  for (const TreeVectorGang& gang : vector.gangs) {
    const auto at = placed.find(gang.name);
    if (at == placed.end() || at->second.empty()) continue;
    for (const auto& [pod, node] : at->second) {
      const TreePod* known = find_pod(gang.tree, pod);
      if (known == nullptr) {
        broken.insert("unknown");
      } else {
        used[node].add(known->total);
      }
    }
    RuleCheck(vector, gang, at->second, broken).run();
  }
  for (const topology::NodeRecord& node : vector.nodes) {
    for (const auto& [resource, amount] : used[node.name.str()]) {
      if (amount > node.allocatable.get(resource)) broken.insert("capacity");
    }
  }
  return {broken.begin(), broken.end()};
}

}  // namespace tessera::test
