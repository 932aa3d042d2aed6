// SPDX-License-Identifier: Apache-2.0
#include "ingest/objects/node_filter_reader.h"

#include <algorithm>
#include <charconv>

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"

namespace tessera::ingest {
namespace {

using topology::AskedText;
using topology::LabelOperator;
using topology::LabelRequirement;
using topology::NodeSelectorTerm;
using topology::TaintEffect;
using topology::Toleration;
using topology::TolerationOperator;

constexpr Word<TolerationOperator> kTolerationOperators[] = {
    {"Equal", TolerationOperator::kEqual},
    {"Exists", TolerationOperator::kExists},
    {"Lt", TolerationOperator::kLt},
    {"Gt", TolerationOperator::kGt},
};
constexpr Word<TaintEffect> kEffects[] = {
    {"NoSchedule", TaintEffect::kNoSchedule},
    {"PreferNoSchedule", TaintEffect::kPreferNoSchedule},
    {"NoExecute", TaintEffect::kNoExecute},
};
constexpr Word<LabelOperator> kNodeOperators[] = {
    {"In", LabelOperator::kIn},         {"NotIn", LabelOperator::kNotIn},
    {"Exists", LabelOperator::kExists}, {"DoesNotExist", LabelOperator::kDoesNotExist},
    {"Gt", LabelOperator::kGt},         {"Lt", LabelOperator::kLt},
};

bool is_integer(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && error == std::errc() && end == text.data() + text.size();
}

/// An empty text means the default, as if the field were absent.
bool is_empty(reader::Value value) {
  return !value || value.is(reader::Type::kNull) ||
         (value.is(reader::Type::kString) && value.text().empty());
}

/// Reads the parts of a pod spec that filter nodes. Bundles what every step needs.
class FilterReader {
 public:
  FilterReader(ReadContext& context, const ObjectHeader& header)
      : context_(context), header_(header) {}

  std::optional<Toleration> toleration(reader::Value value, const std::string& path);
  std::vector<NodeSelectorTerm> terms(reader::Value list, const std::string& path);
  topology::PreferredTerm preferred(reader::Value value, const std::string& path);

 private:
  NodeSelectorTerm term(reader::Value value, const std::string& path);
  std::vector<LabelRequirement> requirements(reader::Value in, std::string_view key,
                                             const std::string& path);
  std::optional<LabelRequirement> requirement(reader::Value value, const std::string& path);
  bool values_suit(reader::Value at, const std::string& path, const LabelRequirement& read,
                   const std::string& op);

  ReadContext& context_;
  const ObjectHeader& header_;
};

std::optional<Toleration> FilterReader::toleration(reader::Value value, const std::string& path) {
  const std::size_t errors_before = context_.error_count();
  Toleration read;
  read.key = AskedText(context_.text(header_, value, "key", path).value_or(""));
  const std::string text = context_.text(header_, value, "value", path).value_or("");
  read.value = AskedText(text);
  if (!is_empty(value["operator"])) {
    read.op = read_word(context_, header_, value, "operator", path, kTolerationOperators)
                  .value_or(read.op);
  }
  if (!is_empty(value["effect"])) {
    read.effect = read_word(context_, header_, value, "effect", path, kEffects);
  }
  read.seconds = context_.integer(header_, value, "tolerationSeconds", path, INT64_MIN, INT64_MAX);
  const bool exists = read.op == TolerationOperator::kExists;
  const bool numeric = read.op == TolerationOperator::kLt || read.op == TolerationOperator::kGt;
  if (read.key.empty() && !exists) {
    context_.error(header_, value, path, "operator must be Exists when key is empty");
  } else if (exists && !text.empty()) {
    context_.error(header_, value["value"], path + ".value",
                   "must be empty when operator is Exists");
  } else if (numeric && !is_integer(text)) {
    context_.error(header_, value, path + ".value",
                   quoted(text) + " is not an integer, which operators Lt and Gt need");
  }
  if (context_.error_count() != errors_before) return std::nullopt;
  return read;
}

bool FilterReader::values_suit(reader::Value at, const std::string& path,
                               const LabelRequirement& read, const std::string& op) {
  std::string needs;
  switch (read.op) {
    case LabelOperator::kIn:
    case LabelOperator::kNotIn:
      if (read.values.empty()) needs = "at least one value";
      break;
    case LabelOperator::kExists:
    case LabelOperator::kDoesNotExist:
      if (!read.values.empty()) needs = "no values";
      break;
    case LabelOperator::kGt:
    case LabelOperator::kLt:
      if (read.values.size() != 1 || !is_integer(read.values[0].view())) {
        needs = "exactly one value, an integer";
      }
      break;
  }
  if (needs.empty()) return true;
  context_.error(header_, at, path + ".values", "operator " + op + " needs " + needs);
  return false;
}

std::optional<LabelRequirement> FilterReader::requirement(reader::Value value,
                                                          const std::string& path) {
  LabelRequirement read;
  read.key = AskedText(read_required(context_, header_, value, "key", path));
  const std::string op = read_required(context_, header_, value, "operator", path);
  if (op.empty()) return std::nullopt;
  const auto known = read_word(context_, header_, value, "operator", path, kNodeOperators);
  if (!known) return std::nullopt;
  read.op = *known;
  const reader::Value values = context_.sequence(header_, value, "values", path);
  std::size_t index = 0;
  for (reader::Value v = values.first(); v; v = v.next(), ++index) {
    if (v.is(reader::Type::kString)) {
      read.values.emplace_back(v.text());
      continue;
    }
    context_.error(header_, v, item(path + ".values", index), "must be a text (put it in quotes)");
    return std::nullopt;
  }
  if (!values_suit(value, path, read, op)) return std::nullopt;
  return read;
}

std::vector<LabelRequirement> FilterReader::requirements(reader::Value in, std::string_view key,
                                                         const std::string& path) {
  std::vector<LabelRequirement> read;
  const reader::Value list = context_.sequence(header_, in, key, path);
  const std::string list_path = path + "." + std::string(key);
  std::size_t index = 0;
  for (reader::Value v = list.first(); v; v = v.next()) {
    if (auto one = requirement(v, item(list_path, index++))) read.push_back(std::move(*one));
  }
  return read;
}

NodeSelectorTerm FilterReader::term(reader::Value value, const std::string& path) {
  NodeSelectorTerm read;
  read.expressions = requirements(value, "matchExpressions", path);
  read.fields = requirements(value, "matchFields", path);
  for (const LabelRequirement& field : read.fields) {
    const bool op_known = field.op == LabelOperator::kIn || field.op == LabelOperator::kNotIn;
    if (field.key.view() != "metadata.name" || !op_known || field.values.size() != 1) {
      context_.error(header_, value["matchFields"], path + ".matchFields",
                     "only metadata.name with operator In or NotIn and one value is known");
    }
  }
  return read;
}

std::vector<NodeSelectorTerm> FilterReader::terms(reader::Value list, const std::string& path) {
  std::vector<NodeSelectorTerm> read;
  std::size_t index = 0;
  for (reader::Value v = list.first(); v; v = v.next())
    read.push_back(term(v, item(path, index++)));
  return read;
}

topology::PreferredTerm FilterReader::preferred(reader::Value value, const std::string& path) {
  topology::PreferredTerm read;
  const auto weight = context_.integer(header_, value, "weight", path, 1, 100);
  if (weight) {
    read.weight = static_cast<std::int32_t>(*weight);
  } else if (!value["weight"]) {
    context_.error(header_, value, path + ".weight", "is missing (right: 1 to 100)");
  }
  read.term = term(context_.map(header_, value, "preference", path), path + ".preference");
  return read;
}

/// Terms, expressions and values of a list of terms, all together. `within`: where each item keeps
/// its term, empty if it is one.
std::size_t entries_of(reader::Value terms, std::string_view within) {
  std::size_t entries = 0;
  for (reader::Value v = terms.first(); v; v = v.next()) {
    ++entries;
    const reader::Value term = within.empty() ? v : v[within];
    for (const std::string_view key : {"matchExpressions", "matchFields"}) {
      for (reader::Value one = term[key].first(); one; one = one.next()) {
        entries += 1 + one["values"].size();
      }
    }
  }
  return entries;
}

void read_affinity(ReadContext& context, const ObjectHeader& header, reader::Value spec,
                   const std::string& spec_path, topology::NodeFilter& filter) {
  const reader::Value affinity = context.map(header, spec, "affinity", spec_path);
  const std::string affinity_path = spec_path + ".affinity";
  const reader::Value node = context.map(header, affinity, "nodeAffinity", affinity_path);
  const std::string path = affinity_path + ".nodeAffinity";
  FilterReader reader(context, header);
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";
  // Each node is compared with all of them.
  const std::size_t entries = entries_of(node[kRequired]["nodeSelectorTerms"], "") +
                              entries_of(node[kPreferred], "preference");
  if (!context.few_enough(header, node, path, entries)) return;
  if (const reader::Value required = context.map(header, node, kRequired, path)) {
    const std::string required_path = path + "." + std::string(kRequired);
    filter.required =
        reader.terms(context.sequence(header, required, "nodeSelectorTerms", required_path),
                     required_path + ".nodeSelectorTerms");
  }
  const reader::Value preferred = context.sequence(header, node, kPreferred, path);
  std::size_t index = 0;
  for (reader::Value v = preferred.first(); v; v = v.next()) {
    filter.preferred.push_back(
        reader.preferred(v, item(path + "." + std::string(kPreferred), index++)));
  }
}

}  // namespace

std::vector<Toleration> read_tolerations(ReadContext& context, const ObjectHeader& header,
                                         reader::Value in, std::string_view key,
                                         const std::string& path) {
  std::vector<Toleration> read;
  FilterReader reader(context, header);
  const reader::Value list = context.sequence(header, in, key, path);
  if (!context.few_enough(header, list, key, path)) return read;
  const std::string list_path = path + "." + std::string(key);
  std::size_t index = 0;
  for (reader::Value v = list.first(); v; v = v.next()) {
    if (auto one = reader.toleration(v, item(list_path, index++))) read.push_back(*one);
  }
  return read;
}

topology::NodeFilter read_node_filter(ReadContext& context, const ObjectHeader& header,
                                      reader::Value spec, const std::string& path) {
  topology::NodeFilter filter;
  filter.tolerations = read_tolerations(context, header, spec, "tolerations", path);
  const reader::Value selector = context.map(header, spec, "nodeSelector", path);
  if (!context.few_enough(header, selector, "nodeSelector", path)) return filter;
  for (reader::Value v = selector.first(); v; v = v.next()) {
    if (v.is(reader::Type::kString)) {
      filter.node_selector.emplace_back(AskedText(v.key()), AskedText(v.text()));
    } else {
      context.error(header, v, member(path + ".nodeSelector", v.key()),
                    "must be a text (put it in quotes)");
    }
  }
  std::sort(filter.node_selector.begin(), filter.node_selector.end(),
            [](const auto& a, const auto& b) { return a.first.view() < b.first.view(); });
  read_affinity(context, header, spec, path, filter);
  return filter;
}

}  // namespace tessera::ingest
