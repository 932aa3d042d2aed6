// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/tree_placing.h"

#include <algorithm>
#include <utility>

#include "solver/search/place.h"
#include "solver/trees/tree_members.h"
#include "solver/trees/uniform_tree.h"

namespace tessera::core {
namespace {

using solver::GangGroup;

bool names_a_level(const GangGroup& group) {
  return group.topology.required || group.topology.preferred || group.exclusive.level ||
         group.spread.level;
}

/// Pods of each pod set that an admission holds.
std::vector<std::int64_t> held_counts(const solver::Gang& gang, const Admission* held) {
  std::vector<std::int64_t> counts(gang.pod_sets.size(), 0);
  if (held == nullptr) return counts;
  for (std::size_t i = 0; i < counts.size() && i < held->pod_sets.size(); ++i) {
    counts[i] = held->pod_sets[i].count;
  }
  return counts;
}

}  // namespace

std::vector<std::int64_t> forced_counts(const solver::Gang& gang, const Admission* held) {
  std::vector<std::int64_t> counts(gang.pod_sets.size(), 0);
  const std::vector<std::int64_t> before = held_counts(gang, held);
  std::vector<bool> forced(gang.groups.size(), false);
  for (std::uint32_t g = 0; g < gang.groups.size(); ++g) {
    const GangGroup& group = gang.groups[g];
    if (g == 0) {
      forced[g] = true;
    } else {
      const GangGroup& parent = gang.groups[group.parent];
      std::int64_t children = 0;
      for (std::uint32_t c = group.parent + 1; c < parent.end; c = gang.groups[c].end) ++children;
      forced[g] = forced[group.parent] && parent.min_children >= children;
    }
    if (!forced[g]) continue;
    std::int64_t lacking = group.min_pods - static_cast<std::int64_t>(group.running.size());
    for (std::uint32_t p = group.pods_begin; p < group.pods_end; ++p) lacking -= before[p];
    for (std::uint32_t p = group.pods_begin; p < group.pods_end && lacking > 0; ++p) {
      counts[p] = std::min(lacking, gang.pod_sets[p].count - before[p]);
      lacking -= counts[p];
    }
  }
  return counts;
}

const topology::TopologySpec* find_topology(std::span<const topology::TopologySpec> topologies,
                                            const GangGroup& group) {
  const std::string& name = group.topology.topology;
  if (name.empty()) return topologies.size() == 1 ? &topologies.front() : nullptr;
  const auto at = std::find_if(topologies.begin(), topologies.end(),
                               [&](const auto& each) { return each.name == name; });
  return at == topologies.end() ? nullptr : &*at;
}

std::optional<std::uint32_t> TreePlacing::fault(const solver::Gang& gang) const {
  for (std::uint32_t g = 0; g < gang.groups.size(); ++g) {
    const GangGroup& group = gang.groups[g];
    if (!names_a_level(group)) continue;
    const topology::TopologySpec* topology = find_topology(topologies_, group);
    if (topology == nullptr) return g;
    for (const auto& level : {group.topology.required, group.topology.preferred,
                              group.exclusive.level, group.spread.level}) {
      if (level && !topology->find_level(level->view())) return g;
    }
  }
  return std::nullopt;
}

std::optional<solver::GangTree> TreePlacing::problem(const TreeCase& of) const {
  const solver::Gang& gang = of.workload->gang;
  if (fault(gang)) return std::nullopt;
  const Cluster& cluster = books_->cluster();
  TreeHosts& hosts = cluster.tree_hosts();
  solver::TreeOfGang from;
  from.gang = &gang;
  from.cells = hosts.cells();
  from.capacity = &books_->capacity();
  from.basis = basis_;
  from.choice = choices_.domains;
  for (const GangGroup& group : gang.groups) {
    int number = -1;
    if (names_a_level(group)) {
      const topology::TopologySpec* spec = find_topology(topologies_, group);
      const auto known =
          std::find_if(from.topologies.begin(), from.topologies.end(),
                       [&](const solver::TreeTopology& each) { return each.spec == spec; });
      number = static_cast<int>(known - from.topologies.begin());
      if (known == from.topologies.end()) from.topologies.push_back({spec, &hosts.runs(*spec)});
    }
    from.topology_of_group.push_back(number);
    std::vector<std::uint32_t>& running = from.running.emplace_back();
    for (const std::string& node : group.running) {
      if (const auto host = hosts.find(node)) running.push_back(*host);
    }
  }
  const std::vector<std::int64_t> before = held_counts(gang, of.held);
  for (std::size_t p = 0; p < gang.pod_sets.size(); ++p) {
    const std::optional<FlavorId> flavor = of.choice->pod_sets[p].topology;
    std::int64_t count = gang.pod_sets[p].count;
    if (!of.most.empty()) count = std::min(count, before[p] + of.most[p]);
    from.counts.push_back(count);
    from.barred.push_back(flavor
                              ? hosts.barred(*cluster.view(*flavor, true), gang.pod_sets[p].filter)
                              : std::make_shared<const std::vector<bool>>(from.cells.size(), true));
  }
  if (of.held != nullptr) {
    from.held.resize(gang.pod_sets.size());
    for (std::size_t p = 0; p < gang.pod_sets.size() && p < of.held->pod_sets.size(); ++p) {
      for (const DomainList::Domain domain : of.held->pod_sets[p].domains) {
        const auto node = cluster.by_label().host(domain.values.back());
        if (node) from.held[p].push_back({topology::index(*node), domain.pods});
      }
    }
  }
  count_domains(of, from);
  return solver::tree_of_gang(from);
}

/// Takes the pods that each domain can take from the index, where a pod set's flavor has the
/// topology that a group names.
void TreePlacing::count_domains(const TreeCase& of, solver::TreeOfGang& from) const {
  solver::Index& index = books_->live_index();
  if (!index.enabled()) return;
  index.begin_decision();
  const solver::Gang& gang = *from.gang;
  TreeHosts& hosts = books_->cluster().tree_hosts();
  from.counted.resize(gang.pod_sets.size());
  for (std::size_t p = 0; p < gang.pod_sets.size(); ++p) {
    const std::optional<FlavorId> flavor = of.choice->pod_sets[p].topology;
    if (!flavor || from.counts[p] == 0) continue;
    const auto& own = of.flavors[core::index(*flavor)].topology;
    const auto named = std::find_if(
        from.topologies.begin(), from.topologies.end(),
        [&](const solver::TreeTopology& each) { return each.spec->name == own->name; });
    if (named == from.topologies.end()) continue;
    const solver::FlavorView& view = *books_->cluster().view(*flavor, true);
    solver::CountRequest request;
    request.view = &view;
    request.worker = solver::pod_amounts(gang.pod_sets[p].request);
    request.worker_filter = view.filter_class(gang.pod_sets[p].filter);
    const auto resolved = solver::resolve({}, view.tree().topology());
    const auto* levels = std::get_if<solver::ResolvedRequest>(&resolved);
    if (levels == nullptr) continue;
    const auto found = index.counts(request, *levels, books_->capacity(), basis_);
    from.counted[p] = {static_cast<int>(named - from.topologies.begin()), &found.table.inner(),
                       hosts.domains(*named->spec, view)};
  }
}

/// A gang whose groups are all alike, placed as slices. Nothing: it is no such gang, or whether it
/// fits is for the search of trees to say.
std::optional<solver::Answer> TreePlacing::place_uniform(const TreeCase& of,
                                                         std::int64_t most_steps,
                                                         const std::atomic<bool>* stop) const {
  const solver::Gang& gang = of.workload->gang;
  if (choices_.domains != solver::DomainChoice::kTightest) return std::nullopt;
  const std::optional<solver::UniformTree> uniform = solver::uniform_tree(gang);
  if (!uniform) return std::nullopt;
  const std::optional<FlavorId> flavor = of.choice->pod_sets[uniform->members.front()].topology;
  const auto same = [&](std::uint32_t member) {
    return of.choice->pod_sets[member].topology == flavor;
  };
  if (!flavor || !std::all_of(uniform->members.begin(), uniform->members.end(), same)) {
    return std::nullopt;
  }
  const topology::TopologySpec* named = find_topology(topologies_, gang.groups.back());
  const auto& own = of.flavors[index(*flavor)].topology;
  if (named == nullptr || !own || own->name != named->name || !own->host_level()) {
    return std::nullopt;
  }
  const solver::FlavorView& view = *books_->cluster().view(*flavor, false);
  const std::vector<std::int64_t> counts{uniform->flat.pod_sets.front().count};
  const std::vector<solver::PodSetTarget> targets{{&view, of.flavors[index(*flavor)].record.name}};
  solver::SearchOptions options = *options_;
  options.max_steps = most_steps;
  options.stop = stop;
  solver::Answer answer =
      solver::place_gang(uniform->flat, counts, targets, books_->scratch_capacity(), basis_,
                         options, &books_->live_index());
  if (auto* refusal = std::get_if<solver::Refusal>(&answer)) {
    const bool counted = refusal->obstacle == solver::Obstacle::kNoneFits ||
                         refusal->obstacle == solver::Obstacle::kSomeFit ||
                         refusal->obstacle == solver::Obstacle::kLayersShort ||
                         refusal->obstacle == solver::Obstacle::kNoDomains;
    if (!counted) return std::nullopt;
    solver::Refusal proved;
    proved.obstacle = solver::Obstacle::kTreeDoesNotFit;
    proved.steps = refusal->steps;
    return proved;
  }
  auto* placement = std::get_if<solver::Placement>(&answer);
  if (placement == nullptr) return answer;
  placement->pod_sets = solver::deal_uniform(*uniform, gang, placement->pod_sets.front());
  const solver::FlavorView& open = *books_->cluster().view(*flavor, true);
  if (&open == &view) return answer;
  for (solver::PodSetPlacement& leaves : placement->pod_sets) {
    for (solver::LeafPods& leaf : leaves) {
      leaf.leaf = topology::LeafId{open.leaf_of(view.cells()[topology::index(leaf.leaf)])};
    }
    std::sort(leaves.begin(), leaves.end(),
              [](const auto& a, const auto& b) { return a.leaf < b.leaf; });
  }
  return answer;
}

solver::Answer TreePlacing::place(const TreeCase& of, solver::TreePart part,
                                  std::int64_t most_steps, const std::atomic<bool>* stop) const {
  solver::Refusal refusal;
  if (const auto group = fault(of.workload->gang)) {
    refusal.obstacle = solver::Obstacle::kTreeUnknownLevel;
    refusal.group = *group;
    return refusal;
  }
  if (const auto lacks = solver::short_of_pods(of.workload->gang)) {
    refusal.obstacle = solver::Obstacle::kTreeShortOfPods;
    refusal.group = lacks->group;
    refusal.need = lacks->need;
    refusal.fits = lacks->have;
    return refusal;
  }
  if (part == solver::TreePart::kMinimum && of.held == nullptr) {
    if (auto answer = place_uniform(of, most_steps, stop)) return *std::move(answer);
  }
  const solver::GangTree tree = *problem(of);
  solver::TreeOptions options;
  options.part = part;
  options.max_steps = std::min(most_steps, choices_.max_steps);
  options.stop = stop;
  const solver::TreeAnswer answer = solver::place_tree(tree.problem, options);
  if (answer.verdict == solver::TreeVerdict::kBounded) {
    const bool stopped = stop != nullptr && stop->load(std::memory_order_relaxed);
    if (stopped || most_steps < choices_.max_steps) return solver::OutOfSteps{answer.steps};
  }
  if (answer.verdict != solver::TreeVerdict::kPlaced) {
    refusal.obstacle = answer.verdict == solver::TreeVerdict::kRefused
                           ? solver::Obstacle::kTreeDoesNotFit
                           : solver::Obstacle::kTreeBounded;
    refusal.steps = answer.steps;
    return refusal;
  }
  solver::Placement placement;
  placement.steps = answer.steps;
  const std::size_t pod_sets = of.workload->gang.pod_sets.size();
  const auto by_set = solver::pods_by_set(answer, tree.names, pod_sets);
  for (std::size_t p = 0; p < pod_sets; ++p) {
    solver::PodSetPlacement& leaves = placement.pod_sets.emplace_back();
    if (by_set[p].empty()) continue;
    const solver::FlavorView& view =
        *books_->cluster().view(*of.choice->pod_sets[p].topology, true);
    for (const solver::HostPods& on : by_set[p]) {
      leaves.push_back({topology::LeafId{view.leaf_of(tree.problem.cells[on.host])}, on.pods});
    }
    std::sort(leaves.begin(), leaves.end(),
              [](const auto& a, const auto& b) { return a.leaf < b.leaf; });
  }
  return placement;
}

}  // namespace tessera::core
