// SPDX-License-Identifier: Apache-2.0
// Text from the input as it may be printed: control characters are escaped, so that a name can
// neither colour the terminal, nor move its cursor, nor begin a line of its own.
//
// Every table cell, every line and every message goes through printable(); JSON goes through
// escape_json(). Pure functions. Names are never changed where they are stored or compared.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// `text` on one line. Control characters and bytes that are no UTF-8 become `\x1b`; the control
/// characters of Unicode that move or reorder text become `\u202e`.
std::string printable(std::string_view text);

/// JSON text with the control characters that JSON allows inside strings (U+007F and those of
/// Unicode) written as `\u007f`. The value stays the same.
std::string escape_json(std::string json);

}  // namespace tessera
