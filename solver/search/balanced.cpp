// SPDX-License-Identifier: Apache-2.0
#include "solver/search/balanced.h"

#include <algorithm>
#include <map>
#include <set>

#include "solver/search/descent.h"
#include "solver/search/domain_choice.h"
#include "solver/search/entropy.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

constexpr Ordering kPlainBestFit{Algorithm::kBestFit, false};

/// Domains taken largest first until the load is covered (5.2).
struct Greedy {
  bool fits = false;
  std::int64_t used = 0;
  std::optional<Counts> last_leader, last_worker;
};

/// A step for each domain of the list.
Greedy greedy(std::vector<Candidate> list, std::int64_t slices, std::int64_t leaders,
              Steps& steps) {
  steps.spend(static_cast<std::int64_t>(list.size()));
  Greedy out;
  std::size_t next = 0;
  if (leaders > 0) {
    sort_with_leader(list, kPlainBestFit);
    for (; leaders > 0 && next < list.size() && list[next].counts.leaders > 0; ++next) {
      out.last_leader = list[next].counts;
      leaders -= list[next].counts.leaders;
      slices -= list[next].counts.slices_with_leader;
      ++out.used;
    }
  }
  sort_for_workers(std::span<Candidate>(list).subspan(next), kPlainBestFit);
  for (; slices > 0 && next < list.size() && list[next].counts.slices > 0; ++next) {
    out.last_worker = list[next].counts;
    slices -= list[next].counts.slices;
    ++out.used;
  }
  out.fits = leaders <= 0 && slices <= 0;
  return out;
}

/// Members of one candidate group with their children, as speculative copies that pruning may
/// change.
struct Group {
  std::vector<Candidate> members;
  std::vector<std::vector<Candidate>> children;  // by member; empty at the leaf level

  std::vector<Candidate> all_children() const {
    std::vector<Candidate> out;
    for (const auto& c : children) out.insert(out.end(), c.begin(), c.end());
    return out;
  }
};

class Balancer {
 public:
  explicit Balancer(const SearchProblem& problem)
      : problem_(problem),
        level_(problem.request->level),
        below_(level_ < problem.request->slice_level) {}

  std::optional<Leaves> run() {
    choose_group();
    if (best_threshold_ <= 0 || problem_.steps->over()) return std::nullopt;
    auto shares = place();
    if (!shares) return std::nullopt;
    Leaves leaves = descend(problem_, below_ ? level_ + 1 : level_, std::move(*shares), true);
    std::int64_t pods = 0, leaders = 0;
    for (const Share& share : leaves) pods += share.pods, leaders += share.leaders;
    if (pods != problem_.pods || leaders != problem_.leaders) return std::nullopt;
    return leaves;
  }

 private:
  /// Nothing if the members have too few slices in all: then no share of them is even (5.2).
  std::optional<Group> group(DomainRange range) const {
    Group out;
    add_candidates(problem_, range, out.members);
    std::int64_t slices = 0;
    for (const Candidate& member : out.members) slices += member.counts.slices;
    if (slices < problem_.slices()) return std::nullopt;
    for (const Candidate& member : out.members) {
      if (!problem_.steps->spend(1)) break;
      add_candidates(problem_, problem_.tree->children(member.domain), out.children.emplace_back());
    }
    return out;
  }

  void choose_group() {
    const topology::DomainTree& tree = *problem_.tree;
    if (level_ == 0) return consider(tree.level(0));
    const DomainRange parents = tree.level(level_ - 1);
    for (std::uint32_t d = parents.begin; d < parents.end && !problem_.steps->over(); ++d) {
      if (tree.exists(DomainId{d})) consider(tree.children(DomainId{d}));
    }
  }

  /// 5.3: the largest share that every used domain of the group can be given.
  void consider(DomainRange range) {
    const std::int64_t slices = problem_.slices(), leaders = problem_.leaders;
    Steps& steps = *problem_.steps;
    const std::optional<Group> fresh = group(range);
    if (!fresh || steps.over()) return;
    const Greedy low =
        greedy(below_ ? fresh->all_children() : fresh->members, slices, leaders, steps);
    if (!low.fits || low.used == 0) return;
    std::int64_t threshold = slices / low.used;
    if (low.last_leader) threshold = std::min(threshold, low.last_leader->slices_with_leader);
    if (low.last_worker) threshold = std::min(threshold, low.last_worker->slices);
    std::int64_t second = threshold;
    if (leaders > 0 && low.last_worker)
      second = std::min(second, low.last_worker->slices_with_leader);
    if (threshold < best_threshold_) return;

    Group pruned = prune(*fresh, threshold);
    Greedy high = greedy(pruned.members, slices, leaders, steps);
    if (!high.fits && second < threshold) {
      if (second <= 0 || second < best_threshold_) return;
      threshold = second;
      pruned = prune(*fresh, threshold);
      high = greedy(pruned.members, slices, leaders, steps);
    }
    if (!high.fits) return;
    if (threshold > best_threshold_ ||
        (threshold == best_threshold_ && best_ && high.used < best_used_)) {
      best_threshold_ = threshold;
      best_used_ = high.used;
      best_ = std::move(pruned);
    }
  }

  /// Clears what cannot be given `threshold` slices (5.4). True if the domain lost all its numbers.
  bool prune_one(Counts& counts, std::int64_t threshold) const {
    if (counts.slices < threshold) {
      counts = Counts{0, 0, 0, 0, 0, counts.score};
      return true;
    }
    if (problem_.leaders > 0 && counts.leaders > 0 && counts.slices_with_leader < threshold) {
      counts.pods_with_leader = counts.slices_with_leader = counts.leaders = 0;
    }
    return false;
  }

  Group prune(Group group, std::int64_t threshold) const {
    const std::int64_t slice_size =
        level_ == problem_.request->slice_level ? problem_.request->slice_size : 0;
    for (std::size_t m = 0; m < group.members.size(); ++m) {
      std::vector<Candidate>& children = group.children[m];
      problem_.steps->spend(static_cast<std::int64_t>(children.size()) + 1);
      Counts& member = group.members[m].counts;
      if (!children.empty()) {
        Sum sum(problem_.table->with_leader(), 1);
        for (Candidate& child : children) {
          prune_one(child.counts, threshold);
          sum.add(child.counts);
        }
        member = sum.total(slice_size);
      }
      if (prune_one(member, threshold)) {
        for (Candidate& child : children) child.counts = Counts{0, 0, 0, 0, 0, child.counts.score};
      }
    }
    return group;
  }

  /// 5.5: exactly as many domains as greedy needs, with the least total room.
  std::optional<std::vector<std::size_t>> smallest_set(const std::vector<Candidate>& list) const {
    const Greedy needed = greedy(list, problem_.slices(), problem_.leaders, *problem_.steps);
    if (!needed.fits) return std::nullopt;
    const std::int64_t pods = problem_.slices() * problem_.request->slice_size;
    return choose_domains(list, {static_cast<std::size_t>(needed.used), problem_.leaders, pods},
                          *problem_.steps);
  }

  std::optional<std::vector<Share>> place() const {
    std::vector<Candidate> list = best_->members;
    if (below_) {
      const std::vector<std::size_t> order = entropy_order(best_->members, best_->children);
      std::vector<Candidate> ordered;
      for (std::size_t m : order) ordered.push_back(best_->members[m]);
      const auto chosen = smallest_set(ordered);
      if (!chosen) return std::nullopt;
      list.clear();
      for (std::size_t position : *chosen) {
        const auto& children = best_->children[order[position]];
        list.insert(list.end(), children.begin(), children.end());
      }
      std::sort(list.begin(), list.end(),
                [](const Candidate& a, const Candidate& b) { return a.domain < b.domain; });
    }
    const auto chosen = smallest_set(list);
    if (!chosen) return std::nullopt;
    std::vector<Candidate> used;
    for (std::size_t position : *chosen) used.push_back(list[position]);
    return even_shares(std::move(used));
  }

  std::optional<std::vector<Share>> even_shares(std::vector<Candidate> used) const {
    const std::int64_t threshold = best_threshold_;
    std::int64_t extra = problem_.slices() - static_cast<std::int64_t>(used.size()) * threshold;
    if (extra < 0) return std::nullopt;
    sort_with_leader(used, kPlainBestFit);
    std::int64_t leaders = problem_.leaders;
    std::vector<Share> shares;
    for (const Candidate& c : used) {
      const bool leading = leaders > 0 && c.counts.leaders > 0;
      const std::int64_t room =
          (leading ? c.counts.slices_with_leader : c.counts.slices) - threshold;
      const std::int64_t more = std::min(room, extra);
      if (more < 0) return std::nullopt;
      extra -= more;
      shares.push_back(
          {c.domain, (threshold + more) * problem_.request->slice_size, leading ? leaders : 0});
      if (leading) leaders = 0;
    }
    if (extra > 0 || leaders > 0) return std::nullopt;
    return shares;
  }

  const SearchProblem& problem_;
  const int level_;
  const bool below_;  // members' children are what is balanced
  std::int64_t best_threshold_ = 0, best_used_ = 0;
  std::optional<Group> best_;
};

std::size_t domains_touched(const topology::DomainTree& tree, int level, const Leaves& leaves) {
  std::set<DomainId> touched;
  for (const Share& share : leaves) touched.insert(tree.ancestor(share.domain, level));
  return touched.size();
}

std::int64_t pods_in(const Leaves& leaves) {
  std::int64_t pods = 0;
  for (const Share& share : leaves) pods += share.pods;
  return pods;
}

}  // namespace

std::optional<Leaves> place_balanced(const SearchProblem& problem) {
  if (problem.slices() <= 0) return std::nullopt;
  return Balancer(problem).run();
}

bool fewer_domains(const topology::DomainTree& tree, int level, const Leaves& a, const Leaves& b) {
  return pods_in(b) < pods_in(a) ||
         domains_touched(tree, level, a) < domains_touched(tree, level, b);
}

}  // namespace tessera::solver
