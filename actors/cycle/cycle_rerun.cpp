// SPDX-License-Identifier: Apache-2.0
// Recovery and replay: how cycles follow the records that an engine goes through again.
#include <utility>

#include "actors/cycle/cycle.h"

namespace tessera::core {

void Cycle::recover(std::shared_ptr<const CycleRecord> record) {
  rerun_.add(Rerun::Mode::kRecovery, std::move(record));
  advance();
}

void Cycle::replay(std::vector<std::shared_ptr<const CycleRecord>> records) {
  for (auto& record : records) rerun_.add(Rerun::Mode::kReplay, std::move(record));
  advance();
}

void Cycle::end_rerun() {
  rerun_.end_of_records();
  advance();
}

/// The inputs of the next record wait for its cycle. Cycles without a record are skipped: in
/// recovery at once, in replay when there is nothing to do.
void Cycle::prepare_rerun() {
  const CycleRecord* next = rerun_.next();
  if (next == nullptr || phase_ != Phase::kIdle || !inputs_.empty()) return;
  const bool idle = tracks_.touched().empty() && pipeline_.on_their_way() == 0;
  const bool skips = rerun_.mode() == Rerun::Mode::kRecovery || idle;
  if (skips && next->cycle > cycle_) cycle_ = next->cycle - 1;
  if (next->cycle == cycle_ + 1) inputs_.add_again(next->first_input, next->inputs);
}

/// True if there is a next record, or the queues must still hear what the last one did.
bool Cycle::may_recover() const {
  if (pipeline_.on_their_way() > 0) return false;
  return rerun_.next() != nullptr || (rerun_.flushes() && !tracks_.touched().empty());
}

}  // namespace tessera::core
