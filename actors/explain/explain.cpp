// SPDX-License-Identifier: Apache-2.0
#include "actors/explain/explain.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "actors/explain/blockers.h"
#include "actors/explain/ending.h"
#include "actors/explain/node_causes.h"
#include "actors/shortage/leaf_room.h"
#include "solver/search/group_domains.h"
#include "solver/search/place.h"

namespace tessera::core {

using topology::DomainId;
using topology::DomainRange;

Explainer::Explainer(const RefusedCase& refused, const Scene& scene)
    : refused_(&refused),
      scene_(scene),
      unit_(scene.alone ? GangUnit{scene.pod_set, std::nullopt, scene.pod_set}
                        : unit_of(refused.workload().gang, scene.pod_set)),
      flavor_(&refused.flavors[index(scene.flavor)]),
      workers_(&refused.workload().gang.pod_sets[unit_.workers]),
      view_(refused.worlds->current().cluster().view(scene.flavor, scene.open)) {
  const auto resolved = solver::resolve(workers_->topology, view_->tree().topology());
  const auto* request = std::get_if<solver::ResolvedRequest>(&resolved);
  if (request == nullptr) return;
  Worlds& worlds = *refused.worlds;
  const auto room = [&](Books& books, QuotaRule rule) {
    return std::make_unique<UnitRoom>(refused, scene, unit_, *request, books, rule);
  };
  now_ = room(worlds.current(), refused.now());
  empty_ = room(worlds.empty(), refused.ever());
  healthy_ = room(worlds.healthy(), refused.ever());
  if (refused.decision->outcome == Outcome::kInvalid) return;
  needs_ = needs(*request);
  for (const Need& need : needs_) levels_.push_back(level_evidence(need));
  find_binding();
}

std::vector<Explainer::Need> Explainer::needs(const solver::ResolvedRequest& request) const {
  std::vector<Need> needs;
  const bool together = !request.unconstrained;
  for (auto layer = request.layers.rbegin(); layer != request.layers.rend(); ++layer) {
    if (!together || layer->level != request.level)
      needs.push_back({layer->level, layer->size, false, false, 1});
  }
  const std::int64_t slice = std::max<std::int64_t>(1, request.slice_size);
  const std::int64_t pods = workers_->count - workers_->count % slice;
  if (together) {
    const int top = request.required ? 0 : 1;
    for (int level = request.level; level >= top; --level)
      needs.push_back({level, pods, true, false, slice, !request.required});
  }
  if (!request.required) needs.push_back({0, pods, true, true, slice});
  return needs;
}

Explainer::Have Explainer::have(const UnitRoom& room, DomainId domain, const Need& need) const {
  const solver::Counts counts = room.at(domain);
  if (!need.whole) return {counts.pods, true};
  const bool beside = unit_.leader && counts.leaders > 0;
  const std::int64_t slices = beside ? counts.slices_with_leader : counts.slices;
  return {topology::saturating_mul(slices, need.slice), !unit_.leader || beside};
}

/// All domains of level 0 together. The leader goes where it costs the workers least.
Explainer::Have Explainer::have_all(const UnitRoom& room, const Need& need) const {
  if (const std::optional<solver::Counts> all = room.all()) {
    const bool beside = unit_.leader && all->leaders > 0;
    return {topology::saturating_mul(beside ? all->slices_with_leader : all->slices, need.slice),
            !unit_.leader || beside};
  }
  const DomainRange range = room.view().tree().level(0);
  std::int64_t slices = 0, least_lost = INT64_MAX;
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    const solver::Counts counts = room.at(DomainId{d});
    slices = topology::saturating_add(slices, counts.slices);
    if (counts.leaders > 0)
      least_lost = std::min(least_lost, counts.slices - counts.slices_with_leader);
  }
  const bool leads = least_lost != INT64_MAX;
  if (unit_.leader && leads) slices -= least_lost;
  return {topology::saturating_mul(slices, need.slice), !unit_.leader || leads};
}

/// A domain that can also take the leader is better than one that cannot.
bool Explainer::better(const Have& a, const Have& b) {
  return a.leads != b.leads ? a.leads : a.pods > b.pods;
}

LevelEvidence Explainer::level_evidence(const Need& need) const {
  LevelEvidence evidence;
  evidence.level = need.level;
  evidence.cluster = need.cluster;
  evidence.slice = need.slice;
  evidence.preferred = need.preferred;
  evidence.need = need.pods;
  Have now, empty, healthy;  // `empty`: what the best domain takes when empty, once that is asked
  bool empty_known = false;
  if (need.cluster) {
    now = have_all(*now_, need);
    healthy = have_all(*healthy_, need);
  } else {
    const DomainRange range = view_->tree().level(need.level);
    now = healthy = {0, !need.whole || !unit_.leader};
    for (std::uint32_t d = range.begin; d < range.end; ++d) {
      const Have here = have(*now_, DomainId{d}, need);
      bool best = !evidence.best || better(here, now);
      if (best) {
        empty_known = false;
      } else if (here == now) {
        if (!empty_known) empty = have(*empty_, *evidence.best, need);
        empty_known = true;
        const Have here_empty = have(*empty_, DomainId{d}, need);
        best = better(here_empty, empty);
        if (best) empty = here_empty;
      }
      if (!best) continue;
      evidence.best = DomainId{d};
      now = here;
    }
    const DomainRange healthy_range = healthy_->view().tree().level(need.level);
    for (std::uint32_t d = healthy_range.begin; d < healthy_range.end; ++d) {
      const Have here = have(*healthy_, DomainId{d}, need);
      if (better(here, healthy)) healthy = here;
    }
  }
  evidence.have = now.pods;
  evidence.leads = now.leads;
  evidence.healthy_have = healthy.pods;
  evidence.healthy_leads = healthy.leads;
  return evidence;
}

std::optional<DomainId> Explainer::held_domain(const Need& need, const LevelEvidence& level) const {
  const std::int64_t least = least_pods(need);
  const auto enough = [&](DomainId domain) {
    const Have here = have(*empty_, domain, need);
    return here.leads && here.pods >= least;
  };
  if (!level.best || enough(*level.best)) return level.best;
  std::optional<DomainId> found;
  const DomainRange range = view_->tree().level(level.level);
  for (std::uint32_t d = range.begin; d < range.end; ++d) {
    if (!enough(DomainId{d})) continue;
    if (!found || better(have(*now_, DomainId{d}, need), have(*now_, *found, need))) {
      found = DomainId{d};
    }
  }
  return found ? found : level.best;
}

void Explainer::find_binding() {
  if (levels_.empty()) return;
  Binding binding;
  binding.pod_set = unit_.workers;
  binding.leader = unit_.leader;
  binding.at_best = refused_->decision->outcome == Outcome::kNever;
  const auto pods = [&](const LevelEvidence& each) {
    return binding.at_best ? each.healthy_have : each.have;
  };
  const auto leads = [&](const LevelEvidence& each) {
    return binding.at_best ? each.healthy_leads : each.leads;
  };
  const auto at = std::find_if(levels_.begin(), levels_.end(), [&](const LevelEvidence& each) {
    return !each.preferred && (pods(each) < each.need || !leads(each));
  });
  const LevelEvidence& level = at == levels_.end() ? levels_.back() : *at;
  binding.level = static_cast<std::size_t>(&level - levels_.data());
  binding.need = level.need;
  binding.have = pods(level);
  binding.leader_short = !leads(level) && binding.have >= binding.need;
  if (at != levels_.end()) contested_ = held_domain(needs_[binding.level], level);
  name_resource(binding);
  binding_ = binding;
}

/// The leaf on which the leader costs the workers least.
std::optional<std::uint32_t> Explainer::leader_leaf(const UnitRoom& room,
                                                    std::optional<DomainId> within) const {
  const topology::DomainTree& tree = room.view().tree();
  std::optional<std::uint32_t> found;
  std::int64_t least_lost = INT64_MAX;
  const DomainRange leaves = leaves_in(tree, within);
  for (std::uint32_t leaf = leaves.begin; unit_.leader && leaf < leaves.end; ++leaf) {
    const solver::Counts counts = room.at(tree.domain_of(topology::LeafId{leaf}));
    const std::int64_t lost = counts.pods - counts.pods_with_leader;
    if (counts.leaders == 0 || lost >= least_lost) continue;
    least_lost = lost;
    found = leaf;
  }
  return found;
}

/// Each host of the best domain names the resource that runs out first on it; most hosts decide, of
/// equals a device before other resources.
void Explainer::name_resource(Binding& binding) const {
  const UnitRoom& room = binding.at_best ? *healthy_ : *now_;
  const bool of_leader = binding.leader_short;
  const solver::FlavorView& view = of_leader ? room.leader_view() : room.view();
  const topology::DomainTree& tree = view.tree();
  const std::size_t pod_set = of_leader ? *unit_.leader : unit_.workers;
  const Amounts per_pod = solver::pod_amounts(refused_->workload().gang.pod_sets[pod_set].request);
  const solver::FilterClass& filter = of_leader ? room.leader_filter() : room.filter();
  const LevelEvidence& level = levels_[binding.level];
  // In the healthy cluster any domain may be the largest: all hosts are asked.
  std::optional<DomainId> within = binding.at_best ? std::nullopt : level.best;
  if (within && &view != &room.view())
    within = solver::same_domain(room.view().tree(), *within, tree);
  const LimitingResource limiting(room.capacity(), per_pod);
  Amounts leader;
  if (unit_.leader && !of_leader)
    leader = solver::pod_amounts(refused_->workload().gang.pod_sets[*unit_.leader].request);
  const LimitingResource with_leader(room.capacity(), per_pod, leader);
  const std::optional<std::uint32_t> leads = of_leader ? std::nullopt : leader_leaf(room, within);
  std::vector<std::int64_t> hosts(limiting.resources().size());
  std::size_t most = 0;
  const DomainRange leaves = leaves_in(tree, within);
  for (std::uint32_t leaf = leaves.begin; leaf < leaves.end; ++leaf) {
    if (filter.verdict[leaf] != 0) continue;
    // The leader has room here: what it lacks is a place beside its workers.
    if (room.leader_apart() && of_leader && limiting.pods(view.cells()[leaf]) > 0) return;
    ++hosts[(leaf == leads ? with_leader : limiting).at(view.cells()[leaf])];
  }
  const auto rank = [&](std::size_t i) {
    const std::string_view name = limiting.resources()[i].name.view();
    return std::pair(hosts[i], name.find('/') != std::string_view::npos);
  };
  for (std::size_t i = 1; i < hosts.size(); ++i) {
    if (rank(i) > rank(most)) most = i;
  }
  if (hosts[most] == 0) return;
  binding.resource = limiting.resources()[most].name;
  binding.asked = limiting.resources()[most].asked;
  const topology::Capacity& largest = refused_->worlds->healthy().capacity();
  const int row = largest.row(binding.resource);
  if (row < 0) return;
  const auto& free = largest.rows(topology::Basis::kFree);
  const solver::FlavorView& healthy = of_leader ? healthy_->leader_view() : healthy_->view();
  for (const topology::CellId cell : healthy.cells()) {
    binding.largest =
        std::max(binding.largest, free.get(static_cast<std::uint32_t>(row), index(cell)));
  }
}

/// Counts one pod set alone: earlier pod sets may leave hosts that take one pod more.
bool Explainer::takes_whole_hosts() const {
  const topology::DomainTree& tree = healthy_->view().tree();
  if (!tree.topology().host_level()) return false;
  std::int64_t most = 0;
  if (healthy_->reduced()) {
    for (const std::int64_t pods :
         count_leaf_room(healthy_->view(), refused_->worlds->healthy(), *workers_).pods)
      most = std::max(most, pods);
  } else {
    for (std::uint32_t leaf = 0; leaf < tree.leaf_count() && most <= 1; ++leaf)
      most = std::max(most, healthy_->on_leaf(leaf));
  }
  return most == 1;
}

/// True if the unit would find its place if these ended.
bool Explainer::enough_without(const std::vector<Blocker>& blockers) const {
  Ending all;
  for (const Blocker& blocker : blockers) all.add(blocker.gang, blocker.bound);
  Books& books = all.books(*refused_);
  const auto resolved = solver::resolve(workers_->topology, view_->tree().topology());
  const UnitRoom room(*refused_, scene_, unit_, std::get<solver::ResolvedRequest>(resolved), books,
                      refused_->now());
  const Need& need = needs_[binding_->level];
  const Have here = contested_ ? have(room, *contested_, need) : have_all(room, need);
  return here.leads && here.pods >= least_pods(need);
}

std::int64_t Explainer::least_pods(const Need& need) const {
  const PodCounts counts = refused_->planner->pod_counts(refused_->workload());
  if (!need.whole) return need.pods;
  return std::min(counts.candidate(counts.fewer())[unit_.workers], need.pods);
}

Evidence Explainer::explain(Depth depth) const {
  Evidence evidence;
  evidence.flavor = flavor_->record.name;
  evidence.open = scene_.open && refused_->worlds->current().cluster().has_open(scene_.flavor);
  evidence.levels = levels_;
  evidence.binding = binding_;
  evidence.looked_at = static_cast<std::int64_t>(view_->tree().shown_leaf_count());
  if (now_ == nullptr) return evidence;
  evidence.whole_hosts = takes_whole_hosts();
  const std::size_t named = depth == Depth::kReason  ? 0
                            : depth == Depth::kFacts ? kMostNamedNodes
                                                     : SIZE_MAX;
  if (depth != Depth::kReason || refused_->decision->reason == Reason::kNodeHealth) {
    evidence.left_out = nodes_left_out(*view_, *flavor_, named);
  }
  if (depth == Depth::kReason) return evidence;
  evidence.without_room = nodes_without_room(*now_, solver::pod_amounts(workers_->request), named);
  const bool may_start = refused_->decision->outcome == Outcome::kWaits;
  if (may_start && binding_) evidence.blockers = blockers();
  return evidence;
}

std::vector<Blocker> Explainer::blockers() const {
  std::optional<Amounts> leader;
  if (unit_.leader) {
    leader = solver::pod_amounts(refused_->workload().gang.pod_sets[*unit_.leader].request);
  }
  RoomInDispute room{*refused_, *now_,     *empty_, solver::pod_amounts(workers_->request),
                     leader,    contested_};
  std::vector<Blocker> blockers = find_blockers(room);
  if (blockers.empty() || enough_without(blockers)) return blockers;
  room.every_resource = true;
  return find_blockers(room);
}

}  // namespace tessera::core
