// SPDX-License-Identifier: Apache-2.0
// EngineChecker: what must hold between any two messages of the engine behind actors, worked out
// from the script and what the owners hold.
//
// For whoever runs the actors by hand. Free amounts and quota are summed up here from the
// reservations; of the engine only reading accessors are used. One flavor, a cell a node.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "actors/system.h"
#include "tests/support/engine_script.h"

namespace tessera::test {

class EngineChecker {
 public:
  /// All outlive the checker. `journal`: the system's; it keeps all records.
  EngineChecker(const EngineScript& script, actors::System& system,
                const actors::MemoryJournal& journal);

  /// The coordinator is about to take this plan: until the next calm its gangs may be partly
  /// booked.
  void planned(const core::PlanReply& reply);
  /// The same for all gangs: cycles are about to be aborted.
  void aborting() { all_move_ = true; }

  /// Empty, or what is wrong. `calm`: no message waits for coordinator, planner or any owner.
  std::string check(bool calm);
  /// The same when the script is over, the engine has settled and no message is left: live are
  /// exactly those that the records say, all others wait in one queue or ended; records,
  /// coordinator and the gangs' actors agree where each is in its life.
  std::string check_end();

 private:
  struct Gang {
    std::string name;
    std::int64_t pods = 0, gpus = 0;  // all of it
    std::int64_t pods_held = 0, gpus_held = 0, quota_held = 0;
    bool committed = false;  // a part of what it holds
    bool is_whole() const { return pods_held == pods && gpus_held == gpus && quota_held == gpus; }
    bool is_absent() const { return pods_held == 0 && gpus_held == 0 && quota_held == 0; }
  };
  struct Queue {
    core::QuotaNode node;
    core::QuotaColumn column;
    std::int64_t most;  // its own limit
    std::string tree;
  };

  void set_up_quota();
  void take_records();
  void sum_up_shards();
  void sum_up_roots();
  void check_quota();
  void check_gangs(bool calm);
  void check_copy();
  void check_phase(std::size_t number);
  void find(const std::string& what);
  std::string name(std::size_t number) const;

  const EngineScript* script_;
  actors::System* system_;
  const actors::MemoryJournal* journal_;
  const core::Ledger* forest_;
  std::vector<Gang> gangs_;  // by number
  std::vector<Queue> queues_;
  std::map<std::string, std::int64_t> quota_of_tree_;
  std::map<core::QuotaNode, std::int64_t> used_;  // by queue
  std::vector<topology::Amounts> free_;           // by cell
  std::size_t records_taken_ = 0;
  std::set<std::size_t> admitted_, published_, finished_;  // published: ever admitted
  std::map<std::size_t, core::GangPhase> phases_;          // of those admitted, by the records
  std::set<std::size_t> moving_;
  bool all_move_ = false;
  std::string found_;
};

}  // namespace tessera::test
