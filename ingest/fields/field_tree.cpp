// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_tree.h"

#include <algorithm>

#include "ingest/fields/api_names.h"
#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "topology/text/nearest.h"
#include "topology/text/wording.h"

namespace tessera::ingest {

using reader::Type;
using reader::Value;

namespace {

constexpr std::int64_t kObjectsNamed = 3;  // of each unknown field, and of each field of names
constexpr std::size_t kKeysKnown = 64;

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// Where the field of this name is in a list by name; the end if there is none.
std::size_t position_of(const std::vector<FieldTree::Field>& fields, std::string_view name) {
  const auto found = std::lower_bound(
      fields.begin(), fields.end(), name,
      [](const FieldTree::Field& field, std::string_view key) { return field.name < key; });
  const bool here = found != fields.end() && found->name == name;
  return static_cast<std::size_t>((here ? found : fields.end()) - fields.begin());
}

}  // namespace

class FieldTree::Parser {
 public:
  Parser(std::string_view text, const Groups& groups) : left_(text), groups_(groups) {}

  /// Reads fields up to `end` ('\0': the end of the text) into `tree`.
  void read(FieldTree& tree, char end) {
    for (;;) {
      skip_blanks();
      if (left_.empty() || left_[0] == end) break;
      if (take('@')) {
        const auto group = groups_.find(take_name());
        if (group != groups_.end()) Parser(group->second, groups_).read(tree, '\0');
      } else {
        read_field(tree);
      }
    }
    take(end);
    std::sort(tree.fields_.begin(), tree.fields_.end(),
              [](const Field& a, const Field& b) { return a.name < b.name; });
  }

 private:
  void read_field(FieldTree& tree) {
    Field field;
    field.name = take_name();
    if (field.name.empty()) return left_.remove_prefix(1);  // a stray bracket
    field.list = take('[');
    if (take('=')) {
      field.keys = take_name() == "labels" ? Keys::kLabels : Keys::kAnnotations;
    } else if (field.list || take('{')) {
      auto below = std::make_unique<FieldTree>();
      read(*below, field.list ? ']' : '}');
      field.below = std::move(below);
    }
    tree.fields_.push_back(std::move(field));
  }

  void skip_blanks() {
    left_.remove_prefix(std::min(left_.size(), left_.find_first_not_of(" \n")));
  }

  bool take(char c) {
    if (left_.empty() || left_[0] != c) return false;
    left_.remove_prefix(1);
    return true;
  }

  std::string_view take_name() {
    const std::string_view name = left_.substr(0, left_.find_first_of(" \n@{}[]="));
    left_.remove_prefix(name.size());
    return name;
  }

  std::string_view left_;
  const Groups& groups_;
};

FieldTree FieldTree::parse(std::string_view text, const Groups& groups) {
  FieldTree tree;
  Parser(text, groups).read(tree, '\0');
  return tree;
}

std::vector<std::string> FieldTree::names() const {
  std::vector<std::string> names;
  for (const Field& field : fields_) names.emplace_back(field.name);
  return names;
}

/// The path is a chain on the stack: it costs nothing until a finding writes it.
struct FieldCheck::Step {
  const Step* above = nullptr;
  std::string_view key;
  std::size_t index = 0;
  bool in_list = false;

  std::string text(bool with_indexes) const {
    const std::string before = above == nullptr ? std::string() : above->text(with_indexes);
    if (in_list) return with_indexes ? item(before, index) : before + "[]";
    return before.empty() ? std::string(key) : before + "." + std::string(key);
  }
};

void FieldCheck::check(const FieldTree* tree, const ObjectHeader& header, Value root) {
  if (tree == nullptr) return;
  const Object object{header, static_cast<bool>(root["metadata"]["resourceVersion"])};
  check_map(object, *tree, root, nullptr);
}

void FieldCheck::check_map(const Object& object, const FieldTree& tree, Value map,
                           const Step* path) {
  if (!map.is(Type::kMap)) return;  // the reader of the kind reports a wrong type
  const std::vector<FieldTree::Field>& fields = tree.fields();
  // Dumps have their keys in the order of the table, so the next field is the first to try.
  std::size_t next = 0;
  for (Value entry = map.first(); entry; entry = entry.next()) {
    const std::string_view key = entry.key();
    if (next == fields.size() || fields[next].name != key) next = position_of(fields, key);
    const Step step{path, key};
    if (next == fields.size()) {
      tell(object, tree, entry, &step);
      continue;
    }
    const FieldTree::Field& field = fields[next++];
    if (object.from_server && path == nullptr && key == "status") continue;
    if (field.below != nullptr) {
      check_below(object, field, entry, &step);
    } else if (field.keys != FieldTree::Keys::kFree && !object.from_server) {
      check_keys(object, field, entry, &step);
    }
  }
}

void FieldCheck::check_below(const Object& object, const FieldTree::Field& field, Value value,
                             const Step* path) {
  if (!field.list) return check_map(object, *field.below, value, path);
  if (!value.is(Type::kSequence)) return;
  std::size_t index = 0;
  for (Value one = value.first(); one; one = one.next()) {
    const Step step{path, {}, index++, true};
    check_map(object, *field.below, one, &step);
  }
}

/// Values of other types than text are read as text (fields.h), or reported by the reader.
void FieldCheck::check_keys(const Object& object, const FieldTree::Field& field, Value map,
                            const Step* path) {
  if (!map.is(Type::kMap)) return;
  const bool labels = field.keys == FieldTree::Keys::kLabels;
  std::vector<std::string>& known = known_keys_[labels ? 1 : 0];
  const auto check_value = [&](Value entry) {
    if (labels && !is_label_value(entry.text())) {
      tell_names(object, entry, path, label_value_faults(entry.text()), entry.text());
    }
  };
  std::size_t at = 0;
  for (Value entry = map.first(); entry; entry = entry.next(), ++at) {
    if (at < known.size() && known[at] == entry.key()) {
      check_value(entry);
      continue;
    }
    // Of annotations the case of the prefix does not count.
    std::string lower;
    std::string_view key = entry.key();
    if (!labels && !is_label_key(key)) key = lower = in_lower_case(key);
    if (!is_label_key(key)) {
      tell_names(object, entry, path, label_key_faults(key), entry.key());
      continue;
    }
    if (at == known.size() && at < kKeysKnown) known.emplace_back();
    if (at < known.size()) known[at] = entry.key();
    check_value(entry);
  }
}

void FieldCheck::tell_names(const Object& object, Value at, const Step* path,
                            const std::vector<std::string>& faults, std::string_view name) {
  const std::string field = member(path->text(true), at.key());
  for (const std::string& fault : faults) {
    std::int64_t& told = refused_[object.header.kind + " " + path->text(false)];
    if (++told > kObjectsNamed) continue;
    context_.name_faults.push_back({ErrorCode::kInvalidInput,
                                    "Invalid value: " + quoted(name) + ": " + fault,
                                    context_.where(object.header, at, field)});
  }
}

void FieldCheck::tell(const Object& object, const FieldTree& tree, Value at, const Step* path) {
  const std::string near = nearest(at.key(), tree.names());
  if (near.empty() && object.from_server) return;
  std::int64_t& told = told_[object.header.kind + " " + path->text(false)];
  if (++told > kObjectsNamed) return;
  context_.warning(object.header, at, path->text(true), unknown_key(near));
}

void FieldCheck::finish() {
  for (const auto& [field, count] : told_) {
    if (count <= kObjectsNamed) continue;
    context_.warnings.push_back(
        {ErrorCode::kInvalidInput,
         field + ": unknown key " + counted(count - kObjectsNamed, "more time", "more times")});
  }
  for (const auto& [field, count] : refused_) {
    if (count <= kObjectsNamed) continue;
    context_.name_faults.push_back(
        {ErrorCode::kInvalidInput,
         field + ": " + counted(count - kObjectsNamed, "more invalid name", "more invalid names")});
  }
  told_.clear();
  refused_.clear();
}

}  // namespace tessera::ingest
