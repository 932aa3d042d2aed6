// SPDX-License-Identifier: Apache-2.0
// Any bytes as JSON: alone, and as the elements of a list, where what is complete leaves before the
// rest is known.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/read_checked.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  tessera::reader::read_checked(text);
  tessera::reader::read_checked("{\"items\":[" + text + "],\"kind\":\"List\"}");
  return 0;
}
