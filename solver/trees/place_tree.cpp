// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/place_tree.h"

#include <algorithm>
#include <memory>

#include "solver/trees/tree_search.h"
#include "solver/trees/tree_waves.h"

namespace tessera::solver {
namespace {

/// The share of the steps that one attempt to keep preferred levels may spend.
constexpr std::int64_t kAttemptShare = 8;

class TreePlacer {
 public:
  TreePlacer(const TreeProblem& problem, const TreeOptions& options)
      : problem_(problem),
        options_(options),
        steps_(options.max_steps, options.stop),
        attempt_steps_(options.max_steps / kAttemptShare),
        bounds_(problem, steps_) {
    for (const TreeGroup& group : problem.groups) {
      required_.push_back(group.required);
      preferred_.push_back(finer(group.preferred, group.required) ? group.preferred
                                                                  : group.required);
    }
  }

  TreeAnswer run() {
    levels_ = preferred_;
    const bool any_preferred = preferred_ != required_;
    if (any_preferred && attempt(levels_)) return finish();
    levels_ = required_;
    const bool placed = place_minimum();
    if (steps_.over()) return ended(TreeVerdict::kBounded);
    if (!placed) return ended(TreeVerdict::kRefused);
    if (any_preferred) keep_preferred();
    return finish();
  }

 private:
  /// True if `a` bounds more than `b`: a preferred level above the required one adds nothing.
  static bool finer(TreeLevel a, TreeLevel b) {
    return a && (!b || a.runs != b.runs || a.level > b.level);
  }

  TreeAnswer ended(TreeVerdict verdict) const { return {verdict, {}, {}, steps_.spent()}; }

  /// Places the minimum at the required levels: first on this thread, then, if that takes long, on
  /// several. A search that is continued begins anew.
  bool place_minimum() {
    const std::int64_t alone = std::min(options_.steps_alone, options_.max_steps);
    attempts_.push_back(std::make_unique<Steps>(alone, options_.stop));
    Steps& own = *attempts_.back();
    state_ = std::make_unique<TreeState>(problem_, levels_, own);
    const bool placed = TreeSearch(problem_, bounds_, *state_, own).place(0);
    const bool over = own.over();
    steps_.spend(own.spent());
    if (!over) return placed;
    std::optional<FoundState> found =
        search_in_waves(problem_, levels_, steps_, {options_.stop, options_.at_start});
    if (!found) return false;
    attempts_.push_back(std::move(found->steps));
    state_ = std::move(found->state);
    return true;
  }

  /// Tries these levels with a share of the steps. On success the state is what was found.
  bool attempt(const std::vector<TreeLevel>& levels) {
    attempts_.push_back(std::make_unique<Steps>(attempt_steps_, options_.stop));
    Steps& own = *attempts_.back();
    auto state = std::make_unique<TreeState>(problem_, levels, own);
    const bool placed = TreeSearch(problem_, bounds_, *state, own).place(0) && !own.over();
    steps_.spend(std::min(own.spent(), attempt_steps_));
    if (placed) state_ = std::move(state);
    return placed;
  }

  /// The minimum fits if preferred levels are let go. Keeps those of one group after the other,
  /// each at the finest level that works.
  void keep_preferred() {
    for (std::size_t g = 0; g < levels_.size(); ++g) {
      for (TreeLevel level = preferred_[g]; finer(level, required_[g]); --level.level) {
        std::vector<TreeLevel> more = levels_;
        more[g] = level;
        if (!attempt(more)) continue;
        levels_ = std::move(more);
        break;
      }
    }
  }

  TreeAnswer finish() {
    state_->spend_from(steps_);
    if (options_.part == TreePart::kElastic) place_elastic();
    TreeAnswer out{TreeVerdict::kPlaced, {}, {}, steps_.spent()};
    for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
      out.pods.push_back(state_->placed(leaf));
    }
    for (std::uint32_t g = 0; g < problem_.groups.size(); ++g) {
      out.domains.push_back(state_->domain(g));
    }
    return out;
  }

  /// First inside the preferred domains, then wherever the required levels let the rest go.
  void place_elastic() {
    TreeSearch search(problem_, bounds_, *state_, steps_);
    met_.assign(problem_.groups.size(), false);
    mark_met(0);
    extend(0, search);
    if (levels_ == required_) return;
    for (std::uint32_t g = 0; g < levels_.size(); ++g) {
      if (levels_[g] != required_[g]) state_->loosen(g, required_[g]);
    }
    extend(0, search);
  }

  /// Notes the groups whose minimum is met by what runs and what is placed.
  bool mark_met(std::uint32_t group) {
    bool pods = !problem_.groups[group].short_of_pods;
    for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
      if (problem_.pods[leaf].group != group) continue;
      std::int64_t placed = 0;
      for (const HostPods& each : state_->placed(leaf)) placed += each.pods;
      if (placed < problem_.pods[leaf].must) pods = false;
    }
    std::int64_t met = 0;
    const std::uint32_t end = problem_.groups[group].end;
    for (std::uint32_t c = group + 1; c < end; c = problem_.groups[c].end) {
      if (mark_met(c)) ++met;
    }
    met_[group] = pods && met >= problem_.groups[group].min_children;
    return met_[group];
  }

  /// Adds optional groups and elastic pods below a group that is met.
  void extend(std::uint32_t group, TreeSearch& search) {
    if (steps_.over() || state_->torn(group)) return;
    if (!choose_roomiest(group, search)) return;
    for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
      const TreePods& pods = problem_.pods[leaf];
      if (pods.group != group || pods.more == 0) continue;
      std::int64_t placed = 0;
      for (const HostPods& each : state_->placed(leaf)) placed += each.pods;
      state_->place_up_to(leaf, pods.must + pods.more - placed);
    }
    const std::uint32_t end = problem_.groups[group].end;
    for (std::uint32_t c = group + 1; c < end; c = problem_.groups[c].end) {
      if (!met_[c] && search.place(c)) mark_met(c);
      if (met_[c]) extend(c, search);
    }
  }

  /// A group that was met without pods has no domain yet: the one where most of its elastic pods
  /// fit.
  bool choose_roomiest(std::uint32_t group, TreeSearch& search) {
    const TreeLevel level = state_->level(group);
    if (!level || state_->domain(group)) return true;
    const topology::DomainRange range = search.domains_in_scope(group);
    std::vector<std::pair<std::int64_t, std::uint32_t>> found;  // pods, domain
    for (std::uint32_t d = range.begin; d < range.end; ++d) {
      std::int64_t pods = 0;
      for (std::uint32_t leaf = 0; leaf < problem_.pods.size(); ++leaf) {
        const TreePods& each = problem_.pods[leaf];
        if (each.group < group || each.group >= problem_.groups[group].end) continue;
        pods += std::min(each.must + each.more, bounds_.fits(leaf, level, d));
      }
      if (pods > 0) found.emplace_back(pods, d);
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return std::any_of(found.begin(), found.end(),
                       [&](const auto& each) { return state_->choose_domain(group, each.second); });
  }

  const TreeProblem& problem_;
  const TreeOptions& options_;
  Steps steps_;
  std::int64_t attempt_steps_;
  TreeBounds bounds_;
  std::vector<TreeLevel> required_, preferred_, levels_;  // by group
  std::vector<std::unique_ptr<Steps>> attempts_;
  std::unique_ptr<TreeState> state_;
  std::vector<bool> met_;  // by group
};

}  // namespace

TreeAnswer place_tree(const TreeProblem& problem, const TreeOptions& options) {
  return TreePlacer(problem, options).run();
}

}  // namespace tessera::solver
