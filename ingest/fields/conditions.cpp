// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/conditions.h"

namespace tessera::ingest {

reader::Value find_condition(reader::Value status, std::string_view type) {
  const reader::Value conditions = status["conditions"];
  if (!conditions.is(reader::Type::kSequence)) return {};
  for (reader::Value v = conditions.first(); v; v = v.next()) {
    const reader::Value name = v["type"];
    if (name && name.text() == type) return v;
  }
  return {};
}

bool condition_is_true(reader::Value status, std::string_view type) {
  const reader::Value state = find_condition(status, type)["status"];
  if (state.is(reader::Type::kBool)) return state.boolean();  // an unquoted True in YAML
  return state && state.text() == "True";
}

bool condition_is_false(reader::Value status, std::string_view type) {
  const reader::Value state = find_condition(status, type)["status"];
  if (state.is(reader::Type::kBool)) return !state.boolean();
  return state && state.text() == "False";
}

}  // namespace tessera::ingest
