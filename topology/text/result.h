// SPDX-License-Identifier: Apache-2.0
// Result<T> and Error: how every folder boundary reports what went wrong.
//
// Values, usable on any thread. No exception crosses a folder: a function that can fail returns
// Result<T>. An Error says that input or use is wrong. A refused placement is not an Error
// (solver/gang/answer.h).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tessera {

/// What kind of error, so that callers choose an exit code without reading the text.
enum class ErrorCode {
  kInvalidInput,  // malformed or contradictory input: exit 3
  kUsage,         // wrong flags or arguments: exit 2
  kNotFound,      // a named file or object is absent: exit 4
  kLimit,         // a size, depth or count cap was exceeded: exit 3
  kNoRoom,        // a reservation would go below zero
  kConflict,      // the same thing exists already in another form: exit 5
  kInternal,      // a broken promise of our own code: exit 1
};

/// Where in the input: any part may be absent (empty or 0). Lines and columns count from 1.
struct Where {
  std::string file;
  int line = 0;
  int column = 0;
  std::string object;  // "Node gb-r01-n03"
  std::string field;   // "status.allocatable[\"nvidia.com/gpu\"]"
};

struct Error {
  ErrorCode code = ErrorCode::kInvalidInput;
  std::string message;  // what is wrong and what would be right; no trailing full stop
  Where where = {};

  /// "file:line:column: object: field: message", leaving out absent parts.
  std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for a failed Result.
inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, Where where = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(where)});
}

}  // namespace tessera
