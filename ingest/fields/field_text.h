// SPDX-License-Identifier: Apache-2.0
// How messages show a value and the path of a field.
//
// Pure functions, called wherever a message is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera::ingest {

/// `"text"`, with quotes and control characters escaped and long texts cut, so that hostile values
/// stay on one line.
std::string quoted(std::string_view text);

/// `path["key"]`.
std::string member(const std::string& path, std::string_view key);

/// `path[index]`.
std::string item(const std::string& path, std::size_t index);

}  // namespace tessera::ingest
