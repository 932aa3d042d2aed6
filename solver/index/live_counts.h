// SPDX-License-Identifier: Apache-2.0
// LiveCounts: the counts of one leaf key (docs/index.md). They move when cells change.
//
// Owned by the index. Holds the numbers of every leaf, a tally of the resources that leaves without
// room lack, and the roll-ups of the slice levels that were asked for. The 64-bit rows of the
// capacity are the truth; narrow rows are used where their unit divides the request, and give the
// same quotients. Copies share their rows until one is written. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "solver/counting/count_kernel.h"
#include "solver/counting/counts.h"
#include "solver/counting/small_kernel.h"
#include "solver/index/roll_up.h"
#include "solver/index/touched.h"

namespace tessera::solver {

class LiveCounts {
 public:
  LiveCounts(const CountRequest& request, topology::Basis basis, const topology::Capacity& capacity,
             Workers* workers);

  const LeafRows& leaves() const { return leaves_; }
  const FlavorView& view() const { return *request_.view; }
  /// The version of the capacity that the counts belong to.
  std::uint64_t version() const { return version_; }
  bool in_32_bits() const { return narrow_; }

  /// Takes over the changes since version(). `touched` belongs to the same view and version, and is
  /// not `too_many`.
  void catch_up(const topology::Capacity& capacity, Touched& touched);
  /// Counts all leaves again. `workers` null: in the calling thread.
  void count_anew(const topology::Capacity& capacity, Workers* workers);
  /// Prefetches what leaves_changed() will touch.
  void prefetch(const Touched& touched) const;
  /// The leaves in `touched` were shown, hidden, or pass other filters now.
  void leaves_changed(const topology::Capacity& capacity, Touched& touched);
  /// The leaves of this view moved to other slots (FlavorView::slots_moved() came before).
  void slots_moved(topology::SlotShift shift);
  /// The roll-up that serves the request; null if there is none yet.
  RollUp* find_roll_up(const ResolvedRequest& request);
  RollUp& add_roll_up(const ResolvedRequest& request, Workers* workers);
  std::vector<RollUp>& roll_ups() { return roll_ups_; }

  Exclusions exclusions() const;

 private:
  /// One resource of a request.
  struct Term {
    int row;
    std::int64_t amount;
    std::int64_t taken;  // by a leader beside the workers
    topology::Symbol resource;
  };
  /// A request twice: exact, and in units of the rows, as the kernels want it.
  struct Terms {
    std::vector<Term> exact;
    std::vector<CountTerm> narrow;
    std::vector<SmallTerm> small;  // all terms; none: the small kernel cannot serve
  };
  /// Numbers of a run of leaves.
  struct Output {
    std::int32_t* codes;
    std::int32_t* pods_with_leader;  // null without a leader, like leaders
    std::int32_t* leaders;
  };

  Terms terms_of(const topology::Capacity& capacity, const Amounts& request, const Amounts& taken);
  void prepare(const topology::Capacity& capacity);
  void keep_units(const topology::Capacity& capacity);
  void count_part(const topology::Capacity& capacity, std::uint32_t first, std::uint32_t size,
                  std::int64_t* tally);
  void count_run(CellRun& run, const std::uint16_t* worker_verdict,
                 const std::uint16_t* leader_verdict, const Output& out, std::int64_t* tally,
                 std::vector<CountTerm>& scratch) const;
  void count_terms(CellRun& run, const Terms& terms, const std::uint16_t* verdict,
                   std::int32_t* codes, std::int64_t* tally, std::vector<CountTerm>& scratch) const;
  void count_few(CellRun& run, const std::uint16_t* verdict, std::int32_t* codes) const;
  void move(Touched& touched);
  void tally_codes(std::span<const std::int32_t> codes, std::int64_t sign);

  CountRequest request_;
  topology::Basis basis_;
  std::uint64_t version_ = 0;
  Terms worker_, leader_, beside_leader_;
  std::uint32_t units_version_ = 0;  // of the narrow rows, when the terms were prepared
  bool narrow_ = false;
  LeafRows leaves_;
  std::vector<std::int64_t> tally_;  // leaves without room by limiting term of the workers
  std::vector<RollUp> roll_ups_;
  std::vector<std::int32_t> fresh_, stale_;  // reused for their memory
  std::vector<CountTerm> scratch_;
};

}  // namespace tessera::solver
