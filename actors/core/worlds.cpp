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
  book_state(current_, accounting);
}

void Worlds::book_state(Books& books, Accounting& accounting) const {
  books.count_pods(*inventory_, profile_.pod_usage, accounting);
  for (std::size_t i = 0; i < inventory_->workloads.size(); ++i) {
    const Workload& workload = inventory_->workloads[i];
    if (workload.finished || !workload.admission) continue;
    ++accounting.admitted_workloads;
    books.admit(i, workload, *workload.admission, accounting);
  }
  for (const Decision& decision : placed_) {
    const Workload& workload = inventory_->workloads[decision.workload];
    books.admit(decision.workload, workload, admission_of(decision, workload, cluster_, flavors_),
                accounting);
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

void Worlds::place(const Decision& decision) {
  current_.place(decision.workload, inventory_->workloads[decision.workload], decision);
  placed_.push_back(decision);
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
  book_state(*repaired.books, unused);
  return repaired;
}

}  // namespace tessera::core
