// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "solver/trees/place_tree.h"
#include "solver/trees/tree_reasons.h"
#include "tests/support/trees/tree_vector.h"

namespace tessera::test {

using solver::TreeGroup;
using solver::TreePods;
using topology::Amounts;
using topology::Symbol;

namespace {

solver::TreeOptions options_of(solver::TreePart part, std::int64_t max_steps) {
  solver::TreeOptions out;
  out.part = part;
  out.max_steps = max_steps;
  return out;
}

constexpr const char* kHostLabel = "test.example.com/host";

struct Named {
  std::string name, group;
};

/// A gang of a vector as the solver takes it, and the pods behind each leaf.
class ProblemBuilder {
 public:
  ProblemBuilder(const TreeVector& vector, const TreeVectorGang& gang,
                 const std::map<std::string, std::uint32_t>& hosts,
                 const topology::Capacity& capacity)
      : vector_(vector), gang_(gang), hosts_(hosts), capacity_(capacity) {
    for (std::uint32_t r = 0; r < capacity.resources().size(); ++r) problem.rows.push_back(r);
    add(gang.tree, 0, nullptr);
  }

  solver::TreeProblem problem;
  std::vector<std::vector<Named>> names;  // by leaf: its pods, in order
  std::vector<std::string> groups;

 private:
  solver::TreeLevel level(const std::string& label) const {
    for (std::size_t l = 0; l < vector_.levels.size(); ++l) {
      if (vector_.levels[l] == label) return {0, static_cast<int>(l)};
    }
    return {};
  }

  void add(const TreeVectorGroup& group, std::uint32_t parent, const TreeVectorGroup* above) {
    const auto self = static_cast<std::uint32_t>(problem.groups.size());
    TreeGroup out;
    out.parent = parent;
    out.preferred = level(group.preferred);
    for (const std::string& each : levels_of(group, above)) {
      if (level(each).level > out.required.level) out.required = level(each);
    }
    if (!group.exclusive.empty()) {
      out.exclusive = {level(group.exclusive), group.everyone, foreign(group.everyone)};
    }
    if (!group.spread.empty()) out.spread = {level(group.spread), group.most};
    problem.groups.push_back(out);
    groups.push_back(group.name);
    if (group.is_leaf()) add_pods(group, self);
    for (const TreeVectorGroup& child : group.children) add(child, self, &group);
    problem.groups[self].end = static_cast<std::uint32_t>(problem.groups.size());
    problem.groups[self].min_children =
        group.min_children.value_or(static_cast<std::int64_t>(group.children.size()));
  }

  void add_pods(const TreeVectorGroup& group, std::uint32_t self) {
    std::vector<std::uint32_t> running;
    std::int64_t lacking = group.min_pods.value_or(0);
    for (const TreeBound& bound : vector_.bound) {
      if (bound.gang != gang_.name || bound.group != group.name) continue;
      running.push_back(hosts_.at(bound.node));
      --lacking;
    }
    const auto waiting = std::count_if(group.pods.begin(), group.pods.end(),
                                       [&](const TreePod& pod) { return !runs(pod.name); });
    if (lacking > waiting) problem.groups[self].short_of_pods = true;
    std::map<std::vector<std::pair<std::string, std::int64_t>>, std::size_t> known;
    for (const TreePod& pod : group.pods) {
      if (runs(pod.name)) continue;
      std::vector<std::pair<std::string, std::int64_t>> key;
      for (const auto& [resource, amount] : pod.total) key.emplace_back(resource.str(), amount);
      const auto [at, fresh] = known.emplace(key, problem.pods.size());
      if (fresh) {
        problem.pods.push_back({self, need(pod.total), nullptr, 0, 0, {}});
        names.emplace_back();
      }
      names[at->second].push_back({pod.name, group.name});
      TreePods& leaf = problem.pods[at->second];
      (lacking-- > 0 ? leaf.must : leaf.more) += 1;
    }
    if (running.empty()) return;
    std::sort(running.begin(), running.end());
    running.erase(std::unique(running.begin(), running.end()), running.end());
    if (problem.pods.empty() || problem.pods.back().group != self) {
      problem.pods.push_back({self, {}, nullptr, 0, 0, {}});
      names.emplace_back();
    }
    problem.pods.back().running = running;
  }

  std::shared_ptr<const std::vector<bool>> foreign(bool everyone) const {
    auto out = std::make_shared<std::vector<bool>>(vector_.nodes.size(), false);
    for (const TreeBound& bound : vector_.bound) {
      if (bound.gang.empty() && (everyone || bound.repels)) (*out)[hosts_.at(bound.node)] = true;
    }
    return out;
  }

  bool runs(const std::string& pod) const {
    return std::any_of(vector_.bound.begin(), vector_.bound.end(), [&](const TreeBound& bound) {
      return bound.gang == gang_.name && bound.pod == pod;
    });
  }

  solver::Need need(const Amounts& total) const {
    solver::Need out;
    for (const auto& [resource, amount] : total) {
      const int row = capacity_.row(resource);
      if (amount == 0) continue;
      if (row < 0) {
        out.unknown = true;
      } else {
        out.parts.push_back({static_cast<std::uint32_t>(row), amount});
      }
    }
    return out;
  }

  const TreeVector& vector_;
  const TreeVectorGang& gang_;
  const std::map<std::string, std::uint32_t>& hosts_;
  const topology::Capacity& capacity_;
};

}  // namespace

struct TreeWorld::Parts {
  TreeVector vector;
  topology::TopologySpec topology;
  std::unique_ptr<topology::DomainRuns> runs;
  std::unique_ptr<topology::DomainTree> hosts;
  std::shared_ptr<const topology::CellMap> cells;
  std::unique_ptr<topology::Capacity> capacity;
  std::map<std::string, std::uint32_t> host_by_name;
  std::vector<topology::CellId> host_cells;

  ProblemBuilder build(const TreeVectorGang& gang) const {
    ProblemBuilder out(vector, gang, host_by_name, *capacity);
    out.problem.runs = {runs.get()};
    out.problem.capacity = capacity.get();
    out.problem.choice = vector.choice;
    out.problem.cells = host_cells;
    return out;
  }
};

TreeWorld::TreeWorld(const TreeVector& vector) : parts_(std::make_unique<Parts>()) {
  parts_->vector = vector;
  for (const std::string& label : vector.levels)
    parts_->topology.levels.push_back({Symbol(label), "", ""});
  parts_->runs = std::make_unique<topology::DomainRuns>(parts_->topology, vector.nodes);
  std::vector<topology::NodeRecord> nodes = vector.nodes;
  for (topology::NodeRecord& node : nodes) node.labels.set(Symbol(kHostLabel), node.name);
  topology::TopologySpec flat;
  flat.levels.push_back({Symbol(kHostLabel), "", ""});
  parts_->hosts = std::make_unique<topology::DomainTree>(
      flat, nodes, std::vector<std::pair<Symbol, Symbol>>{}, false);
  const topology::DomainTree* tree = parts_->hosts.get();
  const std::uint32_t scope = 0;
  parts_->cells = std::make_shared<const topology::CellMap>(
      std::span(&tree, 1), std::span(&scope, 1), static_cast<std::uint32_t>(nodes.size()),
      topology::CellPolicy{});
  parts_->capacity = std::make_unique<topology::Capacity>(parts_->cells, nodes);
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    parts_->host_by_name[nodes[i].name.str()] = i;
    parts_->host_cells.push_back(parts_->cells->cells_of_tree(0)[i]);
  }
  for (const TreeBound& bound : vector.bound) {
    parts_->capacity->add_pod(topology::NodeId{parts_->host_by_name.at(bound.node)}, bound.total);
  }
}

TreeWorld::~TreeWorld() = default;

TreeWorld::Result TreeWorld::place(const TreeVectorGang& gang, std::int64_t max_steps) {
  return run(gang, options_of(solver::TreePart::kMinimum, max_steps));
}

TreeWorld::Result TreeWorld::extend(const TreeVectorGang& gang, std::int64_t max_steps) {
  return run(gang, options_of(solver::TreePart::kElastic, max_steps));
}

TreeWorld::Result TreeWorld::place_in_waves(const TreeVectorGang& gang, std::int64_t max_steps,
                                            std::function<void(std::size_t)> delay) {
  solver::TreeOptions options = options_of(solver::TreePart::kMinimum, max_steps);
  options.steps_alone = 0;
  options.at_start = std::move(delay);
  return run(gang, options);
}

std::string TreeWorld::why(const TreeVectorGang& gang, std::int64_t max_steps) {
  const ProblemBuilder builder = parts_->build(gang);
  const solver::TreeReasons reasons =
      solver::why_refused(builder.problem, options_of(solver::TreePart::kMinimum, max_steps));
  std::string out = "group " + builder.groups[reasons.group] + " needs " +
                    std::to_string(reasons.need) + " pods of leaf " + std::to_string(reasons.leaf);
  if (reasons.level) {
    const auto level = static_cast<std::size_t>(reasons.level.level);
    out += " in " + parts_->vector.levels[level] + ", best " +
           (reasons.best ? parts_->runs->path_text(reasons.level.level, *reasons.best) : "none");
  }
  out += " has room for " + std::to_string(reasons.fits);
  for (const std::uint32_t each : reasons.blocked_by) {
    out += (each == reasons.blocked_by[0] ? "; blocked by " : " ") + builder.groups[each];
  }
  return out + (reasons.exhaustive ? "" : "; bounded");
}

TreeWorld::Result TreeWorld::run(const TreeVectorGang& gang, const solver::TreeOptions& options) {
  ProblemBuilder builder = parts_->build(gang);
  const solver::TreeProblem& problem = builder.problem;
  const solver::TreeAnswer answer = solver::place_tree(problem, options);
  Result out{answer.verdict, {}, answer.steps};
  for (std::size_t leaf = 0; leaf < answer.pods.size(); ++leaf) {
    std::size_t next = 0;
    for (const solver::HostPods& each : answer.pods[leaf]) {
      const topology::NodeRecord& node = parts_->vector.nodes[each.host];
      for (std::int64_t k = 0; k < each.pods; ++k) {
        const Named& pod = builder.names[leaf].at(next++);
        out.places[pod.name] = node.name.str();
        parts_->vector.bound.push_back(
            {node.name.str(), gang.name, pod.group, pod.name, {}, false});
      }
      topology::RowAmounts rows;
      for (const auto& part : problem.pods[leaf].need.parts) {
        rows.entries.push_back({part.row, part.value});
      }
      parts_->capacity->book(problem.cells[each.host], rows, each.pods);
    }
  }
  return out;
}

}  // namespace tessera::test
