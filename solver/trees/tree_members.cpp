// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_members.h"

#include <vector>

namespace tessera::solver {
namespace {

struct Verdicts {
  std::vector<bool> ok;                      // by group: it has what it needs
  std::vector<std::int64_t> pods, children;  // by group: what it has of its own
};

Verdicts judge(const Gang& gang) {
  Verdicts out;
  const std::size_t groups = gang.groups.size();
  out.ok.assign(groups, true);
  out.pods.assign(groups, 0);
  out.children.assign(groups, 0);
  for (std::size_t g = groups; g-- > 0;) {
    const GangGroup& group = gang.groups[g];
    out.pods[g] = static_cast<std::int64_t>(group.running.size());
    for (std::uint32_t p = group.pods_begin; p < group.pods_end; ++p) {
      out.pods[g] += gang.pod_sets[p].count;
    }
    out.ok[g] = out.pods[g] >= group.min_pods && out.children[g] >= group.min_children;
    if (g > 0 && out.ok[g]) ++out.children[group.parent];
  }
  return out;
}

}  // namespace

std::optional<ShortGroup> short_of_pods(const Gang& gang) {
  if (!gang.is_tree()) return std::nullopt;
  const Verdicts found = judge(gang);
  if (found.ok[0]) return std::nullopt;
  std::uint32_t at = 0;
  for (;;) {
    const GangGroup& group = gang.groups[at];
    if (found.pods[at] < group.min_pods) return ShortGroup{at, group.min_pods, found.pods[at]};
    std::uint32_t next = 0;
    std::int64_t all = 0;
    for (std::uint32_t c = at + 1; c < group.end; c = gang.groups[c].end, ++all) {
      if (!found.ok[c] && next == 0) next = c;
    }
    const bool every_child = group.min_children == all;
    if (!every_child || next == 0) {
      return ShortGroup{at, group.min_children, found.children[at], true};
    }
    at = next;  // all children are needed, so the first that lacks something is to blame
  }
}

}  // namespace tessera::solver
