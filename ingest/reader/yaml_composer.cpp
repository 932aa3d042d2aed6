// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/yaml_composer.h"

#include <algorithm>
#include <utility>

namespace tessera::reader {

void YamlComposer::reset() {
  tape_.clear();
  tape_text_.clear();
  open_on_tape_.clear();
  recordings_.clear();
  anchors_.clear();
  frames_.clear();
  depth_ = 0;
  has_repeats_ = capturing_merge_ = false;
  alias_at_ = {};
  spent_nodes_ = spent_bytes_ = 0;
}

bool YamlComposer::scalar(std::string_view text, ScalarTag tag, std::string_view anchor,
                          Position at) {
  start_node(anchor);
  Event event;
  event.tag = tag;
  event.at = at;
  if (!record(event, text)) return false;
  if (!capturing_merge_ && !emit(event, text)) return false;
  finish_node();
  return true;
}

bool YamlComposer::begin(Type type, std::string_view anchor, Position at) {
  // While a merge is captured, the splitter gets no events and cannot check the depth.
  if (depth_ >= limits_.max_depth) {
    return out_.refuse(ErrorCode::kLimit,
                       "nested deeper than " + std::to_string(limits_.max_depth) + " levels", at);
  }
  start_node(anchor);
  Event event;
  event.kind = Kind::kBegin;
  event.type = type;
  event.at = at;
  if (!record(event, {})) return false;
  ++depth_;
  return capturing_merge_ || emit(event, {});
}

bool YamlComposer::end(Position at) {
  Event event;
  event.kind = Kind::kEnd;
  event.at = at;
  if (!record(event, {})) return false;
  --depth_;
  if (!capturing_merge_ && !emit(event, {})) return false;
  finish_node();
  return true;
}

bool YamlComposer::alias(std::string_view anchor, Position at) {
  has_repeats_ = true;
  for (const Recording& open : recordings_) {
    if (!anchor.empty() && open.anchor == anchor) {
      return out_.refuse(ErrorCode::kInvalidInput,
                         "alias *" + std::string(anchor) + " stands inside its own anchor", at);
    }
  }
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) {
    return out_.refuse(ErrorCode::kInvalidInput,
                       "alias *" + std::string(anchor) + " has no anchor &" + std::string(anchor) +
                           " before it in this document",
                       at);
  }
  const Range range = found->second;
  alias_at_ = at;
  start_node({});
  if (!recordings_.empty()) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Event event = tape_[i];
      if (!spend(event)) return false;
      tape_.push_back(event);
    }
  }
  if (!capturing_merge_ && !replay(range)) return false;
  finish_node();
  return true;
}

void YamlComposer::start_node(std::string_view anchor) {
  if (!anchor.empty()) {
    has_repeats_ = true;
    recordings_.push_back({std::string(anchor), tape_.size(), depth_});
  }
  if (!capturing_merge_ && !frames_.empty() && frames_.back().merge_value_next) {
    frames_.back().merge_value_next = false;
    capturing_merge_ = true;
    recordings_.push_back({{}, tape_.size(), depth_});
  }
}

bool YamlComposer::record(Event event, std::string_view text) {
  if (recordings_.empty()) return true;
  if (tape_.size() >= limits_.max_nodes ||
      tape_text_.size() + text.size() > limits_.max_object_bytes) {
    return out_.refuse(ErrorCode::kLimit,
                       "anchored parts of this document hold more than " +
                           std::to_string(limits_.max_nodes) + " values or " +
                           std::to_string(limits_.max_object_bytes) + " bytes",
                       event.at);
  }
  event.text_offset = tape_text_.size();
  event.text_size = text.size();
  tape_text_.append(text);
  if (event.kind == Kind::kBegin) open_on_tape_.push_back(tape_.size());
  tape_.push_back(event);
  if (event.kind == Kind::kEnd) {
    const std::size_t begin = open_on_tape_.back();
    open_on_tape_.pop_back();
    tape_[begin].span = static_cast<std::uint32_t>(tape_.size() - begin);
  }
  return true;
}

// The node that started at this depth is complete, and its recordings are.
void YamlComposer::finish_node() {
  while (!recordings_.empty() && recordings_.back().depth == depth_) {
    Recording done = std::move(recordings_.back());
    recordings_.pop_back();
    const Range range{done.begin, tape_.size()};
    if (done.anchor.empty()) {
      capturing_merge_ = false;
      frames_.back().merges.push_back(range);
      frames_.back().expects_key = true;
    } else {
      anchors_.insert_or_assign(std::move(done.anchor), range);
    }
  }
}

bool YamlComposer::emit(const Event& event, std::string_view text) {
  if (event.kind == Kind::kEnd) return emit_end();
  if (expects_key()) return emit_key(event, text);
  if (event.kind == Kind::kBegin) {
    if (!out_.begin(event.type, event.at)) return false;
    const bool is_map = event.type == Type::kMap;
    frames_.push_back({is_map, is_map, false, {}});
    return true;
  }
  const auto scalar = resolve_scalar(text, event.tag, number_);
  if (!scalar) return out_.refuse(ErrorCode::kInvalidInput, scalar.error(), event.at);
  if (!out_.scalar(scalar->type, scalar->text, event.at)) return false;
  if (!frames_.empty()) frames_.back().expects_key = true;
  return true;
}

bool YamlComposer::emit_key(const Event& event, std::string_view text) {
  if (event.kind == Kind::kBegin) {
    return out_.refuse(ErrorCode::kInvalidInput,
                       std::string("a key must be a text, found ") + type_name(event.type),
                       event.at);
  }
  if (event.tag == ScalarTag::kNull || (event.tag == ScalarTag::kPlain && is_null_text(text))) {
    return out_.refuse(ErrorCode::kInvalidInput, "a key must be a text, found null: quote it",
                       event.at);
  }
  frames_.back().expects_key = false;
  if (is_merge_key(event.tag, text)) {
    has_repeats_ = true;
    frames_.back().merge_value_next = true;
    return true;
  }
  return out_.key(text, event.at);
}

bool YamlComposer::emit_end() {
  if (!frames_.back().merges.empty() && !apply_merges()) return false;
  frames_.pop_back();
  if (!frames_.empty()) frames_.back().expects_key = true;
  return out_.end();
}

bool YamlComposer::replay(Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Event event = tape_[i];
    if (!spend(event)) return false;
    const bool has_value = i + 1 < range.end;  // an alias may stand for a key alone
    if (has_value && event.kind == Kind::kScalar && expects_key() &&
        is_merge_key(event.tag, text_of(event))) {
      const std::size_t value = i + 1;
      const std::size_t behind = value + tape_[value].span;
      frames_.back().merges.push_back({value, behind});
      i = behind - 1;
      continue;
    }
    if (!emit(event, text_of(event))) return false;
  }
  return true;
}

// The map on top of frames_ has all its own keys. Adds the keys of its merges that it lacks.
// `pending` is a stack; the merge on top wins over the others.
bool YamlComposer::apply_merges() {
  std::vector<Range> pending = std::move(frames_.back().merges);
  frames_.back().merges.clear();
  std::reverse(pending.begin(), pending.end());
  while (!pending.empty()) {
    const Range range = pending.back();
    pending.pop_back();
    const Event root = tape_[range.begin];
    if (!spend(root)) return false;
    if (root.kind != Kind::kBegin) {
      return out_.refuse(ErrorCode::kInvalidInput,
                         "the value of << must be an object or a list of objects", root.at);
    }
    std::vector<Range> inner;
    if (root.type == Type::kMap) {
      if (!merge_map(range, inner)) return false;
    } else {
      for (std::size_t i = range.begin + 1; i + 1 < range.end; i += tape_[i].span) {
        inner.push_back({i, i + tape_[i].span});
      }
    }
    pending.insert(pending.end(), inner.rbegin(), inner.rend());
  }
  return true;
}

// `inner` receives the merges of the merged map itself. The map's own keys win over them, and they
// win over later merges.
bool YamlComposer::merge_map(Range map, std::vector<Range>& inner) {
  for (std::size_t i = map.begin + 1; i + 1 < map.end;) {
    const Event key = tape_[i];
    if (!spend(key)) return false;
    if (key.kind != Kind::kScalar) return emit_key(key, {});
    const Range value{i + 1, i + 1 + tape_[i + 1].span};
    i = value.end;
    if (is_merge_key(key.tag, text_of(key))) {
      inner.push_back(value);
    } else if (!out_.has_key(text_of(key))) {
      if (!emit_key(key, text_of(key)) || !replay(value)) return false;
    }
  }
  return true;
}

bool YamlComposer::spend(const Event& event) {
  ++spent_nodes_;
  spent_bytes_ += event.text_size;
  if (spent_nodes_ <= limits_.max_alias_nodes && spent_bytes_ <= limits_.max_object_bytes) {
    return true;
  }
  return out_.refuse(ErrorCode::kLimit,
                     "aliases of this document expand to more than " +
                         std::to_string(limits_.max_alias_nodes) + " values or " +
                         std::to_string(limits_.max_object_bytes) + " bytes",
                     alias_at_.line != 0 ? alias_at_ : event.at);
}

}  // namespace tessera::reader
