// SPDX-License-Identifier: Apache-2.0
// RoundsEnd: when the rounds of `rounds: Kueue` are over (queues.md 11.5): nothing moves any more
// between rounds, or the rounds repeat themselves.
//
// One owner: Cycle. Does nothing in sequential order.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "actors/queues/window.h"

namespace tessera::core {

class RoundsEnd {
 public:
  /// The number of the next round, from 1.
  int begin_round() { return ++round_; }
  /// Since the last round a gang was admitted, retracted or set aside.
  void note_move() { moved_ = true; }
  /// Something came from outside: rounds begin again.
  void resume();
  /// True if no round over these windows can change anything. Called once for each cycle.
  bool are_over(const std::map<std::uint32_t, Window>& windows);

  /// The queue offered a head when the rounds were over. A round is over all heads, so the queue
  /// takes part in the next one.
  void block(std::uint32_t queue) { blocked_.insert(queue); }
  std::set<std::uint32_t> take_blocked();

 private:
  int round_ = 0;
  bool moved_ = false, over_ = false;
  int idle_rounds_ = 0;
  std::set<std::string> seen_;  // scan records of all queues, since the last move
  std::set<std::uint32_t> blocked_;
};

}  // namespace tessera::core
