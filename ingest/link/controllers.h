// SPDX-License-Identifier: Apache-2.0
// What the owner of a job or pod makes of it: a gang, a pod each on its own, or something that is
// not known here.
//
// Called by the linking step. Pure; looks at the names of kinds only, never at the owner's object.
#pragma once

#include <string>

#include "ingest/fields/object_header.h"

namespace tessera::ingest {

/// The owner that controls the object, or its only owner; null if there is none.
const ObjectHeader::Owner* controller_of(const ObjectHeader& header);

/// True if the owner is of a kind that becomes a workload and owns pods (Job, JobSet).
bool is_job_kind(const ObjectHeader::Owner& owner);

/// True if the owner makes a gang of the jobs that it owns: a kind that is read, or another one
/// that Kueue takes as a whole.
bool gangs_its_jobs(const ObjectHeader::Owner& owner);

/// True if the owner's pods are placed each on its own, as Kueue and KAI do (kinds.md A10). Pods of
/// any other kind may be a gang, so they wait until that kind is read.
bool places_pods_alone(const ObjectHeader::Owner& owner);

/// The workload that a pod belongs to though the input lacks it: "job/x". Empty for a pod of a
/// DaemonSet, a ReplicaSet or a Node (a static pod): it runs beside workloads.
std::string absent_owner(const ObjectHeader& pod);

}  // namespace tessera::ingest
