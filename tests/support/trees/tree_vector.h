// SPDX-License-Identifier: Apache-2.0
// TreeVector: one line of trees-*.jsonl: a small cluster and one or two gang trees, with the answer
// that is right (tests/data/README.md).
//
// Plain data, read by the runner, by the brute force and by the checker of the rules, which shares
// no code with the solver. TreeWorld turns a vector into what place_tree() takes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solver/trees/place_tree.h"

namespace tessera::test {

struct TreePod {
  std::string name;
  topology::Amounts total;  // pod slot included
};

struct TreeVectorGroup {
  std::string name;
  std::optional<std::int64_t> min_pods, min_children;
  std::string required, preferred;  // label keys; empty: none
  std::string exclusive;            // a label key: the group has its domain of that level to itself
  bool everyone = false;            // nobody else may be there; else no other exclusive group
  std::string spread;               // a label key: at most `most` children in each domain
  std::int64_t most = 1;
  std::vector<TreeVectorGroup> children;
  std::vector<TreePod> pods;  // only without children
  bool is_leaf() const { return children.empty(); }
};

struct TreeBound {
  std::string node, gang, group, pod;  // gang empty: belongs to nobody
  topology::Amounts total;
  bool repels = false;  // a pod of nobody that no exclusive group may meet
};

struct TreeVectorGang {
  std::string name;
  TreeVectorGroup tree;
  std::optional<bool> feasible;
  std::int64_t priority = 0;
};

struct TreeVector {
  std::string id;
  std::vector<std::string> levels;
  std::vector<topology::NodeRecord> nodes;
  std::vector<TreeBound> bound;
  std::vector<TreeVectorGang> gangs;
  bool kai_defect = false;
  solver::DomainChoice choice = solver::DomainChoice::kTightest;
};

TreeVector read_tree_vector(const std::string& line);

/// Pod -> node.
using TreePlaces = std::map<std::string, std::string>;

/// Which rules a placement breaks: "capacity", "required", "minimum", "unknown", "apart".
/// Empty: none. `placed`: by gang.
std::vector<std::string> broken_rules(const TreeVector& vector,
                                      const std::map<std::string, TreePlaces>& placed);

/// The levels at which all pods of a group must share a domain. `parent`: the group above, or null.
std::vector<std::string> levels_of(const TreeVectorGroup& group, const TreeVectorGroup* parent);

/// True if nobody is where an exclusive group is, and the children of each spread group lie apart.
/// `where`: by leaf group, the nodes of its pods.
bool apart(const TreeVector& vector, const TreeVectorGroup& root,
           const std::map<const TreeVectorGroup*, std::vector<std::string>>& where);

/// One cluster, on which the gangs of a vector are placed one after the other.
class TreeWorld {
 public:
  explicit TreeWorld(const TreeVector& vector);
  ~TreeWorld();

  struct Result {
    solver::TreeVerdict verdict = solver::TreeVerdict::kRefused;
    TreePlaces places;
    std::int64_t steps = 0;
  };
  /// Places the minimum of a gang; its pods run from then on.
  Result place(const TreeVectorGang& gang, std::int64_t max_steps);
  /// The same on several threads from the start. `delay`: called at the start of each task.
  Result place_in_waves(const TreeVectorGang& gang, std::int64_t max_steps,
                        std::function<void(std::size_t)> delay);
  /// Why the minimum of a gang is refused: "group a needs 9 pods of leaf 0 in rack, best b0/r1 has
  /// room for 8; blocked by b c".
  std::string why(const TreeVectorGang& gang, std::int64_t max_steps);
  /// Places what else of it fits.
  Result extend(const TreeVectorGang& gang, std::int64_t max_steps);

 private:
  struct Parts;
  Result run(const TreeVectorGang& gang, const solver::TreeOptions& options);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tessera::test
