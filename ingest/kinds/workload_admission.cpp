// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/workload_admission.h"

#include <algorithm>

#include "ingest/annotations/topology_assignment.h"
#include "ingest/fields/field_text.h"
#include "ingest/objects/job_parts.h"
#include "topology/text/nearest.h"

namespace tessera::ingest {
namespace {

using core::PodSetAssignment;
using topology::Amounts;

/// amounts * part / whole without overflow; part <= whole, both below 2^31.
Amounts scaled(const Amounts& amounts, std::int64_t part, std::int64_t whole) {
  Amounts out;
  for (const topology::Amount& a : amounts) {
    out.set(a.resource, a.value / whole * part + a.value % whole * part / whole);
  }
  return out;
}

class AdmissionReader {
 public:
  AdmissionReader(ReadContext& context, const ObjectHeader& header, const Reclaimable& reclaimable,
                  core::Workload& workload)
      : context_(context),
        header_(header),
        reclaimable_(reclaimable),
        workload_(workload),
        asked_(workload.gang.pod_sets.size()),
        holds_(workload.status.quota_reserved && !workload.status.finished) {}

  core::Admission read(reader::Value written);

 private:
  PodSetAssignment read_assignment(reader::Value value, const std::string& path,
                                   std::size_t position);
  const solver::PodSet* pod_set_of(reader::Value value, const std::string& path,
                                   std::size_t position, PodSetAssignment& assignment);
  void read_count(reader::Value value, const std::string& path, const solver::PodSet* pod_set,
                  PodSetAssignment& assignment);
  void read_usage(reader::Value value, const std::string& path, const Amounts& request,
                  PodSetAssignment& assignment);
  void take_reclaimed(const solver::PodSet& pod_set, PodSetAssignment& assignment) const;
  void read_domains(reader::Value value, const std::string& path, std::int64_t pods,
                    PodSetAssignment& assignment);
  void warn_of_missing(reader::Value value, const std::string& path,
                       const PodSetAssignment& assignment);
  void add_missing_pod_set(const PodSetAssignment& assignment);
  void warn_of_gaps(reader::Value value, const std::string& path,
                    const PodSetAssignment& assignment);
  void warn_of_unassigned(reader::Value written, const core::Admission& admission);

  ReadContext& context_;
  const ObjectHeader& header_;
  const Reclaimable& reclaimable_;
  core::Workload& workload_;
  std::size_t asked_;  // pod sets of the spec; those that it lacks follow them
  bool holds_;         // the admission is booked
};

/// Reads resourceUsage. What it does not say, or not readably, is what the assigned pods request of
/// the resources that have a flavor.
void AdmissionReader::read_usage(reader::Value value, const std::string& path,
                                 const Amounts& request, PodSetAssignment& assignment) {
  const std::size_t errors_before = context_.error_count();
  assignment.usage = context_.amounts(header_, value, "resourceUsage", path);
  const reader::Value written = value["resourceUsage"];
  const bool given = written && !written.is(reader::Type::kNull);
  if (given && context_.error_count() == errors_before) return;
  for (const topology::Amount& a : request.times(assignment.count)) {
    if (assignment.flavors.has(a.resource) && assignment.usage.find(a.resource) == nullptr) {
      assignment.usage.set(a.resource, a.value);
    }
  }
}

void AdmissionReader::take_reclaimed(const solver::PodSet& pod_set,
                                     PodSetAssignment& assignment) const {
  const auto reclaimed = reclaimable_.find(assignment.name);
  if (reclaimed == reclaimable_.end()) return;
  const std::int64_t left = std::max<std::int64_t>(0, pod_set.count - reclaimed->second);
  if (left < assignment.count) assignment.usage = scaled(assignment.usage, left, assignment.count);
}

/// Reads the domains; `pods`: of all together.
void AdmissionReader::read_domains(reader::Value value, const std::string& path, std::int64_t pods,
                                   PodSetAssignment& assignment) {
  const reader::Value written = context_.map(header_, value, "topologyAssignment", path);
  if (!written) return;
  AssignmentReading read = ingest::read_assignment(written, pods);
  assignment.levels = std::move(read.levels);
  assignment.domains = std::move(read.domains);
  for (Error& error : read.faults) {
    std::string field = path + ".topologyAssignment";
    if (!error.where.field.empty()) field += "." + error.where.field;
    Where where = context_.where(header_, written, std::move(field));
    if (error.where.line > 0) {
      where.line = error.where.line;
      where.column = error.where.column;
    }
    error.where = std::move(where);
    context_.errors.push_back(std::move(error));
  }
}

/// The pod set that an assignment is about: by its name, or by its position if the name cannot be
/// read. Null if the workload has no such pod set.
const solver::PodSet* AdmissionReader::pod_set_of(reader::Value value, const std::string& path,
                                                  std::size_t position,
                                                  PodSetAssignment& assignment) {
  const auto& pod_sets = workload_.gang.pod_sets;
  const std::size_t errors_before = context_.error_count();
  if (!value.is(reader::Type::kMap)) context_.error(header_, value, path, "must be a map");
  const std::optional<std::string> name = context_.text(header_, value, "name", path);
  assignment.name = name.value_or("main");
  if (context_.error_count() != errors_before && position < asked_) {
    assignment.name = pod_sets[position].name;
  }
  return find_pod_set(workload_, assignment.name);
}

/// Reads the count. Without a readable one, it is that of the pod set.
void AdmissionReader::read_count(reader::Value value, const std::string& path,
                                 const solver::PodSet* pod_set, PodSetAssignment& assignment) {
  const auto count = context_.integer(header_, value, "count", path, 0, INT32_MAX);
  const std::int64_t asked = pod_set == nullptr ? 0 : pod_set->count;
  read_domains(value, path, count.value_or(asked), assignment);
  std::int64_t in_domains = 0;
  for (const auto domain : assignment.domains) in_domains += domain.pods;
  assignment.count = count.value_or(in_domains > 0 ? in_domains : asked);
}

/// Warns of an assignment of a pod set that the spec lacks. Without readable pod sets their own
/// error has said enough.
void AdmissionReader::warn_of_missing(reader::Value value, const std::string& path,
                                      const PodSetAssignment& assignment) {
  if (asked_ == 0) return;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < asked_; ++i) known.push_back(workload_.gang.pod_sets[i].name);
  std::string message = quoted(assignment.name) + " is no pod set of this workload" +
                        did_you_mean(assignment.name, known);
  if (holds_) {
    message += assignment.usage.empty() ? "; the assignment does not say what its pods use"
                                        : "; its pods are counted by what the assignment says";
  }
  context_.warning(header_, value, path + ".name", std::move(message));
}

/// An assignment of a pod set that the spec lacks gets that pod set: its pods are there, and one of
/// them requests its part of what the assignment uses.
void AdmissionReader::add_missing_pod_set(const PodSetAssignment& assignment) {
  PodSetReading missing;
  missing.pod_set.name = assignment.name;
  missing.pod_set.count = assignment.count;
  ContainerResources all;
  all.requests = request_of_use(assignment);
  PodResources resources;
  resources.containers.push_back(all);
  missing.spec.request = missing.pod_set.request = std::move(all.requests);
  missing.spec.resources = context_.pod_resources.number_of(resources);
  add_pod_set(workload_, std::move(missing));
}

PodSetAssignment AdmissionReader::read_assignment(reader::Value value, const std::string& path,
                                                  std::size_t position) {
  PodSetAssignment assignment;
  const std::size_t errors_before = context_.error_count();
  const solver::PodSet* pod_set = pod_set_of(value, path, position, assignment);
  const reader::Value flavors = context_.map(header_, value, "flavors", path);
  for (reader::Value v = flavors.first(); v; v = v.next()) {
    const auto flavor = context_.text(header_, flavors, v.key(), path + ".flavors");
    if (flavor) assignment.flavors.set(topology::Symbol(v.key()), topology::Symbol(*flavor));
  }
  read_count(value, path, pod_set, assignment);
  read_usage(value, path, pod_set == nullptr ? Amounts() : pod_set->request, assignment);
  if (holds_ && context_.error_count() == errors_before) warn_of_gaps(value, path, assignment);
  if (pod_set != nullptr) {
    take_reclaimed(*pod_set, assignment);
    return assignment;
  }
  warn_of_missing(value, path, assignment);
  if (holds_) add_missing_pod_set(assignment);
  return assignment;
}

/// Warns of what an assignment leaves open, so that it is booked nowhere.
void AdmissionReader::warn_of_gaps(reader::Value value, const std::string& path,
                                   const PodSetAssignment& assignment) {
  std::string without_flavor;
  for (const topology::Amount& use : assignment.usage) {
    if (use.value == 0 || assignment.flavors.has(use.resource)) continue;
    without_flavor += (without_flavor.empty() ? "" : ", ") + use.resource.str();
  }
  if (!without_flavor.empty()) {
    context_.warning(header_, value, path + ".flavors",
                     "names none for " + without_flavor + ": that quota counts nowhere");
  }
  std::int64_t in_domains = 0;
  for (const auto domain : assignment.domains) in_domains += domain.pods;
  if (assignment.levels.empty() || in_domains >= assignment.count) return;
  context_.warning(header_, value, path + ".topologyAssignment",
                   "has domains for " + std::to_string(in_domains) + " of " +
                       std::to_string(assignment.count) +
                       " pods: the others count only where they run");
}

/// Warns of pod sets without an assignment. If an assignment is of no pod set of the spec, it is
/// most likely theirs.
void AdmissionReader::warn_of_unassigned(reader::Value written, const core::Admission& admission) {
  if (!holds_ || workload_.gang.pod_sets.size() > asked_) return;
  for (const solver::PodSet& pod_set : workload_.gang.pod_sets) {
    const bool assigned =
        std::any_of(admission.pod_sets.begin(), admission.pod_sets.end(),
                    [&](const PodSetAssignment& each) { return each.name == pod_set.name; });
    if (assigned || pod_set.count == 0) continue;
    context_.warning(
        header_, written, "status.admission.podSetAssignments",
        "has none for pod set " + quoted(pod_set.name) + ": its pods count only where they run");
  }
}

core::Admission AdmissionReader::read(reader::Value written) {
  const std::string path = "status.admission";
  core::Admission admission;
  std::size_t errors_before = context_.error_count();
  admission.cluster_queue = context_.text(header_, written, "clusterQueue", path).value_or("");
  if (holds_ && admission.cluster_queue.empty() && context_.error_count() == errors_before) {
    context_.warning(header_, written, path + ".clusterQueue",
                     "is missing: the quota that the workload holds counts nowhere");
  }
  errors_before = context_.error_count();
  const reader::Value pod_sets = context_.sequence(header_, written, "podSetAssignments", path);
  const bool readable = context_.error_count() == errors_before;
  std::size_t index = 0;
  for (reader::Value v = pod_sets.first(); v; v = v.next()) {
    const std::string at = item(path + ".podSetAssignments", index);
    admission.pod_sets.push_back(read_assignment(v, at, index++));
  }
  if (readable) warn_of_unassigned(written, admission);
  return admission;
}

}  // namespace

const solver::PodSet* find_pod_set(const core::Workload& workload, const std::string& name) {
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    if (pod_set.name == name) return &pod_set;
  }
  return nullptr;
}

Amounts request_of_use(const PodSetAssignment& assignment) {
  Amounts request;
  for (const topology::Amount& use : assignment.usage) {
    // Quota may count pods; a node gives each pod a slot anyway.
    if (assignment.count < 1 || use.resource == topology::pods_resource()) continue;
    const bool rest = use.value % assignment.count > 0;
    request.set(use.resource, use.value / assignment.count + (rest ? 1 : 0));
  }
  return request;
}

core::Admission read_admission(ReadContext& context, const ObjectHeader& header,
                               reader::Value written, const Reclaimable& reclaimable,
                               core::Workload& workload) {
  return AdmissionReader(context, header, reclaimable, workload).read(written);
}

}  // namespace tessera::ingest
