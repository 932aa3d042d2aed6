// SPDX-License-Identifier: Apache-2.0
// Names of workloads made from other objects: ux.md rule 1.
#include "ingest/link/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::ingest {
namespace {

using ::testing::MatchesRegex;

core::Workload workload(const std::string& kind, const std::string& name,
                        const std::string& api_version = "batch/v1") {
  core::Workload made;
  made.namespace_name = "n";
  made.origin = {api_version, kind, name, ""};
  return made;
}

TEST(Names, AreKindAndName) {
  NameBook names;
  core::Workload made = workload("JobSet", "pretrain.v2");
  names.name(made);
  EXPECT_EQ(made.name, "jobset-pretrain.v2");
  EXPECT_EQ(made.origin_label, "jobset.pretrain.v2");
}

TEST(Names, OfSixtyThreeCharactersAreNotCut) {
  NameBook names;
  core::Workload fits = workload("Job", std::string(59, 'a'));
  core::Workload longer = workload("Job", std::string(60, 'a'));
  names.name(fits);
  names.name(longer);
  EXPECT_EQ(fits.name, "job-" + std::string(59, 'a'));
  EXPECT_EQ(longer.name.size(), 63u);
  EXPECT_THAT(longer.name, MatchesRegex("job-a+-[0-9a-f]{5}"));
  EXPECT_THAT(longer.origin_label, MatchesRegex("job\\.a+-[0-9a-f]{5}"));
}

TEST(Names, DifferForLongNamesThatDifferAtTheirEnd) {
  NameBook names;
  core::Workload one = workload("Job", std::string(80, 'a') + "1");
  core::Workload two = workload("Job", std::string(80, 'a') + "2");
  names.name(one);
  names.name(two);
  EXPECT_NE(one.name, two.name);
}

TEST(Names, TakenByAnotherObjectGetAHash) {
  NameBook names;
  names.take("n", "job-a");
  names.take("m", "job-b");
  core::Workload taken = workload("Job", "a");
  core::Workload free = workload("Job", "b");
  names.name(taken);
  names.name(free);
  EXPECT_THAT(taken.name, MatchesRegex("job-a-[0-9a-f]{5}"));
  EXPECT_EQ(free.name, "job-b");
}

TEST(Names, OfEqualKindsOfTwoGroupsDiffer) {
  NameBook names;
  core::Workload batch = workload("Job", "a");
  core::Workload volcano = workload("Job", "a", "batch.volcano.sh/v1alpha1");
  names.name(batch);
  names.name(volcano);
  EXPECT_EQ(batch.name, "job-a");
  EXPECT_THAT(volcano.name, MatchesRegex("job-a-[0-9a-f]{5}"));
}

TEST(Names, NeverEndALabelBeforeTheHash) {
  NameBook names;
  core::Workload made = workload("Job", std::string(52, 'a') + "." + std::string(20, 'b'));
  names.name(made);
  EXPECT_THAT(made.name, MatchesRegex("job-a+-[0-9a-f]{5}"));
}

TEST(Names, AreTheSameInEveryRun) {
  NameBook first, second;
  core::Workload one = workload("Job", std::string(80, 'a'));
  core::Workload two = one;
  first.name(one);
  second.name(two);
  EXPECT_EQ(one.name, two.name);
}

}  // namespace
}  // namespace tessera::ingest
