// SPDX-License-Identifier: Apache-2.0
// Admissions, evictions and ends as JSON lines: what `simulate --decisions` writes (ux.md rule 7).
//
// Pure functions; the caller numbers and writes.
#pragma once

#include <cstdint>
#include <string>

#include "actors/records/workload.h"

namespace tessera::encode {

struct LoggedDecision {
  std::int64_t time = 0;                       // nanoseconds
  std::uint64_t seq = 0;                       // number of the line, from 1
  std::uint64_t gang = 0;                      // tells gangs of the same name apart
  std::string workload;                        // "ns/name"
  const core::Admission* admission = nullptr;  // null: the gang was evicted or finished
  bool evicted = false;                        // false and no admission: finished
};

/// {"time": seconds, "seq", "gang", "workload", "event": "Admitted"|"Evicted"|"Finished",
/// "assignment": {podSet: topologyAssignment in v1beta2}}, with the end of the line. Pod sets
/// without a topology have no assignment.
std::string decision_line(const LoggedDecision& decision);

/// "12", "0.25": seconds, exact.
std::string seconds_text(std::int64_t nanoseconds);

}  // namespace tessera::encode
