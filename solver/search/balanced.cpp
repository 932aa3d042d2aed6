// SPDX-License-Identifier: Apache-2.0
#include "solver/search/balanced.h"

#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "solver/choice/domain_choice.h"
#include "solver/choice/entropy.h"
#include "solver/choice/host_group.h"
#include "solver/search/descent.h"

namespace tessera::solver {
namespace {

using topology::DomainId;
using topology::DomainRange;

constexpr Ordering kPlainBestFit{Algorithm::kBestFit, false};

/// Costs a step for each domain of the list. There is one leader at most.
Greedy greedy(std::span<const Candidate> list, std::int64_t slices, std::int64_t leaders,
              Steps& steps) {
  steps.spend(static_cast<std::int64_t>(list.size()));
  Greedy out;
  const auto before = [](const Candidate& a, const Candidate& b) {
    return before_for_workers(a, b, kPlainBestFit);
  };
  std::vector<Candidate> sorted;
  if (!std::is_sorted(list.begin(), list.end(), before)) {
    sorted.assign(list.begin(), list.end());
    sort_for_workers(sorted, kPlainBestFit);
    list = sorted;
  }
  auto leader = list.end();
  if (leaders > 0) {
    leader = std::min_element(list.begin(), list.end(), [](const Candidate& a, const Candidate& b) {
      return before_with_leader(a, b, kPlainBestFit);
    });
    if (leader != list.end() && leader->counts.leaders == 0) leader = list.end();
  }
  if (leader != list.end()) {
    out.last_leader = leader->counts;
    leaders -= leader->counts.leaders;
    slices -= leader->counts.slices_with_leader;
    ++out.used;
  }
  for (auto at = list.begin(); slices > 0 && at != list.end(); ++at) {
    if (at == leader) continue;
    if (at->counts.slices == 0) break;
    out.last_worker = at->counts;
    slices -= at->counts.slices;
    ++out.used;
  }
  out.fits = leaders <= 0 && slices <= 0;
  return out;
}

/// Members of one candidate group with their children.
struct Group {
  std::vector<Candidate> members, children;
  std::vector<std::size_t> ends;  // in children, by member

  std::size_t begin(std::size_t member) const { return member == 0 ? 0 : ends[member - 1]; }
  std::span<Candidate> children_of(std::size_t member) {
    return std::span(children).subspan(begin(member), ends[member] - begin(member));
  }
};

class Balancer {
 public:
  explicit Balancer(const SearchProblem& problem)
      : problem_(problem),
        level_(problem.request->level),
        below_(level_ < problem.request->slice_level),
        hosts_are_slices_(below_ && level_ + 1 == problem.tree->leaf_level() &&
                          problem.table->leaf_slice() == 1) {}

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
  void choose_group() {
    const topology::DomainTree& tree = *problem_.tree;
    if (level_ == 0) return consider(tree.level(0));
    const InnerRows& inner = problem_.table->inner();
    const DomainRange parents = tree.level(level_ - 1);
    for (std::uint32_t d = parents.begin; d < parents.end && !problem_.steps->over(); ++d) {
      if (!tree.exists(DomainId{d})) continue;
      const DomainRange members = tree.children(DomainId{d});
      if (inner.rows.get(inner.slices, d) >= problem_.slices()) {
        consider(members);
      } else {  // too few slices for even shares (5.2): the look at each member still costs
        problem_.steps->spend(count_candidates(*problem_.table, members));
      }
    }
  }

  /// 5.3: the largest share that every used domain of the group can be given.
  void consider(DomainRange range) {
    const std::int64_t slices = problem_.slices(), leaders = problem_.leaders;
    Steps& steps = *problem_.steps;
    if (!read_members(range)) return;
    const std::optional<Greedy> low = greedy_of_shares(range);
    if (!low || !low->fits || low->used == 0) return;
    std::int64_t threshold = slices / low->used;
    if (low->last_leader) threshold = std::min(threshold, low->last_leader->slices_with_leader);
    if (low->last_worker) threshold = std::min(threshold, low->last_worker->slices);
    std::int64_t second = threshold;
    if (leaders > 0 && low->last_worker)
      second = std::min(second, low->last_worker->slices_with_leader);
    if (threshold < best_threshold_) return;

    Greedy high = greedy(pruned_members(threshold), slices, leaders, steps);
    if (!high.fits && second < threshold) {
      if (second <= 0 || second < best_threshold_) return;
      threshold = second;
      high = greedy(pruned_members(threshold), slices, leaders, steps);
    }
    if (!high.fits) return;
    if (threshold > best_threshold_ ||
        (threshold == best_threshold_ && best_ && high.used < best_used_)) {
      best_threshold_ = threshold;
      best_used_ = high.used;
      best_ = range;
    }
  }

  /// False if the members have too few slices in all: then there are no even shares (5.2).
  bool read_members(DomainRange range) {
    group_.members.clear();
    add_candidates(problem_, range, group_.members);
    std::int64_t slices = 0;
    for (const Candidate& member : group_.members) slices += member.counts.slices;
    return slices >= problem_.slices();
  }

  /// Runs greedy over the domains that are given even shares: the members' children, or the members
  /// themselves. Costs the look at the children in both cases. Nothing if the steps are used up.
  std::optional<Greedy> greedy_of_shares(DomainRange range) {
    const std::int64_t slices = problem_.slices(), leaders = problem_.leaders;
    Steps& steps = *problem_.steps;
    group_.children.clear();
    group_.ends.clear();
    in_numbers_ = hosts_are_slices_ && hosts_.read(*problem_.table, children_of(range)) &&
                  steps.affords(members() + 2 * hosts_.candidates());
    if (in_numbers_) {
      steps.spend(members() + 2 * hosts_.candidates());
      return hosts_.greedy(slices, leaders);
    }
    for (const Candidate& member : group_.members) {
      if (!steps.spend(1)) return std::nullopt;
      add_candidates(problem_, problem_.tree->children(member.domain), group_.children);
      group_.ends.push_back(group_.children.size());
    }
    if (steps.over()) return std::nullopt;
    return greedy(below_ ? group_.children : group_.members, slices, leaders, steps);
  }

  std::int64_t members() const { return static_cast<std::int64_t>(group_.members.size()); }
  DomainRange children_of(DomainRange range) const {
    return {problem_.tree->children(DomainId{range.begin}).begin,
            problem_.tree->children(DomainId{range.end - 1}).end};
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

  /// The members as pruning leaves them. Costs a step for each member and each child.
  std::span<const Candidate> pruned_members(std::int64_t threshold) {
    Steps& steps = *problem_.steps;
    if (!in_numbers_) {
      for (std::size_t m = 0; m < group_.members.size(); ++m) {
        steps.spend(static_cast<std::int64_t>(group_.children_of(m).size()) + 1);
      }
    } else if (steps.affords(members() + hosts_.candidates())) {
      steps.spend(members() + hosts_.candidates());
    } else {
      if (group_.ends.empty()) read_children();
      in_numbers_ = false;
      return pruned_members(threshold);
    }
    pruned_ = group_.members;
    if (in_numbers_ && hosts_.keeps_all(threshold)) {
      for (Candidate& member : pruned_) prune_one(member.counts, threshold);
      return pruned_;
    }
    if (group_.ends.empty()) read_children();
    for (std::size_t m = 0; m < pruned_.size(); ++m) {
      prune(pruned_[m].counts, group_.children_of(m), threshold, false);
    }
    return pruned_;
  }

  /// Costs no steps: the look at the children was paid for in numbers.
  void read_children() {
    for (const Candidate& member : group_.members) {
      append_candidates(*problem_.table, problem_.tree->children(member.domain), group_.children);
      group_.ends.push_back(group_.children.size());
    }
  }

  /// Gives `member` the numbers that pruning its children leaves it. With `children_too` the
  /// children are pruned as well, else they stay as they are.
  void prune(Counts& member, std::span<Candidate> children, std::int64_t threshold,
             bool children_too) const {
    if (!children.empty()) {
      Sum sum(problem_.table->with_leader(), 1);
      for (Candidate& child : children) {
        Counts counts = child.counts;
        prune_one(counts, threshold);
        sum.add(counts);
        if (children_too) child.counts = counts;
      }
      member =
          sum.total(level_ == problem_.request->slice_level ? problem_.request->slice_size : 0);
    }
    if (!prune_one(member, threshold) || !children_too) return;
    for (Candidate& child : children) child.counts = Counts{0, 0, 0, 0, 0, child.counts.score};
  }

  /// Reads the chosen group again and prunes it.
  Group best_group() const {
    Group out;
    append_candidates(*problem_.table, *best_, out.members);
    for (const Candidate& member : out.members) {
      append_candidates(*problem_.table, problem_.tree->children(member.domain), out.children);
      out.ends.push_back(out.children.size());
    }
    for (std::size_t m = 0; m < out.members.size(); ++m) {
      prune(out.members[m].counts, out.children_of(m), best_threshold_, true);
    }
    return out;
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
    Group group = best_group();
    std::vector<Candidate> list = group.members;
    if (below_) {
      std::vector<std::span<const Candidate>> children;
      for (std::size_t m = 0; m < list.size(); ++m) children.emplace_back(group.children_of(m));
      const std::vector<std::size_t> order = entropy_order(group.members, children);
      std::vector<Candidate> ordered;
      for (std::size_t m : order) ordered.push_back(group.members[m]);
      auto chosen = smallest_set(ordered);
      if (!chosen) return std::nullopt;
      for (std::size_t& position : *chosen) position = order[position];
      std::sort(chosen->begin(), chosen->end());  // in path order, and so are the children
      list.clear();
      for (std::size_t m : *chosen) list.insert(list.end(), children[m].begin(), children[m].end());
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
  const bool hosts_are_slices_;
  // The group that is looked at. The buffers serve one group after the other. While in_numbers_ is
  // true, the children are in hosts_, and in group_ only once a list of them is needed.
  Group group_;
  HostGroup hosts_;
  bool in_numbers_ = false;
  std::vector<Candidate> pruned_;
  // The best group so far, as the range of its members.
  std::int64_t best_threshold_ = 0, best_used_ = 0;
  std::optional<DomainRange> best_;
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
