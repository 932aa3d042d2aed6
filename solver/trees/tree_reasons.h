// SPDX-License-Identifier: Apache-2.0
// Why a gang tree was refused: the group that finds no domain, what it lacks in the best one, and
// the groups that stand in its way.
//
// Computed when somebody asks, by further searches: not on the path of a decision. Pure; the same
// problem always gets the same reasons. For a problem that place_tree() refuses.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "solver/trees/place_tree.h"

namespace tessera::solver {

struct TreeReasons {
  /// The group that cannot be placed; with others or, if `blocked_by` is empty, even alone.
  std::uint32_t group = 0;
  TreeLevel level;  // that the group must share a domain of; none: the whole cluster is too small
  /// Of this level, the domain where the largest part of the group fits if it were alone. None: no
  /// domain has room for a single pod.
  std::optional<std::uint32_t> best;
  /// The leaf that is short in the best domain: its pods, and how many of them fit. If all leaves
  /// fit there one by one, the first leaf, and `need` is `fits`: they do not fit together.
  std::uint32_t leaf = 0;
  std::int64_t need = 0, fits = 0;
  /// Pods of the group run in several domains of the level already.
  bool torn = false;
  /// Groups without any one of which this group could be placed beside the others.
  std::vector<std::uint32_t> blocked_by;
  /// False: a search ran out of steps, so that there may be other reasons.
  bool exhaustive = true;
};

/// Why an optional group was left out, in a problem where everything that was placed runs already:
/// the deepest group in it that fits into no domain that is open to it, and what it lacks in the
/// best one. `need` is 0 if it would fit: the search ran out of steps before.
TreeReasons why_left_out(const TreeProblem& problem, std::uint32_t group,
                         const TreeOptions& options);

TreeReasons why_refused(const TreeProblem& problem, const TreeOptions& options);

}  // namespace tessera::solver
