// SPDX-License-Identifier: Apache-2.0
// The checks of the interleaving tests find faults that are built in on purpose, and nothing where
// there is none.
#include "actors/records/planted_bug.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "tests/support/engine_by_hand.h"

namespace tessera::core {
namespace {

using test::ByHandOptions;
using test::ByHandRun;

constexpr std::uint64_t kSeeds = 200;

struct PlantedCase {
  const char* name;
  PlantedBug bug;
  ByHandOptions options;
  const char* finding;  // a part of what some seed finds; empty: none finds anything
};

const PlantedCase kCases[] = {
    {"none", PlantedBug::kNone, {}, ""},
    {"none_with_refusals", PlantedBug::kNone, {.refuses = 20}, ""},
    {"skipped_release", PlantedBug::kSkippedRelease, {}, "ended and still holds something"},
    {"commit_before_durable", PlantedBug::kCommitBeforeDurable, {}, "published and is not durable"},
    {"double_apply", PlantedBug::kDoubleApply, {}, "the planner's copy of it differ"},
    {"lost_retract",
     PlantedBug::kLostRetract,
     {.refuses = 20},
     "live for the planner or for the owners"},
    {"quota_without_capacity", PlantedBug::kQuotaWithoutCapacity, {}, "neither whole nor absent"},
};

std::ostream& operator<<(std::ostream& out, const PlantedCase& each) { return out << each.name; }

class Planted : public testing::TestWithParam<PlantedCase> {};

TEST_P(Planted, BugIsFound) {
  const PlantedCase& each = GetParam();
  const test::EngineScript script = test::engine_script(
      "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4", "left:6/pool right:6/pool solo:4",
      "@1 +a/left:4x1@block +b/right:1x4@rack; +c/solo:2x2 +d/left:6x1; -b +e/right:3x2@rack?;"
      "-a -c +f/solo:2x2 +g/left:8x1");
  planted_bug = each.bug;
  std::size_t found = 0;
  std::set<std::string> findings;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const ByHandRun run = test::run_by_hand(script, each.options, seed);
    const std::string finding = run.wrong + run.fatal;
    if (finding.empty()) continue;
    if (found++ == 0) std::printf("seed %zu: %s\n", std::size_t{seed}, finding.c_str());
    findings.insert(finding);
  }
  planted_bug = PlantedBug::kNone;
  std::printf("%s: found by %zu of %zu seeds\n", each.name, found, std::size_t{kSeeds});
  if (*each.finding == '\0') {
    EXPECT_THAT(findings, testing::IsEmpty());
  } else {
    EXPECT_THAT(findings, testing::Contains(testing::HasSubstr(each.finding)));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Planted, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tessera::core
