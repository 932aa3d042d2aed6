// SPDX-License-Identifier: Apache-2.0
// RoundQueue: the waiting workloads of one ClusterQueue in Kueue's rounds: those that may be the
// head (active) and those that wait for an event (inadmissible) (queues.md 1.1, 3).
//
// One owner: Rounds. Holds indexes into Inventory::workloads. Does not know quota or capacity, nor
// why a workload was refused: the caller names the outcome.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "actors/core/inventory.h"

namespace tessera::core {

class RoundQueue {
 public:
  RoundQueue(const std::vector<Workload>& workloads, QueueStrategy strategy)
      : strategy_(strategy), active_(Before{&workloads}) {}

  /// `shape`: what makes workloads equivalent (queues.md 3, bulk move).
  void submit(std::size_t workload, const std::string& shape);

  /// Takes the head; it is in flight until requeue(), or gone.
  std::optional<std::size_t> pop();

  /// How a popped workload comes back.
  enum class Outcome {
    kSkipped,       // lost its quota or room within the round
    kWaits,         // does not fit, or waits for others
    kNamespace,     // its namespace does not match
    kNotNominated,  // anything else that keeps it from being evaluated
  };
  /// `unfinished`: its flavor scan goes on (queues.md 7.5). True if anything became inadmissible.
  bool requeue(std::size_t workload, Outcome outcome, bool unfinished);

  /// Nobody can become the head.
  bool empty() const { return active_.empty(); }
  /// Active workloads in order.
  std::vector<std::size_t> active() const { return {active_.begin(), active_.end()}; }
  /// Those that became inadmissible -> the evaluated one of their shape (itself, or the one that
  /// took them with it).
  const std::map<std::size_t, std::size_t>& inadmissible() const { return inadmissible_; }

 private:
  struct Before {
    const std::vector<Workload>* workloads;
    bool operator()(std::size_t a, std::size_t b) const;
  };

  void move_alike(std::size_t workload);

  QueueStrategy strategy_;
  std::set<std::size_t, Before> active_;
  std::map<std::size_t, std::size_t> inadmissible_;
  std::map<std::string, std::size_t> shapes_;
  std::vector<std::vector<std::size_t>> alike_;  // by shape
  std::map<std::size_t, std::size_t> shape_of_;  // by workload
};

}  // namespace tessera::core
