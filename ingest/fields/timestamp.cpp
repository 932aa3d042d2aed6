// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/timestamp.h"

#include <array>
#include <chrono>
#include <cstdio>

#include "topology/nodes/amounts.h"

namespace tessera::ingest {
namespace {

/// Takes `digits` digits off the front of `text`.
std::optional<int> take_number(std::string_view& text, std::size_t digits) {
  if (text.size() < digits) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, digits)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool take(std::string_view& text, char wanted) {
  if (text.empty() || text.front() != wanted) return false;
  text.remove_prefix(1);
  return true;
}

/// "Z" or "+01:30"; nothing if it is neither.
std::optional<int> offset_seconds(std::string_view text) {
  if (text == "Z" || text == "z") return 0;
  const bool east = take(text, '+');
  if (!east && !take(text, '-')) return std::nullopt;
  const std::optional<int> hours = take_number(text, 2);
  if (!hours || *hours > 23 || !take(text, ':')) return std::nullopt;
  const std::optional<int> minutes = take_number(text, 2);
  if (!minutes || *minutes > 59 || !text.empty()) return std::nullopt;
  const int seconds = (*hours * 60 + *minutes) * 60;
  return east ? seconds : -seconds;
}

std::optional<std::int64_t> take_date(std::string_view& text) {
  const std::optional<int> year = take_number(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const std::optional<int> month = take_number(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const std::optional<int> day = take_number(text, 2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  return static_cast<std::int64_t>(std::chrono::sys_days{date}.time_since_epoch().count()) * 86400;
}

}  // namespace

std::optional<std::int64_t> parse_timestamp(std::string_view text) {
  const std::optional<std::int64_t> day = take_date(text);
  if (!day || (!take(text, 'T') && !take(text, 't'))) return std::nullopt;
  const std::optional<int> hour = take_number(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const std::optional<int> minute = take_number(text, 2);
  if (!minute || *minute > 59 || !take(text, ':')) return std::nullopt;
  const std::optional<int> second = take_number(text, 2);
  if (!second || *second > 60) return std::nullopt;  // 60: a leap second
  if (take(text, '.')) {
    if (!take_number(text, 1)) return std::nullopt;
    while (take_number(text, 1)) continue;
  }
  const std::optional<int> offset = offset_seconds(text);
  if (!offset) return std::nullopt;
  constexpr std::int64_t kNano = 1'000'000'000;
  const std::int64_t seconds = *day + std::int64_t{60} * (60 * *hour + *minute) + *second - *offset;
  return topology::saturating_mul(seconds, kNano);
}

std::string timestamp_text(std::int64_t nanoseconds) {
  using std::chrono::floor;
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(nanoseconds)};
  const auto second = floor<std::chrono::seconds>(time);
  const auto day = floor<std::chrono::days>(second);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss<std::chrono::seconds> clock(second - day);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()));
  return text.data();
}

}  // namespace tessera::ingest
