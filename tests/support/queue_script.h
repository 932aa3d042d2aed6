// SPDX-License-Identifier: Apache-2.0
// QueueScript: steps of one queue in a few words, and its windows as text, for tests of QueueState.
//
// A workload is a letter and a digit: "a1" has shape a, was created at 1, and is number 1 of its
// letter; "a1!" has a high priority as well. Words of a step, in any order:
//   +a1 submitted, +a1@50 not before 50, +a1^ placed already and to grow; -a1 removed; wake:all,
//   wake:q (quota), wake:0 (flavor 0); placed, now=50, most=2; cycle=1: as a step of that cycle,
//   else of the next one; a1=ok admitted; a1=no:q refused, hoping for quota; of hopes p stands for
//   placements, a digit for a flavor; a1=stale:p; a1=unreached, a1=unplanned, a1=skipped,
//   a1=namespace; a1=placed, admitted and wants more; a1=full:q, the same, and it could not grow
//   then; a1=held, placed, and something other than room and quota keeps it from growing; a1=no/2:
//   refused, its search stopped at flavor 2 (/-1: at the last).
// A window: "a1 b2/2 c3^ ...": the items, with where the next search starts, a mark on those that
// grow, and dots for `more`.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "actors/queues/queue_state.h"

namespace tessera::test {

class QueueScript {
 public:
  core::QueueStep step(const std::string& text);
  std::string text(const core::Window& window) const;
  std::string name(core::GangId gang) const { return names_.at(gang); }

 private:
  core::GangId id_of(const std::string& name);
  core::Waiting waiting(const std::string& name);
  core::TurnOutcome outcome(const std::string& name, const std::string& what);

  core::CycleNumber cycle_ = 0;
  std::map<core::GangId, std::string> names_;
};

}  // namespace tessera::test
