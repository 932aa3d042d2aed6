// SPDX-License-Identifier: Apache-2.0
// Any bytes as the record of a cycle: what is accepted has a text of its own, which reads as the
// same record.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "actors/records/text/record_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera::core;
  const auto record = read_record({reinterpret_cast<const char*>(data), size});
  if (!record) {
    if (record.error().message.empty()) std::abort();
    return 0;
  }
  std::string text, again;
  append_text(*record, text);
  const auto same = read_record(text);
  if (!same) std::abort();
  append_text(*same, again);
  if (text != again) std::abort();
  return 0;
}
