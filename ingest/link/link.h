// SPDX-License-Identifier: Apache-2.0
// The linking step: turns the jobs, Workload objects and pods that were read one by one into the
// workloads and pods of the Inventory (ux.md rules 1 and 2).
//
// Called by the loader once everything is read. A job, its Workload and its pods are one workload:
// the Workload object if there is one, else the highest job. Bound unfinished pods become use of
// their nodes. An unbound pod becomes a gang of one pod if it belongs to no workload or pod group.
// Sets names and priorities. The result does not depend on the order of the input.
#pragma once

#include <string>
#include <vector>

#include "ingest/link/priorities.h"
#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// Positions in inventory.workloads, ascending.
struct LinkedWorkloads {
  std::vector<std::size_t>
      to_place;  // workloads of -f that are neither admitted, running nor finished
  std::vector<std::size_t> waiting_state;    // the same of -C
  std::vector<std::string> notes;            // what a user should know and no warning says
  std::vector<std::size_t> settled_request;  // the other workloads of -f
};

/// Fills inventory.workloads and inventory.pods, sorted; empties jobs, workload_objects and pods.
LinkedWorkloads link_objects(ReadContext& context);
/// The same with `priorities` that were made before: a trace links line by line.
LinkedWorkloads link_objects(ReadContext& context, Priorities& priorities);

}  // namespace tessera::ingest
