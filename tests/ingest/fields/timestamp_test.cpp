// SPDX-License-Identifier: Apache-2.0
// Times as nanoseconds: offsets, fractions, and dates that 64 bits cannot hold.
#include "ingest/fields/timestamp.h"

#include <gtest/gtest.h>

namespace tessera::ingest {
namespace {

struct TimeCase {
  const char* name;
  const char* text;
  std::optional<std::int64_t> nanoseconds;
};
const TimeCase kTimes[] = {
    {"epoch", "1970-01-01T00:00:00Z", 0},
    {"before the epoch", "1969-12-31T23:59:59Z", -1'000'000'000},
    {"offset east", "1970-01-01T01:30:10+01:30", 10'000'000'000},
    {"fraction is cut off", "1970-01-01T00:00:01.9Z", 1'000'000'000},
    {"day of this year", "2026-11-27T08:15:00Z", 1'795'767'300'000'000'000},
    {"last year that fits", "2262-01-01T00:00:00Z", 9'214'646'400'000'000'000},
    {"after the last", "2263-01-01T00:00:00Z", INT64_MAX},
    {"end of the calendar", "9999-12-31T23:59:60Z", INT64_MAX},
    {"before the first", "0001-01-01T00:00:00Z", INT64_MIN},
    {"no zone", "2026-11-27T08:15:00", std::nullopt},
    {"no such day", "2026-02-30T08:15:00Z", std::nullopt},
};

TEST(Timestamp, IsReadToNanosecondsAndSaturates) {
  for (const TimeCase& c : kTimes) EXPECT_EQ(parse_timestamp(c.text), c.nanoseconds) << c.name;
}

}  // namespace
}  // namespace tessera::ingest
