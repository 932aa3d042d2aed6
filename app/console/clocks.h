// SPDX-License-Identifier: Apache-2.0
// The clocks of the machine. Only commands read them; code that decides never does.
#pragma once

#include <cstdint>
#include <string>

namespace tessera::app {

/// Nanoseconds of a steady clock, for figures.
std::int64_t steady_nanoseconds();
std::int64_t now_seconds();
/// RFC 3339, UTC.
std::string now_text();

}  // namespace tessera::app
