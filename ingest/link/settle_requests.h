// SPDX-License-Identifier: Apache-2.0
// Settles what workloads ask for once every object is read (queues.md 4): overheads of
// RuntimeClasses, defaults of LimitRanges, and (for quota only) excluded and transformed resources.
//
// Called once by the loader, after linking. Also notes for each workload why Kueue would not
// evaluate it (queues.md 10.2: requests above limits, LimitRanges).
#pragma once

#include <vector>

#include "config/resource_rules.h"
#include "ingest/objects/read_context.h"

namespace tessera::ingest {

void settle_requests(const ReadContext& context, const config::ResourceRules& rules,
                     std::vector<core::Workload>& workloads);

/// The amounts that a pod with the request `request` counts against quota.
topology::Amounts quota_request(const topology::Amounts& request,
                                const config::ResourceRules& rules);

}  // namespace tessera::ingest
