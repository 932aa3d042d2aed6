// SPDX-License-Identifier: Apache-2.0
// Lines of the decision log: exact times, and only pod sets that have a topology.
#include "ingest/encode/decision_log.h"

#include <gtest/gtest.h>

namespace tessera::encode {
namespace {

TEST(DecisionLog, AdmissionHasTheAssignmentOfEachPodSetWithATopology) {
  core::Admission admission;
  core::PodSetAssignment& workers = admission.pod_sets.emplace_back();
  workers.name = "workers";
  workers.levels = {topology::hostname_label()};
  for (const char* host : {"h1", "h2"}) workers.domains.add(std::vector{topology::Symbol(host)}, 2);
  admission.pod_sets.emplace_back().name = "plain";
  EXPECT_EQ(decision_line({1'500'000'000, 3, 7, "ns/w", &admission}),
            R"({"time":1.5,"seq":3,"gang":7,"workload":"ns/w","event":"Admitted","assignment":)"
            R"({"workers":{"levels":["kubernetes.io/hostname"],"slices":[{"domainCount":2,)"
            R"("valuesPerLevel":[{"individual":{"prefix":"h","roots":["1","2"]}}],)"
            R"("podCounts":{"universal":2}}]}}})"
            "\n");
}

TEST(DecisionLog, OnlyTheHostnameIsWrittenOfATopologyThatEndsAtTheHost) {  // placement.md 4.7
  struct Case {
    std::vector<topology::Symbol> levels;
    const char* written;
  };
  const topology::Symbol block("block"), rack("rack");
  const Case cases[] = {
      {{block, topology::hostname_label()}, R"(["kubernetes.io/hostname"])"},
      {{block, rack}, R"(["block","rack"])"},
  };
  for (const Case& c : cases) {
    core::Admission admission;
    core::PodSetAssignment& workers = admission.pod_sets.emplace_back();
    workers.name = "workers";
    workers.levels = c.levels;
    workers.domains.add(std::vector{topology::Symbol("b1"), topology::Symbol("x1")}, 2);
    const std::string line = decision_line({0, 1, 1, "ns/w", &admission});
    EXPECT_NE(line.find("\"levels\":" + std::string(c.written)), std::string::npos) << line;
    EXPECT_EQ(line.find("b1") == std::string::npos, c.levels.back() != rack) << line;
  }
}

TEST(DecisionLog, EndHasNoAssignment) {
  EXPECT_EQ(decision_line({0, 1, 0, "ns/w", nullptr}),
            R"({"time":0,"seq":1,"gang":0,"workload":"ns/w","event":"Finished"})"
            "\n");
}

TEST(DecisionLog, EvictionHasNoAssignment) {
  EXPECT_EQ(decision_line({0, 1, 0, "ns/w", nullptr, true}),
            R"({"time":0,"seq":1,"gang":0,"workload":"ns/w","event":"Evicted"})"
            "\n");
}

TEST(DecisionLog, NameThatIsNoUtf8StaysJson) {
  EXPECT_NE(decision_line({0, 1, 0, "ns/\xFF", nullptr}).find("\xEF\xBF\xBD"), std::string::npos);
}

struct SecondsCase {
  std::int64_t nanoseconds;
  const char* text;
};
const SecondsCase kSeconds[] = {
    {0, "0"},
    {1, "0.000000001"},
    {250'000'000, "0.25"},
    {12'000'000'000, "12"},
    {-1, "-0.000000001"},
    {-1'500'000'000, "-1.5"},
    {1'795'767'300'123'456'789, "1795767300.123456789"},
    {INT64_MAX, "9223372036.854775807"},
    {INT64_MIN, "-9223372036.854775808"},
};

TEST(DecisionLog, SecondsAreExact) {
  for (const SecondsCase& c : kSeconds) EXPECT_EQ(seconds_text(c.nanoseconds), c.text);
}

}  // namespace
}  // namespace tessera::encode
