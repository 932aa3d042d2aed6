// SPDX-License-Identifier: Apache-2.0
#include "actors/core/worlds.h"

#include <algorithm>

namespace tessera::core {
Worlds::Worlds(const Inventory& inventory, std::span<const Flavor> flavors, const Ledger& ledger,
               const config::Profile& profile, const solver::IndexLimits& index,
               Accounting& accounting)
    : inventory_(&inventory),
      flavors_(flavors),
      profile_(profile),
      index_(index),
      idle_(ledger),
      cluster_(inventory.nodes, flavors, profile),
      current_(cluster_, flavors, ledger, index),
      empty_(cluster_, flavors, ledger, index),
      any_broken_(!std::all_of(inventory.nodes.begin(), inventory.nodes.end(), is_healthy)) {
  for (std::size_t i = 0; i < inventory.workloads.size(); ++i) {
    const Workload& workload = inventory.workloads[i];
    if (workload.finished || !workload.admission) continue;
    // The inventory outlives the worlds: nothing to own.
    const std::shared_ptr<const Workload> record(std::shared_ptr<void>(), &workload);
    live_.emplace(i, Admitted{i, record, *workload.admission, {}});
  }
  accounting.admitted_workloads = static_cast<std::int64_t>(live_.size());
  book_live(current_, accounting);
}

void Worlds::book_live(Books& books, Accounting& accounting) const {
  books.count_pods(*inventory_, profile_.pod_usage, accounting);
  for (const auto& [number, admitted] : live_) {
    books.admit(number, *admitted.workload, admitted.admission, accounting);
  }
}

Books& Worlds::healthy() {
  if (!any_broken_) return empty_;
  if (!healthy_) {
    healthy_nodes_ = healthy_nodes(inventory_->nodes);
    healthy_cluster_ = std::make_unique<Cluster>(healthy_nodes_, flavors_, profile_);
    healthy_ = std::make_unique<Books>(*healthy_cluster_, flavors_, idle_, index_);
  }
  return *healthy_;
}

void Worlds::place(const Decision& decision, const Admitted& admitted) {
  current_.place(admitted.number, *admitted.workload, decision);
  live_.insert_or_assign(admitted.number, admitted);
}

Held Worlds::release(std::size_t number) {
  live_.erase(number);
  return current_.release(number);
}

Worlds::Repaired Worlds::with_healthy_nodes(const std::vector<topology::NodeId>& nodes) const {
  Repaired repaired;
  repaired.nodes = inventory_->nodes;
  for (const topology::NodeId node : nodes) {
    topology::NodeRecord& record = repaired.nodes[topology::index(node)];
    record = healthy_node(record);
  }
  repaired.cluster = std::make_unique<Cluster>(repaired.nodes, flavors_, profile_);
  repaired.books = std::make_unique<Books>(*repaired.cluster, flavors_, idle_, index_);
  Accounting unused;  // what is lost was told when the state was read
  book_live(*repaired.books, unused);
  return repaired;
}

}  // namespace tessera::core
