// SPDX-License-Identifier: Apache-2.0
#include "config/duration.h"

#include <charconv>

namespace tessera::config {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t nanoseconds;
};
constexpr std::int64_t kMilli = 1'000'000, kSecond = 1'000 * kMilli;
constexpr Unit kUnits[] = {
    {"h", 3'600 * kSecond}, {"m", 60 * kSecond}, {"s", kSecond}, {"ms", kMilli}};
constexpr std::int64_t kMost = std::int64_t{36'525} * 24 * 3'600 * kSecond;

}  // namespace

std::optional<std::int64_t> parse_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::int64_t sum = 0;
  while (!text.empty()) {
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault != std::errc() || text.front() == '-') return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view name = text.substr(0, text.find_first_of("0123456789"));
    const Unit* unit = nullptr;
    for (const Unit& each : kUnits) {
      if (each.name == name) unit = &each;
    }
    if (unit == nullptr || number > (kMost - sum) / unit->nanoseconds) return std::nullopt;
    sum += number * unit->nanoseconds;
    text.remove_prefix(name.size());
  }
  return sum;
}

std::string duration_text(std::int64_t nanoseconds) {
  std::string text;
  for (const Unit& unit : kUnits) {
    const std::int64_t count = nanoseconds / unit.nanoseconds;
    nanoseconds %= unit.nanoseconds;
    if (count > 0) text += std::to_string(count) + std::string(unit.name);
  }
  return text.empty() ? "0s" : text;
}

}  // namespace tessera::config
