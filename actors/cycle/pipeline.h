// SPDX-License-Identifier: Apache-2.0
// Pipeline: takes a plan through steps 3 to 6 of a cycle (docs/engine.md). Owners reserve the plan,
// and its accepted prefix goes to the journal. When that is durable, owners commit, and gangs,
// catalogue and clients hear of it.
//
// One owner: Cycle. At most one plan is with the owners; several cycles may wait for the journal.
// After a failed append, every cycle from that one on is aborted. The inputs of the aborted cycles
// stay applied: one record carries them, and is appended first when writing works again. Until then
// the engine is read-only. Does not know queues or phases of gangs.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "actors/cycle/cycle_ports.h"

namespace tessera::core {

/// Gangs that no queue takes now, and why.
using Outside = std::map<GangId, Directory::Entry>;

/// A plan that the owners have answered.
struct Settlement {
  CycleNumber cycle = 0;
  std::shared_ptr<CycleRecord> record;
  std::shared_ptr<PlanReply> reply;
  TouchedOwners owners;
  /// So many items of the plan are reserved everywhere. The owners gave back the rest.
  std::uint32_t accepted = 0;
  bool is_void = false;  // an earlier cycle was aborted meanwhile
};

class Pipeline {
 public:
  /// The ports and the counters outlive the pipeline. At most `most` cycles are on their way.
  Pipeline(CyclePorts& ports, std::size_t most, EngineCounters& counters)
      : ports_(&ports), most_(most), counters_(&counters) {}

  /// True if no plan is with the owners.
  bool is_free() const { return reserving_ == nullptr; }
  /// Cycles with the owners or the journal.
  std::size_t on_their_way() const { return flights_.size() + (reserving_ ? 1 : 0); }
  bool is_full() const { return on_their_way() >= most_; }
  /// Cycles that wait for the journal.
  std::size_t in_flight() const { return flights_.size(); }
  /// The gangs that cycles on their way admitted: their admissions may still become void.
  std::vector<GangId> admitted() const;
  /// True if the plan with the owners replaces owners or moves nodes: then no other plan may be
  /// made.
  bool changes_owners() const;

  /// Begins with the plan. True if nodes move first; else to_owners() is next.
  bool begin(CycleNumber cycle, std::shared_ptr<CycleRecord> record,
             std::shared_ptr<PlanReply> reply);
  /// These three return the settlement if no answer is awaited any more.
  std::optional<Settlement> to_owners();
  std::optional<Settlement> on_moved();
  std::optional<Settlement> on_owner(const OwnerReply& reply);
  /// Sends the complete record of a settled plan to the journal; while read-only, carries it.
  void close(const Settlement& done, const Outside& outside);
  void on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash);

  /// Aborts all cycles from this one on. Returns what they had admitted, the latest first; nothing
  /// if that cycle was aborted with an earlier one.
  std::optional<std::vector<Admitted>> abort(CycleNumber cycle, const Outside& outside);
  bool read_only() const { return read_only_; }
  /// Allows another attempt to append the carried record.
  void allow_retry() { may_retry_ = true; }
  bool may_retry() const { return may_retry_; }
  /// The carried record, if it may be appended now: when no other cycle is on its way.
  CycleRecord* ready_to_retry();
  /// The record for what happens to aborted gangs. Only while something is carried.
  CycleRecord& carried() { return *carried_; }
  void retry(CycleNumber cycle);

 private:
  /// A cycle whose plan the owners reserve.
  struct Reserving {
    CycleNumber cycle = 0;
    std::shared_ptr<CycleRecord> record;
    std::shared_ptr<PlanReply> reply;
    TouchedOwners owners = {};
    std::size_t awaited = 0;  // replies
    std::uint32_t accepted = UINT32_MAX;
    bool is_void = false;
  };
  /// A cycle on its way to being durable.
  struct Flight {
    std::shared_ptr<CycleRecord> record;
    TouchedOwners owners = {};
    bool durable = false;
  };

  Settlement settle();
  void append(Flight flight);
  void carry(const CycleRecord& record, const Outside& outside);
  void publish();

  CyclePorts* ports_;
  std::size_t most_;
  EngineCounters* counters_;
  std::unique_ptr<Reserving> reserving_;
  std::deque<Flight> flights_;
  bool read_only_ = false;
  bool may_retry_ = false;
  std::shared_ptr<CycleRecord> carried_;  // inputs of aborted cycles
};

}  // namespace tessera::core
