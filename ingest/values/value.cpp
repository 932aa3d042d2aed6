// SPDX-License-Identifier: Apache-2.0
#include "ingest/values/value.h"

#include <algorithm>
#include <charconv>

namespace tessera::reader {
namespace {

// Members. Up to this size a linear search over siblings is as fast as a tree. The labels of a node
// are fewer.
constexpr std::uint32_t kLargeMap = 64;

}  // namespace

Type Value::type() const {
  return document_ == nullptr ? Type::kNull : document_->nodes_[index_].type;
}

Position Value::position() const {
  return document_ == nullptr ? Position{} : document_->nodes_[index_].at;
}

std::string_view Value::text() const {
  if (document_ == nullptr) return {};
  const Document::Node& node = document_->nodes_[index_];
  if (node.is_container()) return {};
  return std::string_view(document_->texts_).substr(node.text_offset, node.text_size);
}

bool Value::boolean() const { return is(Type::kBool) && text() == "true"; }

std::optional<std::int64_t> Value::integer() const {
  if (!is(Type::kNumber)) return std::nullopt;
  const std::string_view digits = text();
  std::int64_t number = 0;
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (status != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

Value Value::operator[](std::string_view key) const {
  if (!is(Type::kMap)) return {};
  for (Value entry = first(); entry; entry = entry.next()) {
    if (entry.key() == key) return entry;
  }
  return {};
}

std::uint32_t Value::size() const {
  return is(Type::kMap) || is(Type::kSequence) ? document_->nodes_[index_].text_size : 0;
}

Value Value::first() const {
  // Nodes are in document order: the first entry follows its container.
  return size() == 0 ? Value() : Value(document_, index_ + 1);
}

Value Value::next() const {
  if (document_ == nullptr) return {};
  const std::uint32_t sibling = document_->nodes_[index_].next;
  return sibling == 0 ? Value() : Value(document_, sibling);
}

std::string_view Value::key() const {
  return document_ == nullptr ? std::string_view() : document_->key_of(document_->nodes_[index_]);
}

Position Value::key_position() const {
  return document_ == nullptr ? Position{} : document_->nodes_[index_].key_at;
}

void Document::clear() {
  nodes_.clear();
  texts_.clear();
  open_.clear();
  last_child_.clear();
  large_.clear();
  key_offset_ = key_size_ = 0;
  key_at_ = {};
}

// Nodes and texts of a tree lie together, in document order.
void Document::copy(Value tree) {
  clear();
  const Document& from = *tree.document_;
  const std::uint32_t begin = tree.index_, end = from.end_of(begin);
  nodes_.assign(from.nodes_.begin() + begin, from.nodes_.begin() + end);
  nodes_[0].key_size = nodes_[0].next = 0;
  nodes_[0].key_at = {};

  std::size_t low = from.texts_.size(), high = 0;
  const auto cover = [&](std::uint32_t offset, std::uint32_t size) {
    if (size == 0) return;
    low = std::min<std::size_t>(low, offset);
    high = std::max<std::size_t>(high, std::size_t{offset} + size);
  };
  for (const Node& node : nodes_) {
    cover(node.key_offset, node.key_size);
    if (!node.is_container()) cover(node.text_offset, node.text_size);
  }
  if (low < high) texts_.assign(from.texts_, low, high - low);
  const auto base = static_cast<std::uint32_t>(low);
  for (Node& node : nodes_) {
    node.key_offset = node.key_size == 0 ? 0 : node.key_offset - base;
    node.text_offset = node.is_container() || node.text_size == 0 ? 0 : node.text_offset - base;
    if (node.next != 0) node.next -= begin;
  }
}

/// The index behind the last node of the tree at `index`.
std::uint32_t Document::end_of(std::uint32_t index) const {
  while (nodes_[index].is_container() && nodes_[index].text_size != 0) {
    for (++index; nodes_[index].next != 0;) index = nodes_[index].next;
  }
  return index + 1;
}

void Document::key(std::string_view text, Position at) {
  key_offset_ = static_cast<std::uint32_t>(texts_.size());
  key_size_ = static_cast<std::uint32_t>(text.size());
  key_at_ = at;
  texts_.append(text);
}

void Document::scalar(Type type, std::string_view text, Position at) { add(type, text, at); }

void Document::begin(Type type, Position at) {
  const std::uint32_t index = add(type, {}, at);
  open_.push_back(index);
  last_child_.push_back(0);
}

void Document::end() {
  if (!large_.empty() && large_.back().map == open_.back()) large_.pop_back();
  open_.pop_back();
  last_child_.pop_back();
}

std::uint32_t Document::add(Type type, std::string_view text, Position at) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  Node& node = nodes_.emplace_back();
  node.type = type;
  node.at = at;
  if (!node.is_container()) {
    node.text_offset = static_cast<std::uint32_t>(texts_.size());
    node.text_size = static_cast<std::uint32_t>(text.size());
    texts_.append(text);
  }
  if (open_.empty()) return index;

  Node& parent = nodes_[open_.back()];
  if (last_child_.back() != 0) nodes_[last_child_.back()].next = index;
  last_child_.back() = index;
  ++parent.text_size;
  if (parent.type == Type::kMap) {
    node.key_offset = key_offset_;
    node.key_size = key_size_;
    node.key_at = key_at_;
    if (parent.text_size >= kLargeMap) remember_key(open_.back(), index);
  }
  return index;
}

std::string_view Document::key_of(const Node& node) const {
  return std::string_view(texts_).substr(node.key_offset, node.key_size);
}

void Document::remember_key(std::uint32_t map, std::uint32_t child) {
  if (!large_.empty() && large_.back().map == map) {
    large_.back().keys.emplace(key_of(nodes_[child]));
    return;
  }
  LargeMap& large = large_.emplace_back();
  large.map = map;
  for (std::uint32_t entry = map + 1; entry != 0; entry = nodes_[entry].next) {
    large.keys.emplace(key_of(nodes_[entry]));
  }
}

bool Document::has_key(std::string_view text) const {
  if (open_.empty() || last_child_.back() == 0) return false;
  if (!large_.empty() && large_.back().map == open_.back()) {
    return large_.back().keys.find(text) != large_.back().keys.end();
  }
  for (std::uint32_t entry = open_.back() + 1; entry != 0; entry = nodes_[entry].next) {
    if (key_of(nodes_[entry]) == text) return true;
  }
  return false;
}

}  // namespace tessera::reader
