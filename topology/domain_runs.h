// SPDX-License-Identifier: Apache-2.0
// DomainRuns: hosts sorted by their path in one topology, so that every domain is one run of them.
//
// What the search of a gang tree reads (solver/trees). Unlike DomainTree it keeps a host that lacks
// labels: such a host is in the domains of the levels above the first label that it lacks, and in
// none below (spec/gangs.md 6.1 [D]). A domain is its whole path. Immutable; read on any thread.
// Does not know amounts, use or whether a host is usable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "topology/domain_tree.h"

namespace tessera::topology {

class DomainRuns {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// A domain of one level: hosts order()[begin..end).
  struct Domain {
    std::uint32_t begin = 0, end = 0;
    std::uint32_t parent = kNone;  // in the level above
    DomainRange inner;             // in the level below
    Symbol value;
    std::uint32_t hosts() const { return end - begin; }
  };

  /// `nodes`: the hosts, indexed by host number.
  DomainRuns(const TopologySpec& topology, std::span<const NodeRecord> nodes);

  int level_count() const { return static_cast<int>(levels_.size()); }
  /// In path order.
  std::span<const Domain> level(int level) const {
    return levels_[static_cast<std::size_t>(level)];
  }
  std::uint32_t host_count() const { return static_cast<std::uint32_t>(order_.size()); }
  /// Host numbers in path order; hosts that lack the next label come last in their domain.
  std::span<const std::uint32_t> order() const { return order_; }
  /// The domain of a host at a level, or kNone.
  std::uint32_t domain_of(int level, std::uint32_t host) const {
    return domain_of_[static_cast<std::size_t>(level) * order_.size() + host];
  }
  /// The domains of `level` inside a domain of `of_level` (of_level <= level): a run of indexes.
  DomainRange inside(int of_level, std::uint32_t domain, int level) const;
  /// Values from the coarsest level down, joined with "/"; an empty value is "-".
  std::string path_text(int level, std::uint32_t domain) const;

 private:
  void place_empty_runs();

  std::vector<std::vector<Domain>> levels_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> domain_of_;  // level by level
};

}  // namespace tessera::topology
