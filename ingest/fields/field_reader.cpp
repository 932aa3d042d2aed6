// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/field_reader.h"

#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

using reader::Type;
using reader::Value;

bool given(Value value) { return value && !value.is(Type::kNull); }

std::string field_of(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string_view type_name(Value value) {
  switch (value.type()) {
    case Type::kNull:
      return "nothing";
    case Type::kBool:
      return "a boolean";
    case Type::kNumber:
      return "a number";
    case Type::kString:
      return "a text";
    case Type::kMap:
      return "a map";
    case Type::kSequence:
      return "a list";
  }
  return "";
}

bool is_container(Value value) { return value.is(Type::kMap) || value.is(Type::kSequence); }

/// A value as messages show it.
std::string shown(Value value) {
  return is_container(value) ? std::string(type_name(value)) : quoted(value.text());
}

}  // namespace

Where FieldReader::where(const ObjectHeader& header, Value at, std::string field) const {
  Where where = header.where;
  where.object = header.display();
  where.field = std::move(field);
  const reader::Position position = at.key().empty() ? at.position() : at.key_position();
  if (position.line != 0) {
    where.line = static_cast<int>(position.line);
    where.column = static_cast<int>(position.column);
  }
  return where;
}

void FieldReader::error(const ObjectHeader& header, Value at, std::string field,
                        std::string message) {
  errors.push_back(
      {ErrorCode::kInvalidInput, std::move(message), where(header, at, std::move(field))});
}

void FieldReader::warning(const ObjectHeader& header, Value at, std::string field,
                          std::string message) {
  warnings.push_back(
      {ErrorCode::kInvalidInput, std::move(message), where(header, at, std::move(field))});
}

std::optional<std::string> FieldReader::text(const ObjectHeader& h, Value in, std::string_view key,
                                             const std::string& path) {
  const Value value = in[key];
  if (!given(value)) return std::nullopt;
  if (value.is(Type::kString)) return std::string(value.text());
  std::string message = "must be a text, is " + std::string(type_name(value));
  if (!is_container(value)) message += " (put it in quotes)";
  error(h, value, field_of(path, key), std::move(message));
  return std::nullopt;
}

std::optional<std::int64_t> FieldReader::integer(const ObjectHeader& h, Value in,
                                                 std::string_view key, const std::string& path,
                                                 std::int64_t low, std::int64_t high) {
  const Value value = in[key];
  if (!given(value)) return std::nullopt;
  const std::optional<std::int64_t> number = value.integer();
  if (number && low <= *number && *number <= high) return number;
  const std::string range = std::to_string(low) + ".." + std::to_string(high);
  error(h, value, field_of(path, key), shown(value) + " is not a whole number in " + range);
  return std::nullopt;
}

std::optional<bool> FieldReader::boolean(const ObjectHeader& h, Value in, std::string_view key,
                                         const std::string& path) {
  const Value value = in[key];
  if (!given(value)) return std::nullopt;
  if (value.is(Type::kBool)) return value.boolean();
  error(h, value, field_of(path, key), shown(value) + " is not true or false");
  return std::nullopt;
}

Value FieldReader::map(const ObjectHeader& h, Value in, std::string_view key,
                       const std::string& path) {
  const Value value = in[key];
  if (!given(value)) return {};
  if (value.is(Type::kMap)) return value;
  error(h, value, field_of(path, key), "must be a map, is " + std::string(type_name(value)));
  return {};
}

Value FieldReader::sequence(const ObjectHeader& h, Value in, std::string_view key,
                            const std::string& path) {
  const Value value = in[key];
  if (!given(value)) return {};
  if (value.is(Type::kSequence)) return value;
  error(h, value, field_of(path, key), "must be a list, is " + std::string(type_name(value)));
  return {};
}

bool FieldReader::few_enough(const ObjectHeader& h, Value list, std::string_view key,
                             const std::string& path) {
  return list.size() <= kMostEntries || few_enough(h, list, field_of(path, key), list.size());
}

bool FieldReader::few_enough(const ObjectHeader& h, Value at, const std::string& field,
                             std::size_t entries) {
  if (entries <= kMostEntries) return true;
  error(h, at, field,
        "has " + std::to_string(entries) + " entries; at most " + std::to_string(kMostEntries) +
            " are read");
  return false;
}

topology::Amounts FieldReader::amounts(const ObjectHeader& h, Value in, std::string_view key,
                                       const std::string& path) {
  return read_amounts(h, in, key, path, false);
}

topology::Amounts FieldReader::asked_amounts(const ObjectHeader& h, Value in, std::string_view key,
                                             const std::string& path) {
  return read_amounts(h, in, key, path, true);
}

std::optional<topology::Symbol> FieldReader::asked_name(const ObjectHeader& h, Value at,
                                                        const std::string& field,
                                                        std::string_view name) {
  std::optional<topology::Symbol> symbol = names->take(name);
  if (!symbol) {
    error(h, at, field,
          "nothing in the cluster has the name " + quoted(name) + ", and the " +
              std::to_string(names->most()) +
              " such names of resources and levels that this process takes have been asked for");
  }
  return symbol;
}

topology::Amounts FieldReader::read_amounts(const ObjectHeader& h, Value in, std::string_view key,
                                            const std::string& path, bool asked) {
  topology::Amounts read;
  const Value entries = map(h, in, key, path);
  if (!few_enough(h, entries, key, path)) return read;
  for (Value entry = entries.first(); entry; entry = entry.next()) {
    // The path is written only for a fault: the input may hold hundreds of thousands of nodes.
    const bool scalar = entry.is(Type::kString) || entry.is(Type::kNumber);
    const auto parsed = scalar ? topology::Quantity::parse(entry.text())
                               : Result<topology::Quantity>(fail(ErrorCode::kInvalidInput, ""));
    if (parsed && parsed->sign() >= 0) {
      const auto resource = asked ? names->take(entry.key()) : topology::Symbol(entry.key());
      if (resource) {
        read.set(*resource, topology::engine_amount(*resource, *parsed));
      } else {
        asked_name(h, entry, member(field_of(path, key), entry.key()), entry.key());
      }
    } else {
      quantity(h, entry, member(field_of(path, key), entry.key()));
    }
  }
  return read;
}

std::optional<topology::Quantity> FieldReader::quantity(const ObjectHeader& h, Value value,
                                                        const std::string& path) {
  if (!value.is(Type::kString) && !value.is(Type::kNumber)) {
    error(h, value, path, "must be a quantity, is " + std::string(type_name(value)));
    return std::nullopt;
  }
  const auto parsed = topology::Quantity::parse(value.text());
  if (!parsed) {
    error(h, value, path, parsed.error().message);
    return std::nullopt;
  }
  if (parsed->sign() < 0) {
    error(h, value, path, quoted(value.text()) + " is negative");
    return std::nullopt;
  }
  return *parsed;
}

}  // namespace tessera::ingest
