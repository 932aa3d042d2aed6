// SPDX-License-Identifier: Apache-2.0
#include "actors/planner/rounds.h"

#include <algorithm>
#include <tuple>

#include "actors/planner/nomination.h"

namespace tessera::core {
namespace {

class Round {
 public:
  Round(const PlanContext& context, int round, const std::vector<Window>& windows)
      : context_(&context),
        round_(round),
        windows_(&windows),
        nominator_(*context.planner, context.definitions->flavors, context.rule()),
        builder_(context, windows) {}

  Plan run(CycleNumber cycle) {
    std::vector<Entry> entries;
    // Step 2: no head sees the choice of another. Heads come in the order of the queues' names, and
    // keep that order where the sort finds them equal.
    for (std::size_t w = 0; w < windows_->size(); ++w) {
      if (!(*windows_)[w].items.empty()) nominate(w, entries);
    }
    std::stable_sort(entries.begin(), entries.end(), sorts_before);
    for (Entry& entry : entries) decide(entry);
    books().end_reservations();
    return builder_.finish(cycle);
  }

 private:
  /// A nominated head.
  struct Entry {
    std::size_t window;
    const Workload* workload;
    const PlanQueue* queue;
    Nomination nomination;
    std::int64_t nanoseconds = 0;
    std::int64_t since = 0;  // QueueOrder
  };

  Books& books() { return context_->worlds->current(); }

  static bool sorts_before(const Entry& a, const Entry& b) {
    return std::tie(a.nomination.level, b.workload->priority, a.since) <
           std::tie(b.nomination.level, a.workload->priority, b.since);
  }

  void nominate(std::size_t window, std::vector<Entry>& entries) {
    const WindowItem& head = (*windows_)[window].items.front();
    const Directory::Entry entry = context_->definitions->directory.enter(*head.workload);
    if (entry.reason != Reason::kNone) {
      RoundOutcome outcome;
      outcome.round = round_;
      builder_.refuse_unplanned(window, 0, entry, outcome);
      return;
    }
    const PlanQueue& queue = *context_->definitions->queues[(*windows_)[window].queue];
    const std::int64_t start = context_->clock();
    Nomination nomination = nominator_.nominate(*head.workload, queue, books(), head.record);
    const std::int64_t spent = context_->clock() - start;
    entries.push_back(
        {window, head.workload.get(), &queue, std::move(nomination), spent, head.order().since});
  }

  void decide(Entry& entry) {
    const bool fits = still_fits(entry);
    switch (entry.nomination.mode) {
      case Mode::kNoFit:
        return refuse(entry, false);
      case Mode::kPreempt:
        if (!entry.queue->reclaims_any) reserve(entry);
        return refuse(entry, false);
      case Mode::kFit:
        if (!fits) return refuse(entry, true);
        return builder_.admit(entry.window, 0, std::move(entry.nomination.pod_sets), round_,
                              entry.nanoseconds);
    }
  }

  /// Tests the entry on the running books, and may nominate it again. False: the entry lost what it
  /// was nominated for.
  bool still_fits(Entry& entry) {
    if (entry.nomination.mode == Mode::kNoFit || !has_quota(entry)) return false;
    if (books().room_for(*entry.workload, entry.nomination.pod_sets)) return true;
    if (!context_->options->profile.recompute_in_cycle) return false;
    entry.nomination =
        nominator_.nominate_again(*entry.workload, *entry.queue, books(), entry.nomination);
    return true;
  }

  bool has_quota(const Entry& entry) {
    return core::has_quota(*context_, *entry.queue, entry.nomination.pod_sets);
  }

  /// Keeps what a blocked head may take, so that later entries of the round do not get it
  /// (queues.md 2.1).
  void reserve(const Entry& entry) {
    const std::optional<QuotaNode>& queue = entry.queue->quota;
    const Nomination& nomination = entry.nomination;
    if (queue && !context_->options->ignore_quota) {
      const QuotaUse use = quota_use_of(nomination.pod_sets, books().ledger(), *queue);
      for (const auto& [column, asked] : use) {
        books().reserve_quota(*queue, column, to_reserve(nomination, *queue, column, asked));
      }
    }
    books().reserve_room(*entry.workload, nomination.pod_sets);
  }

  std::int64_t to_reserve(const Nomination& nomination, QuotaNode queue, QuotaColumn column,
                          std::int64_t asked) {
    const Ledger& ledger = books().ledger();
    const std::optional<std::int64_t>& limit = ledger.borrowing_limit(queue, column);
    const std::int64_t own =
        topology::saturating_sub(ledger.nominal(queue, column), ledger.usage(queue, column));
    if (nomination.level == 0) return std::max<std::int64_t>(0, std::min(asked, own));
    return limit ? std::min(asked, topology::saturating_add(own, *limit)) : asked;
  }

  void refuse(Entry& entry, bool lost) {
    RefusedWorkload refused;
    refused.round = RoundOutcome{round_, false, lost, entry.nomination.severity};
    refused.nanoseconds = entry.nanoseconds;
    TurnOutcome outcome;
    outcome.turn = lost ? Turn::kSkipped : Turn::kRefused;
    outcome.evaluated = (*windows_)[entry.window].items.front().gang;
    outcome.record = entry.nomination.record;
    if (lost) {
      refused.round->severity = Severity::kQuota;
      refused.reason = has_quota(entry) ? Reason::kTopologyFit : Reason::kQuota;
      refused.detail = "what it was to get went to another workload in the same round";
    } else {
      refused.attempt = std::move(entry.nomination.attempt);
    }
    builder_.refuse(entry.window, 0, std::move(refused), std::move(outcome));
  }

  const PlanContext* context_;
  int round_;
  const std::vector<Window>* windows_;
  Nominator nominator_;
  PlanBuilder builder_;
};

}  // namespace

Plan plan_round(const PlanContext& context, CycleNumber cycle, int round,
                const std::vector<Window>& windows) {
  return Round(context, round, windows).run(cycle);
}

}  // namespace tessera::core
