// SPDX-License-Identifier: Apache-2.0
// The known name that a mistyped one most likely means, for messages: `(did you mean
// "algorithm"?)`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// The known name with the fewest single-character edits from `name`, case aside, at most 3 and at
/// most a third of its length; empty if none is near. Ties: the first in `known`.
std::string nearest(std::string_view name, const std::vector<std::string>& known);

/// ` (did you mean "x"?)` for the nearest name, or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace tessera
