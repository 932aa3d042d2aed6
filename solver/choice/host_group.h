// SPDX-License-Identifier: Apache-2.0
// HostGroup: the hosts below one candidate group of balanced placement, as bare numbers, so that
// hundreds of groups are looked at without making a candidate of every host
// (placement.md 5.2, 5.3).
//
// Balanced placement makes one where hosts get the even shares and a slice is one pod. The answers
// are those that lists of candidates would give. The buffers serve the next group too. One thread.
// Does not know steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "solver/counting/count_table.h"

namespace tessera::solver {

/// Domains taken largest first until the load is covered (5.2).
struct Greedy {
  bool fits = false;
  std::int64_t used = 0;
  std::optional<Counts> last_leader, last_worker;
};

class HostGroup {
 public:
  /// False: some host takes more than kMostPods pods. Then nothing else may be asked, and the
  /// caller makes lists.
  bool read(const CountTable& table, topology::DomainRange hosts);

  /// How many hosts can take a pod or the leader.
  std::int64_t candidates() const { return candidates_; }
  /// `leaders`: 0 or 1.
  Greedy greedy(std::int64_t slices, std::int64_t leaders) const;
  /// True if pruning by `threshold` clears nothing (5.4).
  bool keeps_all(std::int64_t threshold) const;

 private:
  /// The largest count that hosts_by_pods_ has a place for; Kubernetes allows 110 pods by default.
  static constexpr std::int32_t kMostPods = 255;
  static constexpr std::size_t kTables = 4;

  std::optional<std::size_t> best_leader() const;
  Counts counts(std::size_t host) const;
  std::size_t nth_with(std::int32_t pods, std::int64_t n, std::int64_t hosts,
                       std::optional<std::size_t> but) const;
  void count_hosts();
  std::int64_t hosts_with(std::int32_t pods) const;

  std::vector<std::int32_t> pods_, beside_, leads_;  // the last two are empty without a leader
  std::array<std::array<std::int32_t, kMostPods + 1>, kTables>
      hosts_by_pods_{};  // added up over the tables
  std::int32_t most_ = 0;
  std::int64_t candidates_ = 0;
};

}  // namespace tessera::solver
