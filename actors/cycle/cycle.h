// SPDX-License-Identifier: Apache-2.0
// Cycle: the coordinator: takes inputs in order, runs one cycle after the other over queues,
// planner and owners, the next being planned while the last is reserved (cycle_reserve.cpp), has
// long searches go on in the background (cycle_search.cpp), and lets nothing out before it is
// durable (design.md 3.1).
//
// A state machine without a runtime: what it wants said goes out through CyclePorts, what comes
// back is told by the on_...() members; LocalEngine runs it in the calling thread, actors'
// coordinator behind messages. It waits for all replies of a step and uses them by owner, so their
// order never matters. Not thread-safe. Decides nothing about placement or quota.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/gangs/gang_state.h"
#include "actors/planner/planner_state.h"
#include "actors/queues/queue_state.h"
#include "actors/records/engine_counters.h"
#include "config/pods_ready.h"

namespace tessera::core {

/// The owners that a cycle touched.
struct TouchedOwners {
  std::vector<ShardId> shards;
  std::vector<QuotaNode> roots;
};

/// Where the coordinator's messages go. Each owner gets its own in the order of the calls.
class CyclePorts {
 public:
  virtual ~CyclePorts() = default;
  virtual void to_queue(std::uint32_t queue, std::shared_ptr<const QueueStep> step) = 0;
  virtual void to_planner(std::shared_ptr<const PlanRequest> request) = 0;
  virtual void retract(std::vector<GangId> gangs) = 0;  // to the planner; no reply
  /// To whoever searches in the background; then on_found().
  virtual void search(SearchRequest request) = 0;
  /// Owners, or queues, of new definitions or nodes: those there were end. No reply.
  virtual void replace_owners(std::shared_ptr<Owners> owners) = 0;
  virtual void replace_queues(std::shared_ptr<const Definitions> definitions) = 0;
  /// Takes the node's cells out of one shard and puts them into another; then on_moved().
  virtual void move_node(const NodeMove& move) = 0;
  virtual void to_shard(ShardId shard, std::shared_ptr<const ShardStep> step) = 0;
  virtual void to_root(QuotaNode root, std::shared_ptr<const RootStep> step) = 0;
  /// Items from `from` on are given back. No reply, like the next two.
  virtual void settle(const TouchedOwners& owners, CycleNumber cycle, std::uint32_t from) = 0;
  virtual void commit(const TouchedOwners& owners, CycleNumber cycle) = 0;
  virtual void abort(const TouchedOwners& owners, CycleNumber cycle) = 0;
  virtual void append(std::shared_ptr<const CycleRecord> record) = 0;
  /// To gangs, catalogue and clients; durable.
  virtual void publish(std::shared_ptr<const CycleRecord> record) = 0;
};

struct CycleLimits {
  std::size_t inputs = 4096;  // of one cycle
  std::size_t batch = 256;    // workloads planned in one cycle of sequential order
  std::size_t in_flight = 8;  // cycles that wait for the journal
  int plans = 0;              // cycles that plan, in all; 0: no limit
  std::size_t searches = 8;   // in the background at once: each may hold a snapshot
  /// Virtual time: nanoseconds that a step of a background search takes, and time waits for it. 0:
  /// its result counts when it comes.
  std::int64_t step_time = 0;
  std::optional<config::PodsReady> pods_ready = {};  // nothing: pods take what they take
};

class Cycle {
 public:
  /// `ports` outlive the cycle. Workloads that hold something from the start are live.
  Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
        const CycleLimits& limits, CyclePorts& ports);

  /// One instant.
  void submit(std::vector<Input> inputs);

  void on_window(CycleNumber cycle, Window window);
  void on_plan(std::shared_ptr<PlanReply> reply);
  void on_moved();
  void on_owner(const OwnerReply& reply);
  void on_found(const SearchRequest& request, std::shared_ptr<const SearchResult> result);
  void on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash);
  /// Nothing from this cycle on is durable.
  void on_append_failed(CycleNumber cycle);
  /// A queue lost its state: it is told again of all that wait in it, and tries them all.
  void on_queue_lost(std::uint32_t queue);

  /// Everything handed over is applied, nothing more can be placed before another input or
  /// deadline, and all of it is durable.
  bool settled() const;
  std::int64_t next_deadline() const;
  /// An append failed, and none has succeeded since: nothing is planned.
  bool read_only() const { return read_only_; }
  std::int64_t now() const { return now_; }
  CycleNumber number() const { return cycle_; }
  /// Searches in the background.
  std::size_t searching() const { return searching_; }
  /// Queues are asked for windows of which a plan is likely to be made: until they have answered
  /// the planner has nothing to do.
  bool awaits_windows() const {
    return phase_ == Phase::kWindows &&
           (record_->last_input >= record_->first_input || waiting_ > limits_.batch);
  }
  /// Cycles that wait for the journal.
  std::size_t in_flight() const { return flights_.size(); }
  const EngineCounters& counters() const { return counters_; }
  /// Where a workload is in its life; nothing: unknown, or it ended.
  std::optional<GangPhase> phase(GangId id) const;
  /// Workloads that no queue takes now, and why.
  const std::map<GangId, Directory::Entry>& outside() const { return outside_; }

 private:
  /// Of the latest cycle, until its plan is being reserved.
  enum class Phase : std::uint8_t { kIdle, kWindows, kPlanning, kPlanned };

  static constexpr std::uint32_t kNoQueue = UINT32_MAX, kNoTree = UINT32_MAX;
  /// What the coordinator knows of a queue, and what it will tell it next.
  struct Track {
    std::uint32_t tree = kNoTree;  // its root in the ledger
    bool sleepers = false, waits_for_placement = false;
    std::int64_t next_deadline = INT64_MAX;
    std::size_t waiting = 0;
    QueueStep next;
  };
  struct Gang {
    std::uint32_t queue = kNoQueue;
    GangPhase phase = GangPhase::kPending;
    std::shared_ptr<const Admission> admission;  // live: where its end makes room
    std::shared_ptr<const Workload> workload;
    std::int64_t not_before = INT64_MIN;        // end of its back-off
    std::int64_t deadline = INT64_MAX;          // its place in deadlines_
    std::int64_t requeues = 0;                  // times that its pods were not ready in time
    std::uint64_t search = 0;                   // ticket of the search that it waits for; 0: none
    std::shared_ptr<const SearchResult> found;  // of it, until its time has come
    bool live() const { return holds(phase); }
  };
  /// A cycle whose plan the owners reserve. At most one: the next one's plan waits.
  struct Reserving {
    CycleNumber cycle = 0;
    std::shared_ptr<CycleRecord> record;
    std::shared_ptr<PlanReply> reply;
    TouchedOwners owners;
    std::size_t awaited = 0;  // replies
    std::uint32_t accepted = UINT32_MAX;
    bool is_void = false;  // an earlier cycle was aborted meanwhile
  };
  /// A cycle on its way to being durable.
  struct Flight {
    std::shared_ptr<CycleRecord> record;
    TouchedOwners owners;
    bool durable = false;
  };

  void advance();
  bool begin();
  GangId next_id();
  void take_inputs(CycleRecord& record);
  void take(const Submit& input, CycleRecord& record);
  void take(const Finish& input, CycleRecord& record);
  void take(const Started& input, CycleRecord& record);
  void take(const Evict& input, CycleRecord& record);
  void take(const PodsGone& input, CycleRecord& record);
  void take(const Suspend& input, CycleRecord& record);
  void take(const Resume& input, CycleRecord& record);
  void take(const Advance& input, CycleRecord& record);
  void take(const NodeUpdate& input, CycleRecord& record);
  void take(const NodeDelete& input, CycleRecord& record);
  void take(const PodUpdate& input, CycleRecord& record);
  void take(const PodDelete& input, CycleRecord& record);
  void take(const Redefine& input, CycleRecord& record);
  void take(const SearchEnded& input, CycleRecord& record);
  template <class Update>
  void take_update(const Update& input);
  std::uint32_t queue_of(const Admission& admission) const;
  void enter(Waiting waiting, CycleRecord& record);
  void begin_eviction(GangId id, Gang& gang, EvictionReason reason, std::int64_t requeue_at,
                      CycleRecord& record);
  void end_eviction(GangId id, Gang& gang, CycleRecord& record);
  void suspend(GangId id, Gang& gang, CycleRecord& record);
  void stand_aside(GangId id, Gang& gang);
  void evict_stranded(std::span<const GangId> gangs, CycleRecord& record);
  void time_out(GangId id, Gang& gang, CycleRecord& record);
  void note_admission(const Admitted& admitted);
  void await_pods(GangId id, Gang& gang, std::int64_t since);
  void begin_time();
  void set_deadline(GangId id, Gang& gang, std::int64_t at);
  void fire_deadlines(CycleRecord& record);
  void leave(GangId id, Gang& gang);
  void note_freed(const Gang& gang);
  void wake_for_freed();
  void redefine(std::shared_ptr<const Definitions> definitions, CycleRecord& record);
  void reset_tracks();
  /// One of the next inputs is such, among as many as a cycle takes.
  bool comes(bool (*such)(const Input& input)) const;
  bool changes_owners() const;
  std::size_t items_wanted(std::size_t queues) const;
  void send_steps();
  void plan();
  bool rounds_are_over();
  void resume_rounds();
  void take_plan(std::shared_ptr<PlanReply> reply);
  bool overlaps(const Reserving& cycle) const;
  void reserve();
  void to_owners();
  void settle();
  void begin_searches(const PlanReply& reply);
  bool is_awaited(const SearchRequest& request) const;
  bool may_search() const { return searching_ < limits_.searches; }
  void hand_over_found(GangId id, Gang& gang);
  void drop_search(GangId id, Gang& gang);
  bool waits_for_searches() const;
  std::vector<GangId> retract_from(Plan& plan, std::uint32_t accepted);
  void hand_over_outcomes(Plan& plan);
  void close(const Reserving& done);
  void append(Flight flight);
  void abort(std::size_t first_flight);
  static std::shared_ptr<PlanReply> voided(const PlanReply& reply);
  void carry(const CycleRecord& record);
  void return_to_queues(const std::vector<GangId>& gangs, CycleRecord& record);
  void drop_void_starts(CycleRecord& record) const;
  void retract(const std::vector<GangId>& gangs);
  void void_plan();
  void retry_append();
  void publish();

  std::shared_ptr<const Definitions> definitions_;
  config::Rounds order_;
  CycleLimits limits_;
  CyclePorts* ports_;

  std::deque<std::vector<Input>> inputs_;
  std::uint64_t input_count_ = 0;
  std::vector<Track> queues_;
  std::set<std::uint32_t> touched_;  // queues that have something to be told
  std::size_t waiting_ = 0;          // workloads in all queues
  GangId last_id_ = kNoGang;         // given out
  std::unordered_map<GangId, Gang> gangs_;
  std::map<GangId, Directory::Entry> outside_;
  std::int64_t now_ = INT64_MIN;
  /// (time, gang): the end of a back-off or of a search, or the last moment for the pods of an
  /// admitted gang.
  std::set<std::pair<std::int64_t, GangId>> deadlines_;

  Phase phase_ = Phase::kIdle;
  CycleNumber cycle_ = 0;
  std::shared_ptr<CycleRecord> record_;
  std::vector<GangId> released_;
  /// What the inputs of a cycle freed, until the queues hear of it.
  struct Freed {
    std::vector<FlavorId> flavors;          // ascending
    std::set<std::uint32_t> queues, trees;  // whose quota
    bool any = false;
  };
  Freed freed_;
  std::vector<Input> updates_;
  std::shared_ptr<const Definitions> new_definitions_;  // for the planner
  std::size_t awaited_ = 0;                             // windows
  std::set<std::uint32_t> asked_;
  std::map<std::uint32_t, Window> windows_;
  std::shared_ptr<PlanReply> planned_;
  bool plan_is_void_ = false;  // it is, or will be, made on what was given back
  std::unique_ptr<Reserving> reserving_;
  std::deque<Flight> flights_;
  std::uint64_t searches_ = 0;           // asked for, in all
  std::size_t searching_ = 0;            // handed over and not ended
  std::deque<SearchRequest> to_search_;  // without a snapshot yet
  bool read_only_ = false;
  bool may_retry_ = false;                // to append what was aborted
  std::shared_ptr<CycleRecord> carried_;  // inputs of aborted cycles, to be appended first

  // `rounds: Kueue`: when they end (queues.md 11.5).
  int round_ = 0, plans_ = 0;
  bool moved_ = false, over_ = false;
  int idle_rounds_ = 0;
  std::set<std::string> seen_;
  std::set<std::uint32_t> blocked_heads_;  // queues that offered one when the rounds were over

  EngineCounters counters_;
};

}  // namespace tessera::core
