// SPDX-License-Identifier: Apache-2.0
// Loaded: the result of reading all texts: the records, which workloads to place, the trace, and
// what was wrong.
//
// Made by Loader::finish() (load.h); plain values.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "actors/records/inventory.h"
#include "topology/text/result.h"

namespace tessera::ingest {

struct KindCount {
  std::string kind;  // "apps/v1 ReplicaSet"
  std::int64_t count = 0;
};

inline constexpr std::int64_t kRunsForEver = INT64_MAX;

/// One gang of a trace.
struct TraceEntry {
  std::shared_ptr<const core::Workload> workload;  // its `created` is the arrival
  std::int64_t arrival = 0;                        // nanoseconds, like the next two
  std::int64_t start = 0;                          // from its admission until its pods are ready
  std::int64_t run = kRunsForEver;                 // from then until it ends
  Where where;                                     // the line of the trace
};

struct Loaded {
  core::Inventory inventory;
  std::vector<std::size_t> to_place;         // workloads of -f that do not run or hold a place yet:
                                             // positions in inventory.workloads
  std::vector<std::size_t> waiting_state;    // the waiting workloads of -C
  std::vector<std::size_t> settled_request;  // the other workloads of -f: they hold a place, run or
                                             // are finished
  std::vector<TraceEntry> trace;             // by arrival
  std::vector<Error> errors;                 // exit 3
  std::vector<Error> warnings;
  std::vector<Error> name_faults;  // names that the API server would refuse
  std::vector<std::string> notes;  // "no queues in the input"
  std::vector<KindCount> skipped;  // unknown kinds, by name
  /// By workload key, if Loader::keep_fields() asked for it (ingest/annotations/kept_fields.h).
  std::map<std::string, std::string> kept_fields;
  std::int64_t objects = 0;
  std::uint64_t bytes = 0;
};

}  // namespace tessera::ingest
