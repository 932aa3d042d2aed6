// SPDX-License-Identifier: Apache-2.0
// Planner: one evaluation of one workload against given books: flavors, quota, placement, partial
// admission.
//
// Called on the current books by the orders of planning, and on copies and other worlds by
// explain/never.h and explain/remedies.h. Changes nothing that it is given. A flavor whose
// placement fails is passed over and the next one tried (rounds: Sequential). When no flavor is
// left, the first placement that failed is the first cause of the refusal.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "actors/books/books.h"
#include "actors/flavors/flavors.h"
#include "actors/planner/request_fault.h"
#include "actors/planner/tree_placing.h"
#include "actors/records/attempt.h"
#include "config/profile.h"

namespace tessera::core {

/// How many steps (solver/choice/steps.h) all searches of an evaluation may take together, and how
/// many they took.
struct Allowance {
  std::int64_t most = INT64_MAX;
  const std::atomic<bool>* stop = nullptr;  // SearchOptions::stop
  std::int64_t spent = 0;
  bool over = false;  // a search ended without an answer
};

class Planner {
 public:
  /// `flavors` and `topologies`, those of the input, outlive the planner.
  Planner(std::span<const Flavor> flavors, std::span<const topology::TopologySpec> topologies,
          const config::Profile& profile);

  /// `queue`: the queue of the workload.
  Attempt evaluate(const Workload& workload, const PlanQueue& queue, Books& books,
                   QuotaRule rule) const {
    Allowance unlimited;
    return evaluate(workload, queue, books, rule, unlimited);
  }
  /// If the allowance is over, the attempt means nothing.
  Attempt evaluate(const Workload& workload, const PlanQueue& queue, Books& books, QuotaRule rule,
                   Allowance& allowance) const;

  /// What a gang tree gets beyond its minimum, when it holds `held` (planner_trees.cpp). The pod
  /// sets of the attempt have only what is added. Not placed: nothing more fits.
  Attempt grow(const Workload& workload, const PlanQueue& queue, Books& books,
               const Admission& held, QuotaRule rule, Allowance& allowance) const;

  /// The minimum of a gang tree as its search sees it, on the first flavors that match; nothing if
  /// none does or a level is unknown. `held`: what the gang holds already. For explanations.
  std::optional<solver::GangTree> tree_problem(const Workload& workload, const PlanQueue& queue,
                                               Books& books, const Admission* held = nullptr) const;
  /// The topology that a group of a gang tree names; null: it does not exist.
  const topology::TopologySpec* topology_of(const solver::GangGroup& group) const;

  /// Places all pod sets on the topology flavors of `choice`. Of a gang tree the minimum, whatever
  /// `counts` says.
  solver::Answer place(const Workload& workload, std::span<const std::int64_t> counts,
                       const FlavorChoice& choice, Books& books, topology::Basis basis) const {
    Allowance unlimited;
    return place(workload, counts, choice, books, basis, unlimited);
  }
  /// The same planner, but pod sets on different flavors are placed in spec order too, not flavor
  /// by flavor: for whoever tries them in other orders (actors/shortage/any_order.h).
  Planner in_spec_order() const;

  /// Which counts of its pod sets a workload may get.
  PodCounts pod_counts(const Workload& workload) const {
    return {workload, partial_admission_, options_.slice_remainder};
  }
  /// Why the workload is Invalid, whatever is free (request_fault.h).
  std::optional<FlavorRejection> fault(const Workload& workload, const PlanQueue& queue) const {
    return request_fault(workload, queue, flavors_, partial_admission_);
  }
  /// True if slices that do not divide a count are cut off as in Kueue: then they are no fault.
  bool cuts_remainders() const {
    return options_.slice_remainder == topology::SliceRemainder::kKueue;
  }

  topology::LeaderFilters leader_filters() const { return options_.leader_filters; }

  std::vector<PodSetDecision> decide(std::span<const std::int64_t> counts,
                                     const FlavorChoice& choice, solver::Placement placement,
                                     const Cluster& cluster) const;

 private:
  solver::Answer place(const Workload& workload, std::span<const std::int64_t> counts,
                       const FlavorChoice& choice, Books& books, topology::Basis basis,
                       Allowance& allowance) const;
  Attempt evaluate_counts(const Workload& workload, std::span<const std::int64_t> counts,
                          const PlanQueue& queue, Books& books, QuotaRule rule,
                          Allowance& allowance) const;
  std::optional<Attempt> evaluate_partially(const Workload& workload, const PodCounts& counts,
                                            const PlanQueue& queue, Books& books, QuotaRule rule,
                                            Allowance& allowance) const;

  /// The minimum of a gang tree, or with `held` what it gets beyond that.
  Attempt evaluate_tree(const Workload& workload, const PlanQueue& queue, Books& books,
                        QuotaRule rule, const Admission* held, Allowance& allowance) const;
  /// Adds what refused every flavor to an attempt.
  static void add_refusal(const FlavorRefusal& refusal, Attempt& attempt);
  Attempt tree_attempt(FlavorProblem problem, const PassedOver& passed_over, const TreeCase& of,
                       FlavorChoice& choice, solver::Placement placement,
                       const Cluster& cluster) const;
  solver::Answer place_tree(const TreeCase& of, solver::TreePart part, Books& books,
                            topology::Basis basis, Allowance& allowance) const;

  std::span<const Flavor> flavors_;
  std::span<const topology::TopologySpec> topologies_;
  TreeChoices tree_choices_;
  solver::SearchOptions options_;
  bool partial_admission_;
};

}  // namespace tessera::core
