// SPDX-License-Identifier: Apache-2.0
// OwnerIndex: which workload a job or a pod belongs to, by the links of ux.md rule 1.
//
// Built by the linking step over what was read; positions are those of ReadContext::jobs and
// ::workload_objects, which must not change meanwhile. An owner is matched by uid, else by kind,
// namespace and name; two uids that differ are two objects, whatever their names.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// What an object belongs to.
struct Root {
  enum class Kind : std::uint8_t { kNone, kWorkload, kJob } kind = Kind::kNone;
  std::size_t position = 0;

  explicit operator bool() const { return kind != Kind::kNone; }
};

class OwnerIndex {
 public:
  explicit OwnerIndex(const ReadContext& context);

  /// The Workload object of a job; if there is none, the highest job above it; if there is none,
  /// the job itself.
  Root root_of_job(std::size_t job) const { return job_roots_[job]; }
  Root root_of_pod(const ObjectHeader& pod) const;
  /// Position of the Workload that has this object as owner.
  std::optional<std::size_t> workload_made_for(const ObjectHeader& owner) const;
  /// True if the job that `owner` of `owned` names is in the input.
  bool has_job(const ObjectHeader& owned, const ObjectHeader::Owner& owner) const {
    return named_job(owned, owner).has_value();
  }
  /// Its position.
  std::optional<std::size_t> named_job(const ObjectHeader& owned,
                                       const ObjectHeader::Owner& owner) const;

 private:
  /// An object, as other objects refer to it.
  struct Reference {
    std::string group, kind, namespace_name, name, uid;
  };
  struct Target {
    std::size_t position = 0;
    std::string uid;
  };
  using ByUid = std::unordered_map<std::string, std::size_t>;
  using ByName = std::unordered_map<std::string, std::vector<Target>>;

  static std::string name_key(const Reference& reference);
  static std::optional<std::size_t> look_up(const Reference& reference, const ByUid& by_uid,
                                            const ByName& by_name);
  /// Objects that `header` names as owners: ownerReferences first, then labels.
  static std::vector<Reference> owners_of(const ObjectHeader& header, bool labels);

  std::optional<std::size_t> workload_of(const Reference& owner) const {
    return look_up(owner, workload_by_uid_, workload_by_name_);
  }
  std::optional<std::size_t> job_of(const Reference& object) const {
    return look_up(object, job_by_uid_, job_by_name_);
  }
  /// The Workload or job directly above a job.
  std::optional<Root> above(std::size_t job) const;
  void settle_jobs();

  const ReadContext& context_;
  ByUid workload_by_uid_, job_by_uid_;
  ByName workload_by_name_, job_by_name_;
  std::unordered_map<std::string, std::size_t> workload_by_key_;
  std::vector<Root> job_roots_;
};

/// The workload that a pod's annotation names, or an empty text.
std::string annotated_workload(const ObjectHeader& pod);

/// The Workload object that a job's label names in place of one of its own, or an empty text.
std::string prebuilt_workload(const ObjectHeader& job);

}  // namespace tessera::ingest
