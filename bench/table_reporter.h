// SPDX-License-Identifier: Apache-2.0
// TableReporter: prints the results as one table when all benchmarks have run. Each line shows a
// row, its physical limit, its target, and whether the target is met.
//
// It takes the place of google-benchmark's console reporter; the JSON file is written as well. Rows
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
  struct Measure;  // how a counter of a row is shown
  struct Row {
    std::string name, state;
    std::uint32_t nodes = 0;           // 0: it has no size
    const Measure* measure = nullptr;  // null: microseconds
    double p50 = 0, p99 = 0;           // p99 0: unknown
    double share = -1;                 // of decisions placed, or refused; below 0: unknown
    double used = -1;                  // share of the cluster; below 0: unknown
    double threads = 0;                // that took part; 0: unknown
  };

  static Row row_of(const Run& run);
  /// Adds a line for each of the run's counters that has a measure; without any, a line for its
  /// time.
  void add_lines(const Run& run);
  const Row* find(const std::string& name, std::uint32_t nodes, const std::string& state) const;
  std::string verdict(const Row& row, std::string& target) const;
  void print(const Row& row) const;

  std::vector<Row> rows_;
};

}  // namespace tessera::bench
