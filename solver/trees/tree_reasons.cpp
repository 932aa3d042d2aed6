// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/tree_reasons.h"

#include <algorithm>
#include <utility>

#include "solver/trees/tree_search.h"

namespace tessera::solver {
namespace {

class ReasonFinder {
 public:
  ReasonFinder(const TreeProblem& problem, const TreeOptions& options)
      : problem_(problem), options_(options) {}

  TreeReasons run() {
    // The deepest group that fails alone: of its parts each could be placed.
    for (std::size_t g = problem_.groups.size(); g-- > 0;) {
      const auto group = static_cast<std::uint32_t>(g);
      if (fits(group, only(group))) continue;
      describe(group);
      out_.blocked_by = blockers(group);
      return std::move(out_);
    }
    describe(0);
    return std::move(out_);
  }

  TreeReasons run_for(std::uint32_t left_out) {
    in_scope_ = true;
    for (std::uint32_t group = problem_.groups[left_out].end; group-- > left_out;) {
      if (fits(group, only(group))) continue;
      describe(group);
      return std::move(out_);
    }
    out_.group = left_out;
    return std::move(out_);
  }

 private:
  /// Groups that the search leaves out: all but a group and what is above and below it.
  std::vector<bool> only(std::uint32_t group) const {
    std::vector<bool> out(problem_.groups.size(), true);
    for (std::uint32_t g = group; g < problem_.groups[group].end; ++g) out[g] = false;
    for (std::uint32_t g = group;; g = problem_.groups[g].parent) {
      out[g] = false;
      if (g == 0) return out;
    }
  }

  /// True if the groups that are not left out can be placed; also if nobody knows.
  bool fits(std::uint32_t group, const std::vector<bool>& left_out) {
    TreeProblem probe = problem_;
    for (std::uint32_t g = 0; g < probe.groups.size(); ++g) {
      // Of the groups above only the domains matter.
      const bool above = g < group && group < probe.groups[g].end;
      for (TreePods& pods : probe.pods) {
        if (above && pods.group == g) pods.must = 0;
      }
      std::int64_t children = 0;
      bool lacks_some = false;
      for (std::uint32_t c = g + 1; c < probe.groups[g].end; c = probe.groups[c].end, ++children) {
        lacks_some = lacks_some || left_out[c];
      }
      if (lacks_some) probe.groups[g].min_children = children;  // those left out count as met
    }
    Steps steps(options_.max_steps, options_.stop);
    TreeBounds bounds(probe, steps, left_out);
    std::vector<TreeLevel> levels;
    for (const TreeGroup& each : probe.groups) levels.push_back(each.required);
    TreeState state(probe, levels, steps);
    const bool placed = TreeSearch(probe, bounds, state, steps).place(0);
    if (steps.over()) out_.exhaustive = false;
    return placed || steps.over();
  }

  /// Child groups of a group that fails although each child could be placed: the first child that
  /// does not fit beside those before it is what fails, and what makes room for it blocks it.
  std::vector<std::uint32_t> blockers(std::uint32_t group) {
    std::vector<std::uint32_t> children;
    for (std::uint32_t c = group + 1; c < problem_.groups[group].end; c = problem_.groups[c].end) {
      children.push_back(c);
    }
    if (problem_.groups[group].min_children < static_cast<std::int64_t>(children.size())) return {};
    std::vector<bool> left_out = only(group);
    for (const std::uint32_t child : children) leave_out(child, true, left_out);
    for (std::size_t last = 0; last < children.size(); ++last) {
      leave_out(children[last], false, left_out);
      if (fits(group, left_out)) continue;
      describe(children[last]);
      std::vector<std::uint32_t> out;
      for (std::size_t k = 0; k < last; ++k) {
        leave_out(children[k], true, left_out);
        if (fits(group, left_out)) out.push_back(children[k]);
        leave_out(children[k], false, left_out);
      }
      return out;
    }
    return {};
  }

  void leave_out(std::uint32_t group, bool out, std::vector<bool>& left_out) const {
    for (std::uint32_t g = group; g < problem_.groups[group].end; ++g) left_out[g] = out;
  }

  /// The level that binds the group, its best domain there, and the leaf that is short in it.
  void describe(std::uint32_t group) {
    out_.group = group;
    out_.level = {};
    out_.best.reset();
    for (std::uint32_t g = group; !out_.level; g = problem_.groups[g].parent) {
      out_.level = problem_.groups[g].required;
      if (g == 0) break;
    }
    Steps steps(INT64_MAX);
    TreeBounds bounds(problem_, steps);
    out_.torn = out_.level && runs_apart(group);
    if (!out_.level) return describe_cluster(group, bounds);
    const topology::DomainRange range = open_domains(group);
    Shortage best = shortage(group, [](std::uint32_t) { return std::int64_t{0}; });
    for (std::uint32_t d = range.begin; d < range.end; ++d) {
      const Shortage here =
          shortage(group, [&](std::uint32_t leaf) { return bounds.fits(leaf, out_.level, d); });
      if (here.any && (!out_.best || better(here, best))) {
        best = here;
        out_.best = d;
      }
    }
    note(best);
  }

  /// True if what runs of the group, or of the group above that binds it, is in several domains.
  bool runs_apart(std::uint32_t group) const {
    Steps steps(INT64_MAX);
    std::vector<TreeLevel> levels;
    for (const TreeGroup& each : problem_.groups) levels.push_back(each.required);
    const TreeState state(problem_, std::move(levels), steps);
    while (group != 0 && problem_.groups[group].required != out_.level) {
      group = problem_.groups[group].parent;
    }
    return state.torn(group);
  }

  /// The domains of the level that binds the group; in scope, those that what runs leaves open.
  topology::DomainRange open_domains(std::uint32_t group) const {
    const auto& runs = *problem_.runs[static_cast<std::size_t>(out_.level.runs)];
    if (!in_scope_ || problem_.groups[group].required != out_.level) {
      return {0, static_cast<std::uint32_t>(runs.level(out_.level.level).size())};
    }
    Steps steps(INT64_MAX);
    TreeBounds bounds(problem_, steps);
    std::vector<TreeLevel> levels;
    for (const TreeGroup& each : problem_.groups) levels.push_back(each.required);
    TreeState state(problem_, std::move(levels), steps);
    return TreeSearch(problem_, bounds, state, steps).domains_in_scope(group);
  }

  void describe_cluster(std::uint32_t group, TreeBounds& bounds) {
    note(shortage(group, [&](std::uint32_t leaf) { return bounds.fits_anywhere(leaf); }));
  }

  /// The leaf of which the smallest part fits.
  struct Shortage {
    std::uint32_t leaf = 0;
    std::int64_t need = 0, fits = 0;
    bool any = false;  // some pod fits
  };
  static bool better(const Shortage& a, const Shortage& b) {
    return a.fits * std::max<std::int64_t>(b.need, 1) > b.fits * std::max<std::int64_t>(a.need, 1);
  }
  template <class Fits>
  Shortage shortage(std::uint32_t group, Fits fits_of) const {
    Shortage out;
    bool first = true;
    for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
      const TreePods& pods = problem_.pods[leaf];
      if (pods.group < group || pods.group >= problem_.groups[group].end || pods.must == 0)
        continue;
      const Shortage each{leaf, pods.must, std::min(fits_of(leaf), pods.must), true};
      const bool any = out.any || each.fits > 0;
      if (first || better(out, each)) out = each;
      out.any = any;
      first = false;
    }
    return out;
  }
  void note(const Shortage& shortage) {
    out_.leaf = shortage.leaf;
    out_.need = shortage.need;
    out_.fits = shortage.fits;
  }

  const TreeProblem& problem_;
  const TreeOptions& options_;
  TreeReasons out_;
  bool in_scope_ = false;
};

}  // namespace

TreeReasons why_left_out(const TreeProblem& problem, std::uint32_t group,
                         const TreeOptions& options) {
  return ReasonFinder(problem, options).run_for(group);
}

TreeReasons why_refused(const TreeProblem& problem, const TreeOptions& options) {
  return ReasonFinder(problem, options).run();
}

}  // namespace tessera::solver
