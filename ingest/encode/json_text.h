// SPDX-License-Identifier: Apache-2.0
// JSON as every command prints it: indented, valid UTF-8, without raw control characters, with a
// newline at the end. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace tessera::encode {

std::string json_text(const nlohmann::ordered_json& json);

/// The same on one line.
std::string json_line(const nlohmann::ordered_json& json);

}  // namespace tessera::encode
