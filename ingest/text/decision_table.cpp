// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/decision_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "ingest/text/decision_text.h"
#include "ingest/text/pod_names.h"
#include "topology/text/wording.h"

namespace tessera::encode {
namespace {

using core::ClusterView;
using core::Decision;
using core::Outcome;

const core::Workload& row_workload(const ClusterView& cluster, const Decision& decision) {
  return cluster.workload(decision.workload);
}

/// The leaves of all pod sets of one view, in path order.
using LeavesByView = std::map<std::pair<std::string, bool>, std::vector<solver::LeafPods>>;

LeavesByView leaves_by_view(const Decision& decision) {
  std::map<std::pair<std::string, bool>, std::map<topology::LeafId, std::int64_t>> pods;
  for (const core::PodSetDecision& pod_set : decision.pod_sets) {
    if (pod_set.topology_flavor.empty()) continue;
    auto& leaves = pods[{pod_set.topology_flavor, pod_set.open}];
    for (const solver::LeafPods& leaf : pod_set.placement) leaves[leaf.leaf] += leaf.pods;
  }
  LeavesByView views;
  for (const auto& [view, leaves] : pods) {
    for (const auto& [leaf, count] : leaves) views[view].push_back({leaf, count});
  }
  return views;
}

std::string domains_text(const ClusterView& cluster, const Decision& decision,
                         const DecisionTableOptions& options, std::size_t most) {
  std::string out;
  for (const auto& [view, leaves] : leaves_by_view(decision)) {
    const solver::FlavorView& flavor = *cluster.view(view.first, view.second);
    out += (out.empty() ? "" : "; ") +
           (options.width ? short_placement(flavor, leaves, options.names, most)
                          : placement_text(flavor, leaves, options.names, options.fold));
  }
  return out;
}

std::int64_t placed_pods(const Decision& decision) {
  std::int64_t pods = 0;
  for (const core::PodSetDecision& pod_set : decision.pod_sets) pods += pod_set.count;
  return pods;
}

std::int64_t placed_gpus(const ClusterView& cluster, const Decision& decision) {
  const solver::Gang& gang = row_workload(cluster, decision).gang;
  std::int64_t gpus = 0;
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const std::int64_t each = gang.pod_sets[i].request.get(topology::gpu_resource());
    gpus =
        topology::saturating_add(gpus, topology::saturating_mul(each, decision.pod_sets[i].count));
  }
  return gpus;
}

std::string reason_text(const ClusterView& cluster, const Decision& decision,
                        const EvidenceOf& evidence_of) {
  if (decision.outcome == Outcome::kPlaced) {
    if (decision.waits_for_checks.empty()) return "-";
    return "admission waits for check " + joined(decision.waits_for_checks);
  }
  const std::string text = short_reason(cluster, decision, evidence_of(decision));
  const std::string name(core::reason_name(decision.reason));
  return text.empty() ? name : name + ": " + text;
}

constexpr std::size_t kDomain = 7, kReason = 8, kColumns = 9;

/// The cells of one decision, DOMAIN still empty.
std::vector<std::string> row_of(const ClusterView& cluster, const Decision& decision,
                                const EvidenceOf& evidence_of) {
  const core::Workload& workload = row_workload(cluster, decision);
  const bool placed = decision.outcome == Outcome::kPlaced;
  const std::int64_t racks = placed ? spread_of(cluster, decision).groups : 0;
  return {workload.namespace_name,
          workload.origin.display(),
          workload.queue,
          std::to_string(placed ? placed_pods(decision) : 0) + "/" +
              std::to_string(workload.total_pods()),
          std::to_string(placed ? placed_gpus(cluster, decision) : workload.total_gpus()),
          std::string(core::outcome_name(decision.outcome)),
          racks > 0 ? std::to_string(racks) : "-",
          "",
          reason_text(cluster, decision, evidence_of)};
}

/// How DOMAIN and REASON share a screen of `width` columns.
struct ScreenLayout {
  std::size_t domain = SIZE_MAX;  // characters of DOMAIN
  bool reason_below = false;      // REASON has no room beside DOMAIN: lines of its own
};

/// `rows` have the whole DOMAIN.
ScreenLayout layout_for(const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  constexpr std::size_t kLeast = 8, kReadable = 24, kGap = 2;
  static constexpr std::array<std::size_t, kColumns> kHeaders = {9, 8, 5, 4, 4, 6, 5, 6, 6};
  std::array<std::size_t, kColumns> widest = kHeaders;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < kColumns; ++i) widest[i] = std::max(widest[i], row[i].size());
  }
  std::size_t before = 0;
  for (std::size_t i = 0; i < kDomain; ++i) before += widest[i] + kGap;
  const bool refusals = widest[kReason] > kHeaders[kReason];
  const std::size_t least = std::min(widest[kDomain], refusals ? kReadable : kLeast);
  const std::size_t beside = before + kGap + widest[kReason];
  if (!refusals || beside + least <= width) {
    return {std::max(least, width > beside ? width - beside : 0), false};
  }
  return {std::max(kLeast, width > before ? width - before : 0), true};
}

}  // namespace

Spread spread_of(const ClusterView& cluster, const Decision& decision) {
  Spread spread;
  std::set<std::string> groups, leaves_seen;
  for (const auto& [view, leaves] : leaves_by_view(decision)) {
    const topology::DomainTree& tree = cluster.view(view.first, view.second)->tree();
    const int level = grouping_level(tree.topology());
    if (level >= 0) spread.level = level_name(tree.topology(), level);
    for (const solver::LeafPods& leaf : leaves) {
      const topology::DomainId domain = tree.domain_of(leaf.leaf);
      leaves_seen.insert(tree.path_text(domain));
      if (level >= 0) groups.insert(tree.path_text(tree.ancestor(domain, level)));
    }
  }
  spread.groups = static_cast<std::int64_t>(groups.size());
  spread.leaves = static_cast<std::int64_t>(leaves_seen.size());
  return spread;
}

std::string decision_table(const ClusterView& cluster, std::span<const Decision> decisions,
                           const EvidenceOf& evidence_of, const DecisionTableOptions& options) {
  using Align = Table::Align;
  std::vector<std::vector<std::string>> rows;
  for (const Decision& decision : decisions) {
    rows.push_back(row_of(cluster, decision, evidence_of));
    rows.back()[kDomain] = domains_text(cluster, decision, options, SIZE_MAX);
  }
  const ScreenLayout layout = options.width ? layout_for(rows, *options.width) : ScreenLayout{};
  std::vector<Table::Column> columns = {
      {"NAMESPACE"}, {"WORKLOAD"}, {"QUEUE"},  {"PODS"},  {"GPUS", Align::kRight},
      {"RESULT"},    {"RACKS"},    {"DOMAIN"}, {"REASON"}};
  if (layout.reason_below) columns.pop_back();
  Table table(columns);
  if (layout.reason_below) table.add_below("REASON", *options.width);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string reason = rows[i][kReason];
    if (rows[i][kDomain].size() > layout.domain) {
      rows[i][kDomain] = domains_text(cluster, decisions[i], options, layout.domain);
    }
    table.add(std::move(rows[i]));
    if (layout.reason_below && reason != "-") table.add_below(reason, *options.width);
  }
  return table.text(options.headers);
}

namespace {

void add_pods(const ClusterView& cluster, std::span<const Decision> decisions,
              const std::function<void(std::vector<std::string>)>& add_row) {
  // A gang tree may grow after its first decision: its pods are counted on.
  std::map<std::pair<std::size_t, std::size_t>, std::int64_t> next_ranks;
  for (const Decision& decision : decisions) {
    const core::Workload& workload = row_workload(cluster, decision);
    for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
      const core::PodSetDecision& pod_set = decision.pod_sets[i];
      std::int64_t own_rank = 0;
      std::int64_t& rank = workload.gang.is_tree() ? next_ranks[{decision.workload, i}] : own_rank;
      const std::int64_t end = rank + pod_set.count;
      const std::string group = group_name(workload, i);
      const auto add = [&](const std::string& node) {
        add_row({workload.namespace_name, workload.origin.display(), group,
                 pod_name(workload, i, rank++), node});
      };
      for (const solver::LeafPods& leaf : pod_set.placement) {
        const solver::FlavorView& view = *cluster.view(pod_set.topology_flavor, pod_set.open);
        // In a topology that ends above the host, only the leaf is decided, not the node.
        const bool host = view.tree().topology().host_level();
        const std::string node =
            host ? view.nodes()[index(view.tree().nodes(leaf.leaf).front())].name.str()
                 : view.tree().path_text(view.tree().domain_of(leaf.leaf));
        for (std::int64_t p = 0; p < leaf.pods; ++p) add(node);
      }
      while (rank < end) add("");  // without a topology no node is chosen
    }
  }
}

}  // namespace

void write_pod_table(const ClusterView& cluster, std::span<const Decision> decisions, bool headers,
                     const TextSink& out) {
  stream_table(
      {{"NAMESPACE"}, {"WORKLOAD"}, {"GROUP"}, {"POD"}, {"NODE"}}, headers,
      [&](const auto& add_row) { add_pods(cluster, decisions, add_row); }, out);
}

DecisionTotals total(const ClusterView& cluster, std::span<const Decision> decisions) {
  DecisionTotals totals;
  for (const Decision& decision : decisions) {
    switch (decision.outcome) {
      case Outcome::kPlaced:
        ++totals.placed;
        totals.pods += placed_pods(decision);
        totals.gpus += placed_gpus(cluster, decision);
        break;
      case Outcome::kWaits:
        ++totals.waits;
        break;
      case Outcome::kNever:
        ++totals.never;
        break;
      case Outcome::kInvalid:
        ++totals.invalid;
        break;
    }
  }
  return totals;
}

std::string totals_text(const DecisionTotals& totals, std::int64_t gpus_of_cluster) {
  std::string out = std::to_string(totals.placed) + " placed, " + std::to_string(totals.waits) +
                    (totals.waits == 1 ? " waits, " : " wait, ") + std::to_string(totals.never) +
                    (totals.never == 1 ? " never fits" : " never fit");
  if (totals.invalid > 0) out += ", " + std::to_string(totals.invalid) + " invalid";
  return out + "; " + std::to_string(totals.pods) + " pods, " + std::to_string(totals.gpus) +
         " of " + std::to_string(gpus_of_cluster) + " GPUs";
}

}  // namespace tessera::encode
