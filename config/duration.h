// SPDX-License-Identifier: Apache-2.0
// Lengths of time as Kubernetes' configurations write them: "5m", "1h30m", "250ms".
//
// Pure functions over whole numbers of h, m, s and ms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::config {

/// Nanoseconds; nothing if it is no such text, or longer than 100 years.
std::optional<std::int64_t> parse_duration(std::string_view text);

/// Back as a text; what is below a millisecond is left out.
std::string duration_text(std::int64_t nanoseconds);

}  // namespace tessera::config
