// SPDX-License-Identifier: Apache-2.0
// Says why a workload is placed where it is, or why it is not placed: the text of `explain` (ux.md
// D2). ingest/encode/explanation_json.h says the same as JSON.
#pragma once

#include <cstdint>
#include <string>

#include "actors/explain/cluster_view.h"
#include "actors/explain/evidence.h"
#include "actors/records/decision.h"

namespace tessera::encode {

struct ExplanationOptions {
  bool fold_hosts = true;
  bool node_names = false;       // -o wide
  std::int64_t now_seconds = 0;  // for ages; 0: no ages
};

/// The lines that `tessera explain` prints. `evidence` includes remedies.
std::string explanation_text(const core::ClusterView& cluster, const core::Decision& decision,
                             const core::Evidence& evidence, const ExplanationOptions& options);

/// "4 pods of 4 nvidia.com/gpu, 32 cpu, 200Gi memory; required rack; slices of 16 at rack"
std::string asks_text(const solver::PodSet& pod_set, const topology::TopologySpec* topology);

}  // namespace tessera::encode
