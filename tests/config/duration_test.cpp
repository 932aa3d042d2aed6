// SPDX-License-Identifier: Apache-2.0
#include "config/duration.h"

#include <gtest/gtest.h>

#include "config/pods_ready.h"

namespace tessera::config {
namespace {

struct DurationCase {
  const char* text;
  std::int64_t milliseconds;  // -1: no duration
  const char* again;          // duration_text() of it
};
const DurationCase kDurations[] = {
    {"0s", 0, "0s"},
    {"250ms", 250, "250ms"},
    {"90s", 90'000, "1m30s"},
    {"5m0s", 300'000, "5m"},
    {"1h30m", 5'400'000, "1h30m"},
    {"1h1h", 7'200'000, "2h"},
    {"876600h", 3'155'760'000'000, "876600h"},
    {"876600h1ms", -1, ""},
    {"99999999999999999999s", -1, ""},
    {"", -1, ""},
    {"5", -1, ""},
    {"m", -1, ""},
    {"5 m", -1, ""},
    {"-5m", -1, ""},
    {"1.5h", -1, ""},
    {"5d", -1, ""},
    {"5m3", -1, ""},
};

TEST(Duration, IsReadExactlyAndWrittenBack) {
  for (const DurationCase& c : kDurations) {
    const std::optional<std::int64_t> read = parse_duration(c.text);
    ASSERT_EQ(read.has_value(), c.milliseconds >= 0) << c.text;
    if (!read) continue;
    EXPECT_EQ(*read, c.milliseconds * 1'000'000) << c.text;
    EXPECT_EQ(duration_text(*read), c.again);
  }
}

struct BackoffCase {
  std::int64_t base, most, count, seconds;
};
const BackoffCase kBackoffs[] = {
    {60, 3600, 1, 60},
    {60, 3600, 2, 120},
    {60, 3600, 6, 1920},
    {60, 3600, 7, 3600},
    {60, 3600, 1'000, 3600},
    {90, 30, 1, 30},
    {0, 3600, 1'000'000, 0},
    {5, 0, 3, 0},
    {1, 1'000'000'000, 60, 1'000'000'000},
};

TEST(PodsReady, BackOffDoublesUpToItsMost) {  // queues.md 3.2
  for (const BackoffCase& c : kBackoffs) {
    PodsReady rule;
    rule.backoff_base_seconds = c.base;
    rule.backoff_max_seconds = c.most;
    EXPECT_EQ(rule.backoff(c.count), c.seconds * 1'000'000'000) << c.base << ' ' << c.count;
  }
}

}  // namespace
}  // namespace tessera::config
