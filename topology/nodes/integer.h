// SPDX-License-Identifier: Apache-2.0
// A base-10 integer of 64 bits as Go's ParseInt reads it: label values, annotations, tolerations.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::topology {

/// Nothing unless the whole text is a number. A leading + is allowed, white space is not.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace tessera::topology
