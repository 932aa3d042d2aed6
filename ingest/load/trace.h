// SPDX-License-Identifier: Apache-2.0
// A trace, line by line: {"time": seconds, "startSeconds": seconds, "runSeconds": seconds,
// "workload": object}.
//
// Used by the loader only. The loader reads the object of a line with the reader of its kind, and
// hands over the outcome. finish() links each line by itself, so that a name may come again.
// Ignores the status of an object: a trace tells what was asked for, and when. A faulty line is
// reported and left out.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/resource_rules.h"
#include "ingest/load/loaded.h"
#include "ingest/objects/read_context.h"
#include "ingest/reader/sink.h"

namespace tessera::ingest {

/// Nanoseconds.
struct TraceTimes {
  std::int64_t arrival = 0, start = 0, run = kRunsForEver;
};

/// The times of a line. Nothing, and an error, if a part of the line other than the workload is
/// wrong.
std::optional<TraceTimes> read_trace_times(ReadContext& context, const reader::Object& line);

class Trace {
 public:
  /// Reads the object of a line with `read()` and keeps the records that it gave. False if it gave
  /// none.
  template <class Read>
  bool add(ReadContext& context, TraceTimes times, Where where, const Read& read) {
    Line line{times, std::move(where), {}};
    const std::size_t warnings = context.warnings.size();
    line.lists.swap(context);
    read();
    line.lists.swap(context);
    fold_warnings(context.warnings, warnings);
    const bool any = !line.lists.empty();
    if (any) lines_.push_back(std::move(line));
    return any;
  }

  /// The workloads of all lines by arrival. Workloads of one instant keep the order in which they
  /// were read. Priority classes, LimitRanges and RuntimeClasses are those of the context.
  std::vector<TraceEntry> finish(ReadContext& context, const config::ResourceRules& rules,
                                 std::vector<std::string>& notes);

 private:
  /// The lists of a context from which the linking step makes workloads.
  struct WorkloadLists {
    std::vector<JobObject> jobs;
    std::vector<std::pair<ObjectHeader, core::Workload>> workload_objects;
    std::vector<PodObject> pods;

    void swap(ReadContext& context);
    bool empty() const { return jobs.empty() && workload_objects.empty() && pods.empty(); }
  };
  struct Line {
    TraceTimes times;
    Where where;
    WorkloadLists lists;
  };

  /// Takes the warnings from position `first` on. Many lines of a trace are alike: keeps the first
  /// of equal warnings, and their number.
  void fold_warnings(std::vector<Error>& warnings, std::size_t first);
  void tell_warnings(std::vector<Error>& warnings);
  /// Workloads of all lines as they were read, and the line of each.
  std::vector<core::Workload> link(ReadContext& context, std::vector<std::size_t>& line_of);
  std::size_t count_out_of_order() const;

  struct Warning {
    Error first;
    std::int64_t count = 0;
  };

  std::vector<Line> lines_;
  std::vector<Warning> warnings_;
  std::map<std::string, std::size_t> warning_positions_;  // field and message -> in warnings_
};

}  // namespace tessera::ingest
