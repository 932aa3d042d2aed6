// SPDX-License-Identifier: Apache-2.0
// Reads a topologyAssignment in either encoding: v1beta1 `domains` and v1beta2 `slices`
// (placement.md 9).
//
// Called by the reader of Workload objects. Input is hostile: every limit of placement.md 9 is
// checked before memory is taken, so a short text never takes much memory.
// ingest/encode/assignment_json.h writes assignments. Does not know topologies: the engine checks
// whether the domains exist.
#pragma once

#include <vector>

#include "actors/records/workload.h"
#include "ingest/values/value.h"
#include "topology/text/result.h"

namespace tessera::ingest {

/// What can be read of an assignment. A fault's `where` has line, column, and the field relative to
/// the assignment ("slices[0].podCounts"); the first few faults are kept.
struct AssignmentReading {
  std::vector<topology::Symbol> levels;  // empty: unreadable, and so are the domains
  core::DomainList domains;              // in their order, without those that cannot be read
  std::vector<Error> faults;
};

/// `pods`: of all domains together. What no other domain has goes to those whose own number cannot
/// be read, so that none of them reads as empty.
AssignmentReading read_assignment(reader::Value assignment, std::int64_t pods);

/// The domains of an assignment without a fault, in their order; `levels` receives the assignment's
/// levels (node labels). An assignment may have no domains. Else the first fault.
Result<core::DomainList> decode_assignment(reader::Value assignment,
                                           std::vector<topology::Symbol>& levels);

}  // namespace tessera::ingest
