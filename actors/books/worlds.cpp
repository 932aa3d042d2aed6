// SPDX-License-Identifier: Apache-2.0
#include "actors/books/worlds.h"

#include <algorithm>

#include "actors/records/grown.h"
#include "actors/records/held_at_start.h"

namespace tessera::core {

WorldState state_of(const std::shared_ptr<const Inventory>& inventory, bool live) {
  WorldState state;
  if (live) state.own_nodes = inventory->nodes;
  state.nodes = live ? std::span<const topology::NodeRecord>(state.own_nodes) : inventory->nodes;
  for (const PodRecord& pod : inventory->pods) {
    state.pods.insert_or_assign({pod.namespace_name, pod.name}, pod);
  }
  for (HeldAtStart& held : held_at_start(inventory)) {
    state.live.emplace(held.admitted.gang, std::move(held.admitted));
  }
  return state;
}

Worlds::Worlds(WorldState state, std::span<const Flavor> flavors, const Ledger& ledger,
               const config::Profile& profile, const solver::IndexLimits& index,
               Accounting& accounting)
    : state_(std::move(state)),
      flavors_(flavors),
      profile_(profile),
      index_(index),
      idle_(ledger),
      cluster_(std::make_unique<Cluster>(
          state_.nodes, flavors, profile,
          is_live() ? topology::TreeUse::kLive : topology::TreeUse::kOnce)),
      current_(std::make_unique<Books>(*cluster_, flavors, ledger, index)) {
  for (const auto& [key, pod] : state_.pods) index_pod(pod);
  accounting.admitted_workloads = static_cast<std::int64_t>(state_.live.size());
  book_state(*current_, accounting);
}

void Worlds::book_state(Books& books, Accounting& accounting) const {
  for (const GangId gang : gangs_of(state_.live)) {
    const Admitted& admitted = state_.live.at(gang);
    books.admit(gang, *admitted.workload, *admitted.admission, settling_pods(admitted), accounting);
  }
  books.count_pods(state_.pods, state_.live, profile_.pod_usage, accounting);
}

Books& Worlds::empty() {
  if (!empty_) empty_ = std::make_unique<Books>(*cluster_, flavors_, idle_, index_);
  return *empty_;
}

bool Worlds::any_node_broken() const {
  if (!any_broken_) {
    any_broken_ = !std::all_of(state_.nodes.begin(), state_.nodes.end(), is_healthy);
  }
  return *any_broken_;
}

Books& Worlds::healthy() {
  if (!any_node_broken()) return empty();
  if (!healthy_) {
    healthy_nodes_ = healthy_nodes(state_.nodes);
    healthy_cluster_ = std::make_unique<Cluster>(healthy_nodes_, flavors_, profile_);
    healthy_ = std::make_unique<Books>(*healthy_cluster_, flavors_, idle_, index_);
  }
  return *healthy_;
}

void Worlds::place(const Decision& decision, const Admitted& admitted) {
  current_->place(admitted.gang, *admitted.workload, decision);
  note_live(admitted);
}

void Worlds::admit(const Admitted& admitted, Accounting& accounting) {
  current_->admit(admitted.gang, *admitted.workload, *admitted.admission, settling_pods(admitted),
                  accounting);
  note_live(admitted);
}

void Worlds::grow(const Decision& decision, const Admitted& added) {
  current_->grow(added.gang, *added.workload, decision);
  note_growth(added);
}

void Worlds::grow(const Admitted& added, Accounting& accounting) {
  current_->grow(added.gang, *added.workload, *added.admission, accounting);
  note_growth(added);
}

void Worlds::note_growth(const Admitted& added) {
  Admitted all = state_.live.at(added.gang);
  all.admission = std::make_shared<const Admission>(merged(*all.admission, *added.admission));
  growths_[added.gang].push_back(added.admission);
  note_live(all);
}

Held Worlds::retract(GangId gang) {
  const auto growths = growths_.find(gang);
  if (growths == growths_.end()) return release(gang);
  const std::shared_ptr<const Admission> added = std::move(growths->second.back());
  growths->second.pop_back();
  if (growths->second.empty()) growths_.erase(growths);
  Held held = current_->shrink(gang);
  Admitted rest = state_.live.at(gang);
  rest.admission = std::make_shared<const Admission>(unmerged(*rest.admission, *added));
  note_live(rest);
  return held;
}

void Worlds::note_live(const Admitted& admitted) {
  state_.live.insert_or_assign(admitted.gang, admitted);
  if (gang_of_) (*gang_of_)[admitted.workload->key()] = admitted.gang;
  if (!pods_of_.empty()) recount(pods_of(admitted.workload->key()), &admitted);
}

Held Worlds::release(GangId gang) {
  const auto at = state_.live.find(gang);
  if (at == state_.live.end()) return {};
  if (!pods_of_.empty()) recount(pods_of(at->second.workload->key()), nullptr);
  if (gang_of_) {
    const auto named = gang_of_->find(at->second.workload->key());
    if (named != gang_of_->end() && named->second == gang) gang_of_->erase(named);
  }
  state_.live.erase(at);
  growths_.erase(gang);
  return current_->release(gang);
}

Worlds::Repaired Worlds::with_healthy_nodes(const std::vector<topology::NodeId>& nodes) const {
  Repaired repaired;
  repaired.nodes.assign(state_.nodes.begin(), state_.nodes.end());
  for (const topology::NodeId node : nodes) {
    topology::NodeRecord& record = repaired.nodes[topology::index(node)];
    record = healthy_node(record);
  }
  repaired.cluster = std::make_unique<Cluster>(repaired.nodes, flavors_, profile_);
  repaired.books = std::make_unique<Books>(*repaired.cluster, flavors_, idle_, index_);
  Accounting unused;  // lost domains were reported when the state was read
  book_state(*repaired.books, unused);
  return repaired;
}

}  // namespace tessera::core
