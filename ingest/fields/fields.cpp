// SPDX-License-Identifier: Apache-2.0
#include "ingest/fields/fields.h"

#include <algorithm>

#include "ingest/fields/field_text.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

using reader::Value;
using topology::AskedText;
using topology::LabelOperator;
using topology::LabelRequirement;

constexpr Word<LabelOperator> kSelectorOperators[] = {
    {"In", LabelOperator::kIn},
    {"NotIn", LabelOperator::kNotIn},
    {"Exists", LabelOperator::kExists},
    {"DoesNotExist", LabelOperator::kDoesNotExist},
};

std::optional<LabelRequirement> read_expression(FieldReader& context, const ObjectHeader& header,
                                                Value in, const std::string& path) {
  LabelRequirement read;
  read.key = AskedText(read_required(context, header, in, "key", path));
  const auto op = read_word(context, header, in, "operator", path, kSelectorOperators);
  if (!op) {
    if (!in["operator"]) context.error(header, in, path + ".operator", "is missing");
    return std::nullopt;
  }
  read.op = *op;
  const Value values = context.sequence(header, in, "values", path);
  for (Value value = values.first(); value; value = value.next()) {
    read.values.emplace_back(value.text());
  }
  const bool needs_values = *op == LabelOperator::kIn || *op == LabelOperator::kNotIn;
  if (needs_values == read.values.empty()) {
    context.error(header, in, path + ".values",
                  needs_values ? "In and NotIn need values" : "Exists and DoesNotExist take none");
    return std::nullopt;
  }
  return read;
}

}  // namespace

std::string unknown_word(std::string_view word, const std::vector<std::string>& right) {
  std::string message = quoted(word) + " is unknown (right:";
  for (std::size_t i = 0; i < right.size(); ++i) message += (i == 0 ? " " : ", ") + right[i];
  const std::string near = nearest(word, right);
  if (!near.empty()) message += "; did you mean " + quoted(near) + "?";
  return message + ")";
}

std::string unknown_key(std::string_view near) {
  std::string message = "unknown key";
  if (!near.empty()) message += " (did you mean " + quoted(near) + "?)";
  return message;
}

std::optional<std::string> read_renamed(FieldReader& context, const ObjectHeader& header, Value in,
                                        std::string_view name, std::string_view old_name,
                                        const std::string& path) {
  std::optional<std::string> now = context.text(header, in, name, path);
  std::optional<std::string> before = context.text(header, in, old_name, path);
  if (now && before && *now != *before) {
    context.error(header, in[old_name], path + "." + std::string(old_name),
                  quoted(*before) + " contradicts " + std::string(name) + " " + quoted(*now) +
                      " (the same field under its old name)");
  }
  return now ? now : before;
}

std::string read_required(FieldReader& context, const ObjectHeader& header, Value in,
                          std::string_view key, const std::string& path) {
  const Value value = in[key];
  std::optional<std::string> text = context.text(header, in, key, path);
  if (text && !text->empty()) return *text;
  const bool wrong_type = value && !value.is(reader::Type::kNull) && !text;
  if (!wrong_type) {
    context.error(header, value ? value : in, path + "." + std::string(key), "is missing");
  }
  return {};
}

std::optional<topology::LabelSelector> read_label_selector(FieldReader& context,
                                                           const ObjectHeader& header, Value in,
                                                           std::string_view key,
                                                           const std::string& path) {
  const Value selector = context.map(header, in, key, path);
  if (!selector) return std::nullopt;
  const std::string here = path + "." + std::string(key);
  topology::LabelSelector read;
  const Value labels = context.map(header, selector, "matchLabels", here);
  const Value list = context.sequence(header, selector, "matchExpressions", here);
  std::size_t entries = labels.size();
  for (Value one = list.first(); one; one = one.next()) entries += 1 + one["values"].size();
  if (!context.few_enough(header, selector, here, entries)) return std::nullopt;
  for (Value label = labels.first(); label; label = label.next()) {
    read.requirements.push_back(
        {AskedText(label.key()), LabelOperator::kIn, {AskedText(label.text())}});
  }
  std::size_t index = 0;
  for (Value one = list.first(); one; one = one.next()) {
    auto requirement =
        read_expression(context, header, one, item(here + ".matchExpressions", index++));
    if (requirement) read.requirements.push_back(std::move(*requirement));
  }
  return read;
}

}  // namespace tessera::ingest
