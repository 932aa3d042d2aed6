// SPDX-License-Identifier: Apache-2.0
// Compares texts that share a long prefix, as hostnames do. The eight bytes behind the prefix, read
// as a number, decide nearly every comparison without a look at the texts. For the domain trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tessera::topology {

inline std::string_view common_prefix(std::string_view a, std::string_view b) {
  const auto end = std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first;
  return a.substr(0, static_cast<std::size_t>(end - a.begin()));
}

/// Of two texts with the same first `prefix` bytes, the one with the smaller head is smaller. If
/// the heads are equal, compare the texts.
inline std::uint64_t text_head(std::string_view text, std::size_t prefix) {
  std::uint64_t head = 0;
  for (std::size_t at = prefix; at < prefix + 8; ++at) {
    head =
        (head << 8) | (at < text.size() ? static_cast<unsigned char>(text[at]) : std::uint8_t{0});
  }
  return head;
}

}  // namespace tessera::topology
