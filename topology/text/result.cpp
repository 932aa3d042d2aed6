// SPDX-License-Identifier: Apache-2.0
#include "topology/text/result.h"

namespace tessera {

std::string Error::text() const {
  std::string out;
  if (!where.file.empty()) {
    out += where.file;
    if (where.line > 0) out += ":" + std::to_string(where.line);
    if (where.line > 0 && where.column > 0) out += ":" + std::to_string(where.column);
    out += ": ";
  }
  if (!where.object.empty()) out += where.object + ": ";
  if (!where.field.empty()) out += where.field + ": ";
  return out + message;
}

}  // namespace tessera
