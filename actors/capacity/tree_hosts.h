// SPDX-License-Identifier: Apache-2.0
// TreeHosts: the nodes of a cluster as the search of a gang tree sees them: hosts by number, sorted
// by each topology, with their cells, and where the pods of a filter may not go.
//
// Made by Cluster when a gang tree is first planned; valid until the labels, the taints or the
// health of a node change. A host is a node; its number is the NodeId. A node whose flavor's
// topology ends above the host has no host cell and takes no pods of gang trees. One thread at a
// time, since tables are made when they are first asked for.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "actors/capacity/flavor.h"
#include "solver/gang/flavor_view.h"
#include "topology/domain_runs.h"

namespace tessera::core {

class TreeHosts {
 public:
  /// Both outlive this.
  TreeHosts(std::span<const topology::NodeRecord> nodes, const topology::CellMap& cells);

  /// The hosts by their domains in a topology; kept by the topology's name.
  const topology::DomainRuns& runs(const topology::TopologySpec& topology);
  /// By host; a node without a host cell has some other cell.
  std::span<const topology::CellId> cells() const { return cells_; }
  /// By host: true where pods with this filter may not go in this view.
  std::shared_ptr<const std::vector<bool>> barred(const solver::FlavorView& view,
                                                  const topology::NodeFilter& filter);
  /// By level above the hosts, and by domain of runs(topology): the domain of the view's tree,
  /// which has that topology; UINT32_MAX: none of its hosts is in the tree.
  std::span<const std::vector<std::uint32_t>> domains(const topology::TopologySpec& topology,
                                                      const solver::FlavorView& view);
  /// The taints or the health of a node changed, and no label did.
  void forget_barred() { barred_.clear(); }
  /// The host of that node name.
  std::optional<std::uint32_t> find(std::string_view node) const;

 private:
  struct Barred {
    const solver::FlavorView* view;
    std::shared_ptr<const solver::FilterClass> of;
    std::shared_ptr<const std::vector<bool>> hosts;
  };

  std::span<const topology::NodeRecord> nodes_;
  const topology::CellMap* map_;
  std::vector<topology::CellId> cells_;
  std::map<std::string, std::unique_ptr<topology::DomainRuns>> runs_;
  std::map<std::pair<std::string, const solver::FlavorView*>,
           std::vector<std::vector<std::uint32_t>>>
      domains_;
  static constexpr std::size_t kMostBarred = 64;
  std::vector<Barred> barred_;  // the latest last
};

}  // namespace tessera::core
