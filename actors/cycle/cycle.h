// SPDX-License-Identifier: Apache-2.0
// Cycle: the coordinator. Takes inputs in order and runs one cycle after the other over queues,
// planner and owners: close, plan, reserve, settle, journal, commit (docs/engine.md, "A cycle").
//
// A state machine without a runtime: it sends messages through CyclePorts, and replies come in by
// the on_...() members. LocalEngine runs it in the calling thread, Coordinator behind actors. It
// waits for all replies of a step and uses them by owner, so their order never matters. Its parts:
// InputLine (what comes next), GangTable (phases and deadlines of gangs), QueueTracks (what queues
// will hear), BackgroundSearches, RoundsEnd, Pipeline (steps 3 to 6). Not thread-safe. Decides
// nothing about placement or quota.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "actors/cycle/background_searches.h"
#include "actors/cycle/cycle_ports.h"
#include "actors/cycle/input_line.h"
#include "actors/cycle/pipeline.h"
#include "actors/cycle/queue_tracks.h"
#include "actors/cycle/rerun.h"
#include "actors/cycle/rounds_end.h"
#include "actors/gangs/gang_table.h"
#include "actors/records/engine_counters.h"

namespace tessera::core {

struct CycleLimits {
  std::size_t inputs = 4096;  // of one cycle
  std::size_t batch = 256;    // workloads planned in one cycle of sequential order
  std::size_t in_flight = 8;  // cycles that wait for the journal
  int plans = 0;              // cycles that plan, in all; 0: no limit
  std::size_t searches = 8;   // in the background at once: each may hold a snapshot
  /// Virtual time: nanoseconds that one step of a background search takes; time waits for the
  /// search. 0: a result counts when it comes.
  std::int64_t step_time = 0;
  std::optional<config::PodsReady> pods_ready = {};  // nothing: no time limit
};

class Cycle {
 public:
  /// `ports` outlive the cycle. Workloads that hold something from the start are live.
  Cycle(std::shared_ptr<const Definitions> definitions, config::Rounds order,
        const CycleLimits& limits, CyclePorts& ports);

  /// Takes all inputs of one instant.
  void submit(std::vector<Input> inputs);

  /// Recovery (design.md 2.2): takes the inputs of the record and books what it admitted; nothing
  /// is planned. The workload of an admission may be null: the gang's own is taken. Only for a new
  /// Cycle. It must be settled before the next record and before end_rerun().
  void recover(std::shared_ptr<const CycleRecord> record);
  /// Replay: takes the inputs of these records in their cycles, and decides again. After the last
  /// record the engine stands still until submit().
  void replay(std::vector<std::shared_ptr<const CycleRecord>> records);
  /// What is recovered reaches the queues. With the next submit() the engine is live, and tries all
  /// that wait.
  void end_rerun();

  void on_window(CycleNumber cycle, Window window);
  void on_plan(std::shared_ptr<PlanReply> reply);
  void on_moved();
  void on_owner(const OwnerReply& reply);
  void on_found(const SearchRequest& request, std::shared_ptr<const SearchResult> result);
  void on_durable(CycleNumber cycle, const std::array<std::uint8_t, 32>& hash);
  /// Nothing from this cycle on is durable.
  void on_append_failed(CycleNumber cycle);
  /// A queue lost its state: it gets all its waiting gangs again, and tries them all.
  void on_queue_lost(std::uint32_t queue);

  /// True if everything that was handed over is applied and durable, and nothing more can be placed
  /// before another input or deadline.
  bool settled() const;
  std::int64_t next_deadline() const;
  CycleNumber number() const { return cycle_; }
  /// True while queues make windows that will probably lead to a plan: until they answer, the
  /// planner has nothing to do.
  bool awaits_windows() const {
    return phase_ == Phase::kWindows &&
           (record_->last_input() >= record_->first_input || tracks_.waiting() > limits_.batch);
  }
  const EngineCounters& counters() const { return counters_; }

  /// Its parts, for reports and tests.
  struct Look {
    const GangTable& gangs;
    const Outside& outside;
    const BackgroundSearches& searches;
    const Pipeline& pipeline;
  };
  Look look() const { return {gangs_, outside_, searches_, pipeline_}; }

 private:
  /// How far the latest cycle is, until its plan is being reserved.
  enum class Phase : std::uint8_t { kIdle, kWindows, kPlanning, kPlanned };

  void advance();
  void prepare_rerun();
  bool may_recover() const;
  bool may_begin() const;
  bool may_be_late() const;
  bool begin();

  // Step 1: inputs, and what the queues hear (cycle_inputs.cpp).
  void take_inputs();
  void take(Input& input);
  void take_time(const Advance& input);
  void redefine(const Redefine& input);
  void take_result(const SearchEnded& input);
  void apply(const LifeStep& step, CycleRecord& record);
  void leave(const LifeStep& step);
  void enter(GangId id, CycleRecord& record);
  void offer_growth(GangId id);
  std::uint32_t queue_of(const Admission& admission) const;
  std::size_t items_wanted(std::size_t queues) const;
  void send_step(std::uint32_t queue, std::size_t most);
  void send_steps();

  // Steps 2 to 6.
  void plan();
  void choose_windows(PlanRequest& request);
  void take_plan(std::shared_ptr<PlanReply> reply);
  void reserve();
  void hand_over(PlanReply& reply, CycleRecord& record);
  void admit(const std::vector<Admitted>& admitted);
  void settle(std::optional<Settlement> done);
  void record_decisions(Settlement& done);

  // Takes back placements that do not count.
  std::vector<Admitted> retract_from(Plan& plan, std::size_t accepted);
  void retract(const std::vector<Admitted>& admitted);
  void return_to_queues(const std::vector<Admitted>& admitted, CycleRecord& record);
  void void_plan();
  void retry_append();

  std::shared_ptr<const Definitions> definitions_;
  config::Rounds order_;
  CycleLimits limits_;
  CyclePorts* ports_;
  EngineCounters counters_;

  InputLine inputs_;
  GangTable gangs_;
  QueueTracks tracks_;
  Outside outside_;
  BackgroundSearches searches_;
  RoundsEnd rounds_;
  Pipeline pipeline_;
  Rerun rerun_;

  Phase phase_ = Phase::kIdle;
  CycleNumber cycle_ = 0;
  int plans_ = 0;
  std::shared_ptr<CycleRecord> record_;
  // What the next request to the planner will hold.
  std::vector<GangId> released_;
  std::vector<Input> updates_;
  std::shared_ptr<const Definitions> new_definitions_;
  // Windows that were asked for, and those that came.
  std::set<std::uint32_t> asked_;
  std::map<std::uint32_t, Window> windows_;
  std::shared_ptr<PlanReply> planned_;
  bool plan_is_void_ = false;  // the plan counts on room that was given back
};

}  // namespace tessera::core
