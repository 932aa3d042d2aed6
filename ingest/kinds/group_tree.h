// SPDX-License-Identifier: Apache-2.0
// GroupTree: the groups of a PodGroup while it is read: a tree in which a set of groups can get a
// group of its own.
//
// Used by the reader of PodGroups. A group goes by its number; 0 is the root. Knows no fields and
// reports nothing. Names must differ and parents must make no circle before groups are added.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "ingest/objects/read_context.h"

namespace tessera::ingest {

/// What a group asks of the topology, and where it is written. No level: it asks nothing.
struct WrittenTopology {
  solver::GroupTopology asked;
  TopologyPlaces places;

  bool empty() const { return !asked.required && !asked.preferred; }
};

class GroupTree {
 public:
  using Number = std::uint32_t;
  static constexpr Number kRoot = 0;

  struct Group {
    std::string name;
    Number parent = kRoot;
    std::int64_t min_pods = 0, min_children = 0;
    WrittenTopology topology;
    std::vector<Number> children = {};
    std::size_t leaves = 1;  // at or below it

    bool needs_all() const { return min_children == static_cast<std::int64_t>(children.size()); }
  };

  /// `groups`: the root first; children and leaves are filled in here.
  explicit GroupTree(std::vector<Group> groups);

  std::size_t size() const { return groups_.size(); }
  Group& operator[](Number number) { return groups_[number]; }
  const Group& operator[](Number number) const { return groups_[number]; }

  /// The fewest groups whose pods are those of `members`, ascending. The children of the root
  /// instead of the root.
  std::vector<Number> fewest(const std::vector<Number>& members) const;

  enum class Joined : std::uint8_t {
    kDone,
    kNoSiblings,  // they have different parents
    kSomeOfThem,  // their parent needs some of its children, and they are not all
  };
  /// Gives groups that fewest() returned a constraint in common. One group without a constraint
  /// takes it itself. Otherwise a new group comes between them and their parent; what must be met
  /// stays the same.
  Joined join(const std::vector<Number>& members, const WrittenTopology& topology);

  /// Gives the constraint to the groups that have none themselves, above or below: to the whole
  /// gang if there is no other. Children of one parent share it. False: some of them could not, and
  /// have it each for itself.
  bool apply_default(const WrittenTopology& topology);

  /// Pre-order, children in byte order of their names.
  void flatten(std::vector<solver::GangGroup>& groups, std::vector<TopologyPlaces>& places) const;

 private:
  std::vector<bool> constrained_below() const;
  void count_leaves();
  std::string new_name(const std::vector<Number>& members);

  std::vector<Group> groups_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace tessera::ingest
