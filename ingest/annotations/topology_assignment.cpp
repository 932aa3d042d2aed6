// SPDX-License-Identifier: Apache-2.0
#include "ingest/annotations/topology_assignment.h"

#include <algorithm>

#include "ingest/fields/field_text.h"

namespace tessera::ingest {
namespace {

using core::DomainList;
using reader::Type;
using reader::Value;
using topology::Symbol;

constexpr std::uint32_t kMaxLevels = 16;
constexpr std::uint32_t kMaxSlices = 1000;
constexpr std::uint32_t kMaxDomains = 100'000;  // of one slice, and of the v1beta1 list
constexpr std::size_t kMostTold = 8;            // told of one assignment
constexpr std::size_t kMaxValue = 63;
constexpr std::size_t kMaxLevel =
    316;  // a label key: prefix of 253 bytes, slash, name of 63 (less one)

tl::unexpected<Error> refuse(Value at, std::string field, std::string message) {
  Where where;
  where.line = static_cast<int>(at.position().line);
  where.column = static_cast<int>(at.position().column);
  where.field = std::move(field);
  return fail(ErrorCode::kInvalidInput, std::move(message), std::move(where));
}

std::string at_most(std::size_t limit, const char* what) {
  return "has more than " + std::to_string(limit) + " " + what;
}

bool present(Value value) { return value && !value.is(Type::kNull); }

/// The list under `key`, of `low` to `high` entries; `parent` gives the position when it is absent.
Result<Value> list(Value parent, std::string_view key, const std::string& path, std::uint32_t low,
                   std::uint32_t high, const char* what) {
  const Value value = parent[key];
  if (!present(value)) {
    if (low == 0) return Value();
    return refuse(parent, path, "is missing");
  }
  if (!value.is(Type::kSequence)) return refuse(value, path, "must be a list");
  if (value.size() < low) return refuse(value, path, "is empty");
  if (value.size() > high) return refuse(value, path, at_most(high, what));
  return value;
}

Result<std::string_view> text(Value value, const std::string& path, std::size_t limit) {
  if (!value.is(Type::kString)) return refuse(value, path, "must be a text");
  if (value.text().size() > limit) return refuse(value, path, at_most(limit, "bytes"));
  return value.text();
}

Result<std::int64_t> count(Value value, const std::string& path, std::int64_t high) {
  const std::optional<std::int64_t> number = value ? value.integer() : std::nullopt;
  if (!number || *number < 1 || *number > high) {
    return refuse(value, path, "must be an integer from 1 to " + std::to_string(high));
  }
  return *number;
}

Result<std::vector<Symbol>> read_levels(Value assignment) {
  const Result<Value> names = list(assignment, "levels", "levels", 1, kMaxLevels, "levels");
  if (!names) return tl::unexpected(names.error());
  std::vector<Symbol> levels;
  for (Value v = names->first(); v; v = v.next()) {
    const auto name = text(v, item("levels", levels.size()), kMaxLevel);
    if (!name) return tl::unexpected(name.error());
    levels.emplace_back(*name);
  }
  return levels;
}

/// What is being read. A domain whose pods cannot be read is added with 0 of them.
struct Reading {
  DomainList domains;
  std::size_t open = 0;  // domains with 0 pods
  std::vector<Error> faults;

  void fault(const Error& error) {
    if (faults.size() < kMostTold) faults.push_back(error);
  }
  void add(std::span<const Symbol> values, const Result<std::int64_t>& pods) {
    if (!pods) {
      fault(pods.error());
      ++open;
    }
    domains.add(values, pods.value_or(0));
  }
};

/// v1beta1: appends one entry, a domain with all its values.
Result<void> read_domain(Value entry, const std::string& path, std::size_t level_count,
                         Reading& reading) {
  const std::string values_path = path + ".values";
  const auto values = list(entry, "values", values_path, 1, kMaxLevels, "values");
  if (!values) return tl::unexpected(values.error());
  if (values->size() != level_count) {
    return refuse(*values, values_path,
                  "must have one value a level (" + std::to_string(level_count) + ")");
  }
  std::vector<Symbol> symbols;
  for (Value v = values->first(); v; v = v.next()) {
    const auto value = text(v, item(values_path, symbols.size()), kMaxValue);
    if (!value && !v.is(Type::kNumber)) return tl::unexpected(value.error());
    if (!value) reading.fault(value.error());  // what it means is clear
    symbols.emplace_back(v.text());
  }
  reading.add(symbols, count(entry["count"], path + ".count", INT32_MAX));
  return {};
}

void read_domains(Value assignment, std::size_t level_count, Reading& reading) {
  const auto entries = list(assignment, "domains", "domains", 0, kMaxDomains, "domains");
  if (!entries) return reading.fault(entries.error());
  reading.domains.reserve(entries->size(), level_count);
  std::size_t index = 0;
  for (Value v = entries->first(); v; v = v.next()) {
    const auto read = read_domain(v, item("domains", index++), level_count, reading);
    if (!read) reading.fault(read.error());
  }
}

/// True for universal, false for individual. Refuses an entry that has both or neither.
Result<bool> is_universal(Value entry, const std::string& path) {
  const bool universal = present(entry["universal"]);
  if (universal == present(entry["individual"])) {
    return refuse(entry, path, "exactly one of universal and individual must be set");
  }
  return universal;
}

/// A list beside the domains of a slice: as long as domainCount says, which is checked before
/// anything is kept.
Result<Value> per_domain(Value parent, std::string_view key, const std::string& path,
                         std::int64_t domain_count) {
  auto entries = list(parent, key, path, 1, kMaxDomains, "entries");
  if (entries && entries->size() != domain_count) {
    return refuse(*entries, path,
                  "has " + std::to_string(entries->size()) + " entries where domainCount is " +
                      std::to_string(domain_count));
  }
  return entries;
}

/// The values of one level of a slice: one for all domains, or prefix + root + suffix each.
struct LevelValues {
  bool universal = false;
  std::string_view prefix, suffix;
  Value next;  // universal: the value; else the next root

  Symbol take() {
    if (universal) return Symbol(next.text());
    std::string value(prefix);
    value.append(next.text()).append(suffix);
    next = next.next();
    return Symbol(value);
  }
};

Result<std::string_view> optional_text(Value parent, std::string_view key,
                                       const std::string& path) {
  const Value value = parent[key];
  if (!present(value)) return std::string_view();
  return text(value, path + "." + std::string(key), kMaxValue);
}

Result<LevelValues> read_level_values(Value entry, const std::string& path,
                                      std::int64_t domain_count) {
  const auto universal = is_universal(entry, path);
  if (!universal) return tl::unexpected(universal.error());
  LevelValues values;
  values.universal = *universal;
  if (values.universal) {
    values.next = entry["universal"];
    const auto value = text(values.next, path + ".universal", kMaxValue);
    if (!value) return tl::unexpected(value.error());
    return values;
  }
  const Value individual = entry["individual"];
  const std::string individual_path = path + ".individual";
  const auto prefix = optional_text(individual, "prefix", individual_path);
  if (!prefix) return tl::unexpected(prefix.error());
  const auto suffix = optional_text(individual, "suffix", individual_path);
  if (!suffix) return tl::unexpected(suffix.error());
  const std::string roots_path = individual_path + ".roots";
  const auto roots = per_domain(individual, "roots", roots_path, domain_count);
  if (!roots) return tl::unexpected(roots.error());
  std::size_t index = 0;
  for (Value v = roots->first(); v; v = v.next()) {
    const auto root = text(v, item(roots_path, index++), kMaxValue);
    if (!root) return tl::unexpected(root.error());
  }
  values.prefix = *prefix;
  values.suffix = *suffix;
  values.next = roots->first();
  return values;
}

Result<std::vector<LevelValues>> read_values(Value slice, const std::string& path,
                                             std::int64_t domain_count, std::size_t level_count) {
  const std::string values_path = path + ".valuesPerLevel";
  const auto entries = list(slice, "valuesPerLevel", values_path, 1, kMaxLevels, "levels");
  if (!entries) return tl::unexpected(entries.error());
  if (entries->size() != level_count) {
    return refuse(*entries, values_path,
                  "must have one entry a level (" + std::to_string(level_count) + ")");
  }
  std::vector<LevelValues> levels;
  for (Value v = entries->first(); v; v = v.next()) {
    auto level = read_level_values(v, item(values_path, levels.size()), domain_count);
    if (!level) return tl::unexpected(level.error());
    levels.push_back(*level);
  }
  const bool all_same = std::all_of(levels.begin(), levels.end(),
                                    [](const LevelValues& level) { return level.universal; });
  if (all_same && domain_count > 1) {
    return refuse(*entries, values_path,
                  "names one domain " + std::to_string(domain_count) + " times");
  }
  return levels;
}

/// How many domains the lists of a slice have, if it does not say it itself.
std::int64_t listed_domains(Value slice) {
  std::uint32_t listed = std::max(1U, slice["podCounts"]["individual"].size());
  for (Value v = slice["valuesPerLevel"].first(); v; v = v.next()) {
    listed = std::max(listed, v["individual"]["roots"].size());
  }
  return std::min(listed, kMaxDomains);
}

/// Appends the domains of one slice.
Result<void> read_slice(Value slice, const std::string& path, std::size_t level_count,
                        Reading& reading) {
  Result<std::int64_t> domain_count =
      count(slice["domainCount"], path + ".domainCount", kMaxDomains);
  if (!domain_count) {
    reading.fault(domain_count.error());
    domain_count = listed_domains(slice);
  }
  auto levels = read_values(slice, path, *domain_count, level_count);
  if (!levels) return tl::unexpected(levels.error());
  const Value counts = slice["podCounts"];
  const std::string counts_path = path + ".podCounts";
  const auto universal = is_universal(counts, counts_path);
  Result<Value> pods = counts["universal"];
  if (!universal) {
    pods = tl::unexpected(universal.error());
  } else if (!*universal) {
    pods = per_domain(counts, "individual", counts_path + ".individual", *domain_count);
    if (pods) pods = pods->first();
  }
  if (!pods) reading.fault(pods.error());
  std::vector<Symbol> values;
  for (std::int64_t d = 0; d < *domain_count; ++d) {
    values.clear();
    for (LevelValues& level : *levels) values.push_back(level.take());
    if (!pods) {  // one fault for all
      ++reading.open;
      reading.domains.add(values, 0);
      continue;
    }
    reading.add(values, count(*pods, counts_path, INT32_MAX));
    if (!*universal) pods = pods->next();
  }
  return {};
}

void read_slices(Value assignment, std::size_t level_count, Reading& reading) {
  const auto slices = list(assignment, "slices", "slices", 0, kMaxSlices, "slices");
  if (!slices) return reading.fault(slices.error());
  std::size_t index = 0;
  for (Value v = slices->first(); v; v = v.next()) {
    const auto read = read_slice(v, item("slices", index++), level_count, reading);
    if (!read) reading.fault(read.error());
  }
}

/// Deals what is left of `pods` to the domains that do not say how many they have: at least one
/// each.
DomainList dealt(const DomainList& domains, std::size_t open, std::int64_t pods) {
  for (const DomainList::Domain domain : domains) pods -= domain.pods;
  const auto parts = static_cast<std::int64_t>(open);
  pods = std::max(pods, parts);
  std::int64_t larger = pods % parts;
  DomainList out;
  for (const DomainList::Domain domain : domains) {
    out.add(domain.values, domain.pods > 0 ? domain.pods : pods / parts + (larger-- > 0 ? 1 : 0));
  }
  return out;
}

}  // namespace

AssignmentReading read_assignment(Value assignment, std::int64_t pods) {
  Reading reading;
  std::vector<Symbol> levels;
  const auto read = [&]() -> Result<void> {
    if (!assignment.is(Type::kMap)) return refuse(assignment, "", "must be a map");
    auto names = read_levels(assignment);
    if (!names) return tl::unexpected(names.error());
    if (present(assignment["domains"]) && present(assignment["slices"])) {
      return refuse(assignment["slices"], "slices", "cannot stand beside domains (two encodings)");
    }
    levels = std::move(*names);
    if (present(assignment["domains"])) {
      read_domains(assignment, levels.size(), reading);
    } else {
      read_slices(assignment, levels.size(), reading);
    }
    return {};
  };
  if (const auto done = read(); !done) reading.fault(done.error());
  if (reading.open > 0) reading.domains = dealt(reading.domains, reading.open, pods);
  return {std::move(levels), std::move(reading.domains), std::move(reading.faults)};
}

Result<DomainList> decode_assignment(Value assignment, std::vector<Symbol>& levels) {
  AssignmentReading read = read_assignment(assignment, 0);
  levels.clear();
  if (!read.faults.empty()) return tl::unexpected(std::move(read.faults.front()));
  levels = std::move(read.levels);
  return std::move(read.domains);
}

}  // namespace tessera::ingest
