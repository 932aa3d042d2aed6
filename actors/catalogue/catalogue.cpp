// SPDX-License-Identifier: Apache-2.0
#include "actors/catalogue/catalogue.h"

#include <algorithm>

namespace tessera::core {

void Catalogue::take(const CycleRecord& record) {
  if (record.cycle <= version_) return;
  version_ = record.cycle;
  for (const Submitted& submitted : record.submitted()) take(submitted);
  for (const LifeChange& change : record.changes) take(change);
  for (const GangId gang : record.finished) {
    entries_.erase(gang);
    note(WatchEvent::Kind::kFinished, gang);
  }
  for (const GangId gang : record.evicted) {
    const auto at = entries_.find(gang);
    if (at == entries_.end()) continue;
    at->second.admission = nullptr;
    at->second.started = false;
    at->second.version = version_;
    note(WatchEvent::Kind::kEvicted, gang);
  }
  for (const RefusedWorkload& refused : record.refused) {
    const auto at = entries_.find(refused.gang);
    if (at == entries_.end()) continue;  // the same cycle ended it
    at->second.workload = refused.workload;
    at->second.admission = nullptr;
    at->second.reason = refused.reason;
    at->second.version = version_;
    note(WatchEvent::Kind::kRefused, refused.gang);
  }
  for (const Admitted& admitted : record.admitted) {
    entries_.insert_or_assign(admitted.gang, CatalogueEntry{admitted.workload, admitted.admission,
                                                            Reason::kNone, version_});
    note(WatchEvent::Kind::kAdmitted, admitted.gang);
  }
}

void Catalogue::take(const Submitted& submitted) {
  CatalogueEntry& entry = entries_[submitted.gang];
  entry.workload = submitted.workload;
  entry.suspended = !submitted.workload->active;
  entry.version = version_;
  note(WatchEvent::Kind::kSubmitted, submitted.gang);
}

void Catalogue::take(const LifeChange& change) {
  const auto at = entries_.find(change.gang);
  if (at == entries_.end()) return;
  CatalogueEntry& entry = at->second;
  entry.version = version_;
  switch (change.kind) {
    case LifeChange::Kind::kStarted:
      entry.started = true;
      return note(WatchEvent::Kind::kStarted, change.gang);
    case LifeChange::Kind::kEvicting:
      entry.eviction = change;
      return note(WatchEvent::Kind::kEvicting, change.gang);
    case LifeChange::Kind::kSuspended:
      entry.suspended = true;
      return note(WatchEvent::Kind::kSuspended, change.gang);
    case LifeChange::Kind::kResumed:
      entry.suspended = false;
      if (entry.reason == Reason::kInactive) entry.reason = Reason::kNone;
      return note(WatchEvent::Kind::kResumed, change.gang);
  }
}

void Catalogue::note(WatchEvent::Kind kind, GangId gang) {
  events_.push_back({kind, gang, version_});
  if (events_.size() <= most_events_) return;
  forgotten_ = events_.front().version;
  events_.pop_front();
}

const CatalogueEntry* Catalogue::find(GangId gang) const {
  const auto at = entries_.find(gang);
  return at == entries_.end() ? nullptr : &at->second;
}

std::optional<std::vector<WatchEvent>> Catalogue::since(CycleNumber version) const {
  if (version < forgotten_) return std::nullopt;
  const auto first =
      std::find_if(events_.begin(), events_.end(),
                   [version](const WatchEvent& event) { return event.version > version; });
  return std::vector<WatchEvent>(first, events_.end());
}

}  // namespace tessera::core
