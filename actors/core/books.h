// SPDX-License-Identifier: Apache-2.0
// Books: what is held, in capacity and in quota: pods of others, admitted workloads, and what a run
// has placed.
//
// A copy is a what-if: capacity and index are copy-on-write, the rest small. Any order of the same
// calls gives the same books. Booking is by name (flavor, level values), so that an admission can
// be booked on another Cluster as well. Does not decide anything; what cannot be booked is told in
// Accounting.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "actors/core/cluster.h"
#include "actors/core/engine.h"
#include "actors/core/ledger.h"
#include "solver/index.h"

namespace tessera::core {

class Books {
 public:
  /// All outlive the books.
  Books(const Cluster& cluster, std::span<const Flavor> flavors, Ledger ledger,
        const solver::IndexLimits& index);

  const Cluster& cluster() const { return *cluster_; }
  const topology::Capacity& capacity() const { return capacity_; }
  /// For place_gang(), which undoes what it assumes.
  topology::Capacity& scratch_capacity() { return capacity_; }
  solver::Index& live_index() { return index_; }
  const solver::Index& live_index() const { return index_; }
  const Ledger& ledger() const { return ledger_; }
  const std::vector<Holding>& holdings() const { return holdings_; }
  /// Workloads that hold quota of a column, in any queue, most first.
  std::vector<std::size_t> quota_holders(QuotaColumn column) const;

  /// Bound pods of the input, by the rule of the profile (ux.md rule 2).
  void count_pods(const Inventory& inventory, config::PodUsage rule, Accounting& accounting);
  /// Books quota and domains of `admission`, held by workload number `id`. Domains that no node
  /// makes up now go to `lost`.
  void admit(std::size_t id, const Workload& workload, const Admission& admission,
             Accounting& accounting);
  /// Books a decision that was placed on these books.
  void place(std::size_t id, const Workload& workload, const Decision& decision);
  /// True if all pods of a placement that was made on earlier books still have room together.
  /// Leaves the books as they were.
  bool room_for(const Workload& workload, std::span<const PodSetDecision> pod_sets);
  /// Takes `amount` from a queue, and the room of a placement, until end_reservations().
  void reserve_quota(QuotaNode queue, QuotaColumn column, std::int64_t amount);
  void reserve_room(const Workload& workload, const PodSetDecision& pod_set, std::size_t position);
  void end_reservations();
  /// Gives back all that `id` holds.
  void release(std::size_t id);

 private:
  struct QuotaHolding {
    std::size_t workload;
    QuotaNode queue;
    QuotaColumn column;
    std::int64_t amount;
  };

  std::vector<Holding> holdings_of(std::size_t id, const Workload& workload,
                                   const PodSetDecision& pod_set, std::size_t position) const;
  /// What runs in a KAI Queue is told by its pods alone, unless its workload is one of `holders`.
  void count_quota(const PodRecord& pod, const std::set<std::string>& holders);
  void book_quota(std::size_t id, const Workload& workload, const Admission& admission);
  void book_domains(std::size_t id, const Workload& workload, const PodSetAssignment& assignment,
                    std::size_t position, Accounting& accounting);
  std::optional<topology::CellId> find_cell(const PodSetAssignment& assignment,
                                            const DomainPods& domain) const;

  const Cluster* cluster_;
  std::span<const Flavor> flavors_;
  topology::Capacity capacity_;
  solver::Index index_;  // of capacity_
  Ledger ledger_;
  std::vector<Holding> holdings_;
  std::vector<QuotaHolding> quota_;
  std::vector<Holding> reserved_room_;
  std::vector<QuotaHolding> reserved_quota_;
};

/// A placed decision as an admission: what a later reader of the output would see.
Admission admission_of(const Decision& decision, const Workload& workload, const Cluster& cluster,
                       std::span<const Flavor> flavors);

/// The pod set of `workload` that an assignment is about: by name, else by position.
std::size_t pod_set_of(const Workload& workload, const PodSetAssignment& assignment,
                       std::size_t position);

/// The flavor of that name, if any.
std::optional<FlavorId> find_flavor(std::span<const Flavor> flavors, const std::string& name);

}  // namespace tessera::core
