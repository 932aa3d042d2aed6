// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/owners.h"

#include <algorithm>

#include "ingest/kinds/registry.h"
#include "topology/parent_forest.h"

namespace tessera::ingest {
namespace {

constexpr std::string_view kJobGroup = "batch";
constexpr std::string_view kJobSetGroup = "jobset.x-k8s.io";

// Labels that controllers put on the objects that they own. The outermost kind comes first, and the
// first label that names a known object wins.
struct OwnerLabel {
  std::string_view label, group, kind;
};
constexpr OwnerLabel kOwnerLabels[] = {
    {"jobset.sigs.k8s.io/jobset-name", kJobSetGroup, "JobSet"},
    {"batch.kubernetes.io/job-name", kJobGroup, "Job"},
    {"job-name", kJobGroup, "Job"},  // older than Kubernetes 1.27
};

std::string group_of(const std::string& api_version) {
  return std::string(split_api_version(api_version).group);
}

}  // namespace

std::string annotated_workload(const ObjectHeader& pod) {
  const auto found = pod.annotations.find("kueue.x-k8s.io/workload");
  return found == pod.annotations.end() ? std::string() : found->second;
}

std::string prebuilt_workload(const ObjectHeader& job) {
  const auto found = job.labels.find("kueue.x-k8s.io/prebuilt-workload-name");
  return found == job.labels.end() ? std::string() : found->second;
}

std::string OwnerIndex::name_key(const Reference& reference) {
  return reference.group + "/" + reference.kind + "/" + reference.namespace_name + "/" +
         reference.name;
}

OwnerIndex::OwnerIndex(const ReadContext& context) : context_(context) {
  for (std::size_t i = 0; i < context.workload_objects.size(); ++i) {
    const ObjectHeader& header = context.workload_objects[i].first;
    workload_by_key_.emplace(header.namespace_name + "/" + header.name, i);
    for (const ObjectHeader::Owner& owner : header.owners) {
      const Reference reference{group_of(owner.api_version), owner.kind, header.namespace_name,
                                owner.name, owner.uid};
      if (!owner.uid.empty()) workload_by_uid_.emplace(owner.uid, i);
      workload_by_name_[name_key(reference)].push_back({i, owner.uid});
    }
  }
  for (std::size_t i = 0; i < context.jobs.size(); ++i) {
    const ObjectHeader& header = context.jobs[i].header;
    const Reference reference{header.group, header.kind, header.namespace_name, header.name,
                              header.uid};
    if (!header.uid.empty()) job_by_uid_.emplace(header.uid, i);
    job_by_name_[name_key(reference)].push_back({i, header.uid});
  }
  settle_jobs();
}

std::optional<std::size_t> OwnerIndex::look_up(const Reference& reference, const ByUid& by_uid,
                                               const ByName& by_name) {
  if (!reference.uid.empty()) {
    const auto found = by_uid.find(reference.uid);
    if (found != by_uid.end()) return found->second;
  }
  const auto found = by_name.find(name_key(reference));
  if (found == by_name.end()) return std::nullopt;
  for (const Target& target : found->second) {
    if (target.uid.empty() || reference.uid.empty()) return target.position;
  }
  return std::nullopt;
}

std::vector<OwnerIndex::Reference> OwnerIndex::owners_of(const ObjectHeader& header, bool labels) {
  std::vector<Reference> owners;
  for (const ObjectHeader::Owner& owner : header.owners) {
    owners.push_back(
        {group_of(owner.api_version), owner.kind, header.namespace_name, owner.name, owner.uid});
  }
  if (!labels) return owners;
  for (const OwnerLabel& known : kOwnerLabels) {
    const auto found = header.labels.find(std::string(known.label));
    if (found == header.labels.end()) continue;
    const Reference named{std::string(known.group), std::string(known.kind), header.namespace_name,
                          found->second, ""};
    // If an owner reference names the same object, the reference is used: it has the uid.
    bool referred = false;
    for (const Reference& owner : owners) {
      referred = referred || (owner.kind == named.kind && owner.name == named.name);
    }
    if (!referred) owners.push_back(named);
  }
  return owners;
}

std::optional<Root> OwnerIndex::above(std::size_t job) const {
  const ObjectHeader& header = context_.jobs[job].header;
  for (const Reference& owner : owners_of(header, true)) {
    if (const auto workload = workload_of(owner)) return Root{Root::Kind::kWorkload, *workload};
    const auto parent = job_of(owner);
    if (parent && *parent != job) return Root{Root::Kind::kJob, *parent};
  }
  const Reference self{header.group, header.kind, header.namespace_name, header.name, header.uid};
  if (const auto workload = workload_of(self)) return Root{Root::Kind::kWorkload, *workload};
  const auto prebuilt =
      workload_by_key_.find(header.namespace_name + "/" + prebuilt_workload(header));
  if (prebuilt != workload_by_key_.end()) return Root{Root::Kind::kWorkload, prebuilt->second};
  return std::nullopt;
}

void OwnerIndex::settle_jobs() {
  using topology::ParentForest;
  const std::size_t count = context_.jobs.size();
  std::vector<ParentForest::Position> parents(count, ParentForest::kNone);
  std::vector<Root> tops(count);  // for each job without a job above it: what it belongs to
  for (std::size_t i = 0; i < count; ++i) {
    tops[i] = {Root::Kind::kJob, i};
    const std::optional<Root> next = above(i);
    if (!next) continue;
    if (next->kind == Root::Kind::kJob) {
      parents[i] = static_cast<ParentForest::Position>(next->position);
    } else {
      tops[i] = *next;
    }
  }
  const ParentForest forest(parents);
  // Jobs may own each other in a circle. One of them must stand for all. The search goes up from
  // the first job whose owners lead into the circle; the last job before the circle closes stands
  // for all.
  std::vector<std::optional<Root>> circle_tops(forest.circles().size());
  job_roots_.resize(count);
  for (ParentForest::Position i = 0; i < count; ++i) {
    const auto circle = forest.circle(i);
    if (!circle) {
      job_roots_[i] = tops[forest.root(i)];
      continue;
    }
    if (!circle_tops[*circle]) {
      const auto& members = forest.circles()[*circle];
      const auto entry = std::find(members.begin(), members.end(), forest.root(i));
      const auto last = entry == members.begin() ? members.end() - 1 : entry - 1;
      circle_tops[*circle] = Root{Root::Kind::kJob, *last};
    }
    job_roots_[i] = *circle_tops[*circle];
  }
}

Root OwnerIndex::root_of_pod(const ObjectHeader& pod) const {
  const std::string named = annotated_workload(pod);
  if (!named.empty()) {
    const auto found = workload_by_key_.find(pod.namespace_name + "/" + named);
    if (found != workload_by_key_.end()) return {Root::Kind::kWorkload, found->second};
  }
  // A Workload of plain pods names the pods as owners.
  const Reference self{"", pod.kind, pod.namespace_name, pod.name, pod.uid};
  if (const auto workload = workload_of(self)) return {Root::Kind::kWorkload, *workload};
  const std::vector<Reference> owners = owners_of(pod, true);
  for (const Reference& owner : owners) {
    if (const auto workload = workload_of(owner)) return {Root::Kind::kWorkload, *workload};
  }
  for (const Reference& owner : owners) {
    if (const auto job = job_of(owner)) return job_roots_[*job];
  }
  return {};
}

std::optional<std::size_t> OwnerIndex::workload_made_for(const ObjectHeader& owner) const {
  return workload_of({owner.group, owner.kind, owner.namespace_name, owner.name, owner.uid});
}

std::optional<std::size_t> OwnerIndex::named_job(const ObjectHeader& owned,
                                                 const ObjectHeader::Owner& owner) const {
  return job_of(
      {group_of(owner.api_version), owner.kind, owned.namespace_name, owner.name, owner.uid});
}

}  // namespace tessera::ingest
