// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/caps.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "topology/parent_forest.h"

namespace tessera::ingest {
namespace {

using Pairs = std::set<std::pair<std::string, std::uint32_t>>;  // flavor, Symbol of the resource

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// "ClusterQueue q7 and 12 more: left out: " and the rule.
void tell(ReadContext& context, const std::string& kind, const std::vector<std::string>& names,
          const std::string& rule) {
  if (names.empty()) return;
  Error error{ErrorCode::kInvalidInput, "left out: " + rule};
  error.where.object = kind + " " + names.front();
  if (names.size() > 1) error.where.object += " and " + with_commas(names.size() - 1) + " more";
  context.errors.push_back(std::move(error));
  for (const std::string& name : names) context.inventory.refused.push_back({kind, "", name});
}

/// Keeps the first `most` records.
template <class Record>
void keep_first(ReadContext& context, const std::string& kind, std::vector<Record>& records,
                std::size_t most, const std::string& rule) {
  std::vector<std::string> names;
  while (records.size() > most) {
    names.push_back(records.back().name);
    records.pop_back();
  }
  std::reverse(names.begin(), names.end());
  tell(context, kind, names, rule);
}

/// What the quotas of the records that are kept take: of a table with a row a record and a column a
/// pair, and of lists with the pairs that each record has or lends (actors/quota/ledger.h).
struct QuotaSize {
  std::size_t rows = 0, listed = 0;
  Pairs pairs;
};

Pairs pairs_of(const std::vector<core::ResourceGroup>& groups) {
  Pairs pairs;
  for (const core::ResourceGroup& group : groups) {
    for (const core::FlavorQuotas& flavor : group.flavors) {
      for (const core::ResourceQuota& quota : flavor.resources) {
        pairs.emplace(flavor.flavor, quota.resource.id());
      }
    }
  }
  return pairs;
}

/// Keeps the records whose quotas fit in `most` cells of the table or of the lists. `above`: how
/// many cohorts are above a record.
template <class Record, class Above>
void keep_quotas(ReadContext& context, const std::string& kind, std::vector<Record>& records,
                 const Above& above, QuotaSize& size, std::size_t most) {
  std::vector<std::string> names;
  std::vector<Record> kept;
  for (Record& record : records) {
    Pairs own = pairs_of(record.groups);
    const std::size_t listed = size.listed + own.size() * (1 + above(record));
    const auto added = static_cast<std::size_t>(
        std::count_if(own.begin(), own.end(),
                      [&](const Pairs::value_type& pair) { return size.pairs.count(pair) == 0; }));
    const std::size_t table = (size.rows + 1) * (size.pairs.size() + added);
    if (std::min(table, listed) > most) {
      names.push_back(record.name);
      continue;
    }
    size.listed = listed;
    ++size.rows;
    size.pairs.merge(own);
    kept.push_back(std::move(record));
  }
  records = std::move(kept);
  tell(context, kind, names,
       "the pairs of flavor and resource in the quotas of queues and cohorts, each counted again "
       "for "
       "each cohort above, may be " +
           with_commas(most) + " in all");
}

/// How many cohorts are above each cohort.
std::map<std::string, std::size_t> cohort_depths(const std::vector<core::CohortRecord>& cohorts) {
  std::vector<topology::NamedParent> named;
  named.reserve(cohorts.size());
  for (const core::CohortRecord& each : cohorts) named.push_back({each.name, each.parent});
  const topology::ParentForest forest(topology::parent_positions(named));
  std::map<std::string, std::size_t> depths;
  for (topology::ParentForest::Position i = 0; i < forest.size(); ++i) {
    // A root may have a parent that is named only.
    const bool named_only = !cohorts[forest.root(i)].parent.empty();
    depths.emplace(cohorts[i].name, forest.depth(i) + (named_only ? 1 : 0));
  }
  return depths;
}

}  // namespace

void keep_caps(ReadContext& context, const Caps& caps) {
  core::Inventory& inventory = context.inventory;
  const std::size_t nodes = inventory.nodes.size();
  const std::size_t flavors =
      std::min(caps.flavors, caps.flavor_nodes / std::max<std::size_t>(nodes, 1));
  keep_first(context, "ResourceFlavor", inventory.flavors, flavors,
             flavors == caps.flavors
                 ? "at most " + with_commas(flavors) + " are read"
                 : "flavors times nodes may be " + with_commas(caps.flavor_nodes) + " in all");
  keep_first(context, "Topology", inventory.topologies, caps.topologies,
             "at most " + with_commas(caps.topologies) + " are read");
  constexpr std::size_t kKaiResources = 3;
  QuotaSize size;
  size.rows = inventory.kai_queues.size();
  size.listed = size.rows * kKaiResources;
  const std::map<std::string, std::size_t> depths = cohort_depths(inventory.cohorts);
  const auto above_cohort = [&](const core::CohortRecord& each) { return depths.at(each.name); };
  keep_quotas(context, "Cohort", inventory.cohorts, above_cohort, size, caps.quotas);
  const auto above_queue = [&](const core::ClusterQueueRecord& each) {
    const auto at = depths.find(each.cohort);
    return each.cohort.empty() ? 0 : 1 + (at == depths.end() ? 0 : at->second);
  };
  keep_quotas(context, "ClusterQueue", inventory.cluster_queues, above_queue, size, caps.quotas);
}

}  // namespace tessera::ingest
