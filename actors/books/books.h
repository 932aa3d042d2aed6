// SPDX-License-Identifier: Apache-2.0
// Books: what is held, in capacity and in quota, by pods without a workload, by admitted workloads
// and by what a run has placed.
//
// A what-if works on without() or on a copy: capacity and index are copy-on-write, the lists of
// what is held are not. The same calls in any order give the same books. Booking is by name
// (flavor, level values, host names), so that an admission can be booked on another Cluster as
// well. Does not decide anything. What cannot be booked, or is booked elsewhere than the admission
// says, goes into Accounting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/books/accounting.h"
#include "actors/books/seating.h"
#include "actors/capacity/cluster.h"
#include "actors/quota/ledger.h"
#include "actors/records/admitted.h"
#include "solver/index/index.h"

namespace tessera::core {

class Books {
 public:
  /// The cluster and the flavors outlive the books.
  Books(const Cluster& cluster, std::span<const Flavor> flavors, Ledger ledger,
        const solver::IndexLimits& index);
  /// Books over a given capacity. They start without any holdings.
  Books(const Cluster& cluster, std::span<const Flavor> flavors, topology::Capacity capacity,
        Ledger ledger, const solver::IndexLimits& index);

  const Cluster& cluster() const { return *cluster_; }
  const topology::Capacity& capacity() const { return capacity_; }
  /// For place_gang(), which books assumptions and takes them back.
  topology::Capacity& scratch_capacity() { return capacity_; }
  solver::Index& live_index() { return index_; }
  const solver::Index& live_index() const { return index_; }
  const Ledger& ledger() const { return ledger_; }
  /// By gang.
  const std::unordered_map<GangId, Held>& held() const { return held_; }
  const OthersUse& others() const { return others_; }
  /// How much quota of a column each gang holds, in any queue.
  std::map<GangId, std::int64_t> quota_holders(QuotaColumn column) const;

  /// Books quota and pods of `admission` for `gang`. `pods`: the bound pods of its workload, if
  /// they count where they run; those that the admission does not name are counted as use.
  void admit(GangId gang, const Workload& workload, const Admission& admission,
             std::span<const PodRecord* const> pods, Accounting& accounting);
  /// Counts the bound pods of the input as use, by the rule of the profile. After the admissions:
  /// their pods are settled.
  void count_pods(const std::map<std::pair<std::string, std::string>, PodRecord>& pods,
                  const std::unordered_map<GangId, Admitted>& live, config::PodUsage rule,
                  Accounting& accounting);
  /// Counts one pod for which no admission stands. Returns the node that it uses, or nothing if the
  /// pod does not count. A pod that is counted already stays so.
  std::optional<topology::NodeId> count_pod(const PodRecord& pod, config::PodUsage rule);
  /// Undoes count_pod(), if the pod was counted.
  std::optional<topology::NodeId> discount_pod(const PodRecord& pod);
  /// Books a decision that was placed on these books.
  const Held& place(GangId gang, const Workload& workload, const Decision& decision);
  /// Books what a gang gets besides what it holds: a decision that was placed on these books, or an
  /// admission of a record.
  void grow(GangId gang, const Workload& workload, const Decision& added);
  void grow(GangId gang, const Workload& workload, const Admission& added, Accounting& accounting);
  /// How often the gang grew since it was booked as a whole.
  std::size_t growths(GangId gang) const;
  /// What the gang got with growth `number`, from 1; 0: what it held before the first one.
  Held part(GangId gang, std::size_t number) const;
  /// Gives back the last growth of the gang, and returns what that was.
  Held shrink(GangId gang);
  /// True if a placement that was made on earlier books still fits, all pods together. Leaves the
  /// books as they were.
  bool room_for(const Workload& workload, std::span<const PodSetDecision> pod_sets);
  /// The two reserve functions take quota from a queue and the room of a placement, until
  /// end_reservations().
  void reserve_quota(QuotaNode queue, QuotaColumn column, std::int64_t amount);
  void reserve_room(const Workload& workload, std::span<const PodSetDecision> pod_sets);
  void end_reservations();
  /// Gives back all that `gang` holds, and returns what that was.
  Held release(GangId gang);
  /// A what-if: what would be free if these gangs and these counted pods ended. Has no holdings, so
  /// it costs what it touches, and not what is held.
  Books without(std::span<const GangId> gangs, std::span<const PodRecord* const> pods) const;

 private:
  Books(const Cluster& cluster, std::span<const Flavor> flavors, topology::Capacity capacity,
        const solver::Index& index, Ledger ledger);
  using HoldersByKey = std::map<std::string, const Workload*>;
  /// Counts the quota that a pod uses in a KAI Queue, unless an admission of one of `holders`
  /// stands for the pod.
  void count_quota(const PodRecord& pod, const HoldersByKey& holders);
  Held empty_hands(const Workload& workload);
  Held held_of(const Workload& workload, const Decision& decision);
  Held held_of(const Workload& workload, const Admission& admission,
               std::span<const PodRecord* const> pods, Accounting& accounting);
  void add(GangId gang, Held added);
  std::shared_ptr<const PodRequest> intern(const Amounts& request);
  void add_pods(const PodSetDecision& pod_set, std::uint32_t position, Held& held) const;
  void add_quota(QuotaNode queue, const ResourceFlavors& flavors, const Amounts& usage,
                 Held& held) const;
  void take(const Held& held);
  void give_back(const Held& held);

  const Cluster* cluster_;
  std::span<const Flavor> flavors_;
  topology::Capacity capacity_;
  solver::Index index_;  // of capacity_
  Ledger ledger_;
  std::unordered_map<GangId, Held> held_;
  /// Where the parts of each growth begin in what its gang holds, by gang that grew.
  struct Mark {
    std::size_t pods, quota;
  };
  std::unordered_map<GangId, std::vector<Mark>> growths_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const PodRequest>> requests_;
  std::size_t sweep_at_ = 64;  // size of requests_ at which unused requests are dropped
  OthersUse others_;
  std::vector<Held> reserved_;
};

/// A placed decision as an admission, as it stands in the output.
Admission admission_of(const Decision& decision, const Workload& workload, const Cluster& cluster,
                       std::span<const Flavor> flavors);

/// True if an admission names domains: then it is counted in place of the workload's pods.
bool has_domains(const Admission& admission);

/// The keys of a map by gang, ascending.
template <class ByGang>
std::vector<GangId> gangs_of(const ByGang& map) {
  std::vector<GangId> gangs;
  gangs.reserve(map.size());
  for (const auto& [gang, value] : map) gangs.push_back(gang);
  std::sort(gangs.begin(), gangs.end());
  return gangs;
}

}  // namespace tessera::core
