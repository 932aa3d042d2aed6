// SPDX-License-Identifier: Apache-2.0
// Evidence: the facts behind one refusal: what each level needs and has, which of them binds, the
// nodes that were left out, which workloads hold the room, and what would help.
//
// Plain values. Explainer and find_remedies() make them on request (`explain`, `-o json`), never on
// the decision path. ingest/text and ingest/encode write them out: tables, JSON and conditions all
// read this one record, and none of them computes what binds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "actors/records/gang_id.h"
#include "topology/domain_tree.h"

namespace tessera::core {

using topology::Symbol;

/// One remedy. It was solved again on a copy before it is reported.
struct Remedy {
  enum class Kind { kFinish, kUncordon, kRepair, kRelax, kTolerate, kQuota } kind = Kind::kFinish;
  /// Workload display name ("job/a", several joined by " and "), Node name, level label that
  /// becomes preferred, taint text; kQuota: "nvidia.com/gpu in flavor gb200".
  std::string subject;
  bool enough = false;
  std::int64_t fits = 0, need = 0;  // when not enough: how far it gets, in pods
};

/// What one level needs and has, in pods. There is an entry for each level where the request wants
/// pods together: slice layers, the required or preferred level and the levels above. Where pods
/// may spread (preferred, unconstrained, slices), the last entry is about the whole cluster: it
/// has no `best`, and `have` is the sum over all domains of level 0. In a group, `need` and `have`
/// are those of the workers, beside their leader where the domain has room for it.
struct LevelEvidence {
  int level = 0;
  bool cluster = false;
  bool preferred = false;  // a wish: it never stands in the way
  /// More than 1: whole slices of so many pods are counted. Both numbers are multiples of it.
  std::int64_t slice = 1;
  /// Pods that the request needs in one domain of the level, and that the best one can take now,
  /// after the pod sets that come before.
  std::int64_t need = 0, have = 0;
  /// The domain that takes the most pods now; of equals the one that takes the most when empty,
  /// then the one with the smallest path.
  std::optional<topology::DomainId> best;
  /// The most that any domain takes with nothing running and every node healthy (worlds.h).
  std::int64_t healthy_have = 0;
  /// False: the leader finds no place there.
  bool leads = true, healthy_leads = true;
};

/// How many pods the level lacks now.
inline std::int64_t short_of(const LevelEvidence& level) {
  return level.need > level.have ? level.need - level.have : 0;
}

/// What stands in the way, if it is room.
struct Binding {
  std::size_t pod_set = 0;  // that fails; of a group the workers
  std::optional<std::size_t> leader;
  std::size_t level = 0;  // in Evidence::levels: the finest that is short, else the last
  /// The request can never fit: the numbers that count are those of the healthy, empty cluster.
  bool at_best = false;
  std::int64_t need = 0, have = 0;  // of that level, in pods; `have` as `at_best` says
  bool leader_short = false;        // the workers would fit, the leader beside them does not
  /// The resource that runs out first on most hosts of the best domain. Empty: filters, not room,
  /// keep the pods from its hosts.
  Symbol resource;
  /// What one pod asks of the resource, and the most that any host has when empty and healthy.
  std::int64_t asked = 0, largest = 0;
};

/// How many nodes of each cause are named where a cluster may be told of in thousands of refusals.
inline constexpr std::size_t kMostNamedNodes = 64;

struct NodeCause {
  std::string text;           // "resource nvidia.com/gpu", "taint k=v:NoSchedule", "cordoned", ...
  std::size_t count = 0;      // of nodes
  std::vector<Symbol> nodes;  // their names, byte order; the first ones only, below kRemedies
};

/// Who holds room in the contested domain: a gang, or bound pods that belong to no gang.
struct Blocker {
  std::optional<GangId> gang;           // nothing: bound pods
  std::optional<std::size_t> workload;  // position in Inventory::workloads; nothing: not in there
  std::string name, namespace_name;     // "job/a"; "pod/x" of a pod without an owner
  std::int64_t pods = 0;                // its pods that hold the room
  std::optional<topology::DomainId> domain;  // nothing: several domains of level 0
  /// All its bound pods that count by themselves, there and elsewhere: positions in
  /// Inventory::pods.
  std::vector<std::size_t> bound;
};

/// Why a gang tree finds no place. Names as people know them.
struct TreeEvidence {
  std::string left_out;  // of a placed gang: the optional group that `group` keeps out
  std::string group;     // the group that fails: "worker/worker-0"; of the root "."
  /// It has fewer pods or child groups than it needs: `fits` of `need`. Then no domain matters.
  bool short_of_pods = false;
  std::string level, topology;  // whose domain it must share; empty: anywhere in the cluster
  std::string best;             // path of the domain that takes most of it; empty: none takes a pod
  std::string pod_set;          // that is short there
  std::int64_t need = 0, fits = 0;      // pods of it
  bool torn = false;                    // its pods run in several domains already
  bool several_topologies = false;      // groups above may bind it in another topology
  std::vector<std::string> blocked_by;  // groups without any of which it would fit
  bool exhaustive = true;               // proved; false: the search ran out of steps
};

/// How much of the evidence is made. kReason: what binds, and the nodes left out if they are the
/// reason: all that a row of a table tells. kFacts: also the nodes by cause, kMostNamedNodes of
/// each by name, and who holds the room. kRemedies: also the names of all nodes, and remedies, each
/// of which costs a placement.
enum class Depth : std::uint8_t { kReason, kFacts, kRemedies };

struct Evidence {
  std::string flavor;  // the flavor the evidence is about
  bool open = false;
  std::vector<LevelEvidence> levels;  // finest first
  std::optional<Binding> binding;     // there is one if there are levels
  std::optional<TreeEvidence> tree;   // of a gang tree, in place of levels
  /// Of a gang tree that is placed: the optional groups that were left out, and why.
  std::vector<TreeEvidence> groups_left_out;
  /// Even an empty, healthy host takes only one pod, so pods can be counted as hosts.
  bool whole_hosts = false;
  std::int64_t looked_at = 0;  // leaves in the tree now
  std::vector<NodeCause> without_room, left_out;
  std::vector<Blocker> blockers;
  std::vector<Remedy> remedies;
};

}  // namespace tessera::core
