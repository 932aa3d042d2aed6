// SPDX-License-Identifier: Apache-2.0
// Worlds: the books of three clusters: current (what was read and what the run has placed), empty
// (no workload and no pod holds anything) and healthy (empty, and every node ready, schedulable,
// with all the devices it was built with).
//
// One owner: the engine. The healthy world is built when first asked for, and is the empty one if
// no node is broken. The empty and healthy books have no use in quota either: they are judged
// against the maximum.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "actors/core/books.h"
#include "actors/core/driver.h"
#include "config/profile.h"

namespace tessera::core {

class Worlds {
 public:
  /// All but `profile` outlive the worlds. Books the state of the inventory into the current one.
  Worlds(const Inventory& inventory, std::span<const Flavor> flavors, const Ledger& ledger,
         const config::Profile& profile, const solver::IndexLimits& index, Accounting& accounting);

  Books& current() { return current_; }
  const Books& current() const { return current_; }
  Books& empty() { return empty_; }
  Books& healthy();
  bool any_node_broken() const { return any_broken_; }

  const Cluster& cluster() const { return cluster_; }

  /// Books a placed decision into the current world. `admitted`: the same by names.
  void place(const Decision& decision, const Admitted& admitted);
  /// Gives back all that a workload holds in the current world, and forgets it.
  Held release(std::size_t number);
  /// All workloads that hold something, by number.
  const std::map<std::size_t, Admitted>& live() const { return live_; }

  /// The current world as it would be with these nodes healthy; everything that is held stays where
  /// it is.
  struct Repaired {
    std::vector<topology::NodeRecord> nodes;
    std::unique_ptr<Cluster> cluster;
    std::unique_ptr<Books> books;
  };
  Repaired with_healthy_nodes(const std::vector<topology::NodeId>& nodes) const;

 private:
  void book_live(Books& books, Accounting& accounting) const;

  const Inventory* inventory_;
  std::span<const Flavor> flavors_;
  config::Profile profile_;
  solver::IndexLimits index_;
  Ledger idle_;  // no use
  Cluster cluster_;
  Books current_, empty_;
  bool any_broken_;
  std::vector<topology::NodeRecord> healthy_nodes_;
  std::unique_ptr<Cluster> healthy_cluster_;
  std::unique_ptr<Books> healthy_;
  std::map<std::size_t, Admitted> live_;
};

}  // namespace tessera::core
