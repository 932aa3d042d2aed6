// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/sequential_plan.h"

#include <algorithm>
#include <queue>
#include <set>

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
    for (const Window& window : windows)
      standing_.push_back({queue_of(context, window), {}, {}, 0});
  }

  Plan run(CycleNumber cycle, std::size_t most) {
    const auto later = [this](std::size_t a, std::size_t b) { return plans_before(b, a); };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(later)> heads(later);
    for (std::size_t w = 0; w < windows_->size(); ++w) {
      if (!(*windows_)[w].items.empty()) heads.push(w);
    }
    for (std::size_t planned = 0; !heads.empty() && planned < most; ++planned) {
      const std::size_t window = heads.top();
      heads.pop();
      Standing& standing = standing_[window];
      const bool placed = plan(window, standing.next);
      ++standing.next;
      if (!placed && standing.queue->strategy == QueueStrategy::kStrictFifo) continue;
      if (standing.next < (*windows_)[window].items.size()) {
        heads.push(window);
      } else if ((*windows_)[window].more) {
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
    std::size_t next = 0;
  };

  static const PlanQueue* queue_of(const PlanContext& context, const Window& window) {
    return context.definitions->queues[window.queue];
  }

  /// Compares the heads of two windows. Of equal heads the one in the first window goes first.
  bool plans_before(std::size_t a, std::size_t b) const {
    const WindowItem& x = (*windows_)[a].items[standing_[a].next];
    const WindowItem& y = (*windows_)[b].items[standing_[b].next];
    if (core::plans_before(x.order(), y.order())) return true;
    return !core::plans_before(y.order(), x.order()) && a < b;
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
};

}  // namespace

Plan plan_in_sequence(const PlanContext& context, CycleNumber cycle,
                      const std::vector<Window>& windows, std::size_t most) {
  return SequentialPlan(context, windows).run(cycle, most);
}

}  // namespace tessera::core
