// SPDX-License-Identifier: Apache-2.0
// Decides the type of a YAML scalar by kubectl's rules (sigs.k8s.io/yaml over go-yaml v2, that is
// YAML 1.1 with 0o octals).
//
// Called by yaml_composer for each scalar that is a value. Where kubectl converts through JSON, so
// does this: every number comes out as a JSON number. Dates stay strings. Untagged text never
// fails, except .inf and .nan, which JSON cannot hold. Differs from kubectl once: hex, octal and
// binary numbers beyond 64 bits stay strings.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "ingest/values/value.h"

namespace tessera::reader {

/// The type that the document's tag demands. kPlain: there is no tag, and the text decides.
enum class ScalarTag : std::uint8_t { kPlain, kString, kNull, kBool, kInt, kFloat };

struct Scalar {
  Type type = Type::kNull;
  std::string_view text;  // points into the given text, `buffer` or static storage
};

/// The error is only a message: the caller knows the position. `buffer` holds a rewritten number.
tl::expected<Scalar, std::string> resolve_scalar(std::string_view text, ScalarTag tag,
                                                 std::string& buffer);

/// True if an untagged plain scalar with this text means null. A key must not be such a text.
bool is_null_text(std::string_view text);

}  // namespace tessera::reader
