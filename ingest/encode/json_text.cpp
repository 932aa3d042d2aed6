// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/json_text.h"

#include <nlohmann/json.hpp>

#include "topology/text/printable.h"

namespace tessera::encode {
namespace {

std::string text_of(const nlohmann::ordered_json& json, int indent) {
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  return escape_json(json.dump(indent, ' ', false, kReplace)) + "\n";
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& json) { return text_of(json, 2); }

std::string json_line(const nlohmann::ordered_json& json) { return text_of(json, -1); }

}  // namespace tessera::encode
