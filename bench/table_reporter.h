// SPDX-License-Identifier: Apache-2.0
// TableReporter: prints what the benchmarks found as one table, when all have run: a line a row,
// with the physical limit, the target, and whether it is met.
//
// Stands where google-benchmark's console reporter would; the JSON file is written beside it. Rows
// without the counters of bench/rows.h show their mean.
#pragma once

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace tessera::bench {

class TableReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

 private:
  struct Measure;  // what a counter of a row is shown as
  struct Row {
    std::string name, state;
    std::uint32_t nodes = 0;           // 0: it has no size
    const Measure* measure = nullptr;  // null: microseconds
    double p50 = 0, p99 = 0;           // p99 0: unknown
    double share = -1;   // that placed something, or was refused; below 0: it says nothing
    double used = -1;    // share of the cluster; likewise
    double threads = 0;  // that took part; 0: it says nothing
  };

  static Row row_of(const Run& run);
  /// A line for each of the run's counters that has a measure; without any, one of its time.
  void add_lines(const Run& run);
  const Row* find(const std::string& name, std::uint32_t nodes, const std::string& state) const;
  std::string verdict(const Row& row, std::string& target) const;
  void print(const Row& row) const;

  std::vector<Row> rows_;
};

}  // namespace tessera::bench
