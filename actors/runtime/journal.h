// SPDX-License-Identifier: Apache-2.0
// Journal: makes cycles durable, and keeps the rolling hash of all decisions.
//
// One owner: the journal's actor. Records come in the order of their cycles. A failed append leaves
// the journal as it was; the next one may succeed. MemoryJournal keeps the last records only: good
// until the process ends, for simulation and tests.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "actors/records/cycle_record.h"
#include "topology/text/result.h"

namespace tessera::actors {

using Hash = std::array<std::uint8_t, 32>;  // SHA-256

class Journal {
 public:
  virtual ~Journal() = default;
  /// Returns when the record is durable: hash(i) = SHA-256(hash(i-1), body(i)), hash(0) all zero
  /// (append_decisions_text() in actors/records/text/record_text.h). After an error the journal
  /// keeps nothing of the record.
  virtual Result<Hash> append(const std::shared_ptr<const core::CycleRecord>& record) = 0;
};

/// SHA-256 of the hash before and one more body.
Hash roll(const Hash& before, std::string_view body);

class MemoryJournal : public Journal {
 public:
  /// `kept`: how many of the last records can be read again. `fails`: a failpoint of tests.
  explicit MemoryJournal(std::size_t kept = 0,
                         std::function<bool(core::CycleNumber)> fails = nullptr)
      : kept_(kept), fails_(std::move(fails)) {}

  Result<Hash> append(const std::shared_ptr<const core::CycleRecord>& record) override;
  const std::deque<std::shared_ptr<const core::CycleRecord>>& records() const { return records_; }

 private:
  std::size_t kept_;
  std::function<bool(core::CycleNumber)> fails_;
  Hash hash_{};
  std::string body_;  // used again, so that its memory is kept
  std::deque<std::shared_ptr<const core::CycleRecord>> records_;
};

}  // namespace tessera::actors
