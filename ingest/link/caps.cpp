// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/caps.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

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

/// Keeps the records whose quotas fit in a table of `most` cells: a row a record, and `rows`
/// others; a column each pair of flavor and resource in `pairs` or in a record that is kept.
template <class Record>
void keep_quotas(ReadContext& context, const std::string& kind, std::vector<Record>& records,
                 std::size_t rows, Pairs& pairs, std::size_t most) {
  std::vector<std::string> names;
  std::vector<Record> kept;
  for (Record& record : records) {
    Pairs own;
    for (const core::ResourceGroup& group : record.groups) {
      for (const core::FlavorQuotas& flavor : group.flavors) {
        for (const core::ResourceQuota& quota : flavor.resources) {
          std::pair<std::string, std::uint32_t> pair(flavor.flavor, quota.resource.id());
          if (pairs.count(pair) == 0) own.insert(std::move(pair));
        }
      }
    }
    if ((rows + kept.size() + 1) * (pairs.size() + own.size()) > most) {
      names.push_back(record.name);
      continue;
    }
    pairs.merge(own);
    kept.push_back(std::move(record));
  }
  records = std::move(kept);
  tell(context, kind, names,
       "queues and cohorts, times the pairs of flavor and resource in their quotas, may be " +
           with_commas(most) + " in all");
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
  Pairs pairs;
  const std::size_t kai_queues = inventory.kai_queues.size();
  keep_quotas(context, "Cohort", inventory.cohorts, kai_queues, pairs, caps.quotas);
  keep_quotas(context, "ClusterQueue", inventory.cluster_queues,
              kai_queues + inventory.cohorts.size(), pairs, caps.quotas);
}

}  // namespace tessera::ingest
