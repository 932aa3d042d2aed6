// SPDX-License-Identifier: Apache-2.0
// Decisions as the table, the pod list and the summary line of `schedule` (ux.md D1). Pure, except
// that the evidence of a refusal is asked for row by row: the evidence of all refusals at once
// would fill the memory.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"
#include "ingest/text/names.h"
#include "ingest/text/table.h"

namespace tessera::encode {

struct DecisionTableOptions {
  HostNames names = HostNames::kHostnameLabel;
  bool fold = true;
  bool headers = true;
  /// Columns of the terminal: DOMAIN is shortened so that REASON stays on the screen. Where that is
  /// not enough, REASON stands in lines of its own below the row. Nothing: whole.
  std::optional<std::size_t> width;
};

/// Gives the evidence of a refusal, without remedies. Called once for each refusal.
using EvidenceOf = std::function<core::Evidence(const core::Decision& refused)>;

/// NAMESPACE WORKLOAD QUEUE PODS GPUS RESULT RACKS DOMAIN REASON, in decision order.
std::string decision_table(const core::ClusterView& cluster,
                           std::span<const core::Decision> decisions, const EvidenceOf& evidence_of,
                           const DecisionTableOptions& options);

/// NAMESPACE WORKLOAD GROUP POD NODE: one line for each placed pod, in rank order. The lines go to
/// `out` as they are made: there may be millions.
void write_pod_table(const core::ClusterView& cluster, std::span<const core::Decision> decisions,
                     bool headers, const TextSink& out);

struct DecisionTotals {
  std::int64_t placed = 0, waits = 0, never = 0, invalid = 0;
  std::int64_t pods = 0, gpus = 0;  // of the placed workloads
};
DecisionTotals total(const core::ClusterView& cluster, std::span<const core::Decision> decisions);

/// "1 placed, 1 waits, 1 never fits; 33 pods, 128 of 131 GPUs"
std::string totals_text(const DecisionTotals& totals, std::int64_t gpus_of_cluster);

/// Distinct domains of the grouping level and distinct leaves that a placed workload uses.
struct Spread {
  std::int64_t groups = 0, leaves = 0;
  std::string level;  // name of the grouping level; empty: flat
};
Spread spread_of(const core::ClusterView& cluster, const core::Decision& decision);

}  // namespace tessera::encode
