// SPDX-License-Identifier: Apache-2.0
// Times of the API ("2026-11-27T08:15:00Z") as nanoseconds since the epoch.
//
// Called by every reader that needs a time. Pure: looks at no clock and no time zone of the
// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::ingest {

/// RFC 3339, with a fraction (cut off: the API keeps whole seconds) and an offset if written;
/// nothing if it is no time. Dates that 64 bits cannot hold (before 1677, after 2262) saturate.
std::optional<std::int64_t> parse_timestamp(std::string_view text);

}  // namespace tessera::ingest
