// SPDX-License-Identifier: Apache-2.0
// A list of names in a warning, cut where it gets long. Pure.
#pragma once

#include <cstddef>
#include <string>

namespace tessera::ingest {

/// "a, b and 3 more": at most five names.
template <class Names>
std::string shown_names(const Names& names) {
  constexpr std::size_t kNamesShown = 5;
  std::string text;
  std::size_t shown = 0;
  for (const auto& name : names) {
    if (shown == kNamesShown) break;
    text.append(shown++ == 0 ? "" : ", ").append(name);
  }
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

}  // namespace tessera::ingest
