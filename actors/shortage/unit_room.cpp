// SPDX-License-Identifier: Apache-2.0
#include "actors/shortage/unit_room.h"

#include <algorithm>
#include <utility>

#include "solver/search/place.h"

namespace tessera::core {
std::optional<FlavorChoice> first_choice(const RefusedCase& refused,
                                         std::span<const std::int64_t> counts, Books& books,
                                         QuotaRule rule) {
  for (const QuotaRule each : {rule, QuotaRule::kIgnore}) {
    auto chosen = choose_flavors(
        {&refused.workload(), counts, refused.queue, refused.flavors, &books.ledger(), each}, {});
    if (auto* choice = std::get_if<FlavorChoice>(&chosen)) return std::move(*choice);
  }
  return std::nullopt;
}

namespace {

/// So many leaves are counted in less time than a snapshot of the index takes.
constexpr std::uint32_t kFewLeaves = 512;

/// Where the units that are placed before `unit` go: those of flavors with smaller names, then
/// those that come first in the spec (placement.md 2.4). Nothing if there are none, or if they find
/// no place with `counts`.
std::optional<topology::Capacity> less_earlier(const RefusedCase& refused, const Scene& scene,
                                               const GangUnit& unit,
                                               std::vector<std::int64_t> counts, Books& books,
                                               QuotaRule rule) {
  const Workload& workload = refused.workload();
  const std::size_t pod_sets = workload.gang.pod_sets.size();
  const std::optional<FlavorChoice> choice = first_choice(refused, counts, books, rule);
  if (!choice) return std::nullopt;
  const auto turn = [&](FlavorId flavor, std::size_t first) {
    return std::pair<const std::string&, std::size_t>(refused.flavors[index(flavor)].record.name,
                                                      first);
  };
  // A group on two flavors has its turn with its first member.
  const FlavorId own =
      unit.first == unit.leader && scene.leader_flavor ? *scene.leader_flavor : scene.flavor;
  bool any = false;
  for (std::size_t i = 0; i < pod_sets; ++i) {
    const std::size_t first = first_of_unit(workload.gang, i);
    const std::optional<FlavorId> flavor = choice->pod_sets[first].topology;
    const bool earlier = flavor && choice->pod_sets[i].topology && !unit.has(i) &&
                         turn(*flavor, first) < turn(own, unit.first);
    if (!earlier) counts[i] = 0;
    any = any || counts[i] > 0;
  }
  if (!any) return std::nullopt;
  const solver::Answer answer =
      refused.planner->place(workload, counts, *choice, books, topology::Basis::kFree);
  const auto* placement = std::get_if<solver::Placement>(&answer);
  if (placement == nullptr) return std::nullopt;
  topology::Capacity left = books.capacity();
  for (std::size_t i = 0; i < pod_sets; ++i) {
    if (placement->pod_sets[i].empty()) continue;
    const PodSetFlavors& flavors = choice->pod_sets[i];
    const solver::FlavorView& view = *books.cluster().view(*flavors.topology, flavors.open);
    const topology::RowAmounts per_pod =
        left.rows_of(solver::pod_amounts(workload.gang.pod_sets[i].request));
    for (const solver::LeafPods& leaf : placement->pod_sets[i]) {
      left.assume(view.cells()[index(leaf.leaf)], per_pod, leaf.pods);
    }
  }
  return left;
}

/// What is free after the earlier units, with the most pods that they may have, else with the
/// fewest.
std::optional<topology::Capacity> less_earlier(const RefusedCase& refused, const Scene& scene,
                                               const GangUnit& unit, Books& books, QuotaRule rule) {
  if (refused.workload().gang.pod_sets.size() == (unit.leader ? 2U : 1U)) return std::nullopt;
  const PodCounts counts = refused.planner->pod_counts(refused.workload());
  auto left = less_earlier(refused, scene, unit, counts.most(), books, rule);
  if (left || counts.fewer() == 0) return left;
  return less_earlier(refused, scene, unit, counts.candidate(counts.fewer()), books, rule);
}

}  // namespace

GangUnit unit_of(const solver::Gang& gang, std::size_t pod_set) {
  const std::string& group = gang.pod_sets[pod_set].unit;
  if (group.empty()) return {pod_set, std::nullopt, pod_set};
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < gang.pod_sets.size(); ++i) {
    if (gang.pod_sets[i].unit == group) members.push_back(i);
  }
  if (members.size() != 2) return {pod_set, std::nullopt, members.front()};
  const bool second_leads = gang.pod_sets[members[1]].count <= gang.pod_sets[members[0]].count;
  return {members[second_leads ? 0 : 1], members[second_leads ? 1 : 0], members[0]};
}

UnitRoom::UnitRoom(const RefusedCase& refused, const Scene& scene, const GangUnit& unit,
                   const solver::ResolvedRequest& resolved, Books& books, QuotaRule rule)
    : resolved_(resolved),
      whole_(&books.capacity()),
      capacity_(less_earlier(refused, scene, unit, books, rule)) {
  const solver::Gang& gang = refused.workload().gang;
  const solver::FlavorView& view = *books.cluster().view(scene.flavor, scene.open);
  const solver::PodSet& workers = gang.pod_sets[unit.workers];
  request_.view = &view;
  request_.worker = solver::pod_amounts(workers.request);
  request_.worker_filter = view.filter_class(workers.filter);
  if (unit.leader) {
    const solver::PodSet& leader = gang.pod_sets[*unit.leader];
    const bool own = refused.profile->leader_filters == topology::LeaderFilters::kOwn;
    if (scene.leader_flavor) {
      const bool open = !leader.topology.explicit_request();
      const solver::FlavorView& other = *books.cluster().view(*scene.leader_flavor, open);
      other_ = JointRoom::OtherLeader{&other, solver::pod_amounts(leader.request),
                                      other.filter_class(own ? leader.filter : workers.filter)};
    } else {
      request_.has_leader = true;
      request_.leader = solver::pod_amounts(leader.request);
      if (own) request_.leader_filter = view.filter_class(leader.filter);
    }
  }
  auto joint = std::make_unique<JointRoom>(request_, resolved_, capacity(), other_);
  if (joint->binds()) joint_ = std::move(joint);
  const bool few = view.tree().leaf_count() <= kFewLeaves;
  if (!capacity_ && !few && books.live_index().enabled()) {
    snapshot_.emplace(books.live_index());
    table_.emplace(snapshot_->counts(request_, resolved, *whole_, topology::Basis::kFree).table);
    return;
  }
  solver::Exclusions exclusions;
  rows_ = solver::count(request_, resolved, capacity(), topology::Basis::kFree, exclusions);
  table_.emplace(view.tree(), resolved, rows_->leaves, rows_->inner, nullptr);
}

topology::DomainRange leaves_in(const topology::DomainTree& tree,
                                std::optional<topology::DomainId> domain) {
  if (!domain) return {0, tree.leaf_count()};
  topology::DomainRange range{index(*domain), index(*domain) + 1};
  for (int level = tree.level_of(*domain); level < tree.leaf_level(); ++level) {
    range = {tree.children(topology::DomainId{range.begin}).begin,
             tree.children(topology::DomainId{range.end - 1}).end};
  }
  const std::uint32_t first = tree.level(tree.leaf_level()).begin;
  return {range.begin - first, range.end - first};
}

LimitingResource::LimitingResource(const topology::Capacity& capacity, const Amounts& per_pod,
                                   const Amounts& beside)
    : capacity_(&capacity) {
  for (const topology::Amount& amount : per_pod) {
    if (amount.value > 0)
      resources_.push_back({amount.resource, amount.value, beside.get(amount.resource),
                            capacity.row(amount.resource)});
  }
}

std::int64_t LimitingResource::free(const Resource& resource, topology::CellId cell) const {
  if (resource.row < 0) return 0;
  const auto& rows = capacity_->rows(topology::Basis::kFree);
  return topology::saturating_sub(rows.get(static_cast<std::uint32_t>(resource.row), index(cell)),
                                  resource.beside);
}

std::int64_t LimitingResource::room(const Resource& resource, topology::CellId cell) const {
  return std::max<std::int64_t>(0, free(resource, cell)) / resource.asked;
}

std::size_t LimitingResource::at(topology::CellId cell) const {
  // Most leaves of a refusal have no room at all: that needs no division.
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    if (free(resources_[i], cell) < resources_[i].asked) return i;
  }
  std::size_t limiting = 0;
  std::int64_t fewest = INT64_MAX;
  for (std::size_t i = 0; i < resources_.size(); ++i) {
    const std::int64_t here = room(resources_[i], cell);
    if (here >= fewest) continue;
    fewest = here;
    limiting = i;
  }
  return limiting;
}

std::vector<Symbol> LimitingResource::short_of(topology::CellId cell, std::int64_t pods) const {
  std::vector<Symbol> names;
  for (const Resource& each : resources_) {
    if (room(each, cell) < pods) names.push_back(each.name);
  }
  return names;
}

std::vector<Symbol> LimitingResource::all_on(topology::CellId cell) const {
  const std::int64_t fewest = room(resources_[at(cell)], cell);
  std::vector<Symbol> names;
  for (const Resource& each : resources_) {
    if (room(each, cell) == fewest) names.push_back(each.name);
  }
  return names;
}

}  // namespace tessera::core
