// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/pod_group.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/duration.h"
#include "ingest/fields/api_names.h"
#include "ingest/fields/field_errors.h"
#include "ingest/fields/fields.h"
#include "ingest/kinds/group_constraints.h"
#include "ingest/kinds/group_tree.h"
#include "ingest/objects/job_parts.h"
#include "topology/parent_forest.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

using reader::Value;
using topology::ParentForest;

constexpr const char* kDesign = "topologyConstraints";
constexpr const char* kSpecPath = "spec";
constexpr const char* kGroupsPath = "spec.subGroups";
constexpr const char* kAsIs = "topologyConstraint";

/// An entry of spec.subGroups, or the spec itself.
struct WrittenGroup {
  std::string name, parent, path;
  Value at;
  std::optional<std::int64_t> min_member, min_sub_group;
  WrittenTopology topology;
  std::int64_t children = 0;
};

class PodGroupReader {
 public:
  PodGroupReader(ReadContext& context, const ObjectHeader& header, Value root)
      : context_(context),
        header_(header),
        root_(root),
        workload_(made_.workload),
        errors_(context, header, workload_.invalid) {
    made_.header = header;
    workload_ = start_workload(header);
  }

  void read();

 private:
  void read_queue();
  void read_terms();
  void read_duration(std::string_view key, bool negative);
  WrittenGroup read_group(Value at, const std::string& path);
  bool read_groups();
  bool check_tree();
  void check_name(const WrittenGroup& group);
  bool has(Value at, std::string_view key) const {
    return at[key] && !at[key].is(reader::Type::kNull);
  }
  bool choose_api();
  void forbid_beside_design(const WrittenGroup& group);
  void check_minimum(const WrittenGroup& group, bool inner);
  std::int64_t children_needed(const WrittenGroup& group) const;
  GroupTree make_tree();

  ReadContext& context_;
  const ObjectHeader& header_;
  Value root_, spec_;
  PodGroupObject made_;
  core::Workload& workload_;
  FieldErrors errors_;
  std::vector<WrittenGroup> groups_;             // the spec first
  std::vector<ParentForest::Position> parents_;  // of the others, from 0
  bool designed_ = false;  // minMember of an inner group counts its child groups
};

void PodGroupReader::read_queue() {
  const auto queue = context_.text(header_, spec_, "queue", kSpecPath);
  workload_.queue = queue.value_or("");
  if (workload_.queue.empty()) workload_.queue = kai_queue_of(header_);
  workload_.queue_is_kai = !workload_.queue.empty();
  workload_.priority_class =
      context_.text(header_, spec_, "priorityClassName", kSpecPath).value_or("");
}

void PodGroupReader::read_duration(std::string_view key, bool negative) {
  const auto text = context_.text(header_, spec_, key, kSpecPath);
  if (!text) return;
  const bool minus = text->starts_with('-');
  if (config::parse_duration(text->substr(minus ? 1 : 0)) && (negative || !minus)) return;
  errors_.invalid(spec_[key], "spec." + std::string(key), *text,
                  negative ? "must be a duration such as \"60s\", or negative for never"
                           : "must be a duration such as \"30s\"");
}

/// When and how the gang is scheduled. What only matters where gangs are evicted changes no answer.
void PodGroupReader::read_terms() {
  static constexpr Word<bool> kBounded[] = {// by the quota of its queues
                                            {"preemptible", false},
                                            {"non-preemptible", true},
                                            {"semi-preemptible", true}};
  const Value terms = spec_["preemptibility"];
  const bool named = !terms.is(reader::Type::kString) || !terms.text().empty();
  if (named && read_word(context_, header_, spec_, "preemptibility", kSpecPath, kBounded) == true) {
    add_not_honoured(workload_, "spec.preemptibility: " + std::string(terms.text()));
  }
  context_.boolean(header_, spec_, "markUnschedulable", kSpecPath);
  const auto tries =
      context_.integer(header_, spec_, "schedulingBackoff", kSpecPath, INT32_MIN, INT32_MAX);
  if (tries && *tries != -1 && *tries != 1) {
    errors_.invalid(spec_["schedulingBackoff"], "spec.schedulingBackoff", std::to_string(*tries),
                    "must be -1 (never stop trying) or 1 (stop after one try)");
  }
  if (tries == 1) add_not_honoured(workload_, "spec.schedulingBackoff: 1");
  read_duration("preemptionDelay", false);
  read_duration("stalenessGracePeriod", true);
  for (const char* label : {"kai.scheduler/node-pool", "runai/node-pool"}) {
    if (header_.labels.count(label) > 0) {
      add_not_honoured(workload_, std::string("label ") + label);
    }
  }
}

WrittenGroup PodGroupReader::read_group(Value at, const std::string& path) {
  WrittenGroup group;
  group.at = at;
  group.path = path;
  group.min_member = context_.integer(header_, at, "minMember", path, 0, INT32_MAX);
  group.min_sub_group = context_.integer(header_, at, "minSubGroup", path, 0, INT32_MAX);
  group.topology = read_group_topology(context_, header_, context_.map(header_, at, kAsIs, path),
                                       path + "." + kAsIs);
  return group;
}

/// False if there are too many.
bool PodGroupReader::read_groups() {
  groups_.push_back(read_group(spec_, kSpecPath));
  const Value list = context_.sequence(header_, spec_, "subGroups", kSpecPath);
  if (list.size() > kMostGroups) {
    errors_.invalid(list, kGroupsPath,
                    "has " + std::to_string(list.size()) + " groups; at most " +
                        std::to_string(kMostGroups) + " are read");
    return false;
  }
  std::size_t index = 0;
  for (Value one = list.first(); one; one = one.next()) {
    const std::string path = item(kGroupsPath, index++);
    if (!one.is(reader::Type::kMap)) {
      context_.error(header_, one, path, "must be a map");
      continue;
    }
    WrittenGroup group = read_group(one, path);
    group.name = read_required(context_, header_, one, "name", path);
    group.parent = context_.text(header_, one, "parent", path).value_or("");
    groups_.push_back(std::move(group));
  }
  return true;
}

/// A label of a pod must be able to name the group.
void PodGroupReader::check_name(const WrittenGroup& group) {
  for (const std::string& fault : namespace_name_faults(group.name)) {
    errors_.invalid(group.at["name"], group.path + ".name", group.name, fault);
  }
}

/// Names and parents. False: the groups make no tree.
bool PodGroupReader::check_tree() {
  const std::size_t faults = workload_.invalid.size();
  std::vector<topology::NamedParent> named;
  std::vector<std::string> names;
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < groups_.size(); ++i) {
    const WrittenGroup& group = groups_[i];
    named.push_back({group.name, group.parent});
    names.push_back(group.name);
    check_name(group);
    if (!seen.insert(group.name).second) {
      errors_.duplicate(group.at["name"], group.path + ".name", group.name);
    }
  }
  parents_ = topology::parent_positions(named);
  const ParentForest forest(parents_);
  const auto fault = [&](ParentForest::Position i, const std::string& detail) {
    const WrittenGroup& group = groups_[i + 1];
    errors_.invalid(group.at["parent"], group.path + ".parent", group.parent, detail);
  };
  for (const ParentForest::Position i : forest.unknown_parents()) {
    fault(i, "no group of spec.subGroups has this name" +
                 context_.speller.did_you_mean(groups_[i + 1].parent, names));
  }
  for (const auto& circle : forest.circles()) {
    constexpr std::size_t kShown = 6;
    std::string chain;
    for (std::size_t i = 0; i < std::min(kShown, circle.size()); ++i) {
      chain += names[circle[i]] + " < ";
    }
    if (circle.size() > kShown) chain += "... < ";
    fault(circle[0], "makes a cycle of parents: " + chain + names[circle[0]]);
  }
  const std::vector<ParentForest::Position> deep = forest.deeper_than(kMostGroupLevels - 1);
  if (!deep.empty()) {
    fault(deep[0], "is below " + std::to_string(forest.depth(deep[0])) + " other groups; at most " +
                       std::to_string(kMostGroupLevels) + " groups are read below each other");
  }
  return workload_.invalid.size() == faults;
}

void PodGroupReader::forbid_beside_design(const WrittenGroup& group) {
  for (const char* key : {kAsIs, "minSubGroup"}) {
    if (!has(group.at, key)) continue;
    errors_.forbidden(group.at[key], group.path + "." + key,
                      "may not be set beside spec.topologyConstraints, which is another form of "
                      "the same request");
  }
}

/// Whether the object follows KAI's design. False, with errors, if it follows both.
bool PodGroupReader::choose_api() {
  bool counts_groups = false, as_is = false;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const WrittenGroup& group = groups_[i];
    as_is = as_is || has(group.at, kAsIs) || has(group.at, "minSubGroup");
    counts_groups = counts_groups || (i > 0 && group.children > 0 && group.min_member);
  }
  const bool named = has(spec_, kDesign);
  if (named && as_is) {
    for (const WrittenGroup& group : groups_) forbid_beside_design(group);
    return false;
  }
  designed_ = named || (counts_groups && !as_is);
  return true;
}

/// gangs.md 9. `inner`: the group has child groups.
void PodGroupReader::check_minimum(const WrittenGroup& group, bool inner) {
  const std::string pods = group.path + ".minMember", groups = group.path + ".minSubGroup";
  const bool is_spec = group.name.empty();
  if (group.min_member && group.min_sub_group) {
    errors_.forbidden(group.at["minSubGroup"], groups,
                      "may not be set beside minMember: pods are counted, or child groups");
  } else if (group.min_sub_group && !inner) {
    errors_.forbidden(group.at["minSubGroup"], groups,
                      is_spec ? "there are no subGroups to count: use minMember"
                              : "the group has no child groups to count: use minMember");
  } else if (group.min_member && inner && !is_spec && !designed_) {
    errors_.forbidden(group.at["minMember"], pods,
                      "the group has child groups and no pods of its own: use minSubGroup");
  } else if (group.min_member && inner && designed_ && *group.min_member > group.children) {
    errors_.invalid(group.at["minMember"], pods, std::to_string(*group.min_member),
                    "is more than the " + counted(group.children, "child group", "child groups") +
                        " that it counts");
  } else if (group.min_member && inner && is_spec && !designed_) {
    context_.warning(header_, group.at["minMember"], pods,
                     "has no effect: the group has subGroups, whose minima count (minSubGroup "
                     "says how many of them are needed)");
  } else if (group.min_sub_group && *group.min_sub_group > group.children) {
    context_.warning(header_, group.at["minSubGroup"], groups,
                     std::to_string(*group.min_sub_group) + " is more than the " +
                         counted(group.children, "child group", "child groups") +
                         " that there are: the minimum can never be met");
  }
}

std::int64_t PodGroupReader::children_needed(const WrittenGroup& group) const {
  const std::optional<std::int64_t>& written = designed_ ? group.min_member : group.min_sub_group;
  return written.value_or(group.children);
}

GroupTree PodGroupReader::make_tree() {
  std::vector<GroupTree::Group> groups;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    const WrittenGroup& written = groups_[i];
    GroupTree::Group group;
    group.name = written.name;
    if (i > 0 && parents_[i - 1] != ParentForest::kNone) group.parent = parents_[i - 1] + 1;
    group.topology = written.topology;
    if (written.children > 0) {
      group.min_children = children_needed(written);
    } else {
      group.min_pods = written.min_member.value_or(i == 0 ? 1 : 0);
    }
    groups.push_back(std::move(group));
  }
  return GroupTree(std::move(groups));
}

void PodGroupReader::read() {
  const std::size_t errors_before = context_.error_count();
  spec_ = context_.map(header_, root_, "spec", "");
  read_queue();
  read_terms();
  const bool few = read_groups();
  if (context_.error_count() != errors_before) return;
  made_.broken = !few || !check_tree();
  if (!made_.broken) {
    for (std::size_t i = 1; i < groups_.size(); ++i) {
      const ParentForest::Position parent = parents_[i - 1];
      ++groups_[parent == ParentForest::kNone ? 0 : parent + 1].children;
    }
    const bool one_api = choose_api();
    for (const WrittenGroup& group : groups_) check_minimum(group, group.children > 0);
    GroupTree tree = make_tree();
    if (one_api && has(spec_, kDesign)) {
      GroupNumbers numbers;
      for (GroupTree::Number i = 1; i < tree.size(); ++i) numbers.emplace(tree[i].name, i);
      apply_designed_constraints(context_, header_,
                                 context_.map(header_, spec_, kDesign, kSpecPath), numbers, errors_,
                                 tree);
    }
    tree.flatten(workload_.gang.groups, made_.places);
  } else {
    workload_.gang.groups.emplace_back().end = 1;
    made_.places.emplace_back();
  }
  if (context_.error_count() == errors_before) {
    context_.pod_groups.push_back(std::move(made_));
  }
}

}  // namespace

void read_pod_group(ReadContext& context, const ObjectHeader& header, Value root) {
  PodGroupReader(context, header, root).read();
}

}  // namespace tessera::ingest
