// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/group_constraints.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "ingest/fields/field_text.h"
#include "ingest/fields/fields.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {

WrittenTopology read_group_topology(ReadContext& context, const ObjectHeader& header,
                                    reader::Value constraint, const std::string& path) {
  WrittenTopology read;
  const auto place = [&](std::string_view key) {
    const reader::Value at = constraint[key];
    return context.where(header, at ? at : constraint, path + "." + std::string(key));
  };
  const auto level = [&](std::string_view key) -> std::optional<topology::Symbol> {
    const std::string name = context.text(header, constraint, key, path).value_or("");
    if (name.empty()) return std::nullopt;
    return context.asked_name(header, constraint[key], path + "." + std::string(key), name);
  };
  const std::string topology = context.text(header, constraint, "topology", path).value_or("");
  read.asked.required = level("requiredTopologyLevel");
  read.asked.preferred = level("preferredTopologyLevel");
  if (read.empty()) {
    if (!topology.empty()) {
      context.warning(header, constraint, path, "names no level and asks for nothing");
    }
    return {};
  }
  read.asked.topology = topology;
  read.places = {place("topology"), place("requiredTopologyLevel"),
                 place("preferredTopologyLevel")};
  return read;
}

namespace {

constexpr const char* kConstraintsPath = "spec.topologyConstraints";

class DesignedConstraints {
 public:
  DesignedConstraints(ReadContext& context, const ObjectHeader& header, const GroupNumbers& numbers,
                      FieldErrors& errors, GroupTree& tree)
      : context_(context), header_(header), numbers_(numbers), errors_(errors), tree_(tree) {}

  void apply(reader::Value constraints);

 private:
  void read_groups(reader::Value groups, const std::string& path);
  void check_keys(reader::Value constraint, const std::string& path);
  void read_group(reader::Value constraint, const std::string& path, std::string_view name,
                  reader::Value name_at, const std::string& name_path);
  void read_set(reader::Value set, const std::string& path);
  std::vector<GroupTree::Number> members_of(reader::Value names, const std::string& path);
  std::optional<GroupTree::Number> number_of(std::string_view name, reader::Value at,
                                             const std::string& path);

  ReadContext& context_;
  const ObjectHeader& header_;
  const GroupNumbers& numbers_;
  FieldErrors& errors_;
  GroupTree& tree_;
  std::vector<std::string> names_;                   // to suggest; filled when the first is needed
  std::map<GroupTree::Number, std::string> set_of_;  // the set that names a group
};

/// The group of that name. Nothing, and an error, if there is none.
std::optional<GroupTree::Number> DesignedConstraints::number_of(std::string_view name,
                                                                reader::Value at,
                                                                const std::string& path) {
  const auto found = numbers_.find(name);
  if (found != numbers_.end()) return found->second;
  if (names_.empty()) {
    for (const auto& [known, number] : numbers_) names_.push_back(known);
  }
  errors_.invalid(
      at, path, name,
      "no group of spec.subGroups has this name" + context_.speller.did_you_mean(name, names_));
  return std::nullopt;
}

void DesignedConstraints::read_group(reader::Value constraint, const std::string& path,
                                     std::string_view name, reader::Value name_at,
                                     const std::string& name_path) {
  if (!constraint.is(reader::Type::kMap)) {
    if (!constraint.is(reader::Type::kNull)) {
      context_.error(header_, constraint, path, "must be a map");
    }
    return;
  }
  const auto number = number_of(name, name_at, name_path);
  if (!number) return;
  WrittenTopology& own = tree_[*number].topology;
  if (!own.empty()) return errors_.duplicate(name_at, name_path, name);
  own = read_group_topology(context_, header_, constraint, path);
}

/// The table of fields knows no map with free names.
void DesignedConstraints::check_keys(reader::Value constraint, const std::string& path) {
  static const std::vector<std::string> kKeys = {"preferredTopologyLevel", "requiredTopologyLevel",
                                                 "topology"};
  for (reader::Value entry = constraint.first(); entry; entry = entry.next()) {
    const std::string key(entry.key());
    if (key.empty() || std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end()) continue;
    context_.warning(header_, entry, path + "." + key, unknown_key(nearest(key, kKeys)));
  }
}

/// A map by name, as KAI's design has it, or a list of entries with names.
void DesignedConstraints::read_groups(reader::Value groups, const std::string& path) {
  if (groups.is(reader::Type::kMap)) {
    for (reader::Value one = groups.first(); one; one = one.next()) {
      const std::string at = member(path, one.key());
      if (one.is(reader::Type::kMap)) check_keys(one, at);
      read_group(one, at, one.key(), one, at);
    }
  } else if (groups.is(reader::Type::kSequence)) {
    std::size_t index = 0;
    for (reader::Value one = groups.first(); one; one = one.next()) {
      const std::string at = item(path, index++);
      const std::string name = read_required(context_, header_, one, "name", at);
      if (!name.empty()) read_group(one, at, name, one["name"], at + ".name");
    }
  } else if (groups && !groups.is(reader::Type::kNull)) {
    context_.error(header_, groups, path, "must be a map or a list");
  }
}

std::vector<GroupTree::Number> DesignedConstraints::members_of(reader::Value names,
                                                               const std::string& path) {
  std::vector<GroupTree::Number> members;
  std::size_t index = 0;
  for (reader::Value name = names.first(); name; name = name.next()) {
    const std::string at = item(path, index++);
    const auto number = number_of(name.text(), name, at);
    if (!number) return {};
    const auto [taken, first] = set_of_.emplace(*number, path);
    if (!first) {
      errors_.invalid(name, at, name.text(), "stands in " + taken->second + " already");
      return {};
    }
    members.push_back(*number);
  }
  if (members.empty()) errors_.required(names, path, "a set needs the names of its groups");
  return members;
}

void DesignedConstraints::read_set(reader::Value set, const std::string& path) {
  const std::string names_path = path + ".subGroups", constraint_path = path + ".constraint";
  const reader::Value names = context_.sequence(header_, set, "subGroups", path);
  const WrittenTopology topology = read_group_topology(
      context_, header_, context_.map(header_, set, "constraint", path), constraint_path);
  const std::vector<GroupTree::Number> members = members_of(names ? names : set, names_path);
  if (members.empty() || topology.empty()) return;
  switch (tree_.join(tree_.fewest(members), topology)) {
    case GroupTree::Joined::kDone:
      return;
    case GroupTree::Joined::kNoSiblings:
      return errors_.invalid(names, names_path,
                             "the set overlaps a group or another set: it must hold all groups "
                             "below it, or none");
    case GroupTree::Joined::kSomeOfThem:
      return errors_.invalid(names, names_path,
                             "the set holds a part of the groups of which their parent needs a "
                             "number: give the set a group of its own in spec.subGroups");
  }
}

void DesignedConstraints::apply(reader::Value constraints) {
  const std::string path = kConstraintsPath;
  read_groups(constraints["subGroups"], path + ".subGroups");
  const reader::Value sets = context_.sequence(header_, constraints, "subGroupSets", path);
  std::size_t index = 0;
  for (reader::Value set = sets.first(); set; set = set.next()) {
    read_set(set, item(path + ".subGroupSets", index++));
  }
  const WrittenTopology global = read_group_topology(
      context_, header_, context_.map(header_, constraints, "global", path), path + ".global");
  if (global.empty() || tree_.apply_default(global)) return;
  context_.warning(header_, constraints["global"], path + ".global",
                   "each group without a constraint of its own keeps to it for itself: their "
                   "parent needs only some of its groups, so they are not placed as one");
}

}  // namespace

void apply_designed_constraints(ReadContext& context, const ObjectHeader& header,
                                reader::Value constraints, const GroupNumbers& numbers,
                                FieldErrors& errors, GroupTree& tree) {
  DesignedConstraints(context, header, numbers, errors, tree).apply(constraints);
}

}  // namespace tessera::ingest
