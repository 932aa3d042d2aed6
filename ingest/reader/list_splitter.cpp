// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/list_splitter.h"

#include <utility>

namespace tessera::reader {
namespace {

constexpr std::size_t kShownKeyBytes = 100;
constexpr std::string_view kListSuffix = "List";

bool is_list_kind(std::string_view kind) {
  return kind.size() >= kListSuffix.size() &&
         kind.substr(kind.size() - kListSuffix.size()) == kListSuffix;
}

// A key for a message: hostile ones are long. Cut between characters, so that the text stays UTF-8.
std::string shown(std::string_view key) {
  if (key.size() <= kShownKeyBytes) return std::string(key);
  std::size_t size = kShownKeyBytes;
  while (size > 0 && (static_cast<unsigned char>(key[size]) & 0xC0u) == 0x80u) --size;
  return std::string(key.substr(0, size)) + "...";
}

std::string not_an_object(Type found) {
  return std::string("expected an object, found ") + type_name(found);
}

}  // namespace

const char* type_name(Type type) {
  switch (type) {
    case Type::kNull:
      return "null";
    case Type::kBool:
      return "a boolean";
    case Type::kNumber:
      return "a number";
    case Type::kString:
      return "a string";
    case Type::kMap:
      return "an object";
    case Type::kSequence:
      return "a list";
  }
  return "a value";
}

bool ListSplitter::key(std::string_view text, Position at) {
  Document& document = target();
  if (document.has_key(text)) {
    return refuse(ErrorCode::kInvalidInput,
                  "duplicate key \"" + shown(text) + "\": give it once in its object", at);
  }
  if (depth_ == 1) {
    top_key_ = text == "items"        ? TopKey::kItems
               : text == "kind"       ? TopKey::kKind
               : text == "apiVersion" ? TopKey::kApiVersion
                                      : TopKey::kOther;
  }
  document.key(text, at);
  return within_limits(document, at);
}

bool ListSplitter::scalar(Type type, std::string_view text, Position at) {
  if (at_element() || (depth_ == 0 && type != Type::kNull)) {
    return refuse(ErrorCode::kInvalidInput, not_an_object(type), at);
  }
  Document& document = target();
  document.scalar(type, text, at);
  if (depth_ == 1 && top_key_ == TopKey::kKind && !take_kind(type, text, at)) return false;
  if (depth_ == 1 && top_key_ == TopKey::kApiVersion) api_version_ = text;
  return within_limits(document, at);
}

bool ListSplitter::take_kind(Type type, std::string_view text, Position at) {
  has_kind_ = true;
  kind_ = type == Type::kString ? text : std::string_view();
  if (!is_list_ || is_list_kind(kind_)) return true;
  return refuse(ErrorCode::kInvalidInput,
                "kind \"" + shown(text) +
                    "\" is not a list, but its items were read as list items: put kind before "
                    "items, or name a kind that ends in List",
                at);
}

bool ListSplitter::begin(Type type, Position at) {
  if (depth_ >= limits_.max_depth) {
    return refuse(ErrorCode::kLimit,
                  "nested deeper than " + std::to_string(limits_.max_depth) + " levels", at);
  }
  if (depth_ == 0 && type == Type::kSequence) {
    is_list_ = true;
    element_depth_ = depth_ = 1;
    return true;
  }
  if (at_element()) {
    if (type != Type::kMap) return refuse(ErrorCode::kInvalidInput, not_an_object(type), at);
    item_.clear();
  }
  const bool opens_list = depth_ == 1 && element_depth_ == 0 && top_key_ == TopKey::kItems &&
                          type == Type::kSequence && (!has_kind_ || is_list_kind(kind_));
  if (depth_ == 1 && element_depth_ == 0 && top_key_ == TopKey::kKind && !take_kind(type, {}, at)) {
    return false;
  }
  Document& document = target();
  document.begin(type, at);
  ++depth_;
  if (opens_list) {
    is_list_ = true;
    element_depth_ = depth_;
  }
  return within_limits(document, at);
}

bool ListSplitter::end() {
  if (at_element()) {  // the list itself ends
    element_depth_ = 0;
    if (--depth_ > 0) head_.end();
    return true;
  }
  target().end();
  --depth_;
  if (at_element()) hand_over(item_.root(), api_version_, kind_);
  return !error_;
}

void ListSplitter::finish() {
  const Value root = head_.root();
  // A Go client writes an empty list as null.
  const bool empty_list = is_list_kind(kind_) && root["items"] && root["items"].is(Type::kNull);
  if (!is_list_ && !empty_list && root.is(Type::kMap)) hand_over(root, {}, {});
  reset();
}

void ListSplitter::reset() {
  head_.clear();
  item_.clear();
  depth_ = element_depth_ = 0;
  is_list_ = has_kind_ = false;
  top_key_ = TopKey::kOther;
  api_version_.clear();
  kind_.clear();
  handed_over_ = 0;
}

void ListSplitter::open_list(const ListHead& head) {
  reset();
  is_list_ = true;
  element_depth_ = depth_ = head.depth;
  api_version_ = head.api_version;
  kind_ = head.kind;
}

// A list may stand in a list (`kubectl get` of files that hold lists): its elements are handed over
// as well. The recursion ends with the tree, whose depth is capped.
void ListSplitter::hand_over(Value root, std::string_view list_api_version,
                             std::string_view list_kind) {
  const Value items = root["items"];
  if (element_depth_ != 0 && is_list_kind(root["kind"].text()) && items.is(Type::kSequence)) {
    for (Value item = items.first(); item; item = item.next()) {
      if (item.is(Type::kMap)) {
        hand_over(item, root["apiVersion"].text(), root["kind"].text());
      } else {
        refuse(ErrorCode::kInvalidInput, not_an_object(item.type()), item.position());
      }
    }
    return;
  }
  ++handed_over_;
  sink_.object(Object{root, file_, list_api_version, list_kind});
}

bool ListSplitter::within_limits(const Document& document, Position at) {
  if (document.text_bytes() > limits_.max_object_bytes) {
    return refuse(
        ErrorCode::kLimit,
        "object holds more than " + std::to_string(limits_.max_object_bytes) + " bytes of text",
        at);
  }
  if (document.node_count() > limits_.max_nodes) {
    return refuse(ErrorCode::kLimit,
                  "object holds more than " + std::to_string(limits_.max_nodes) + " values", at);
  }
  return true;
}

bool ListSplitter::refuse(ErrorCode code, std::string message, Position at) {
  if (!error_) {
    error_ = Error{
        code, std::move(message),
        Where{std::string(file_), static_cast<int>(at.line), static_cast<int>(at.column), {}, {}}};
  }
  return false;
}

std::optional<Error> ListSplitter::take_error() { return std::exchange(error_, std::nullopt); }

}  // namespace tessera::reader
