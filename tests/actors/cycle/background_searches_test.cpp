// SPDX-License-Identifier: Apache-2.0
// Who waits for which search, which may begin, and when a result counts.
#include "actors/cycle/background_searches.h"

#include <gtest/gtest.h>

namespace tessera::core {
namespace {

Deferred deferred(std::uint64_t gang) { return {GangId{gang}, 0, nullptr, 0}; }
std::shared_ptr<const SearchResult> result(std::int64_t steps) {
  auto result = std::make_shared<SearchResult>();
  result->steps = steps;
  return result;
}

TEST(BackgroundSearches, MoreThanMayGoOnWaitForALaterSnapshot) {
  BackgroundSearches searches(2, 0);
  for (std::uint64_t gang = 1; gang <= 3; ++gang) searches.defer(deferred(gang));
  const auto first = searches.begin(nullptr);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_FALSE(searches.may_begin());
  EXPECT_TRUE(searches.any_waits());
  EXPECT_TRUE(searches.end(first[0]));
  const auto later = searches.begin(nullptr);
  ASSERT_EQ(later.size(), 1u);
  EXPECT_EQ(later[0].gang, GangId{3});
  EXPECT_FALSE(searches.any_waits());
}

TEST(BackgroundSearches, VirtualTimeKnowsNoLimit) {
  BackgroundSearches searches(1, 50);
  for (std::uint64_t gang = 1; gang <= 3; ++gang) searches.defer(deferred(gang));
  EXPECT_EQ(searches.begin(nullptr).size(), 3u);
  EXPECT_TRUE(searches.holds_time());
}

TEST(BackgroundSearches, NobodyIsSearchedForThatWaitsNoLonger) {
  BackgroundSearches searches(8, 0);
  searches.defer(deferred(1));
  searches.defer(deferred(2));
  EXPECT_FALSE(searches.drop(GangId{1})) << "no result was kept";
  const auto begun = searches.begin(nullptr);
  ASSERT_EQ(begun.size(), 1u);
  EXPECT_EQ(begun[0].gang, GangId{2});
}

TEST(BackgroundSearches, AnEarlierSearchOfTheGangIsNotAwaited) {
  BackgroundSearches searches(8, 0);
  searches.defer(deferred(1));
  const auto first = searches.begin(nullptr);
  searches.drop(GangId{1});
  searches.defer(deferred(1));
  EXPECT_FALSE(searches.end(first[0]));
  const auto second = searches.begin(nullptr);
  EXPECT_TRUE(searches.end(second[0]));
}

TEST(BackgroundSearches, AResultCountsAfterItsStepsWhereTimeIsVirtual) {
  const BackgroundSearches real(8, 0), virtual_time(8, 50);
  EXPECT_EQ(real.due(*result(3), 1'000), std::nullopt);
  EXPECT_EQ(virtual_time.due(*result(3), 1'000), 1'150);
  EXPECT_EQ(virtual_time.due(*result(0), 1'000), 1'050) << "one step at least";
  EXPECT_EQ(virtual_time.due(*result(3), INT64_MIN), std::nullopt) << "nobody told the time";
  EXPECT_EQ(virtual_time.due(*result(INT64_MAX), 1'000), INT64_MAX);
}

TEST(BackgroundSearches, AKeptResultIsTakenOnce) {
  BackgroundSearches searches(8, 50);
  searches.defer(deferred(1));
  const auto begun = searches.begin(nullptr);
  EXPECT_FALSE(searches.take_found(GangId{1}).has_value());
  const auto found = result(1);
  searches.keep(GangId{1}, found);
  EXPECT_EQ(searches.take_found(GangId{1})->result, found);
  EXPECT_FALSE(searches.take_found(GangId{1}).has_value());
  EXPECT_FALSE(searches.is_awaited(GangId{1}, begun[0].ticket));
}

TEST(BackgroundSearches, DroppingTellsThatAResultWasKept) {
  BackgroundSearches searches(8, 50);
  searches.defer(deferred(1));
  searches.keep(GangId{1}, result(1));
  EXPECT_TRUE(searches.drop(GangId{1}));
  EXPECT_FALSE(searches.drop(GangId{1}));
}

}  // namespace
}  // namespace tessera::core
