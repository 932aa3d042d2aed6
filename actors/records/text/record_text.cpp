// SPDX-License-Identifier: Apache-2.0
#include "actors/records/text/record_text.h"

#include "actors/records/text/record_fields.h"
#include "actors/records/text/text_writer.h"

namespace tessera::core {
namespace {

/// The version has the last key in byte order, so it ends the text.
template <TextPart part>
void append(const CycleRecord& record, std::string& text) {
  JsonText out(text);
  out.put('{');
  TextWriter<part>(out).write_fields(record);
  out.put("\"v\":1}");
}

}  // namespace

void append_text(const CycleRecord& record, std::string& text) {
  append<TextPart::kWhole>(record, text);
}

void append_decisions_text(const CycleRecord& record, std::string& text) {
  append<TextPart::kDecisions>(record, text);
}

std::vector<Submitted> CycleRecord::submitted() const {
  std::vector<Submitted> out;
  for (const Input& input : inputs) {
    const auto* submit = std::get_if<Submit>(&input);
    if (submit != nullptr) out.push_back({submit->gang, submit->workload});
  }
  return out;
}

std::string hash_text(const std::array<std::uint8_t, 32>& hash) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : hash) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace tessera::core
