// SPDX-License-Identifier: Apache-2.0
#include "config/profile_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace tessera::config {
namespace {

struct GlobCase {
  const char *name, *pattern, *text;
  bool matches;
};
const GlobCase kGlobCases[] = {
    {"exact", "prod", "prod", true},
    {"prefix only is no match", "prod", "prod-a", false},
    {"star at the end", "prod-*", "prod-a", true},
    {"star matches nothing", "prod-*", "prod-", true},
    {"star in the middle", "a*c", "abbc", true},
    {"two stars come back", "*ab*b", "aabb", true},
    {"last part must be at the end", "*a", "ab", false},
    {"empty pattern, empty text", "", "", true},
    {"empty pattern, some text", "", "a", false},
};

TEST(Glob, MatchesAsTheTableSays) {
  for (const GlobCase& c : kGlobCases) {
    EXPECT_EQ(glob_matches(c.pattern, c.text), c.matches) << c.name;
  }
}

TEST(Glob, HostilePatternEndsSoon) {
  std::string pattern;
  for (int i = 0; i < 100; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(10'000, 'a')));
}

TEST(ProfileRules, FirstMatchWinsAndAnEmptyFieldMatchesAll) {
  const std::vector<ProfileRule> rules = {
      {"prod-*", "Job", "one"}, {"prod-*", "", "two"}, {"", "JobSet", "three"}};
  EXPECT_EQ(profile_by_rules(rules, "prod-a", "Job"), "one");
  EXPECT_EQ(profile_by_rules(rules, "prod-a", "JobSet"), "two");
  EXPECT_EQ(profile_by_rules(rules, "dev", "JobSet"), "three");
  EXPECT_EQ(profile_by_rules(rules, "dev", "Job"), "default");
}

}  // namespace
}  // namespace tessera::config
