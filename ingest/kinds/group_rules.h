// SPDX-License-Identifier: Apache-2.0
// V9 of placement.md 7: a group (leader and workers) has exactly two pod sets, one of them has a
// single pod, and both ask for the same topology.
//
// Called by the readers of kinds whose pods come from several templates.
#pragma once

#include <string>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// The pod template of one pod set, which holds the annotations.
struct TemplatePlace {
  reader::Value pod_template;
  std::string path;  // "spec.replicatedJobs[0].template.spec.template"
};

/// Checks the groups of `workload`; `places[i]` belongs to its pod set i. Broken rules go into
/// workload.invalid.
void check_groups(const ReadContext& context, const ObjectHeader& header,
                  const std::vector<TemplatePlace>& places, core::Workload& workload);

}  // namespace tessera::ingest
