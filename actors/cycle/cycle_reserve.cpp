// SPDX-License-Identifier: Apache-2.0
// How the coordinator has a plan reserved, journaled and committed, while the next is being made.
#include <algorithm>

#include "actors/cycle/cycle.h"
#include "actors/records/planted_bug.h"

namespace tessera::core {

void Cycle::on_plan(std::shared_ptr<PlanReply> reply) {
  take_plan(std::move(reply));
  advance();
}

void Cycle::take_plan(std::shared_ptr<PlanReply> reply) {
  planned_ = plan_is_void_ ? voided(*reply) : std::move(reply);
  counters_.solves += planned_->plan.solves;
  if (!planned_->plan.queues.empty()) {
    counters_.retries_avoided += waiting_ - std::min<std::size_t>(waiting_, planned_->plan.solves);
  }
  phase_ = Phase::kPlanned;
  reserve();
}

/// The next cycle may be planned while this one is reserved: that an owner refuses what its copy
/// had room for is a fault, and voids what was planned on it. In rounds, how one ended decides
/// whether there is another.
bool Cycle::overlaps(const Reserving& cycle) const {
  return order_ == config::Rounds::kSequential && !cycle.reply->owners &&
         cycle.reply->moves.empty();
}

/// Step 3, and what the queues hear of the plan as if all of it were accepted.
void Cycle::reserve() {
  if (phase_ != Phase::kPlanned || reserving_) return;
  reserving_ = std::make_unique<Reserving>();
  reserving_->cycle = cycle_;
  reserving_->record = std::move(record_);
  reserving_->reply = std::move(planned_);
  phase_ = Phase::kIdle;
  Plan& plan = reserving_->reply->plan;
  if (plan_is_void_) retract_from(plan, 0);
  plan_is_void_ = false;
  hand_over_outcomes(plan);
  begin_searches(*reserving_->reply);
  evict_stranded(reserving_->reply->stranded, *reserving_->record);
  if (reserving_->reply->owners) ports_->replace_owners(reserving_->reply->owners);
  reserving_->awaited = reserving_->reply->moves.size();
  if (reserving_->awaited == 0) {
    begin();  // the next plan is what all wait for
    return to_owners();
  }
  // A port may answer at once: the reply is kept alive here.
  const std::shared_ptr<const PlanReply> reply = reserving_->reply;
  for (const NodeMove& move : reply->moves) ports_->move_node(move);
}

void Cycle::on_moved() {
  if (--reserving_->awaited == 0) to_owners();
  advance();
}

void Cycle::to_owners() {
  const std::shared_ptr<const PlanReply> reply = reserving_->reply;
  TouchedOwners& owners = reserving_->owners;
  for (const auto& [shard, step] : reply->shards) owners.shards.push_back(shard);
  for (const auto& [root, step] : reply->roots) owners.roots.push_back(root);
  reserving_->awaited = owners.shards.size() + owners.roots.size();
  if (reserving_->awaited == 0) return settle();
  counters_.messages += reserving_->awaited;
  for (const auto& [shard, step] : reply->shards) ports_->to_shard(shard, step);
  for (const auto& [root, step] : reply->roots) ports_->to_root(root, step);
}

void Cycle::on_owner(const OwnerReply& reply) {
  reserving_->accepted = std::min(reserving_->accepted, reply.accepted);
  if (--reserving_->awaited == 0) settle();
  advance();
}

/// Step 4.
void Cycle::settle() {
  const std::unique_ptr<Reserving> owner = std::move(reserving_);
  const Reserving& done = *owner;
  const auto placed = static_cast<std::uint32_t>(done.reply->plan.admitted.size());
  const std::uint32_t accepted = done.is_void ? 0 : std::min(done.accepted, placed);
  if (accepted < placed) {
    ports_->settle(done.owners, done.cycle, accepted);
    void_plan();
    CycleRecord& record = record_ ? *record_ : *done.record;
    return_to_queues(retract_from(done.reply->plan, accepted), record);
    drop_void_starts(record);
  }
  moved_ = moved_ || accepted > 0;
  counters_.admitted += accepted;
  Plan& plan = done.reply->plan;
  for (std::uint32_t i = 0; i < accepted; ++i) {
    done.record->admitted.push_back(std::move(plan.admitted[i]));
  }
  for (RefusedWorkload& refused : plan.refused) {
    if (done.is_void || refused.placed_before > accepted) continue;
    if (refused.reason != Reason::kDeferred) ++counters_.refused;
    done.record->refused.push_back(std::move(refused));
  }
  close(done);
  reserve();
}

/// Takes from a plan, and from the planner, what was placed from there on: the numbers.
std::vector<GangId> Cycle::retract_from(Plan& plan, std::uint32_t accepted) {
  std::vector<GangId> gangs;
  for (; plan.admitted.size() > accepted; plan.admitted.pop_back()) {
    gangs.push_back(plan.admitted.back().gang);
  }
  retract(gangs);
  return gangs;
}

void Cycle::hand_over_outcomes(Plan& plan) {
  const auto placed = static_cast<std::uint32_t>(plan.admitted.size());
  for (QueueOutcomes& queue : plan.queues) {
    QueueStep& next = queues_[queue.queue].next;
    next.outcomes = std::move(queue.outcomes);
    for (TurnOutcome& outcome : next.outcomes) {
      outcome.stale = outcome.hope.placements && outcome.placed_before < placed;
    }
    touched_.insert(queue.queue);
  }
  if (placed == 0) return;
  for (const Admitted& admitted : plan.admitted) {
    note_admission(admitted);
  }
  for (std::uint32_t q = 0; q < queues_.size(); ++q) {
    if (!queues_[q].waits_for_placement) continue;
    queues_[q].next.placed = true;
    touched_.insert(q);
  }
}

/// Step 5.
void Cycle::close(const Reserving& done) {
  const CycleRecord& record = *done.record;
  const bool empty =
      record.last_input < record.first_input && record.admitted.empty() && record.refused.empty();
  if (!empty && read_only_) {
    carry(record);
  } else if (!empty) {
    append({done.record, done.owners, false});
  }
}

void Cycle::append(Flight flight) {
  ++counters_.messages;
  flights_.push_back(std::move(flight));
  ports_->append(flights_.back().record);
  if (planted(PlantedBug::kCommitBeforeDurable)) {
    flights_.back().durable = true;
    publish();
  }
}

void Cycle::on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash) {
  for (Flight& flight : flights_) {
    if (flight.record->cycle != cycle) continue;
    flight.durable = true;
    flight.record->hash = hash;
    if (flight.record->recovers) read_only_ = false;
  }
  publish();
  advance();
}

/// Step 6.
void Cycle::publish() {
  while (!flights_.empty() && flights_.front().durable) {
    const Flight& flight = flights_.front();
    counters_.messages += flight.owners.shards.size() + flight.owners.roots.size();
    ports_->commit(flight.owners, flight.record->cycle);
    ports_->publish(flight.record);
    flights_.pop_front();
  }
}

bool Cycle::settled() const {
  if (phase_ != Phase::kIdle || reserving_ || !flights_.empty() || searching_ > 0) return false;
  if (read_only_) return !may_retry_;
  return inputs_.empty() && touched_.empty() && to_search_.empty();
}

std::int64_t Cycle::next_deadline() const {
  std::int64_t next = deadlines_.empty() ? INT64_MAX : deadlines_.begin()->first;
  for (const Track& track : queues_) next = std::min(next, track.next_deadline);
  return next;
}

}  // namespace tessera::core
