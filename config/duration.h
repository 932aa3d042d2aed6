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

/// Nanoseconds. Nothing if the text is no length of time, or is longer than 100 years.
std::optional<std::int64_t> parse_duration(std::string_view text);

/// The length of time as a text, without parts below a millisecond.
std::string duration_text(std::int64_t nanoseconds);

}  // namespace tessera::config
