// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/pipeline.h"

#include <algorithm>

#include "actors/records/planted_bug.h"

namespace tessera::core {

std::vector<GangId> Pipeline::admitted() const {
  std::vector<GangId> gangs;
  for (const Flight& flight : flights_) {
    for (const Admitted& admitted : flight.record->admitted) gangs.push_back(admitted.gang);
  }
  if (!reserving_) return gangs;
  for (const Admitted& admitted : reserving_->reply->plan.admitted) gangs.push_back(admitted.gang);
  return gangs;
}

bool Pipeline::changes_owners() const {
  return reserving_ && (reserving_->reply->owners || !reserving_->reply->moves.empty());
}

bool Pipeline::begin(CycleNumber cycle, std::shared_ptr<CycleRecord> record,
                     std::shared_ptr<PlanReply> reply) {
  reserving_ = std::make_unique<Reserving>(Reserving{cycle, std::move(record), std::move(reply)});
  if (reserving_->reply->owners) ports_->replace_owners(reserving_->reply->owners);
  reserving_->awaited = reserving_->reply->moves.size();
  if (reserving_->awaited == 0) return false;
  // A port may answer at once: the reply is kept alive here.
  const std::shared_ptr<const PlanReply> kept = reserving_->reply;
  for (const NodeMove& move : kept->moves) ports_->move_node(move);
  return true;
}

std::optional<Settlement> Pipeline::on_moved() {
  if (--reserving_->awaited > 0) return std::nullopt;
  return to_owners();
}

/// Step 3.
std::optional<Settlement> Pipeline::to_owners() {
  const std::shared_ptr<const PlanReply> reply = reserving_->reply;
  TouchedOwners& owners = reserving_->owners;
  for (const auto& [shard, step] : reply->shards) owners.shards.push_back(shard);
  for (const auto& [root, step] : reply->roots) owners.roots.push_back(root);
  reserving_->awaited = owners.shards.size() + owners.roots.size();
  if (reserving_->awaited == 0) return settle();
  counters_->messages += reserving_->awaited;
  for (const auto& [shard, step] : reply->shards) ports_->to_shard(shard, step);
  for (const auto& [root, step] : reply->roots) ports_->to_root(root, step);
  return std::nullopt;
}

std::optional<Settlement> Pipeline::on_owner(const OwnerReply& reply) {
  reserving_->accepted = std::min(reserving_->accepted, reply.accepted);
  if (--reserving_->awaited > 0) return std::nullopt;
  return settle();
}

/// Step 4: the owners give back what lies behind the prefix that all of them accepted.
Settlement Pipeline::settle() {
  const std::unique_ptr<Reserving> done = std::move(reserving_);
  const auto placed = static_cast<std::uint32_t>(done->reply->plan.admitted.size());
  const std::uint32_t accepted = done->is_void ? 0 : std::min(done->accepted, placed);
  if (accepted < placed) ports_->settle(done->owners, done->cycle, accepted);
  return {done->cycle,
          std::move(done->record),
          std::move(done->reply),
          std::move(done->owners),
          accepted,
          done->is_void};
}

/// Step 5.
void Pipeline::close(const Settlement& done, const Outside& outside) {
  const CycleRecord& record = *done.record;
  const bool empty =
      record.last_input() < record.first_input && record.admitted.empty() && record.refused.empty();
  if (!empty && read_only_) {
    carry(record, outside);
  } else if (!empty) {
    append({done.record, done.owners});
  }
}

void Pipeline::append(Flight flight) {
  ++counters_->messages;
  flights_.push_back(std::move(flight));
  ports_->append(flights_.back().record);
  if (planted(PlantedBug::kCommitBeforeDurable)) {
    flights_.back().durable = true;
    publish();
  }
}

void Pipeline::on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash) {
  for (Flight& flight : flights_) {
    if (flight.record->cycle != cycle) continue;
    flight.durable = true;
    flight.record->hash = hash;
    if (flight.record->recovers) read_only_ = false;
  }
  publish();
}

/// Step 6.
void Pipeline::publish() {
  while (!flights_.empty() && flights_.front().durable) {
    const Flight& flight = flights_.front();
    counters_->messages += flight.owners.shards.size() + flight.owners.roots.size();
    ports_->commit(flight.owners, flight.record->cycle);
    ports_->publish(flight.record);
    flights_.pop_front();
  }
}

/// Decisions since that cycle are void. Inputs stay applied, and are appended first when writing
/// works again. No node moves meanwhile: changes of owners wait until no cycle is on its way.
std::optional<std::vector<Admitted>> Pipeline::abort(CycleNumber cycle, const Outside& outside) {
  const auto first = std::find_if(flights_.begin(), flights_.end(), [cycle](const Flight& flight) {
    return flight.record->cycle == cycle;
  });
  if (first == flights_.end()) return std::nullopt;
  read_only_ = true;
  // The first retry comes at once. If it fails, the next comes with the next submit().
  may_retry_ = !first->record->recovers;
  carried_ = std::make_shared<CycleRecord>();
  carried_->recovers = true;
  carried_->first_input = first->record->first_input;
  std::vector<Admitted> admitted;
  for (auto flight = first; flight != flights_.end(); ++flight) {
    carry(*flight->record, outside);
    const std::vector<Admitted>& more = flight->record->admitted;
    admitted.insert(admitted.end(), more.begin(), more.end());
  }
  std::reverse(admitted.begin(), admitted.end());
  const auto keep = static_cast<std::size_t>(first - flights_.begin());
  for (; flights_.size() > keep; flights_.pop_back()) {
    ports_->abort(flights_.back().owners, flights_.back().record->cycle);
  }
  if (reserving_) reserving_->is_void = true;
  return admitted;
}

/// Carries the inputs of the record, which must be appended again, but not its decisions.
void Pipeline::carry(const CycleRecord& record, const Outside& outside) {
  carried_->now = record.now;
  const auto add = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  add(carried_->inputs, record.inputs);
  add(carried_->finished, record.finished);
  add(carried_->evicted, record.evicted);
  add(carried_->changes, record.changes);
  // "No queue takes the workload" is not a decision, and nothing would record it again.
  for (const RefusedWorkload& refused : record.refused) {
    if (outside.count(refused.gang) > 0) carried_->refused.push_back(refused);
  }
}

CycleRecord* Pipeline::ready_to_retry() {
  return may_retry_ && flights_.empty() && !reserving_ ? carried_.get() : nullptr;
}

void Pipeline::retry(CycleNumber cycle) {
  may_retry_ = false;
  carried_->cycle = cycle;
  append({std::move(carried_)});
  carried_ = nullptr;
}

}  // namespace tessera::core
