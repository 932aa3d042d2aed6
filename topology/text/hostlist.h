// SPDX-License-Identifier: Apache-2.0
// Host lists folded by Slurm's rules, so that a user can paste them into scontrol:
// "gb-r01-n[01-04,06-11]".
//
// Folding keeps zero padding exactly: n9,n10 -> n[9-10], n09,n10 -> n[09-10], n9,n010 stay apart. A
// name is listed as it is if it has no number, or if its characters could be read as brackets or
// commas. Only the last number of a name is folded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "topology/text/result.h"

namespace tessera::encode {

/// Folds names; the result lists them in natural order of (prefix, number), each name once.
std::string fold_hosts(std::vector<std::string> names);

/// Lists of nodes in messages are about so long at most.
inline constexpr std::size_t kMostHostText = 400;

/// Folded, or with commas, in at most about `most` characters: what is left out is counted,
/// "a1,a2 and 998 more". At least one name is shown.
std::string shown_hosts(std::vector<std::string> names, bool fold, std::size_t most);

/// Expands a host list, several brackets and padding included. kInvalidInput with the position
/// (Where::column) when it is malformed, kLimit above `most` names.
Result<std::vector<std::string>> expand_hosts(std::string_view list, std::size_t most = 1'000'000);

}  // namespace tessera::encode
