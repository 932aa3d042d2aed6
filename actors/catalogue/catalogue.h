// SPDX-License-Identifier: Apache-2.0
// Catalogue: the workloads as clients see them, and what changed last (design.md 3).
//
// One owner: the catalogue's actor. Fed by committed cycles only, in their order: everything that
// it tells is durable. Its version is the number of the last cycle that it took. Clients name an
// object by kind, namespace and name. An object that ended stays until its last event has left the
// ring, so memory is bounded by the live objects and the ring. Does not decide anything.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "actors/records/cycle_record.h"

namespace tessera::core {

/// What clients call an object. The kind is that of the object which the workload was read from.
struct ObjectName {
  std::string kind, namespace_name, name;
  friend bool operator==(const ObjectName&, const ObjectName&) = default;
};
ObjectName object_name(const Workload& workload);

/// A workload that was submitted. Never changes: each event has an entry of its own.
struct CatalogueEntry {
  GangId gang{};
  std::shared_ptr<const Workload> workload;         // as it was submitted
  std::shared_ptr<const Admission> admission = {};  // null: it waits
  Reason reason = Reason::kNone;                    // why it waits without an evaluation
  CycleNumber version = 0;                          // of the last change
  bool started = false;                             // all its pods are ready
  bool suspended = false;
  bool ended = false;
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
    kResumed,
    kGrew
  } kind;
  std::shared_ptr<const CatalogueEntry> entry;  // after the event
  CycleNumber version() const { return entry->version; }
};

class Catalogue {
 public:
  /// `events`: how many of the latest events are kept.
  explicit Catalogue(std::size_t events) : most_events_(events) {}

  /// Adds a workload that holds something when the engine starts. There is no event for it. Called
  /// before the first cycle is taken.
  void adopt(const Admitted& held);
  /// A cycle that was taken already changes nothing. The events of one cycle come in the order in
  /// which they happened: submitted, changed, ended or evicted, refused, admitted. A record that
  /// was read from its text will do: of all workloads in a record, only Submitted::workload must be
  /// there.
  void take(const CycleRecord& record);

  CycleNumber version() const { return version_; }
  /// The object that has the name, or had it last; null: there is none, or it is forgotten.
  std::shared_ptr<const CatalogueEntry> find(const ObjectName& name) const;
  /// The number of objects, with ended ones that are not forgotten yet.
  std::size_t size() const { return rows_.size(); }
  /// The events after `version`. Nothing if some of them are no longer kept: the client must list
  /// again.
  std::optional<std::vector<WatchEvent>> since(CycleNumber version) const;
  /// A hash of all entries and events: two catalogues with equal hashes tell clients the same.
  std::uint64_t hash() const;

 private:
  static constexpr std::uint64_t kNoEvent = UINT64_MAX;
  struct Row {
    std::shared_ptr<const CatalogueEntry> entry;
    std::uint64_t last_event = kNoEvent;  // its number
  };
  struct Hash {
    std::size_t operator()(const ObjectName& name) const;
  };

  void take(const Submitted& submitted);
  void take(const LifeChange& change);
  void take(const Admitted& admitted);
  void take_growth(const Admitted& added);
  /// A copy of the latest entry of a workload that has not ended; null: there is none.
  std::shared_ptr<CatalogueEntry> next_entry(GangId gang) const;
  void add(WatchEvent::Kind kind, std::shared_ptr<CatalogueEntry> entry);
  void drop_event();

  std::size_t most_events_;
  CycleNumber version_ = 0, forgotten_ = 0;  // events up to `forgotten_` are gone
  std::unordered_map<GangId, Row> rows_;
  std::unordered_map<ObjectName, GangId, Hash> names_;  // the latest of each name
  std::deque<WatchEvent> events_;
  std::uint64_t first_event_ = 0;  // number of the first one of events_
};

}  // namespace tessera::core
