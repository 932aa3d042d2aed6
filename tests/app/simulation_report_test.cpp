// SPDX-License-Identifier: Apache-2.0
// What `simulate` prints of given figures: names and types of the JSON, and the table.
#include "app/simulation_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tessera::app {
namespace {

using nlohmann::json;

constexpr std::int64_t kSecond = 1'000'000'000;

SimulationReport report_of_a_day() {
  SimulationReport report;
  report.profile = "default";
  report.nodes = 1440;
  report.gpus = 5760;
  report.never = 1;
  report.wall_nanoseconds = 12'340'000'000;
  report.warnings = 2;
  core::SimulationResult& result = report.result;
  result.gangs = 4003;
  result.admitted = 4000;
  result.finished = 3999;
  result.waiting = {7, 8, 9};
  result.decisions = 123'400;
  result.waits = {4000, 12 * kSecond, 840 * kSecond, 11'000 * kSecond};
  result.waits_by_size = {{{3000, 2 * kSecond, 60 * kSecond, 70 * kSecond},
                           {1000, 12'500'000'000, 2460 * kSecond, 2461 * kSecond},
                           {}}};
  result.end = 100'800 * kSecond;
  result.gpu_use = 0.8214;
  result.hash = {0x9f, 0x3c, 0x00, 0x01, 0x02, 0x03, 0x04};
  result.counters.retries_avoided = 1;
  return report;
}

TEST(SimulationReport, JsonHasTheFiguresUnderTheirNames) {
  const json out = json::parse(simulation_json(report_of_a_day()));
  EXPECT_EQ(out["apiVersion"], "tessera.dev/v1alpha1");
  EXPECT_EQ(out["kind"], "Simulation");
  EXPECT_EQ(out["profile"], "default");
  const std::string hash = out["decisionHash"];
  EXPECT_EQ(hash.size(), 64u);
  EXPECT_EQ(hash.substr(0, 14), "9f3c0001020304");
  const std::pair<const char*, std::int64_t> counts[] = {
      {"nodes", 1440},    {"gpus", 5760},         {"gangs", 4003},
      {"admitted", 4000}, {"finished", 3999},     {"waiting", 3},
      {"never", 1},       {"decisions", 123'400}, {"decisionsPerSecond", 10'000},
      {"errors", 0},      {"warnings", 2}};
  for (const auto& [name, count] : counts) EXPECT_EQ(out[name], count) << name;
  EXPECT_EQ(out["waitSeconds"], json({{"p50", 12.0}, {"p95", 840.0}, {"p99", 11'000.0}}));
  EXPECT_EQ(out["gpuUse"], 0.8214);
  EXPECT_EQ(out["makespanSeconds"], 100'800.0);
  EXPECT_EQ(out["wallSeconds"], 12.34);
  EXPECT_EQ(out["counters"]["retriesAvoided"], 1);
}

TEST(SimulationReport, SizeClassWithoutGangsHasNoPercentiles) {
  const json sizes = json::parse(simulation_json(report_of_a_day()))["waitSecondsBySize"];
  ASSERT_EQ(sizes.size(), 3u);
  EXPECT_EQ(
      sizes[1],
      json({{"gpus", "9-64"}, {"gangs", 1000}, {"p50", 12.5}, {"p95", 2460.0}, {"p99", 2461.0}}));
  EXPECT_EQ(
      sizes[2],
      json({{"gpus", ">64"}, {"gangs", 0}, {"p50", nullptr}, {"p95", nullptr}, {"p99", nullptr}}));
}

TEST(SimulationReport, TableShowsTheRunOnFourLines) {
  EXPECT_EQ(
      simulation_table(report_of_a_day(), true),
      "1d4h, 1,440 nodes, 5,760 GPUs, 4,003 gangs: 12.3 s   hash 9f3c00010203\n"
      "PROFILE  GPU USE  WAIT p50/p95 <=8  WAIT p95 9-64  WAIT p95 >64  WAIT p50/p95/p99  "
      "DECISIONS/S\n"
      "default   82.1 %           2s/1m0s          41m0s             -    12s/14m0s/3h3m       "
      "10,000\n"
      "3,999 finished, 1 still running, 2 waiting, 1 never fit; 123,400 decisions, 1 retry "
      "avoided\n");
}

TEST(SimulationReport, NothingSimulatedDividesByNothing) {
  SimulationReport report;
  report.profile = "p";
  const json out = json::parse(simulation_json(report));
  EXPECT_EQ(out["decisionsPerSecond"], 0);
  EXPECT_EQ(out["gpuUse"], 0);
  EXPECT_TRUE(out["waitSeconds"]["p50"].is_null());
}

}  // namespace
}  // namespace tessera::app
