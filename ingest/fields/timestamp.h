// SPDX-License-Identifier: Apache-2.0
// Times of the API ("2026-11-27T08:15:00Z") as nanoseconds since the epoch.
//
// Called by every reader that needs a time. Pure: looks at no clock and no time zone of the
// machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::ingest {

/// Reads RFC 3339. A fraction is cut off, since the API keeps whole seconds; an offset is applied.
/// Nothing if the text is not a time. Dates that 64 bits cannot hold (before 1677, after 2262)
/// become the earliest or latest time.
std::optional<std::int64_t> parse_timestamp(std::string_view text);

/// "2026-11-27T08:15:00Z", without the fraction of the second.
std::string timestamp_text(std::int64_t nanoseconds);

}  // namespace tessera::ingest
