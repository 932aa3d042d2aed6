// SPDX-License-Identifier: Apache-2.0
// Any bytes as YAML: alone, and behind another document, where lines and anchors must start anew.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/read_checked.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tessera::reader::read_checked(text);
  tessera::reader::read_checked("a: &a 1\n---\n" + text);
  return 0;
}
