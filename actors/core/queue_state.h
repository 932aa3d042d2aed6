// SPDX-License-Identifier: Apache-2.0
// QueueState: the waiting workloads of one ClusterQueue and which of them is the head
// (queues.md 1.1, 3).
//
// One owner: the cycle. Holds indexes into Inventory::workloads in planning order. In a StrictFIFO
// queue nothing is looked at behind a refused head; in a BestEffortFIFO queue the next one becomes
// the head. Does not know quota or capacity.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "actors/core/inventory.h"

namespace tessera::core {

class QueueState {
 public:
  QueueState(const std::vector<Workload>& workloads, QueueStrategy strategy)
      : workloads_(&workloads), strategy_(strategy) {}

  void submit(std::size_t workload);

  /// The best workload that may be looked at now.
  std::optional<std::size_t> head() const;
  void placed();   // the head leaves
  void refused();  // the head stays waiting

  /// Ends a pass over the queue: all that wait may be heads again.
  void end_pass();
  /// Waiting workloads in order, between passes.
  const std::vector<std::size_t>& waiting() const { return waiting_; }

 private:
  const std::vector<Workload>* workloads_;
  QueueStrategy strategy_;
  // During a pass: [0, kept_) were refused, [kept_, next_) are gone, next_ is the head.
  std::vector<std::size_t> waiting_;
  std::size_t kept_ = 0, next_ = 0;
  bool blocked_ = false;  // StrictFIFO and the head was refused
};

}  // namespace tessera::core
