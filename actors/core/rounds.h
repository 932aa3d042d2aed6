// SPDX-License-Identifier: Apache-2.0
// Rounds: plans waiting workloads as Kueue does, in rounds of one head per ClusterQueue
// (queues.md 2, 3, 11; `rounds: Kueue`).
//
// In a round all heads are nominated on the books as they are at its start, sorted, and processed
// one after the other on the running books; losers are requeued. Runs until a round can change
// nothing any more (11.5). Runs in the calling thread, deterministic. See Nominator (one
// evaluation), RoundQueue (who is next), Judge (what a refusal amounts to).
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "actors/core/never.h"
#include "actors/core/nomination.h"
#include "actors/core/round_queue.h"
#include "actors/core/worlds.h"

namespace tessera::core {

class Rounds {
 public:
  /// All outlive the rounds.
  Rounds(const Inventory& inventory, const Directory& directory, const Planner& planner,
         std::span<const Flavor> flavors, Judge& judge, Worlds& worlds,
         const EngineOptions& options);

  /// See Engine::run().
  std::vector<Decision> run(const std::vector<std::size_t>& to_place);

 private:
  using Outcome = RoundQueue::Outcome;

  /// The last evaluation of a workload that waits.
  struct Refused {
    Attempt attempt;
    RoundOutcome outcome;
    Reason reason = Reason::kNone;  // not nominated, or lost: no attempt
    std::string detail;
    std::int64_t nanoseconds = 0;
  };
  struct Standing {
    const PlanQueue* queue;
    RoundQueue state;
    std::map<std::size_t, Refused> refused;
    std::map<std::size_t, ScanRecord> records;
  };
  /// A nominated head.
  struct Entry {
    Standing* standing;
    std::size_t workload;
    Nomination nomination;
    std::int64_t nanoseconds = 0;
  };

  void submit(const std::vector<std::size_t>& to_place);
  /// False: nothing will ever change again without an input.
  bool round();
  std::vector<Entry> nominate_heads();
  void nominate(Standing& standing, std::size_t workload, std::vector<Entry>& entries);
  void process(Entry& entry);
  /// Tests the entry on the running books; may nominate it again. False: it lost what it was to
  /// get.
  bool still_fits(Entry& entry);
  bool has_quota(const Entry& entry);
  void reserve(const Entry& entry);
  void admit(Entry& entry);
  void refuse(Entry& entry, bool lost);
  void requeue(Standing& standing, std::size_t workload, Outcome outcome);
  bool settled();
  void finish_queue(Standing& standing);
  Decision refusal_of(Standing& standing, std::size_t workload, std::size_t evaluated);
  bool sorts_before(const Entry& a, const Entry& b) const;

  const Inventory* inventory_;
  const Directory* directory_;
  Nominator nominator_;
  Judge* judge_;
  Worlds* worlds_;
  const EngineOptions* options_;
  std::vector<Standing> standing_;
  std::vector<Decision> placed_, refused_;
  int round_ = 0;
  bool moved_ = false;          // a workload was admitted or became inadmissible in this round
  int idle_rounds_ = 0;         // in a row
  std::set<std::string> seen_;  // scan records after the idle rounds
};

}  // namespace tessera::core
