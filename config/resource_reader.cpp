// SPDX-License-Identifier: Apache-2.0
// The part `resources` of the configuration file.
#include <algorithm>

#include "config/settings_reader.h"
#include "topology/text/nearest.h"

namespace tessera::config {

using reader::Type;
using reader::Value;

void SettingsReader::read_resources(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    std::size_t i = 0;
    if (v.key() == "excludeResourcePrefixes") {
      for (Value prefix : entries(v, field)) {
        const std::string written = text(prefix, numbered(field, i++));
        if (!written.empty()) loaded_.settings.resources.excluded_prefixes.push_back(written);
      }
    } else if (v.key() == "transformations") {
      for (Value rule : entries(v, field)) read_transformation(rule, numbered(field, i++));
    } else {
      unknown(v, path, {"excludeResourcePrefixes", "transformations"});
    }
  }
}

void SettingsReader::read_transformation(Value value, const std::string& path) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  ResourceTransformation rule;
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "." + std::string(v.key());
    if (v.key() == "input") {
      rule.input = text(v, field);
    } else if (v.key() == "strategy") {
      const std::string strategy = text(v, field);
      rule.replaces = strategy == "Replace";
      if (!rule.replaces && strategy != "Retain") {
        report(v, field,
               "\"" + strategy + "\" is not one of Retain, Replace" +
                   did_you_mean(strategy, {"Retain", "Replace"}));
      }
    } else if (v.key() == "multiplyBy") {
      rule.multiply_by = text(v, field);
    } else if (v.key() == "outputs") {
      read_outputs(v, field, rule);
    } else {
      unknown(v, path, {"input", "strategy", "multiplyBy", "outputs"});
    }
  }
  if (rule.input.empty()) return report(value, path + ".input", "names the resource to transform");
  for (const ResourceTransformation& other : loaded_.settings.resources.transformations) {
    if (other.input == rule.input)
      return report(value, path + ".input", "\"" + rule.input + "\" is transformed twice");
  }
  loaded_.settings.resources.transformations.push_back(std::move(rule));
}

void SettingsReader::read_outputs(Value value, const std::string& path,
                                  ResourceTransformation& rule) {
  if (!value.is(Type::kMap)) return report(value, path, "expected a map");
  for (Value v = value.first(); v; v = v.next()) {
    const std::string field = path + "[\"" + std::string(v.key()) + "\"]";
    const auto factor = topology::Quantity::parse(text(v, field));
    if (!factor) {
      report(v, field, factor.error().message);
    } else if (!factor->nano_value()) {
      report(v, field, "\"" + factor->canonical() + "\" is too large for a factor");
    } else {
      rule.outputs.emplace_back(std::string(v.key()), *factor);
    }
  }
}

}  // namespace tessera::config
