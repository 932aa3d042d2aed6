// SPDX-License-Identifier: Apache-2.0
// The quota side of EngineChecker.
#include <algorithm>

#include "tests/support/engine_checker.h"

namespace tessera::test {
namespace {

/// The top of the cohorts above a queue or cohort. A queue without a cohort is its own top.
std::string tree_of(const core::Inventory& inventory, std::string name, std::string parent) {
  while (!parent.empty()) {
    name = parent;
    parent.clear();
    for (const core::CohortRecord& cohort : inventory.cohorts) {
      if (cohort.name == name) parent = cohort.parent;
    }
  }
  return name;
}

const core::ResourceQuota* gpus_of(const core::FlavorQuotas& flavor) {
  for (const core::ResourceQuota& quota : flavor.resources) {
    if (quota.resource == topology::gpu_resource()) return &quota;
  }
  return nullptr;
}

}  // namespace

EngineChecker::Tree& EngineChecker::tree(const core::Inventory& definitions,
                                         const std::string& name, const std::string& parent,
                                         const std::string& flavor) {
  const std::string tree = tree_of(definitions, name, parent) + " in " + flavor;
  const auto at = std::find_if(trees_.begin(), trees_.end(),
                               [&](const Tree& each) { return each.name == tree; });
  return at != trees_.end() ? *at : trees_.emplace_back(Tree{tree});
}

void EngineChecker::set_up_quota(const core::Inventory& definitions) {
  queues_.clear();
  trees_.clear();
  for (const core::CohortRecord& cohort : definitions.cohorts) {
    for (const core::FlavorQuotas& flavor : cohort.groups[0].flavors) {
      tree(definitions, cohort.name, cohort.parent, flavor.flavor).quota +=
          gpus_of(flavor)->nominal;
    }
  }
  for (const core::ClusterQueueRecord& record : definitions.cluster_queues) {
    add_queue(definitions, record);
  }
}

void EngineChecker::add_queue(const core::Inventory& definitions,
                              const core::ClusterQueueRecord& record) {
  const core::Ledger& forest = definitions_->ledger;
  for (const core::FlavorQuotas& flavor : record.groups[0].flavors) {
    const core::ResourceQuota& quota = *gpus_of(flavor);
    Queue queue{*forest.queue(record.name), {}, INT64_MAX, {}};
    queue.column =
        *forest.column(queue.node, topology::Symbol(flavor.flavor), topology::gpu_resource());
    if (record.cohort.empty()) queue.most = quota.nominal;
    if (quota.borrowing_limit) queue.most = quota.nominal + *quota.borrowing_limit;
    Tree& its_tree = tree(definitions, record.name, record.cohort, flavor.flavor);
    its_tree.quota += quota.nominal;
    queue.tree = static_cast<std::uint32_t>(&its_tree - trees_.data());
    queues_.push_back(queue);
  }
}

void EngineChecker::sum_up_roots() {
  used_.clear();
  for (const auto& [node, root] : objects_->roots()) {
    for (const core::GangId id : root->holders()) {
      const auto at = gangs_.find(id);
      if (at == gangs_.end()) {
        find("a quota root holds for " + name(id));
        continue;
      }
      for (const core::RootState::Held& held : root->held(id)) {
        at->second.quota_held += held.amount;
        at->second.committed |= held.committed;
        used_[{held.queue, held.column}] += held.amount;
      }
    }
  }
}

/// A use that is above its quota since the quota changed may only go down.
void EngineChecker::note_use(std::int64_t now, std::int64_t quota, std::int64_t& used,
                             const char* what, const std::string& name) {
  if (now > quota) ++seen_.overdrawn;
  if (now > std::max(quota, used) && !owners_are_new_) {
    find(what + name + " is above its quota");
  }
  used = now;
}

void EngineChecker::check_quota() {
  const core::Ledger& forest = definitions_->ledger;
  std::vector<std::int64_t> of_tree(trees_.size());
  for (Queue& queue : queues_) {
    const std::int64_t used = used_[{queue.node, queue.column}];
    of_tree[queue.tree] += used;
    note_use(used, queue.most, queue.used, "queue ", forest.name(queue.node));
    const core::RootState& root = *objects_->roots().at(forest.root(queue.node));
    if (used != root.ledger().usage(root.own(queue.node), queue.column)) {
      find("the use of queue " + forest.name(queue.node) + " is not the sum of what is held");
    }
  }
  for (std::size_t t = 0; t < trees_.size(); ++t) {
    note_use(of_tree[t], trees_[t].quota, trees_[t].used, "tree ", trees_[t].name);
  }
}

}  // namespace tessera::test
