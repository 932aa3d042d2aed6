// SPDX-License-Identifier: Apache-2.0
#include "actors/core/sequential_plan.h"

#include <algorithm>
#include <queue>

namespace tessera::core {
namespace {

class SequentialPlan {
 public:
  SequentialPlan(const PlanContext& context, const std::vector<Window>& windows)
      : context_(&context), windows_(&windows), builder_(context, windows) {
    for (const Window& window : windows) standing_.push_back({queue_of(context, window), {}, 0});
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
    std::size_t number = 0;
    std::size_t placed_before = 0;  // how many workloads were placed when it was refused
    Hope hope;
  };
  struct Standing {
    const PlanQueue* queue;
    std::map<std::uint32_t, Refused> refused;  // by shape
    std::size_t next = 0;
  };

  static const PlanQueue* queue_of(const PlanContext& context, const Window& window) {
    return context.definitions->queues[window.queue];
  }

  /// Of the heads of two windows. Queues break ties as they were named.
  bool plans_before(std::size_t a, std::size_t b) const {
    const WindowItem& x = (*windows_)[a].items[standing_[a].next];
    const WindowItem& y = (*windows_)[b].items[standing_[b].next];
    if (core::plans_before(*x.workload, *y.workload)) return true;
    return !core::plans_before(*y.workload, *x.workload) && a < b;
  }

  bool plan(std::size_t window, std::size_t at) {
    Standing& standing = standing_[window];
    const WindowItem& item = (*windows_)[window].items[at];
    const Workload& workload = *item.workload;
    const Directory::Entry entry = context_->definitions->directory.enter(workload);
    if (entry.reason != Reason::kNone) {
      builder_.refuse_unplanned(window, at, entry, std::nullopt);
      return false;
    }
    const auto alike = standing.refused.find(item.shape);
    if (alike != standing.refused.end() && still_stands(alike->second)) {
      builder_.turn(window, at, refusal(alike->second));
      return false;
    }
    const std::int64_t start = context_->clock();
    Attempt attempt = context_->planner->evaluate(workload, *standing.queue,
                                                  context_->worlds->current(), context_->rule());
    const std::int64_t spent = context_->clock() - start;
    if (attempt.placed) {
      builder_.admit(window, at, std::move(attempt.pod_sets), 0, spent);
      return true;
    }
    Refused& refused = standing.refused[item.shape];
    refused = {item.number, builder_.placed(),
               hope_of(workload, *standing.queue, attempt, *context_)};
    RefusedWorkload told;
    told.attempt = std::move(attempt);
    told.nanoseconds = spent;
    builder_.refuse(window, at, std::move(told), refusal(refused));
    return false;
  }

  bool still_stands(const Refused& refused) const {
    return !refused.hope.placements || refused.placed_before == builder_.placed();
  }

  static TurnOutcome refusal(const Refused& refused) {
    TurnOutcome outcome;
    outcome.turn = Turn::kRefused;
    outcome.evaluated = refused.number;
    outcome.hope = refused.hope;
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
