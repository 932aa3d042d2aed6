// SPDX-License-Identifier: Apache-2.0
// The benchmark program. Flags are google-benchmark's. --benchmark_filter=BM_OneRack/100000 runs
// single rows, which is quick; =Simulation/10000/whole simulates all 30 days; =Months runs ten
// million gangs. --benchmark_out writes JSON.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/rows.h"
#include "bench/table_reporter.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const std::uint32_t nodes : {1'000U, 10'000U, 100'000U, 1'000'000U}) {
    tessera::bench::add_placement_rows(nodes);
    tessera::bench::add_upkeep_rows(nodes);
    tessera::bench::add_other_worlds(nodes);
  }
  for (const std::uint32_t nodes : {2'048U, 16'384U, 100'000U}) {
    tessera::bench::add_tree_rows(nodes);
  }
  tessera::bench::add_engine_rows(100'000);
  tessera::bench::add_engine_memory_rows();
  tessera::bench::add_quota_rows();
  tessera::bench::add_simulation_row(false);
  // These take minutes each, so they run only if the filter names them.
  if (benchmark::GetBenchmarkFilter().find("Months") != std::string::npos) {
    tessera::bench::add_engine_months_row();
  }
  if (benchmark::GetBenchmarkFilter().find("whole") != std::string::npos) {
    tessera::bench::add_simulation_row(true);
  }
  tessera::bench::TableReporter table;
  benchmark::RunSpecifiedBenchmarks(&table);
  benchmark::Shutdown();
  return 0;
}
