// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/sequential_plan.h"

#include <algorithm>
#include <queue>
#include <set>
#include <tuple>

#include "actors/books/found_place.h"

namespace tessera::core {
namespace {

/// After so many placements that came too late, or searches that were stopped, the workload is
/// searched for to the end within its cycle. Late refusals are not counted: they kept nobody from a
/// place.
constexpr int kMostStale = 3;

class SequentialPlan {
 public:
  SequentialPlan(const PlanContext& context, const std::vector<Window>& windows)
      : context_(&context), windows_(&windows), builder_(context, windows) {
    for (const Window& window : windows) standing_.push_back({queue_of(context, window), {}, {}});
  }

  Plan run(CycleNumber cycle, std::size_t most) {
    for (std::size_t w = 0; w < windows_->size(); ++w) {
      if (!(*windows_)[w].items.empty()) heads_.push(head(w, 0));
    }
    for (std::size_t planned = 0; !heads_.empty() && planned < most; ++planned) {
      const Head head = heads_.top();
      heads_.pop();
      if (head.again) {
        // Nothing behind a refused head of a StrictFIFO queue is planned.
        if (!standing_[head.window].blocked) grow(head);
      } else if (!plan_next(head)) {
        break;
      }
    }
    return builder_.finish(cycle);
  }

 private:
  struct Refused {
    GangId gang{};
    std::size_t placed_before = 0;  // how many workloads were placed when it was refused
    Hope hope;
    bool is_long = false;
  };
  struct Standing {
    const PlanQueue* queue;
    std::map<std::uint32_t, Refused> refused;  // by shape
    std::set<std::uint32_t> deferred;          // shapes
    bool blocked = false;                      // StrictFIFO: its head was refused
  };
  /// The next item of a window, or one that this plan has placed and that may grow.
  struct Head {
    std::size_t window, item;
    bool again;
    QueueOrder order;

    /// Of equal heads the one in the first window goes first.
    bool operator<(const Head& other) const {  // the largest goes first
      if (core::plans_before(other.order, order)) return true;
      return !core::plans_before(order, other.order) &&
             std::tie(other.window, other.item) < std::tie(window, item);
    }
  };

  Head head(std::size_t window, std::size_t item) const {
    return {window, item, false, (*windows_)[window].items[item].order()};
  }

  /// Plans the next item of a window. False: the next in order may be one that no window shows.
  bool plan_next(const Head& now) {
    const Window& window = (*windows_)[now.window];
    Standing& standing = standing_[now.window];
    const bool grows = window.items[now.item].grows;
    const bool placed = grows ? grow(now) : plan(now.window, now.item);
    if (!placed && !grows && standing.queue->strategy == QueueStrategy::kStrictFifo) {
      standing.blocked = true;
      return true;
    }
    const std::size_t next = now.item + 1;
    if (next == window.items.size()) return !window.more;
    heads_.push(head(now.window, next));
    return true;
  }

  /// Adds to what the gang holds. If it still wants more then, it is a head again: those of higher
  /// priority, and those that hold nothing yet, come first.
  bool grow(const Head& now) {
    const WindowItem& item = (*windows_)[now.window].items[now.item];
    const Directory::Entry entry = context_->definitions->directory.enter(*item.workload);
    if (entry.reason != Reason::kNone) {
      TurnOutcome outcome;
      outcome.turn = Turn::kNotNominated;
      outcome.grows = true;
      builder_.turn(now.window, now.item, std::move(outcome));
      return false;
    }
    const Admission* held = builder_.held_by(item);
    if (held == nullptr) return false;  // the plan is void: what it held was taken back
    Allowance unlimited;                // the search for a gang tree has a limit of its own
    const std::int64_t start = context_->clock();
    Attempt attempt = context_->planner->grow(*item.workload, *standing_[now.window].queue, books(),
                                              *held, context_->rule(), unlimited);
    if (!attempt.placed || !grows_in_place(*held, attempt.pod_sets)) {
      builder_.refuse_growth(now.window, now.item);
      return false;
    }
    builder_.grow(now.window, now.item, std::move(attempt.pod_sets), context_->clock() - start);
    offer_growth(now.window, now.item);
    return true;
  }

  /// False if the topology has another last level than when the gang was placed: then no admission
  /// can name both.
  bool grows_in_place(const Admission& held, const std::vector<PodSetDecision>& added) const {
    for (std::size_t p = 0; p < added.size() && p < held.pod_sets.size(); ++p) {
      const std::vector<Symbol>& levels = held.pod_sets[p].levels;
      if (held.pod_sets[p].count == 0 || added[p].placement.empty() || levels.empty()) continue;
      const FlavorId flavor =
          *find_flavor(context_->definitions->flavors, added[p].topology_flavor);
      const solver::FlavorView& view = *context_->worlds->cluster().view(flavor, added[p].open);
      if (view.tree().topology().levels.back().label != levels.back()) return false;
    }
    return true;
  }

  void offer_growth(std::size_t window, std::size_t item) {
    if (builder_.held_by((*windows_)[window].items[item]) == nullptr) return;
    Head again = head(window, item);
    again.again = again.order.grows = true;
    heads_.push(again);
  }

  static const PlanQueue* queue_of(const PlanContext& context, const Window& window) {
    return context.definitions->queues[window.queue];
  }

  bool plan(std::size_t window, std::size_t at) {
    Standing& standing = standing_[window];
    const WindowItem& item = (*windows_)[window].items[at];
    const Directory::Entry entry = context_->definitions->directory.enter(*item.workload);
    if (entry.reason != Reason::kNone) {
      builder_.refuse_unplanned(window, at, entry, std::nullopt);
      return false;
    }
    if (standing.deferred.count(item.shape) > 0) return false;  // its turn comes with the result
    if (item.found) return plan_found(window, at);
    const auto alike = standing.refused.find(item.shape);
    if (alike != standing.refused.end() && still_stands(alike->second)) {
      builder_.turn(window, at, refusal(alike->second));
      return false;
    }
    if (!item.is_long) return evaluate(window, at, context_->max_steps(), 0);
    defer(window, at, 0);  // its search is known to take too many steps
    return false;
  }

  /// `stale`: late placements and stopped searches for it so far.
  bool evaluate(std::size_t window, std::size_t at, std::int64_t most_steps, int stale) {
    const WindowItem& item = (*windows_)[window].items[at];
    Allowance allowance;
    allowance.most = most_steps;
    const std::int64_t start = context_->clock();
    Attempt attempt = context_->planner->evaluate(*item.workload, *standing_[window].queue, books(),
                                                  context_->rule(), allowance);
    const std::int64_t spent = context_->clock() - start;
    if (allowance.over) {
      defer(window, at, stale);
      return false;
    }
    return decide(window, at, std::move(attempt), allowance.spent, spent);
  }

  bool decide(std::size_t window, std::size_t at, Attempt attempt, std::int64_t steps,
              std::int64_t nanoseconds) {
    Standing& standing = standing_[window];
    const WindowItem& item = (*windows_)[window].items[at];
    if (attempt.placed) {
      builder_.admit(window, at, std::move(attempt.pod_sets), 0, nanoseconds);
      offer_growth(window, at);
      return true;
    }
    Refused& refused = standing.refused[item.shape];
    refused = {item.gang, builder_.placed(),
               hope_of(*item.workload, *standing.queue, attempt, *context_),
               steps > context_->max_steps()};
    RefusedWorkload told;
    told.attempt = std::move(attempt);
    told.nanoseconds = nanoseconds;
    builder_.refuse(window, at, std::move(told), refusal(refused));
    return false;
  }

  void defer(std::size_t window, std::size_t at, int stale) {
    standing_[window].deferred.insert((*windows_)[window].items[at].shape);
    builder_.defer(window, at, stale);
  }

  /// A placement found on earlier books counts if it still fits. A refusal counts if nothing that
  /// could help has happened since.
  bool plan_found(std::size_t window, std::size_t at) {
    const SearchResult& found = *(*windows_)[window].items[at].found;
    std::optional<Attempt> attempt = attempt_of(found);
    if (attempt && still_counts(window, at, found, *attempt)) {
      return decide(window, at, *std::move(attempt), found.steps, 0);
    }
    const bool lost = found.is_void || found.place;
    const int stale = found.stale + (lost ? 1 : 0);
    if (stale >= kMostStale) return evaluate(window, at, INT64_MAX, stale);
    defer(window, at, stale);
    return false;
  }

  /// The result as an attempt on the planner's trees; nothing if the nodes have changed since.
  std::optional<Attempt> attempt_of(const SearchResult& found) {
    if (found.is_void || found.version.nodes != context_->version.nodes) return std::nullopt;
    if (!found.place) return found.refused;
    auto pod_sets =
        pod_sets_of(*found.place, context_->worlds->cluster(), context_->definitions->flavors);
    if (!pod_sets) return std::nullopt;
    Attempt attempt;
    attempt.placed = true;
    attempt.pod_sets = *std::move(pod_sets);
    return attempt;
  }

  bool still_counts(std::size_t window, std::size_t at, const SearchResult& found,
                    const Attempt& attempt) {
    const BooksVersion& now = context_->version;
    const Workload& workload = *(*windows_)[window].items[at].workload;
    const PlanQueue& queue = *standing_[window].queue;
    if (attempt.placed) {
      return has_quota(*context_, queue, attempt.pod_sets) &&
             books().room_for(workload, attempt.pod_sets);
    }
    if (found.version.freed != now.freed) return false;
    const bool alone = found.version.placed == now.placed + builder_.placed();
    return alone || !hope_of(workload, queue, attempt, *context_).placements;
  }

  Books& books() { return context_->worlds->current(); }

  bool still_stands(const Refused& refused) const {
    return !refused.hope.placements || refused.placed_before == builder_.placed();
  }

  static TurnOutcome refusal(const Refused& refused) {
    TurnOutcome outcome;
    outcome.turn = Turn::kRefused;
    outcome.evaluated = refused.gang;
    outcome.hope = refused.hope;
    outcome.is_long = refused.is_long;
    return outcome;
  }

  const PlanContext* context_;
  const std::vector<Window>* windows_;
  PlanBuilder builder_;
  std::vector<Standing> standing_;
  std::priority_queue<Head> heads_;
};

}  // namespace

Plan plan_in_sequence(const PlanContext& context, CycleNumber cycle,
                      const std::vector<Window>& windows, std::size_t most) {
  return SequentialPlan(context, windows).run(cycle, most);
}

}  // namespace tessera::core
