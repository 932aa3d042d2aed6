// SPDX-License-Identifier: Apache-2.0
#include "actors/core/catalogue.h"

#include <algorithm>

namespace tessera::core {

void Catalogue::take(const CycleRecord& record) {
  if (record.cycle <= version_) return;
  version_ = record.cycle;
  for (const std::size_t number : record.finished) {
    entries_.erase(number);
    note(WatchEvent::Kind::kFinished, number);
  }
  for (const std::size_t number : record.evicted) {
    const auto at = entries_.find(number);
    if (at == entries_.end()) continue;
    at->second.admission = nullptr;
    at->second.version = version_;
    note(WatchEvent::Kind::kEvicted, number);
  }
  for (const RefusedWorkload& refused : record.refused) {
    entries_.insert_or_assign(refused.number,
                              CatalogueEntry{refused.workload, nullptr, refused.reason, version_});
    note(WatchEvent::Kind::kRefused, refused.number);
  }
  for (const Admitted& admitted : record.admitted) {
    entries_.insert_or_assign(admitted.number, CatalogueEntry{admitted.workload, admitted.admission,
                                                              Reason::kNone, version_});
    note(WatchEvent::Kind::kAdmitted, admitted.number);
  }
}

void Catalogue::note(WatchEvent::Kind kind, std::size_t number) {
  events_.push_back({kind, number, version_});
  if (events_.size() <= most_events_) return;
  forgotten_ = events_.front().version;
  events_.pop_front();
}

const CatalogueEntry* Catalogue::find(std::size_t number) const {
  const auto at = entries_.find(number);
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
