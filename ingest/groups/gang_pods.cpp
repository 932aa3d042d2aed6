// SPDX-License-Identifier: Apache-2.0
#include "ingest/groups/gang_pods.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "ingest/fields/field_text.h"
#include "ingest/objects/job_parts.h"
#include "topology/nodes/integer.h"

namespace tessera::ingest {
namespace {

constexpr const char* kTaskPriority = "kai.scheduler/task-priority";
constexpr const char* kNameOfFlatGang = "default";  // as KAI calls the only leaf

/// Where a pod stands in its leaf. A pod with a task priority comes before pods without one.
struct PodRank {
  bool without_priority = true;
  std::int64_t below = 0;  // the highest priority first
  std::int64_t created = INT64_MIN;
  std::string_view name;

  friend bool operator<(const PodRank& a, const PodRank& b) {
    return std::tie(a.without_priority, a.below, a.created, a.name) <
           std::tie(b.without_priority, b.below, b.created, b.name);
  }
};

PodRank rank_of(ReadContext& context, const ObjectHeader& header) {
  PodRank rank{true, 0, header.created, header.name};
  const auto label = header.labels.find(kTaskPriority);
  if (label == header.labels.end()) return rank;
  const std::optional<std::int64_t> priority = topology::parse_integer(label->second);
  if (priority && *priority >= INT32_MIN && *priority <= INT32_MAX) {
    rank.without_priority = false;
    rank.below = -*priority;
  } else {
    context.warning(header, {}, member("metadata.labels", kTaskPriority),
                    quoted(label->second) + " is no number of 32 bits and does not count");
  }
  return rank;
}

/// Phrases about what the PodGroup says in place of its pods, or what makes a pod a member.
bool is_said_by_group(const std::string& phrase) {
  return phrase.starts_with("annotation kai.scheduler/") || phrase.starts_with("pod group ") ||
         phrase == "label kai.scheduler/subgroup-name" ||
         phrase == "label kai.scheduler/preemptibility";
}

/// Names of pod sets: that of the leaf, and numbers for further sizes.
class PodSetNames {
 public:
  explicit PodSetNames(const std::vector<solver::GangGroup>& groups) {
    for (const solver::GangGroup& group : groups) taken_.insert(group.name);
  }

  std::string name(const std::string& leaf, std::size_t earlier) {
    const std::string& base = leaf.empty() ? flat_ : leaf;
    if (earlier == 0) return base;
    for (std::size_t number = earlier + 1;; ++number) {
      std::string name = base + "-" + std::to_string(number);
      if (taken_.insert(name).second) return name;
    }
  }

 private:
  const std::string flat_ = kNameOfFlatGang;
  std::set<std::string> taken_;
};

/// Adds pods, in the order in which they come, to the pod sets of one leaf.
class LeafFiller {
 public:
  LeafFiller(core::Workload& workload, PodSetNames& names, const std::string& leaf)
      : workload_(workload), names_(names), leaf_(leaf), first_(workload.gang.pod_sets.size()) {}

  void add(PodObject& pod) {
    core::Workload& own = *pod.gang;
    solver::PodSet& single = own.gang.pod_sets[0];
    tell_not_honoured(own, single.topology);
    std::vector<solver::PodSet>& pod_sets = workload_.gang.pod_sets;
    const auto [at, is_new] =
        by_size_.try_emplace({own.templates[0], single.filter.key()}, pod_sets.size());
    if (is_new) {
      single.name = names_.name(leaf_, pod_sets.size() - first_);
      single.count = 0;
      single.topology = {};
      single.unit.clear();
      pod_sets.push_back(std::move(single));
      workload_.templates.push_back(own.templates[0]);
      workload_.quota_requests.push_back(std::move(own.quota_requests[0]));
    }
    solver::PodSet& pod_set = pod_sets[at->second];
    ++pod_set.count;
    pod_set.pods.push_back(pod.header.name);
  }

 private:
  void tell_not_honoured(const core::Workload& own, const solver::TopologyRequest& topology) {
    for (const std::string& phrase : own.not_honoured) {
      if (!is_said_by_group(phrase)) add_not_honoured(workload_, phrase);
    }
    if (topology.explicit_request()) {
      add_not_honoured(workload_, "topology annotations of Kueue on pods of a PodGroup");
    }
  }

  core::Workload& workload_;
  PodSetNames& names_;
  const std::string leaf_;
  const std::size_t first_;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> by_size_;  // position of the pod set
};

}  // namespace

void add_gang_pods(ReadContext& context, std::vector<GangPod> pods, core::Workload& workload) {
  std::vector<PodRank> ranks;
  ranks.reserve(pods.size());
  for (const GangPod& each : pods) ranks.push_back(rank_of(context, each.pod->header));
  std::vector<std::size_t> order(pods.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    if (pods[a].leaf != pods[b].leaf) return pods[a].leaf < pods[b].leaf;
    return ranks[a] < ranks[b];
  });
  std::vector<solver::GangGroup>& groups = workload.gang.groups;
  PodSetNames names(groups);
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < groups.size(); ++i) {
    groups[i].pods_begin = static_cast<std::uint32_t>(workload.gang.pod_sets.size());
    LeafFiller filler(workload, names, groups[i].name);
    for (; next < order.size() && pods[order[next]].leaf == i; ++next) {
      PodObject& pod = *pods[order[next]].pod;
      if (workload.queue.empty()) workload.queue = kai_queue_of(pod.header);
      if (pod.record.node.empty()) {
        filler.add(pod);
      } else {
        groups[i].running.push_back(pod.record.node.str());
      }
    }
    groups[i].pods_end = static_cast<std::uint32_t>(workload.gang.pod_sets.size());
  }
  workload.queue_is_kai = !workload.queue.empty();
}

}  // namespace tessera::ingest
