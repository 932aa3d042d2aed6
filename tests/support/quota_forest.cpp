// SPDX-License-Identifier: Apache-2.0
#include "tests/support/quota_forest.h"

#include <algorithm>

namespace tessera::test {
namespace {

using core::ClusterQueueRecord;
using core::CohortRecord;
using core::FlavorQuotas;
using core::Ledger;
using core::ResourceGroup;
using topology::Symbol;

constexpr const char* kResources[kQuotaColumns] = {"cpu", "gpu"};

}  // namespace

Ledger QuotaForest::ledger() const {
  std::vector<ClusterQueueRecord> queues;
  std::vector<CohortRecord> cohorts;
  for (const QuotaNodeSpec& node : nodes) {
    ResourceGroup group;
    FlavorQuotas flavor{"f", {}};
    for (int column = 0; column < kQuotaColumns; ++column) {
      const QuotaSpec& quota = node.quotas[column];
      group.covered.emplace_back(kResources[column]);
      flavor.resources.push_back(
          {Symbol(kResources[column]), quota.nominal, quota.borrow, quota.lend});
    }
    group.flavors = {flavor};
    if (node.is_queue) {
      ClusterQueueRecord record;
      record.name = node.name;
      record.cohort = node.parent;
      record.groups = {group};
      queues.push_back(record);
    } else {
      CohortRecord record;
      record.name = node.name;
      record.parent = node.parent;
      record.groups = {group};
      cohorts.push_back(record);
    }
  }
  return Ledger(queues, cohorts, {});
}

const QuotaNodeSpec& QuotaForest::node(const std::string& name) const {
  return *std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == name; });
}

std::string QuotaForest::root_of(const std::string& name) const {
  const QuotaNodeSpec& at = node(name);
  return at.parent.empty() ? name : root_of(at.parent);
}

std::int64_t QuotaForest::subtree(const std::string& name, int column) const {
  std::int64_t sum = node(name).quotas[column].nominal;
  for (const QuotaNodeSpec& child : nodes) {
    if (child.parent != name) continue;
    sum += subtree(child.name, column) - local(child.name, column);
  }
  return sum;
}

std::int64_t QuotaForest::local(const std::string& name, int column) const {
  const auto& lend = node(name).quotas[column].lend;
  return lend ? std::max<std::int64_t>(0, subtree(name, column) - *lend) : 0;
}

std::int64_t QuotaForest::usage(const std::string& name, int column,
                                const std::vector<QuotaUse>& uses) const {
  std::int64_t sum = 0;
  for (const QuotaUse& use : uses) {
    if (use.queue == name && use.column == column) sum += use.amount;
  }
  for (const QuotaNodeSpec& child : nodes) {
    if (child.parent == name) {
      sum += std::max<std::int64_t>(0, usage(child.name, column, uses) - local(child.name, column));
    }
  }
  return sum;
}

std::int64_t QuotaForest::avail(const std::string& name, int column,
                                const std::vector<QuotaUse>& uses) const {
  const QuotaNodeSpec& at = node(name);
  const std::int64_t used = usage(name, column, uses), here = local(name, column);
  if (at.parent.empty()) return subtree(name, column) - used;
  std::int64_t above = avail(at.parent, column, uses);
  if (const auto& borrow = at.quotas[column].borrow) {
    above = std::min(
        above, subtree(name, column) - here - std::max<std::int64_t>(0, used - here) + *borrow);
  }
  return std::max<std::int64_t>(0, here - used) + above;
}

core::QuotaNode quota_node(const Ledger& ledger, const std::string& name) {
  const auto queue = ledger.queue(name);
  return queue ? *queue : *ledger.cohort(name);
}

core::QuotaColumn quota_column(const Ledger& ledger, int column) {
  // Any node will do: without KAI Queues all nodes of a forest have the same columns.
  return *ledger.column(core::QuotaNode{0}, Symbol("f"), Symbol(kResources[column]));
}

}  // namespace tessera::test
