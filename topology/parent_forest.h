// SPDX-License-Identifier: Apache-2.0
// ParentForest: things of which each names at most one parent, sorted into trees.
//
// Made from cohorts, KAI queues and owners of jobs; immutable, any thread. A thing is known by its
// position in the caller's list. Input may be hostile: parents may form circles or be unknown, and
// chains may be as long as the list. Members of a circle lose their parent and count as roots, so
// that everything else here is about trees. Time and memory are linear in the list; nothing
// recurses. The forest says what is wrong; the caller decides whether that is an error.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tessera::topology {

class ParentForest {
 public:
  using Position = std::uint32_t;
  static constexpr Position kNone = UINT32_MAX;         // no parent
  static constexpr Position kUnknown = UINT32_MAX - 1;  // a parent that is not in the list

  ParentForest() = default;
  /// `parents[i]`: the parent of thing i, kNone, or kUnknown (as is any other number beyond the
  /// list). A thing with an unknown parent is a root.
  explicit ParentForest(std::span<const Position> parents);

  Position size() const { return static_cast<Position>(parents_.size()); }
  /// kNone for roots, which members of circles are.
  Position parent(Position thing) const { return parents_[thing]; }
  /// Ascending.
  std::span<const Position> children(Position thing) const;
  /// The root of the tree that holds `thing`. Below a circle this is the member it hangs from.
  Position root(Position thing) const { return roots_[thing]; }
  /// 0 for roots.
  std::uint32_t depth(Position thing) const { return depths_[thing]; }
  /// All things, by depth: each stands behind its parent.
  std::span<const Position> order() const { return order_; }

  /// Each circle once: every member, each followed by its parent, from the lowest position on.
  /// Circles are in the order of their lowest members. A thing that is its own parent is a circle.
  const std::vector<std::vector<Position>>& circles() const { return circles_; }
  /// Which circle `thing` is a member of, or hangs below; nothing: its chain of parents ends.
  std::optional<std::size_t> circle(Position thing) const;
  /// Things whose parent is unknown, ascending.
  const std::vector<Position>& unknown_parents() const { return unknown_parents_; }
  /// Things of a depth above `most`, ascending.
  std::vector<Position> deeper_than(std::uint32_t most) const;

 private:
  void find_circles();
  void cut_circle(Position member);
  void list_children();
  void walk_down();

  std::vector<Position> parents_, roots_, order_;
  std::vector<std::uint32_t> depths_;
  std::vector<Position> children_, first_child_;  // those of thing i: first_child_[i] .. [i + 1]
  std::vector<std::vector<Position>> circles_;
  std::vector<Position> circle_of_root_;  // kNone: not a member of a circle
  std::vector<Position> unknown_parents_;
};

/// A thing that knows its parent by name; an empty name is no parent.
struct NamedParent {
  std::string_view name, parent;
};

/// The parents' positions, for ParentForest. Of several things with one name the first counts.
std::vector<ParentForest::Position> parent_positions(std::span<const NamedParent> things);

}  // namespace tessera::topology
