// SPDX-License-Identifier: Apache-2.0
// EngineChecker: checks what must hold between any two messages of the engine behind actors, from
// the script and from what the owners hold.
//
// Used by tests that run the actors by hand. Works out cells, free amounts and quota itself, from
// the script's records and the reservations (CellTruth), and only reads from the engine. New
// definitions or nodes may leave quota or cells overdrawn; these may stay overdrawn, but must not
// get worse. All queues must have the same flavors, and no lending limits.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "actors/runtime/system.h"
#include "tests/support/cell_truth.h"
#include "tests/support/engine_objects.h"
#include "tests/support/engine_script.h"

namespace tessera::test {

class EngineChecker {
 public:
  /// All arguments outlive the checker. `journal`: the journal of the system; it keeps all records.
  /// `objects`: the objects of its actors.
  EngineChecker(const EngineScript& script, const actors::System& system,
                const EngineObjects& objects, const actors::MemoryJournal& journal);

  /// The coordinator is about to take this plan: until the next calm its gangs may be partly
  /// booked.
  void planned(const core::PlanReply& reply);
  /// The same for all gangs: the coordinator is about to abort cycles.
  void aborting() { all_move_ = true; }

  /// Says what is wrong; empty if nothing is. `calm`: no message waits for coordinator, planner or
  /// any owner.
  std::string check(bool calm);
  /// The same when the script is over, the engine has settled and no message is left. Then exactly
  /// the gangs that the records say hold something. Each other gang waits in one queue or has
  /// ended. Records, coordinator and the gangs' actors agree on the phase of each gang.
  std::string check_end();

  /// How often something that a script is about was seen.
  struct Seen {
    std::size_t crossed = 0;     // checks with bookings of different cells on one node
    std::size_t moved_uses = 0;  // gangs on nodes that went to another shard
    std::size_t overdrawn = 0;   // checks with overdrawn quota or cells
    std::size_t grown = 0;       // growths that were published
    std::size_t new_owners = 0;  // times that nodes or definitions made owners anew
  };
  const Seen& seen() const { return seen_; }

 private:
  /// Pods and GPUs by the nodes of their cell.
  using Places = std::map<CellTruth::Nodes, std::pair<std::int64_t, std::int64_t>>;
  using Holding = std::pair<topology::CellId, CellTruth::Room>;
  struct Gang {
    std::string name;
    std::int64_t pods = 0, gpus = 0;       // what the whole gang asks for
    std::optional<std::int64_t> min_pods;  // of a gang tree
    std::int64_t pods_held = 0, gpus_held = 0, quota_held = 0;
    bool committed = false;  // at least a part of its holdings is committed
    std::vector<Holding> holdings, committed_holdings;
    std::shared_ptr<const core::Admission> admission;  // the last one that was published
    bool is_whole() const {
      if (min_pods) return pods_held >= *min_pods && gpus_held <= gpus && quota_held == gpus_held;
      return pods_held == pods && gpus_held == gpus && quota_held == gpus;
    }
    /// It may be admitted and hold nothing.
    bool may_be_empty() const { return min_pods == 0; }
    bool is_absent() const { return pods_held == 0 && gpus_held == 0 && quota_held == 0; }
  };
  struct Queue {
    core::QuotaNode node;
    core::QuotaColumn column;
    std::int64_t most;   // its own limit
    std::uint32_t tree;  // in one flavor
    std::int64_t used = 0;
  };
  struct Tree {
    std::string name;
    std::int64_t quota = 0, used = 0;
  };

  void take_owners();
  void set_up_quota(const core::Inventory& definitions);
  void add_queue(const core::Inventory& definitions, const core::ClusterQueueRecord& record);
  Tree& tree(const core::Inventory& definitions, const std::string& name, const std::string& parent,
             const std::string& flavor);
  void note_use(std::int64_t now, std::int64_t quota, std::int64_t& used, const char* what,
                const std::string& name);
  void take_records();
  void take_admission(const core::Admitted& admitted);
  void check_admission(const core::Admitted& admitted);
  void find_shards(bool calm);
  void sum_up_shards();
  void check_free();
  void check_places(const Gang& gang);
  void sum_up_roots();
  void check_quota();
  void check_gangs(bool calm);
  void check_copy();
  bool should_grow(core::GangId id) const;
  void check_phase(core::GangId id);
  void check_catalogue(core::GangId id, bool suspended);
  void find(const std::string& what);
  std::string name(core::GangId id) const;

  const EngineScript* script_;
  const actors::System* system_;
  const EngineObjects* objects_;
  const actors::MemoryJournal* journal_;
  std::size_t generation_ = 0;  // of the owners that the members below describe
  std::shared_ptr<const core::Definitions> definitions_;
  bool owners_are_new_ = false;  // not checked yet
  std::map<core::GangId, Gang> gangs_;
  std::vector<Queue> queues_;  // one for each of its flavors
  std::vector<Tree> trees_;
  std::map<std::pair<core::QuotaNode, core::QuotaColumn>, std::int64_t> used_;  // by queue
  CellTruth cells_;
  /// By CellId: the shard that has it (kOnItsWay: none), GPUs that are overdrawn.
  static constexpr std::uint32_t kOnItsWay = UINT32_MAX;
  std::vector<std::uint32_t> shard_of_;
  std::vector<std::int64_t> overdrawn_;
  Seen seen_;
  std::size_t records_taken_ = 0;
  std::set<core::GangId> admitted_, published_, finished_;  // published: ever admitted
  std::map<core::GangId, core::GangPhase> phases_;          // of those admitted, by the records
  std::set<core::GangId> moving_;
  bool all_move_ = false;
  std::string found_;
};

}  // namespace tessera::test
