// SPDX-License-Identifier: Apache-2.0
// The solver's entry point: place_gang() decides where the pods of a gang go under the rules of
// Kueue's Topology Aware Scheduling (spec/placement.md 2-5), or says why they do not fit.
//
// A pure function of its arguments: the Capacity is changed only by assumed bookings that are
// undone before it returns. The caller (actors/core planner) books the answer. Same arguments, same
// answer, on any thread count. Does not know queues, quota or flavors' order: the caller has chosen
// a flavor, hence a tree, for every pod set.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/answer.h"
#include "solver/gang.h"
#include "topology/capacity.h"

namespace tessera::solver {

enum class Algorithm : std::uint8_t { kBestFit, kLeastFreeCapacity, kMostFreeCapacity };
enum class BalancedPlacement : std::uint8_t { kOff, kWhenFewer, kKueue };
enum class LeaderFilters : std::uint8_t { kOwn, kWorkers };
enum class SliceRemainder : std::uint8_t { kReject, kKueue };

/// Choices of a profile that the search knows (ux.md section 4).
struct SearchOptions {
  Algorithm required = Algorithm::kBestFit;
  Algorithm preferred = Algorithm::kBestFit;
  Algorithm unconstrained = Algorithm::kLeastFreeCapacity;
  BalancedPlacement balanced = BalancedPlacement::kOff;
  bool preferred_affinity = true;
  LeaderFilters leader_filters = LeaderFilters::kOwn;
  SliceRemainder slice_remainder = SliceRemainder::kReject;
};

/// One flavor's view of the cluster. Everything outlives the call. Filter verdicts are cached
/// inside (per filter class), so one view serves many gangs; a view is used by one thread at a
/// time.
class FlavorView {
 public:
  FlavorView(const topology::DomainTree& tree, std::span<const topology::CellId> cells,
             std::span<const topology::NodeRecord> nodes,
             std::vector<topology::Toleration> tolerations);

  const topology::DomainTree& tree() const { return *tree_; }
  std::span<const topology::CellId> cells() const { return cells_; }  // by LeafId
  std::span<const topology::NodeRecord> nodes() const { return nodes_; }

  /// Verdict of each leaf under a filter: 0 = passes, else 1 + index into causes. Host-level trees
  /// only test nodes; others pass.
  struct FilterClass {
    std::vector<std::uint16_t> verdict;  // by LeafId
    std::vector<CauseCount>
        causes;  // kinds and details of the verdicts; leaves = how many leaves have it
  };
  const FilterClass& filter_class(const topology::NodeFilter& filter) const;
  /// Affinity score of each leaf (placement.md 4.8).
  const std::vector<std::int64_t>& scores(const topology::NodeFilter& filter) const;

 private:
  const topology::DomainTree* tree_;
  std::span<const topology::CellId> cells_;
  std::span<const topology::NodeRecord> nodes_;
  std::vector<topology::Toleration> tolerations_;
  mutable std::map<std::string, std::unique_ptr<FilterClass>> classes_;
  mutable std::map<std::string, std::unique_ptr<std::vector<std::int64_t>>> scores_;
};

/// The flavor of one pod set: null = no topology flavor, the pod set is not placed. Flavors are
/// handled in byte order of their names.
struct PodSetTarget {
  const FlavorView* view = nullptr;
  std::string flavor;
};

/// Places all pod sets of `gang` that have a target. `counts[i]` pods of pod set i (partial
/// admission may lower the spec's count). Pod sets of one group must share a target. Pod sets see
/// what earlier ones of this call take.
Answer place_gang(const Gang& gang, std::span<const std::int64_t> counts,
                  std::span<const PodSetTarget> targets, topology::Capacity& capacity,
                  topology::Basis basis, const SearchOptions& options);

/// What one pod of `pod_set` takes of a cell: its request and one pod slot.
Amounts pod_amounts(const Amounts& request);

}  // namespace tessera::solver
