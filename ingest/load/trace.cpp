// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/trace.h"

#include <algorithm>
#include <iterator>

#include "ingest/fields/field_text.h"
#include "ingest/link/link.h"
#include "ingest/link/settle_requests.h"
#include "topology/nodes/quantity.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

using reader::Type;
using reader::Value;

// Sums of two such times stay within 64 bits of nanoseconds.
constexpr std::int64_t kMostSeconds = 3'155'760'000;  // 100 years of 365.25 days
constexpr std::int64_t kNano = 1'000'000'000;

Where where_of(const reader::Object& line, reader::Position at, std::string field) {
  return {std::string(line.file), static_cast<int>(at.line), static_cast<int>(at.column), "",
          std::move(field)};
}

void report(ReadContext& context, Where where, std::string message) {
  context.errors.push_back({ErrorCode::kInvalidInput, std::move(message), std::move(where)});
}

/// Seconds as written in decimal, to nanoseconds without a detour through floating point; digits
/// beyond the ninth round up.
std::optional<std::int64_t> read_seconds(ReadContext& context, const reader::Object& line,
                                         std::string_view key) {
  const Value value = line.root[key];
  if (value.is(Type::kNumber)) {
    const auto seconds = topology::Quantity::parse(value.text());
    const auto nano = seconds ? seconds->nano_value() : std::nullopt;
    if (nano && *nano >= 0 && *nano <= kMostSeconds * kNano) return *nano;
  }
  const bool scalar = !value.is(Type::kMap) && !value.is(Type::kSequence);
  report(context, where_of(line, value.position(), std::string(key)),
         (scalar ? quoted(value.text()) + " is not a number of seconds" : "must be a number") +
             " from 0 to " + std::to_string(kMostSeconds) + " (100 years)");
  return std::nullopt;
}

}  // namespace

std::optional<TraceTimes> read_trace_times(ReadContext& context, const reader::Object& line) {
  const std::size_t errors = context.error_count();
  const std::vector<std::string> known = {"time", "startSeconds", "runSeconds", "workload"};
  for (Value entry = line.root.first(); entry; entry = entry.next()) {
    const std::string key(entry.key());
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    report(context, where_of(line, entry.key_position(), key),
           "unknown field (right: time, startSeconds, runSeconds, workload)" +
               did_you_mean(key, known));
  }
  const auto given = [&](std::string_view key) {
    return line.root[key] && !line.root[key].is(Type::kNull);
  };
  for (const char* const key : {"time", "workload"}) {
    if (!given(key)) report(context, where_of(line, line.root.position(), key), "is missing");
  }
  TraceTimes times;
  if (given("time")) times.arrival = read_seconds(context, line, "time").value_or(0);
  if (given("startSeconds")) times.start = read_seconds(context, line, "startSeconds").value_or(0);
  if (given("runSeconds")) times.run = read_seconds(context, line, "runSeconds").value_or(0);
  const Value workload = line.root["workload"];
  if (given("workload") && !workload.is(Type::kMap)) {
    report(context, where_of(line, workload.position(), "workload"), "must be an object");
  }
  if (context.error_count() != errors) return std::nullopt;
  return times;
}

void Trace::WorkloadLists::swap(ReadContext& context) {
  jobs.swap(context.jobs);
  workload_objects.swap(context.workload_objects);
  pods.swap(context.pods);
}

void Trace::fold_warnings(std::vector<Error>& warnings, std::size_t first) {
  for (std::size_t i = first; i < warnings.size(); ++i) {
    Error& warning = warnings[i];
    const auto [at, added] = warning_positions_.try_emplace(
        warning.where.field + ": " + warning.message, warnings_.size());
    if (added) warnings_.push_back({std::move(warning), 0});
    ++warnings_[at->second].count;
  }
  warnings.erase(warnings.begin() + static_cast<std::ptrdiff_t>(first), warnings.end());
}

void Trace::tell_warnings(std::vector<Error>& warnings) {
  for (Warning& warning : warnings_) {
    if (warning.count > 1) {
      warning.first.message += " (and " + std::to_string(warning.count - 1) + " more of the trace)";
    }
    warnings.push_back(std::move(warning.first));
  }
  warnings_.clear();
  warning_positions_.clear();
}

std::vector<core::Workload> Trace::link(ReadContext& context, std::vector<std::size_t>& line_of) {
  ReadContext one;
  one.priority_classes = context.priority_classes;
  one.workload_priority_classes = context.workload_priority_classes;
  Priorities priorities(one);
  std::vector<core::Workload> all;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    line.lists.swap(one);
    link_objects(one, priorities);
    line.lists = {};
    if (one.inventory.workloads.empty()) {
      report(context, line.where,
             "the workload is a pod that runs, has ended, or is a part of one");
    }
    for (core::Workload& workload : one.inventory.workloads) {
      context.errors.insert(context.errors.end(), workload.invalid.begin(), workload.invalid.end());
      if (!workload.invalid.empty()) continue;
      workload.status = {};             // as it was submitted
      if (!workload.held_by.empty()) {  // of what held it back then the trace knows no end
        workload.not_honoured.push_back(std::move(workload.held_by));
        workload.held_by.clear();
      }
      workload.created = line.times.arrival;
      all.push_back(std::move(workload));
      line_of.push_back(i);
    }
    one.inventory.workloads.clear();
    one.inventory.pods.clear();
  }
  std::move(one.errors.begin(), one.errors.end(), std::back_inserter(context.errors));
  fold_warnings(one.warnings, 0);
  tell_warnings(context.warnings);
  return all;
}

/// Counts lines that are earlier than a line before them in the same file. Several files are merged
/// by time, so their order does not matter.
std::size_t Trace::count_out_of_order() const {
  std::size_t count = 0;
  std::int64_t latest = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::int64_t time = lines_[i].times.arrival;
    if (i > 0 && lines_[i].where.file != lines_[i - 1].where.file) latest = 0;
    if (time < latest) ++count;
    latest = std::max(latest, time);
  }
  return count;
}

std::vector<TraceEntry> Trace::finish(ReadContext& context, const config::ResourceRules& rules,
                                      std::vector<std::string>& notes) {
  const std::size_t moved = count_out_of_order();
  if (moved > 0) {
    notes.push_back(counted(static_cast<std::int64_t>(moved), "line", "lines") +
                    " of the trace not in the order of time: sorted");
  }
  std::vector<std::size_t> line_of;
  std::vector<core::Workload> workloads = link(context, line_of);
  settle_requests(context, rules, workloads);
  std::vector<TraceEntry> entries;
  entries.reserve(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Line& line = lines_[line_of[i]];
    entries.push_back({std::make_shared<const core::Workload>(std::move(workloads[i])),
                       line.times.arrival, line.times.start, line.times.run, line.where});
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const TraceEntry& a, const TraceEntry& b) { return a.arrival < b.arrival; });
  lines_.clear();
  return entries;
}

}  // namespace tessera::ingest
