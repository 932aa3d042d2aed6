// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/link.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "ingest/fields/shown_names.h"
#include "ingest/groups/pod_groups.h"
#include "ingest/link/controllers.h"
#include "ingest/link/names.h"
#include "ingest/link/owners.h"
#include "ingest/link/unplaced_pods.h"
#include "ingest/link/unsized.h"
#include "ingest/objects/job_parts.h"
#include "topology/text/wording.h"

namespace tessera::ingest {
namespace {

/// A workload of the result, before all workloads are sorted.
struct Linked {
  core::Workload workload;
  ObjectHeader header;
  Role role = Role::kState;
  bool running = false;      // its job has active pods or is finished: not to be placed
  bool from_object = false;  // a Workload object: it has a name
};

class Linker {
 public:
  Linker(ReadContext& context, Priorities& priorities)
      : context_(context), owners_(context), pod_groups_(context), priorities_(priorities) {}

  LinkedWorkloads link();

 private:
  void add_workload_objects();
  void add_pod_groups();
  void add_jobs();
  void join(Linked& into, const JobObject& job);
  void join(Linked& into, PodGroups::Gang gang);
  std::string missing_owner(const ObjectHeader& job) const;
  void add_pod(std::size_t at);
  void add_unbound_pod(PodObject& pod);
  std::optional<std::size_t> workload_of(std::size_t pod) const;
  void name_all();
  void name_pods();
  std::int64_t time_of_new_objects() const;
  LinkedWorkloads store();

  /// Position in linked_ of a root.
  std::size_t position(const Root& root) const {
    return root.kind == Root::Kind::kWorkload ? root.position : job_positions_[root.position];
  }

  ReadContext& context_;
  OwnerIndex owners_;
  PodGroups pod_groups_;
  Priorities& priorities_;
  std::vector<Linked> linked_;                // Workload objects first, in their order
  std::vector<std::size_t> group_positions_;  // in linked_, of each PodGroup
  std::vector<std::size_t>
      job_positions_;  // for each job that is its own root: its position in linked_
  std::map<std::size_t, std::size_t> gang_of_job_;      // of roots that a PodGroup stands for
  std::vector<std::optional<std::size_t>> pod_owners_;  // parallel to inventory.pods
  UnsizedPodSets unsized_{context_.pod_resources};
  std::set<std::string> running_pods_, ended_pods_;  // of -f, that belong to no workload
  UnplacedPods unplaced_;
  std::set<std::string> ended_;  // admitted workloads whose job is finished
};

void Linker::add_workload_objects() {
  for (const auto& [header, read] : context_.workload_objects) {
    Linked linked{read, header, header.role, false, true};
    priorities_.resolve_object(header, linked.workload);
    const ObjectHeader::Owner* owner = controller_of(header);
    if (owner != nullptr && !owner->kind.empty() && !owner->name.empty()) {
      linked.workload.origin = {owner->api_version, owner->kind, owner->name, owner->uid};
    }
    unsized_.add(linked_.size(), linked.workload);
    linked_.push_back(std::move(linked));
  }
}

/// Adds what a job says about the workload that stands for it. A finished child job does not mean
/// that its parent runs: the other child jobs may still wait. If the workload's own job is
/// finished, so is the workload, though its object does not say so yet.
void Linker::join(Linked& into, const JobObject& job) {
  if (job.header.role == Role::kRequest) into.role = Role::kRequest;
  const bool same =
      into.workload.origin.kind == job.header.kind && into.workload.origin.name == job.header.name;
  into.running = into.running || (job.running && (same || !job.workload.status.finished));
  if (!same || !job.workload.status.finished || into.workload.status.finished) return;
  into.workload.status.finished = true;
  if (into.workload.status.admission) {
    ended_.insert(into.workload.key() + " (" + into.workload.origin.display() + ")");
  }
}

/// A PodGroup with its pods is a workload. It stands for the job that owns it as well: KAI makes
/// PodGroups for jobs.
void Linker::add_pod_groups() {
  for (std::size_t i = 0; i < context_.pod_groups.size(); ++i) {
    PodGroups::Gang gang = pod_groups_.take(i);
    const ObjectHeader& header = context_.pod_groups[i].header;
    std::optional<std::size_t> at = owners_.workload_made_for(header);
    if (at) {
      join(linked_[*at], std::move(gang));
    } else {
      at = linked_.size();
      linked_.push_back({std::move(gang.workload), header, gang.role, gang.settled, false});
      priorities_.resolve_pod_group(header, linked_.back().workload);
    }
    group_positions_.push_back(*at);
    for (const ObjectHeader::Owner& owner : header.owners) {
      const std::optional<std::size_t> job = owners_.named_job(header, owner);
      if (!job || owners_.root_of_job(*job).kind != Root::Kind::kJob) continue;
      const std::size_t root = owners_.root_of_job(*job).position;
      gang_of_job_.emplace(root, *at);
      if (context_.jobs[root].header.role == Role::kRequest) linked_[*at].role = Role::kRequest;
    }
  }
}

/// A Workload object cannot say what groups its gang has. While it waits, its PodGroup says that.
void Linker::join(Linked& into, PodGroups::Gang gang) {
  if (gang.role == Role::kRequest) into.role = Role::kRequest;
  core::Workload& workload = into.workload;
  const core::WorkloadStatus& status = workload.status;
  if (status.admission || status.quota_reserved || status.finished) return;
  workload.gang = std::move(gang.workload.gang);
  workload.templates = std::move(gang.workload.templates);
  workload.quota_requests = std::move(gang.workload.quota_requests);
  workload.invalid = std::move(gang.workload.invalid);
  workload.not_honoured = std::move(gang.workload.not_honoured);
  workload.held_by = std::move(gang.workload.held_by);
  into.running = gang.settled;
}

void Linker::add_jobs() {
  job_positions_.resize(context_.jobs.size());
  for (std::size_t i = 0; i < context_.jobs.size(); ++i) {
    const Root root = owners_.root_of_job(i);
    if (root.kind != Root::Kind::kJob || root.position != i) continue;
    const JobObject& job = context_.jobs[i];
    job_positions_[i] = linked_.size();
    if (const auto gang = gang_of_job_.find(i); gang != gang_of_job_.end()) {
      job_positions_[i] = gang->second;
      continue;
    }
    linked_.push_back({job.workload, job.header, job.header.role, job.running, false});
    core::Workload& workload = linked_.back().workload;
    priorities_.resolve(job.header, workload);
    if (workload.held_by.empty()) workload.held_by = missing_owner(job.header);
  }
  for (std::size_t i = 0; i < context_.jobs.size(); ++i) {
    const Root root = owners_.root_of_job(i);
    if (root.kind == Root::Kind::kJob &&
        (root.position == i || gang_of_job_.count(root.position) > 0)) {
      continue;
    }
    join(linked_[position(root)], context_.jobs[i]);
  }
}

/// What a job waits for whose controller makes one gang of it and of others, and is not read:
/// "jobset/js, which owns it and is not in the input". Empty if there is no such controller.
std::string Linker::missing_owner(const ObjectHeader& job) const {
  const ObjectHeader::Owner* owner = controller_of(job);
  if (const std::string prebuilt = prebuilt_workload(job); !prebuilt.empty()) {
    return "workload/" + prebuilt + ", its prebuilt Workload, which is not in the input";
  }
  if (owner == nullptr || !gangs_its_jobs(*owner) || owners_.has_job(job, *owner)) return {};
  const bool refused = std::any_of(context_.inventory.refused.begin(),
                                   context_.inventory.refused.end(), [&](const auto& each) {
                                     return each.kind == owner->kind && each.name == owner->name &&
                                            each.namespace_name == job.namespace_name;
                                   });
  return core::Origin{owner->api_version, owner->kind, owner->name, owner->uid}.display() +
         ", which owns it and " +
         (!is_job_kind(*owner) ? "is of a kind that is not read"
          : refused            ? "was refused with an error"
                               : "is not in the input");
}

/// Position in linked_ of the workload of a pod.
std::optional<std::size_t> Linker::workload_of(std::size_t pod) const {
  if (const auto group = pod_groups_.group_of(pod)) return group_positions_[*group];
  const Root root = owners_.root_of_pod(context_.pods[pod].header);
  return root ? std::optional(position(root)) : std::nullopt;
}

void Linker::add_pod(std::size_t at) {
  PodObject& pod = context_.pods[at];
  const bool asked = pod.header.role == Role::kRequest;
  if (pod.ended) {
    if (asked && !workload_of(at)) {
      ended_pods_.insert(pod.header.namespace_name + "/" + pod.header.name);
    }
    return;
  }
  const std::optional<std::size_t> owner = workload_of(at);
  if (pod.record.node.empty()) {
    if (!owner) add_unbound_pod(pod);  // else its workload stands for it
    return;
  }
  std::string kai_queue = kai_queue_of(pod.header);
  pod_owners_.push_back(owner);
  if (owner) {
    Linked& linked = linked_[*owner];
    // A pod that is going away is no member any more: no admission stands for it.
    if (linked.workload.gang.is_tree() && !pod_groups_.runs(at)) pod_owners_.back().reset();
    kai_queue = linked.workload.queue_is_kai ? linked.workload.queue : std::string();
    unsized_.runs(*owner, linked.workload, pod.record.request);
    // If a job has no Workload object, only its bound pods show that it runs.
    linked.running = linked.running || (!linked.from_object && !linked.workload.gang.is_tree());
  } else {
    pod.record.owner = absent_owner(pod.header);
    if (asked) {
      running_pods_.insert(pod.header.namespace_name + "/" + pod.header.name + " on " +
                           pod.record.node.str());
    }
  }
  pod.record.kai_queue = topology::AskedText(kai_queue);
  context_.inventory.pods.push_back(std::move(pod.record));
}

void Linker::add_unbound_pod(PodObject& pod) {
  using Cause = UnplacedPods::Cause;
  const ObjectHeader& header = pod.header;
  const ObjectHeader::Owner* owner = controller_of(header);
  const bool of_job = owner != nullptr && is_job_kind(*owner);
  const auto group = header.labels.find("kueue.x-k8s.io/pod-group-name");
  if (group != header.labels.end()) {
    unplaced_.add(Cause::kPlainGroup, header.namespace_name + "/" + group->second);
  } else if (pod_groups_.knows(header)) {
    unplaced_.add(Cause::kOtherScheduler, header.namespace_name + "/" + header.name);
  } else if (!pod.pod_group.empty()) {
    unplaced_.add(named_pod_group(header).empty() ? Cause::kForeignGroup : Cause::kAbsentPodGroup,
                  header.namespace_name + "/" + pod.pod_group);
  } else if (of_job || !annotated_workload(header).empty()) {
    unplaced_.add(Cause::kAbsentWorkload, absent_owner(header));
  } else if (owner != nullptr && !places_pods_alone(*owner)) {
    unplaced_.add(Cause::kUnreadKind,
                  core::Origin{owner->api_version, owner->kind, owner->name, owner->uid}.display());
  } else if (pod.gang) {
    if (owner != nullptr) unplaced_.add(Cause::kOnItsOwn, owner->kind);
    linked_.push_back({std::move(*pod.gang), header, header.role, false, false});
    priorities_.resolve(header, linked_.back().workload);
  }
}

/// Names workloads in byte order of namespace, kind, name and apiVersion. So the same workload gets
/// a hash in its name, whatever the order of the input.
void Linker::name_all() {
  NameBook names;
  std::vector<Linked*> unnamed;
  for (Linked& linked : linked_) {
    if (linked.from_object) {
      names.take(linked.workload.namespace_name, linked.workload.name);
    } else {
      unnamed.push_back(&linked);
    }
  }
  std::sort(unnamed.begin(), unnamed.end(), [](const Linked* a, const Linked* b) {
    const core::Origin &x = a->workload.origin, &y = b->workload.origin;
    return std::tie(a->workload.namespace_name, x.kind, x.name, x.api_version) <
           std::tie(b->workload.namespace_name, y.kind, y.name, y.api_version);
  });
  for (Linked* linked : unnamed) names.name(linked->workload);
}

void Linker::name_pods() {
  std::vector<core::PodRecord>& pods = context_.inventory.pods;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (pod_owners_[i]) pods[i].workload = linked_[*pod_owners_[i]].workload.key();
  }
  std::sort(pods.begin(), pods.end(), [](const core::PodRecord& a, const core::PodRecord& b) {
    return std::tie(a.namespace_name, a.name) < std::tie(b.namespace_name, b.name);
  });
}

/// A new object of -f without a creation time was made now: it is the newest of the run (queues.md
/// 1.1). Its time is just behind the latest that is known, since no clock is looked at here.
std::int64_t Linker::time_of_new_objects() const {
  std::int64_t latest = INT64_MIN;
  for (const Linked& linked : linked_) latest = std::max(latest, linked.workload.created);
  return latest == INT64_MIN ? INT64_MIN : topology::saturating_add(latest, 1);
}

LinkedWorkloads Linker::store() {
  std::sort(linked_.begin(), linked_.end(), [](const Linked& a, const Linked& b) {
    return std::tie(a.workload.namespace_name, a.workload.name) <
           std::tie(b.workload.namespace_name, b.workload.name);
  });
  const std::int64_t now = time_of_new_objects();
  LinkedWorkloads result;
  // A pod without a node is told as a workload; these would be dropped without a word.
  if (!running_pods_.empty()) {
    result.notes.push_back(counted(static_cast<std::int64_t>(running_pods_.size()),
                                   "pod of -f runs", "pods of -f run") +
                           " already: " + shown_names(running_pods_));
  }
  if (!ended_pods_.empty()) {
    result.notes.push_back(
        counted(static_cast<std::int64_t>(ended_pods_.size()), "pod of -f has", "pods of -f have") +
        " ended: " + shown_names(ended_pods_));
  }
  if (!ended_.empty()) {
    result.notes.push_back(
        counted(static_cast<std::int64_t>(ended_.size()), "workload is", "workloads are") +
        " admitted though the job is finished, and holds nothing: " + shown_names(ended_));
  }
  for (Linked& linked : linked_) {
    core::Workload& workload = linked.workload;
    const bool held = workload.status.quota_reserved || workload.status.admission.has_value();
    const bool waits = !held && !workload.status.finished && !linked.running;
    const bool asked = linked.role == Role::kRequest;
    if (waits || asked) {
      auto& list = !waits ? result.settled_request : asked ? result.to_place : result.waiting_state;
      list.push_back(context_.inventory.workloads.size());
    }
    // The header's role: a Workload of -C stays the earliest, though its job came with -f.
    if (waits && linked.header.deleted && workload.held_by.empty()) {
      workload.held_by = "its deletion (metadata.deletionTimestamp)";
    }
    const bool is_new = linked.header.role == Role::kRequest && workload.created == INT64_MIN;
    if (waits && is_new) workload.created = now;
    context_.inventory.workloads.push_back(std::move(linked.workload));
  }
  return result;
}

LinkedWorkloads Linker::link() {
  add_workload_objects();
  add_pod_groups();
  add_jobs();
  for (std::size_t i = 0; i < context_.pods.size(); ++i) add_pod(i);
  unsized_.settle([&](std::size_t owner) -> core::Workload& { return linked_[owner].workload; });
  unplaced_.warn(context_.warnings);
  name_all();
  name_pods();
  context_.jobs.clear();
  context_.workload_objects.clear();
  context_.pods.clear();
  context_.pod_groups.clear();
  return store();
}

}  // namespace

LinkedWorkloads link_objects(ReadContext& context, Priorities& priorities) {
  return Linker(context, priorities).link();
}

LinkedWorkloads link_objects(ReadContext& context) {
  Priorities priorities(context);
  return link_objects(context, priorities);
}

}  // namespace tessera::ingest
