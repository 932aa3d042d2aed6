// SPDX-License-Identifier: Apache-2.0
// Rerun: the records that an engine goes through again, and how (design.md 2.2).
//
// One owner: Cycle. Recovery applies what a record decided and solves nothing; replay takes the
// inputs of each record in the cycle that they had, and decides again. Both keep the numbers of
// cycles and inputs. Off: the engine is live. Does not know what an input means.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "actors/records/cycle_record.h"

namespace tessera::core {

class Rerun {
 public:
  enum class Mode : std::uint8_t { kOff, kRecovery, kReplay };
  using Record = std::shared_ptr<const CycleRecord>;

  Mode mode() const { return mode_; }
  bool is_on() const { return mode_ != Mode::kOff; }
  /// Records come in the order of their cycles.
  void add(Mode mode, Record record);
  void end();
  /// No more records come: the queues hear of what the last one did.
  void end_of_records() { flushes_ = true; }
  bool flushes() const { return flushes_; }

  /// The record of cycle `cycle`, if it is the next one.
  const CycleRecord* at(CycleNumber cycle) const;
  /// The next record; null: there is none.
  const CycleRecord* next() const { return records_.empty() ? nullptr : records_.front().get(); }
  /// The next record has been gone through as far as inputs and admissions are concerned.
  void pop() { records_.pop_front(); }

 private:
  Mode mode_ = Mode::kOff;
  bool flushes_ = false;
  std::deque<Record> records_;
};

}  // namespace tessera::core
