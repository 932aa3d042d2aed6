// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/list_frame.h"

#include <string>

#include "ingest/reader/json_parser.h"
#include "ingest/reader/yaml_parser.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {
namespace {

constexpr std::string_view kElement = "{}";

// Expects the one empty element, and nothing else.
class Expected : public Sink {
 public:
  void object(const Object& object) override {
    ++objects_;
    is_element_ = object.root.is(Type::kMap) && object.root.size() == 0;
    head_.api_version = object.list_api_version;
    head_.kind = object.list_kind;
  }
  void error(Error) override {}  // parsers return theirs

  bool met() const { return objects_ == 1 && is_element_; }
  const ListHead& head() const { return head_; }

 private:
  int objects_ = 0;
  bool is_element_ = false;
  ListHead head_;
};

bool parse_json_document(std::string_view text, ListSplitter& out) {
  LineCounter lines(text);
  const JsonOutcome outcome = parse_json(text, 0, lines, out);
  if (outcome.error || outcome.end != text.size()) return false;
  out.finish();
  return true;
}

}  // namespace

std::optional<ListHead> read_list_frame(SectionKind format, std::string_view before,
                                        std::string_view after, const Limits& limits) {
  std::string text;
  text.append(before).append(kElement).append(after);
  Expected expected;
  ListSplitter splitter("", limits, expected);
  const bool parsed = format == SectionKind::kJson ? parse_json_document(text, splitter)
                                                   : parse_yaml_frame(text, limits, splitter);
  if (!parsed || !expected.met()) return std::nullopt;
  return expected.head();
}

}  // namespace tessera::reader
