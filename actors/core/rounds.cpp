// SPDX-License-Identifier: Apache-2.0
#include "actors/core/rounds.h"

#include <algorithm>
#include <tuple>

#include "actors/core/admission_checks.h"
#include "actors/core/shape.h"

namespace tessera::core {
namespace {

constexpr int kMostIdleRounds = 30;  // queues.md 11.5

/// What makes workloads equivalent in a queue (queues.md 3, bulk move).
std::string bulk_shape(const Workload& workload, const PlanQueue& queue) {
  std::string shape = std::to_string(workload.priority) + '\n';
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) shape += pod_set.name + '\n';
  for (const std::uint32_t number : workload.templates) shape += std::to_string(number) + '\n';
  return shape + shape_of(workload, queue);
}

QuotaRule rule_of(const EngineOptions& options) {
  return options.ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
}

/// What an entry takes of each (flavor, resource), all pod sets together.
using Usage = std::map<QuotaColumn, std::int64_t>;
Usage usage_of(const std::vector<PodSetDecision>& pod_sets, const Ledger& ledger, QuotaNode queue) {
  Usage usage;
  for (const PodSetDecision& pod_set : pod_sets) {
    for (const auto& [resource, flavor] : pod_set.flavors) {
      const Symbol symbol(resource);
      const std::optional<QuotaColumn> column = ledger.column(queue, flavor, symbol);
      if (!column) continue;
      std::int64_t& amount = usage[*column];
      amount = topology::saturating_add(amount, pod_set.usage.get(symbol));
    }
  }
  return usage;
}

}  // namespace

Rounds::Rounds(const Inventory& inventory, const Directory& directory, const Planner& planner,
               std::span<const Flavor> flavors, Judge& judge, Worlds& worlds,
               const EngineOptions& options)
    : inventory_(&inventory),
      directory_(&directory),
      nominator_(planner, flavors, options.profile.partial_admission, rule_of(options)),
      judge_(&judge),
      worlds_(&worlds),
      options_(&options) {}

std::vector<Decision> Rounds::run(const std::vector<std::size_t>& to_place) {
  submit(to_place);
  while (options_->rounds == 0 || round_ < options_->rounds) {
    if (!round()) break;
  }
  for (Standing& standing : standing_) finish_queue(standing);
  std::sort(refused_.begin(), refused_.end(), [this](const Decision& a, const Decision& b) {
    return plans_before(inventory_->workloads[a.workload], inventory_->workloads[b.workload]);
  });
  std::vector<Decision> decisions = std::move(placed_);
  std::move(refused_.begin(), refused_.end(), std::back_inserter(decisions));
  return decisions;
}

void Rounds::submit(const std::vector<std::size_t>& to_place) {
  std::map<const PlanQueue*, std::size_t> position;
  for (const auto& [name, queue] : directory_->queues()) {
    position.emplace(&queue, standing_.size());
    standing_.push_back({&queue, RoundQueue(inventory_->workloads, queue.strategy), {}, {}});
  }
  for (const std::size_t id : to_place) {
    const Workload& workload = inventory_->workloads[id];
    const Directory::Entry entry = directory_->enter(workload);
    // A namespace that does not match is found only when the workload is the head.
    if (entry.stands || entry.reason == Reason::kNamespace) {
      standing_[position.at(entry.queue)].state.submit(id, bulk_shape(workload, *entry.queue));
    } else {
      refused_.push_back(unplanned(id, entry));
    }
  }
}

bool Rounds::round() {
  ++round_;
  moved_ = false;
  std::vector<Entry> entries = nominate_heads();
  std::stable_sort(entries.begin(), entries.end(),
                   [this](const Entry& a, const Entry& b) { return sorts_before(a, b); });
  for (Entry& entry : entries) process(entry);
  worlds_->current().end_reservations();
  return !settled();
}

/// Step 2: no head sees another's choice. In the order of the queues' names, which stays among
/// entries that tie.
std::vector<Rounds::Entry> Rounds::nominate_heads() {
  std::vector<Entry> entries;
  for (Standing& standing : standing_) {
    const std::optional<std::size_t> head = standing.state.pop();
    if (head) nominate(standing, *head, entries);
  }
  return entries;
}

void Rounds::nominate(Standing& standing, std::size_t id, std::vector<Entry>& entries) {
  const Workload& workload = inventory_->workloads[id];
  const Directory::Entry entry = directory_->enter(workload);
  if (entry.reason != Reason::kNone) {
    Refused& refused = standing.refused[id];
    refused.reason = entry.reason;
    refused.detail = entry.detail;
    refused.outcome.round = round_;
    requeue(standing, id,
            entry.reason == Reason::kNamespace ? Outcome::kNamespace : Outcome::kNotNominated);
    return;
  }
  const std::int64_t start = options_->clock ? options_->clock() : 0;
  Nomination nomination =
      nominator_.nominate(workload, *standing.queue, worlds_->current(), standing.records[id]);
  standing.records[id] = nomination.record;
  const std::int64_t spent = options_->clock ? options_->clock() - start : 0;
  entries.push_back({&standing, id, std::move(nomination), spent});
}

bool Rounds::sorts_before(const Entry& a, const Entry& b) const {
  const Workload& x = inventory_->workloads[a.workload];
  const Workload& y = inventory_->workloads[b.workload];
  return std::tie(a.nomination.level, y.priority, x.created) <
         std::tie(b.nomination.level, x.priority, y.created);
}

void Rounds::process(Entry& entry) {
  const bool fits = still_fits(entry);
  switch (entry.nomination.mode) {
    case Mode::kNoFit:
      return refuse(entry, false);
    case Mode::kPreempt:
      if (!entry.standing->queue->reclaims_any) reserve(entry);
      return refuse(entry, false);
    case Mode::kFit:
      return fits ? admit(entry) : refuse(entry, true);
  }
}

bool Rounds::still_fits(Entry& entry) {
  if (entry.nomination.mode == Mode::kNoFit || !has_quota(entry)) return false;
  const Workload& workload = inventory_->workloads[entry.workload];
  Books& books = worlds_->current();
  if (books.room_for(workload, entry.nomination.pod_sets)) return true;
  if (!options_->profile.recompute_in_cycle) return false;
  entry.nomination =
      nominator_.nominate_again(workload, *entry.standing->queue, books, entry.nomination);
  entry.standing->records[entry.workload] = entry.nomination.record;
  return true;
}

bool Rounds::has_quota(const Entry& entry) {
  const std::optional<QuotaNode>& queue = entry.standing->queue->quota;
  if (!queue || options_->ignore_quota) return true;
  const Ledger& ledger = worlds_->current().ledger();
  const Usage usage = usage_of(entry.nomination.pod_sets, ledger, *queue);
  return std::all_of(usage.begin(), usage.end(), [&](const auto& taken) {
    return taken.second <= ledger.available(*queue, taken.first);
  });
}

/// Keeps for a blocked head what it may take, from later entries of its round (queues.md 2.1).
void Rounds::reserve(const Entry& entry) {
  const std::optional<QuotaNode>& queue = entry.standing->queue->quota;
  Books& books = worlds_->current();
  const Nomination& nomination = entry.nomination;
  if (queue && !options_->ignore_quota) {
    for (const auto& [column, asked] : usage_of(nomination.pod_sets, books.ledger(), *queue)) {
      const Ledger& ledger = books.ledger();
      const std::optional<std::int64_t>& limit = ledger.borrowing_limit(*queue, column);
      const std::int64_t own =
          topology::saturating_sub(ledger.nominal(*queue, column), ledger.usage(*queue, column));
      std::int64_t amount = asked;
      if (nomination.level == 0) {
        amount = std::max<std::int64_t>(0, std::min(asked, own));
      } else if (limit) {
        amount = std::min(asked, topology::saturating_add(own, *limit));
      }
      books.reserve_quota(*queue, column, amount);
    }
  }
  const Workload& workload = inventory_->workloads[entry.workload];
  for (std::size_t i = 0; i < nomination.pod_sets.size(); ++i) {
    books.reserve_room(workload, nomination.pod_sets[i], i);
  }
}

void Rounds::admit(Entry& entry) {
  Standing& standing = *entry.standing;
  Decision decision;
  decision.workload = entry.workload;
  decision.cluster_queue = standing.queue->name;
  decision.outcome = core::Outcome::kPlaced;
  decision.round = round_;
  decision.pod_sets = std::move(entry.nomination.pod_sets);
  decision.waits_for_checks =
      open_checks(inventory_->workloads[entry.workload], *standing.queue, decision.pod_sets);
  decision.solver_nanoseconds = entry.nanoseconds;
  worlds_->place(decision);
  standing.refused.erase(entry.workload);
  standing.records.erase(entry.workload);
  placed_.push_back(std::move(decision));
  moved_ = true;
}

void Rounds::refuse(Entry& entry, bool lost) {
  Refused refused;
  refused.outcome = {round_, false, lost, entry.nomination.severity};
  refused.nanoseconds = entry.nanoseconds;
  if (lost) {
    refused.outcome.severity = Severity::kQuota;
    refused.reason = has_quota(entry) ? Reason::kTopologyFit : Reason::kQuota;
    refused.detail = "what it was to get went to another workload in the same round";
  } else {
    refused.attempt = std::move(entry.nomination.attempt);
  }
  entry.standing->refused[entry.workload] = std::move(refused);
  requeue(*entry.standing, entry.workload, lost ? Outcome::kSkipped : Outcome::kWaits);
}

void Rounds::requeue(Standing& standing, std::size_t id, Outcome outcome) {
  const auto record = standing.records.find(id);
  const bool unfinished = record != standing.records.end() && record->second.unfinished();
  moved_ = standing.state.requeue(id, outcome, unfinished) || moved_;
}

/// Without releases inadmissible sets only grow, so that a state can return only between moves, and
/// then the scan records are all that differs.
bool Rounds::settled() {
  if (moved_) {
    idle_rounds_ = 0;
    seen_.clear();
    return std::all_of(standing_.begin(), standing_.end(),
                       [](const Standing& each) { return each.state.empty(); });
  }
  std::string records;
  for (const Standing& standing : standing_) {
    for (const auto& [id, record] : standing.records) {
      if (!record.unfinished()) continue;
      records += std::to_string(id);
      for (const auto& [key, stopped] : record.stopped) records += ',' + std::to_string(stopped);
      records += ';';
    }
  }
  return ++idle_rounds_ >= kMostIdleRounds || !seen_.insert(records).second;
}

void Rounds::finish_queue(Standing& standing) {
  const std::vector<std::size_t> active = standing.state.active();
  for (const std::size_t id : active) {
    if (standing.refused.count(id) > 0) {
      refused_.push_back(refusal_of(standing, id, id));
      continue;
    }
    Decision decision;
    decision.workload = id;
    decision.cluster_queue = standing.queue->name;
    decision.reason = Reason::kBehindHead;
    if (id != active.front()) decision.detail = inventory_->workloads[active.front()].key();
    decision.waits_in_rounds.emplace();
    refused_.push_back(std::move(decision));
  }
  for (const auto& [id, evaluated] : standing.state.inadmissible()) {
    refused_.push_back(refusal_of(standing, id, evaluated));
    refused_.back().waits_in_rounds->inadmissible = true;
  }
}

/// `evaluated`: the workload whose evaluation speaks for this one, itself or one of its shape.
Decision Rounds::refusal_of(Standing& standing, std::size_t id, std::size_t evaluated) {
  const bool own = standing.refused.count(id) > 0;
  const Refused& refused = standing.refused.at(own ? id : evaluated);
  Decision decision;
  decision.workload = id;
  decision.cluster_queue = standing.queue->name;
  decision.waits_in_rounds = own ? refused.outcome : RoundOutcome{};
  decision.reason = refused.reason;
  decision.detail = refused.detail;
  if (own) decision.solver_nanoseconds = refused.nanoseconds;
  if (refused.reason == Reason::kNone) {
    judge_->judge(inventory_->workloads[id], *standing.queue, refused.attempt, decision);
  }
  return decision;
}

}  // namespace tessera::core
