// SPDX-License-Identifier: Apache-2.0
// `status.conditions` of any object.
//
// Called by readers that derive state from conditions. A malformed list reads as no condition.
#pragma once

#include <string_view>

#include "ingest/values/value.h"

namespace tessera::ingest {

/// The condition of that type, absent if there is none.
reader::Value find_condition(reader::Value status, std::string_view type);

/// True if the condition exists and its status is "True".
bool condition_is_true(reader::Value status, std::string_view type);

/// True if the condition exists and its status is "False".
bool condition_is_false(reader::Value status, std::string_view type);

}  // namespace tessera::ingest
