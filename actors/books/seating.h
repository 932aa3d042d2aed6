// SPDX-License-Identifier: Apache-2.0
// Where the pods of one admission are booked: on the domains that it names, wherever these are now
// (Places), and on the nodes where its bound pods run if a domain leaves the node open (Seats).
//
// Called by Books. Pure: the same admission, pods and nodes give the same answer, whatever else is
// booked. Bound pods that run where no domain names them are strays: the caller counts them where
// they run, beside the admission.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "actors/books/accounting.h"
#include "actors/books/held.h"
#include "actors/books/places.h"
#include "actors/records/workload.h"

namespace tessera::core {

struct Seating {
  std::vector<Held::Pods> pods;
  bool follows_pods = false;  // see Held
  std::vector<const PodRecord*> strays;
  std::vector<Mismatch> mismatches;
};

/// `requests`: by pod set of the workload. `pods`: the bound pods of the workload that count by
/// where they run, by name.
Seating seat(const Places& places, const Cluster& cluster, const Workload& workload,
             const Admission& admission,
             std::span<const std::shared_ptr<const PodRequest>> requests,
             std::span<const PodRecord* const> pods);

/// The strays among `pods` of a workload that holds `held` for `admission`. If each part is on a
/// host, the strays of one node depend on the pods of that node only.
std::vector<const PodRecord*> find_strays(const Cluster& cluster, const Held& held,
                                          const Workload& workload, const Admission& admission,
                                          std::span<const PodRecord* const> pods);

/// Those of the workload's bound pods for which its admission may stand. The members of a gang tree
/// that ran before are in no pod set: they stand for themselves.
std::vector<const PodRecord*> pods_to_seat(const Workload& workload,
                                           std::span<const PodRecord* const> pods);

/// The pod set of `workload` that an assignment is about: by name, else by position.
std::size_t pod_set_of(const Workload& workload, const PodSetAssignment& assignment,
                       std::size_t position);

}  // namespace tessera::core
