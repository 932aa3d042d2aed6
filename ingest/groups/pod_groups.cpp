// SPDX-License-Identifier: Apache-2.0
#include "ingest/groups/pod_groups.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "ingest/fields/field_text.h"
#include "ingest/fields/shown_names.h"
#include "ingest/groups/gang_pods.h"
#include "ingest/groups/group_levels.h"
#include "ingest/objects/job_parts.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

constexpr const char* kGroupAnnotation = "pod-group-name";
constexpr const char* kLeafLabel = "kai.scheduler/subgroup-name";
constexpr const char* kDefaultLeaf = "default";

std::string key_of(const std::string& namespace_name, const std::string& name) {
  return namespace_name + "/" + name;
}

/// The leaves of a gang by name, and why a pod is in none of them.
class Leaves {
 public:
  Leaves(ReadContext& context, const PodGroupObject& group)
      : context_(context), group_(group), groups_(group.workload.gang.groups) {
    for (std::uint32_t i = 0; i < groups_.size(); ++i) {
      (is_leaf(i) ? leaves_ : inner_).emplace(groups_[i].name, i);
      if (is_leaf(i)) names_.push_back(groups_[i].name);
    }
  }

  /// The leaf of a pod. Nothing, and an error, if there is none.
  std::optional<std::uint32_t> leaf_of(const PodObject& pod);
  /// Errors that were too many to be told each.
  void tell_rest();

 private:
  static constexpr std::size_t kTold = 10;

  bool is_leaf(std::uint32_t i) const { return groups_[i].end == i + 1; }
  bool is_flat() const { return groups_.size() == 1; }
  std::string fault_of(const std::string& name) const;

  ReadContext& context_;
  const PodGroupObject& group_;
  const std::vector<solver::GangGroup>& groups_;
  std::map<std::string, std::uint32_t, std::less<>> leaves_, inner_;
  std::vector<std::string> names_;  // of the leaves
  std::size_t refused_ = 0;
};

std::optional<std::uint32_t> Leaves::leaf_of(const PodObject& pod) {
  if (group_.broken) return 0;
  const auto label = pod.header.labels.find(kLeafLabel);
  const std::string name = label == pod.header.labels.end() ? "" : label->second;
  if (is_flat() && (name.empty() || name == kDefaultLeaf)) return 0;
  const auto leaf = leaves_.find(name.empty() ? kDefaultLeaf : name);
  if (leaf != leaves_.end()) return leaf->second;
  if (refused_++ < kTold) {
    context_.error(pod.header, {}, member("metadata.labels", kLeafLabel), fault_of(name));
  }
  return std::nullopt;
}

/// Why a name is not that of a leaf. `name`: empty: there is no label.
std::string Leaves::fault_of(const std::string& name) const {
  const std::string group = group_.header.display();
  if (is_flat()) return quoted(name) + " is no group of " + group + ", which has no subGroups";
  if (name.empty()) {
    return "is missing: " + group + " has subGroups, and each pod is in one of " +
           shown_names(names_);
  }
  const auto inner = inner_.find(name);
  if (inner == inner_.end()) {
    return quoted(name) + " is no subGroup of " + group +
           context_.speller.did_you_mean(name, names_);
  }
  std::vector<std::string> below;
  for (std::uint32_t i = inner->second + 1; i < groups_[inner->second].end; ++i) {
    if (is_leaf(i)) below.push_back(groups_[i].name);
  }
  return quoted(name) + " is a group of groups in " + group + ": a pod is in one of " +
         shown_names(below);
}

void Leaves::tell_rest() {
  if (refused_ <= kTold) return;
  context_.error(group_.header, {}, "spec.subGroups",
                 counted(static_cast<std::int64_t>(refused_ - kTold),
                         "more pod names no leaf of it", "more pods name no leaf of it"));
}

}  // namespace

std::string named_pod_group(const ObjectHeader& pod) {
  const auto found = pod.annotations.find(kGroupAnnotation);
  return found == pod.annotations.end() ? std::string() : found->second;
}

PodGroups::PodGroups(ReadContext& context) : context_(context) {
  for (std::size_t i = 0; i < context.pod_groups.size(); ++i) {
    const ObjectHeader& header = context.pod_groups[i].header;
    by_key_.emplace(key_of(header.namespace_name, header.name), i);
  }
  members_.resize(context.pod_groups.size());
  group_of_.resize(context.pods.size());
  runs_.resize(context.pods.size());
  if (by_key_.empty()) return;
  for (std::size_t i = 0; i < context.pods.size(); ++i) {
    const PodObject& pod = context.pods[i];
    if (!pod.of_kai) continue;
    group_of_[i] = find(pod.header);
    if (group_of_[i]) members_[*group_of_[i]].push_back(i);
  }
}

std::optional<std::size_t> PodGroups::find(const ObjectHeader& pod) const {
  const std::string name = named_pod_group(pod);
  if (name.empty()) return std::nullopt;
  const auto found = by_key_.find(key_of(pod.namespace_name, name));
  return found == by_key_.end() ? std::nullopt : std::optional(found->second);
}

bool PodGroups::knows(const ObjectHeader& pod) const {
  return !by_key_.empty() && find(pod).has_value();
}

PodGroups::Gang PodGroups::take(std::size_t position) {
  PodGroupObject& group = context_.pod_groups[position];
  resolve_group_levels(context_, group);
  std::vector<GangPod> pods;
  Gang gang;
  gang.role = group.header.role;
  Leaves leaves(context_, group);
  std::int64_t held = 0, running = 0, astray = 0;
  for (const std::size_t at : members_[position]) {
    PodObject& pod = context_.pods[at];
    if (pod.ended) continue;
    if (pod.header.role == Role::kRequest) gang.role = Role::kRequest;
    const std::optional<std::uint32_t> leaf = leaves.leaf_of(pod);
    if (!leaf) {
      ++astray;
      continue;
    }
    const bool bound = !pod.record.node.empty();
    if (bound ? pod.header.deleted : pod.gated || pod.header.deleted) {
      held += bound ? 0 : 1;  // a bound one uses its node, but counts for no minimum
      continue;
    }
    running += bound ? 1 : 0;
    runs_[at] = bound;
    pods.push_back({&pod, *leaf});
  }
  leaves.tell_rest();
  const auto waiting = static_cast<std::int64_t>(pods.size()) - running;
  gang.workload = std::move(group.workload);
  core::Workload& workload = gang.workload;
  if (static_cast<std::size_t>(waiting) > kMostPodsOfGang) {
    workload.invalid.push_back({ErrorCode::kLimit,
                                "Invalid value: " + std::to_string(waiting) +
                                    " pods wait; at most " + std::to_string(kMostPodsOfGang) +
                                    " are placed as one gang",
                                context_.where(group.header, {}, "")});
  }
  add_gang_pods(context_, std::move(pods), workload);
  if (waiting > 0 && held > 0) {
    context_.warning(group.header, {}, "",
                     counted(held, "pod of it has scheduling gates or is being deleted and is",
                             "pods of it have scheduling gates or are being deleted and are") +
                         " not placed");
  } else if (held > 0) {
    workload.held_by = "scheduling gates or the deletion of " + counted(held, "pod", "pods");
  } else if (members_[position].empty()) {
    workload.held_by = "its pods, of which none is in the input";
  } else if (waiting + running == 0 && astray > 0) {
    workload.held_by = "its pods, of which none names a leaf of it";
  }
  gang.settled = waiting == 0 && workload.held_by.empty();
  return gang;
}

}  // namespace tessera::ingest
