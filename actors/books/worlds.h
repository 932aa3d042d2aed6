// SPDX-License-Identifier: Apache-2.0
// Worlds: the books of three clusters. Current: what was read, and what was placed since. Empty: no
// workload and no pod holds anything. Healthy: empty, and every node is ready, schedulable and has
// all the devices that it was built with.
//
// One owner: the planner. The healthy world is built when it is first asked for; if no node is
// broken, it is the empty world. The empty and the healthy books use no quota either: there a
// workload is compared with the most that its queue can get. Live worlds follow nodes and pods in
// place where they can (world_updates.cpp). For other changes, new worlds are made from their
// state.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "actors/books/books.h"
#include "config/profile.h"

namespace tessera::core {

/// (namespace, name)
using PodKey = std::pair<std::string, std::string>;

/// What worlds are made from: everything that exists except definitions.
struct WorldState {
  std::span<const topology::NodeRecord> nodes;  // sorted by name
  std::vector<topology::NodeRecord> own_nodes;  // live worlds only: `nodes` shows these
  std::map<PodKey, PodRecord> pods;             // bound
  std::unordered_map<GangId, Admitted> live;    // workloads that hold something
};
/// The state of an inventory, whose nodes outlive it. `live`: the state has its own nodes, which
/// may change.
WorldState state_of(const std::shared_ptr<const Inventory>& inventory, bool live);

class Worlds {
 public:
  /// `flavors` and the nodes of `state` outlive the worlds.
  Worlds(WorldState state, std::span<const Flavor> flavors, const Ledger& ledger,
         const config::Profile& profile, const solver::IndexLimits& index, Accounting& accounting);

  Books& current() { return *current_; }
  const Books& current() const { return *current_; }
  Books& empty();
  Books& healthy();
  bool any_node_broken() const;
  const Cluster& cluster() const { return *cluster_; }
  std::span<const topology::NodeRecord> nodes() const { return state_.nodes; }

  /// Books a placed decision into the current world. `admitted`: the same decision, by names.
  void place(const Decision& decision, const Admitted& admitted);
  /// Books an admission of a record, by its names.
  void admit(const Admitted& admitted, Accounting& accounting);
  /// The same for a workload that holds something already: what it gets besides.
  void grow(const Decision& decision, const Admitted& added);
  void grow(const Admitted& added, Accounting& accounting);
  /// Takes back the last of these four for the workload: its last growth, or all. Returns what it
  /// gives back.
  Held retract(GangId gang);
  /// Gives back all that a workload holds in the current world, and forgets the workload.
  Held release(GangId gang);
  /// All workloads that hold something.
  const std::unordered_map<GangId, Admitted>& live() const { return state_.live; }

  /// How live worlds followed one change. Without `in_place` only the state has the change, and the
  /// worlds are invalid until they are made anew.
  struct Followed {
    bool in_place = true;
    std::optional<topology::NodeId> node;  // whose capacity, use or health may be another
  };
  Followed update_node(const topology::NodeRecord& record);
  Followed delete_node(Symbol name);
  Followed update_pod(const PodRecord& record);
  Followed delete_pod(const PodKey& key);
  /// Nodes on which the use by pods without a workload changed since the last call, because the
  /// workload of such pods came or went.
  std::vector<topology::NodeId> take_touched() { return std::move(touched_); }
  /// Hands the state to the worlds that replace these.
  WorldState take_state();

  /// The current world as if these nodes were healthy. Everything that is held stays where it is.
  struct Repaired {
    std::vector<topology::NodeRecord> nodes;
    std::unique_ptr<Cluster> cluster;
    std::unique_ptr<Books> books;
  };
  Repaired with_healthy_nodes(const std::vector<topology::NodeId>& nodes) const;

 private:
  void book_state(Books& books, Accounting& accounting) const;
  void index_pod(const PodRecord& pod);
  void note_live(const Admitted& admitted);
  void note_growth(const Admitted& added);
  /// The bound pods of a workload, all or those on one node: by name of node, then of the pod.
  std::vector<const PodRecord*> pods_of(const std::string& workload) const;
  std::vector<const PodRecord*> pods_of(const std::string& workload, std::string_view node) const;
  /// The pods for which the assignment stands, or beside which it is counted. Empty if the workload
  /// has no assignment, or if the profile does not count its pods by where they run.
  std::vector<const PodRecord*> settling_pods(const Admitted& admitted) const;
  /// The workload of the pod, if it has an assignment and the pod counts by where it runs.
  const Admitted* assigned(const PodRecord& pod);
  /// Counts these pods of one workload again. `admitted`: what it holds now, if anything.
  void recount(const std::vector<const PodRecord*>& pods, const Admitted* admitted);
  /// Counts those pods again on which a pod that came or went has a bearing.
  void recount_near(const PodRecord& pod, const Admitted& admitted);
  bool is_live() const { return !state_.own_nodes.empty(); }

  WorldState state_;
  using ByNode = std::map<std::string, std::set<PodKey>, std::less<>>;
  std::map<std::string, ByNode> pods_of_;  // by workload
  /// What the growths added that these worlds booked, by gang.
  std::unordered_map<GangId, std::vector<std::shared_ptr<const Admission>>> growths_;
  /// By workload, those of state_.live. Made when the first pod changes.
  std::optional<std::unordered_map<std::string, GangId>> gang_of_;
  std::vector<topology::NodeId> touched_;
  std::span<const Flavor> flavors_;
  config::Profile profile_;
  solver::IndexLimits index_;
  Ledger idle_;  // no quota is in use
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Books> current_;
  // Made on first use.
  std::unique_ptr<Books> empty_;
  mutable std::optional<bool> any_broken_;
  std::vector<topology::NodeRecord> healthy_nodes_;
  std::unique_ptr<Cluster> healthy_cluster_;
  std::unique_ptr<Books> healthy_;
};

}  // namespace tessera::core
