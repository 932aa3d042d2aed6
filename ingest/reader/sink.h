// SPDX-License-Identifier: Apache-2.0
// Sink: takes the objects and errors of a text, one by one, in the order of the text.
//
// Callers of the reader implement a Sink; the reader calls it on the caller's thread. Stages of the
// reader use Sinks among themselves. An object is valid only during the call.
#pragma once

#include <string_view>

#include "ingest/values/value.h"
#include "topology/text/result.h"

namespace tessera::reader {

/// One object of the input. `root` is valid during the call only. `file` is the name to show ("-"
/// shows as "<stdin>").
struct Object {
  Value root;
  std::string_view file;
  /// In a list: the list's apiVersion and kind ("v1", "List"); empty otherwise. Items of a typed
  /// list (NodeList) may lack kind and apiVersion of their own: the caller derives them from here.
  /// Also empty if the list names them only later: `kubectl -o json` prints `kind` behind `items`,
  /// and items do not wait for it.
  std::string_view list_api_version;
  std::string_view list_kind;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void object(const Object& object) = 0;
  virtual void error(Error error) = 0;  // where.file, line and column are set whenever known
};

}  // namespace tessera::reader
