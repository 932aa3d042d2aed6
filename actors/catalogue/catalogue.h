// SPDX-License-Identifier: Apache-2.0
// Catalogue: the workloads as clients see them, and what changed last (design.md 3).
//
// One owner: the catalogue's actor. Fed by committed cycles only, in their order: what it tells is
// durable. Its version is the number of the last cycle it took. Does not decide anything.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "actors/records/cycle_record.h"

namespace tessera::core {

/// A workload that was submitted, and has not ended.
struct CatalogueEntry {
  std::shared_ptr<const Workload> workload;
  std::shared_ptr<const Admission> admission;  // null: it waits
  Reason reason = Reason::kNone;               // it waits, and why it was not even evaluated
  CycleNumber version = 0;                     // of the last change
  bool started = false;                        // all its pods are ready
  bool suspended = false;
  std::optional<LifeChange> eviction = {};  // the last one, until it is admitted again
};

struct WatchEvent {
  enum class Kind : std::uint8_t {
    kSubmitted,
    kAdmitted,
    kRefused,
    kEvicted,
    kFinished,
    kStarted,
    kEvicting,
    kSuspended,
    kResumed
  } kind;
  GangId gang{};
  CycleNumber version = 0;
};

class Catalogue {
 public:
  /// `events`: how many of the last ones are kept.
  explicit Catalogue(std::size_t events) : most_events_(events) {}

  /// A cycle that was taken already changes nothing. The events of one cycle come in the order in
  /// which they happened: submitted, changed, ended or evicted, refused, admitted.
  void take(const CycleRecord& record);

  CycleNumber version() const { return version_; }
  const CatalogueEntry* find(GangId gang) const;
  std::size_t size() const { return entries_.size(); }
  /// The events after `version`. Nothing if some of them are no longer kept: the client must list
  /// again.
  std::optional<std::vector<WatchEvent>> since(CycleNumber version) const;

 private:
  void take(const Submitted& submitted);
  void take(const LifeChange& change);
  void note(WatchEvent::Kind kind, GangId gang);

  std::size_t most_events_;
  CycleNumber version_ = 0, forgotten_ = 0;  // events up to `forgotten_` are gone
  std::unordered_map<GangId, CatalogueEntry> entries_;
  std::deque<WatchEvent> events_;
};

}  // namespace tessera::core
