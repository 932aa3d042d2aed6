// SPDX-License-Identifier: Apache-2.0
// Numbers and lists in the words of messages.
//
// Pure functions, called by every library that writes a message.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// The word for `number` things: `one` for 1, else `many`.
inline std::string_view word_for(std::int64_t number, std::string_view one, std::string_view many) {
  return number == 1 ? one : many;
}

/// "1 pod", "3 pods".
inline std::string counted(std::int64_t number, std::string_view one, std::string_view many) {
  return (std::to_string(number) + " ").append(word_for(number, one, many));
}

/// The texts in a row, with `between` between two of them: "a, b".
template <class Texts>
std::string joined(const Texts& texts, std::string_view between = ", ") {
  std::string all;
  bool first = true;
  for (const auto& text : texts) {
    if (!first) all.append(between);
    all.append(text);
    first = false;
  }
  return all;
}

/// As a sentence lists them: "a, b and c".
template <class Texts>
std::string joined_with_and(const Texts& texts) {
  std::string all;
  auto left = texts.size();
  for (const auto& text : texts) {
    all.append(text);
    --left;
    if (left > 0) all.append(left == 1 ? " and " : ", ");
  }
  return all;
}

}  // namespace tessera
