// SPDX-License-Identifier: Apache-2.0
#include "bench/table_reporter.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <sstream>

#include "bench/targets.h"

namespace tessera::bench {
namespace {

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

/// Three significant digits.
std::string digits(double value) {
  return formatted(value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

double counter(const benchmark::BenchmarkReporter::Run& run, const char* name, double otherwise) {
  const auto found = run.counters.find(name);
  return found == run.counters.end() ? otherwise : static_cast<double>(found->second);
}

void print_line(const std::string& name, const std::string& nodes, const std::string& state,
                const std::string& p50, const std::string& p99, const std::string& limit,
                const std::string& target, const std::string& verdict, const std::string& notes) {
  std::printf("%-20s %9s %-14s %12s %12s %10s %-22s %-12s %s\n", name.c_str(), nodes.c_str(),
              state.c_str(), p50.c_str(), p99.c_str(), limit.c_str(), target.c_str(),
              verdict.c_str(), notes.c_str());
}

}  // namespace

struct TableReporter::Measure {
  const char* counter;
  const char* suffix;  // of the row's name
  const char* unit;
  double scale;
  bool at_least;  // the target is a floor

  static const Measure kAll[];
};

const TableReporter::Measure TableReporter::Measure::kAll[] = {
    {"bytes_a_node", "", " B", 1, false},
    {"bytes_per_second", "", " MB/s", 1e-6, true},
    {"gangs_per_second", "", " gangs/s", 1, true},
    {"messages_a_gang", "Messages", " a gang", 1, false},
    {"solves_an_end", "Solves", " an end", 1, false},
    {"bytes_a_gang", "", " B", 1, false},
    {"bytes", "", " MB", 1e-6, false},
    {"seconds", "", " s", 1, false},
    {"avoided_percent", "Avoided", " %", 1, true},
};

bool TableReporter::ReportContext(const Context& context) {
  PrintBasicContext(&std::cerr, context);
  return true;
}

/// A run's name is NAME/STATE/NODES or NAME/NODES/STATE, and more that says how it was run.
TableReporter::Row TableReporter::row_of(const Run& run) {
  Row row;
  std::istringstream parts(run.benchmark_name());
  std::getline(parts, row.name, '/');
  for (std::string part; std::getline(parts, part, '/');) {
    if (is_number(part)) {
      row.nodes = static_cast<std::uint32_t>(std::stoul(part));
    } else if (part != "manual_time" && part.rfind("iterations:", 0) != 0) {
      row.state += (row.state.empty() ? "" : " ") + part;
    }
  }
  const double seconds =
      run.real_accumulated_time /
      static_cast<double>(std::max<std::int64_t>(1, static_cast<std::int64_t>(run.iterations)));
  row.p50 = counter(run, "p50_us", seconds * 1e6);
  row.p99 = counter(run, "p99_us", 0);
  row.threads = counter(run, "threads_seen", 0);
  row.used = counter(run, "used_share", -1);
  row.share = counter(run, "placed_share", counter(run, "refused_share", -1));
  return row;
}

void TableReporter::add_lines(const Run& run) {
  const Row row = row_of(run);
  bool measured = false;
  for (const Measure& measure : Measure::kAll) {
    const double value = counter(run, measure.counter, -1);
    if (value < 0) continue;
    Row& line = rows_.emplace_back(row);
    line.name += measure.suffix;
    line.measure = &measure;
    line.p50 = value * measure.scale;
    line.p99 = 0;
    if (measured) line.share = -1;  // printed once
    measured = true;
  }
  if (!measured) rows_.push_back(row);
}

void TableReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type == Run::RT_Iteration) add_lines(run);
  }
  std::cerr << '.' << std::flush;  // a sign of life in a run of minutes
}

const TableReporter::Row* TableReporter::find(const std::string& name, std::uint32_t nodes,
                                              const std::string& state) const {
  const auto same = [&](const Row& row) {
    return row.name == name && row.nodes == nodes && row.state == state;
  };
  const auto found = std::find_if(rows_.begin(), rows_.end(), same);
  return found == rows_.end() ? nullptr : &*found;
}

std::string TableReporter::verdict(const Row& row, std::string& text) const {
  const auto target = target_of(row.name, row.nodes, row.state);
  if (!target) return "";
  double over = 0;
  const auto hold = [&](double value, double most, const std::string& words) {
    if (most <= 0) return;
    over = std::max(over, value / most);
    text += (text.empty() ? "" : ", ") + words;
  };
  if (row.measure != nullptr && row.measure->at_least) {
    hold(target->p50, row.p50, ">= " + digits(target->p50));
  } else {
    hold(row.p50, target->p50, "<= " + digits(target->p50));
  }
  hold(row.p99, target->p99, "p99 <= " + digits(target->p99));
  if (target->growth > 0) {
    if (const Row* smaller = find(row.name, row.nodes / 10, row.state)) {
      hold(row.p50, target->growth * smaller->p50,
           formatted("<= %.1f of", target->growth) + " " + digits(smaller->p50));
    }
  }
  if (target->disturbed > 0) {
    if (const Row* calm = find(row.name, row.nodes, "calm")) {
      hold(row.p99, target->disturbed * calm->p99,
           formatted("p99 <= %.1f of", target->disturbed) + " " + digits(calm->p99));
    }
  }
  if (over <= 0) return "";
  return over <= 1 ? "ok" : "x" + digits(over) + " over";
}

void TableReporter::print(const Row& row) const {
  const char* const unit = row.measure == nullptr ? " us" : row.measure->unit;
  const double limit = limit_of(row.name, row.nodes, row.state);
  std::string target, notes;
  const std::string met = verdict(row, target);
  if (row.share >= 0) notes = formatted("%.1f %% ", row.share * 100);
  if (row.share >= 0) notes += row.name.rfind("BM_CannotFit", 0) == 0 ? "refused" : "placed";
  if (row.used >= 0) notes += formatted(" at %.0f %% use", row.used * 100);
  if (row.threads > 0) {
    notes += (notes.empty() ? "" : ", ") + formatted("%.0f took part", row.threads);
  }
  const Row* const plain = find(row.name, row.nodes, "plain");
  const bool in_caches = row.state == "hot" || row.state == "random";
  if (plain != nullptr && in_caches && row.p50 > 0) {
    notes += ", plain search x" + digits(plain->p50 / row.p50);
  }
  const Row* const local = find(row.name, row.nodes, "local");
  if (local != nullptr && row.state == "actors" && local->p50 > 0) {
    notes += (notes.empty() ? "" : ", ") + digits(row.p50 / local->p50) + " of local";
  }
  print_line(row.name, row.nodes > 0 ? std::to_string(row.nodes) : "", row.state,
             digits(row.p50) + unit, row.p99 > 0 ? digits(row.p99) + unit : "",
             limit > 0 ? digits(limit) : "", target, met, notes);
}

void TableReporter::Finalize() {
  std::cerr << '\n';
  std::vector<std::string> names;  // in the order of their first rows
  for (const Row& row : rows_) {
    if (std::find(names.begin(), names.end(), row.name) == names.end()) names.push_back(row.name);
  }
  print_line("benchmark", "nodes", "state", "p50", "p99", "limit", "target", "", "");
  for (const std::string& name : names) {
    for (const Row& row : rows_) {
      if (row.name == name) print(row);
    }
  }
}

}  // namespace tessera::bench
