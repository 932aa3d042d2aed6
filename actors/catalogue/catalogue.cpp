// SPDX-License-Identifier: Apache-2.0
#include "actors/catalogue/catalogue.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "actors/capacity/state_hash.h"
#include "actors/records/broken_invariant.h"
#include "actors/records/grown.h"

namespace tessera::core {
namespace {

void add(std::string_view text, std::string& out) { (out += '\n') += text; }
void add(std::int64_t number, std::string& out) { add(std::to_string(number), out); }

void add(const Admission& admission, std::string& out) {
  add(admission.cluster_queue, out);
  for (const PodSetAssignment& pod_set : admission.pod_sets) {
    add(pod_set.name, out);
    add(pod_set.count, out);
    for (const auto& [resource, flavor] : pod_set.flavors) {
      add(resource.view(), out);
      add(flavor.view(), out);
    }
    for (const Symbol level : pod_set.levels) add(level.view(), out);
    for (const DomainList::Domain domain : pod_set.domains) {
      for (const Symbol value : domain.values) add(value.view(), out);
      add(domain.pods, out);
    }
  }
}

/// All that a client sees of an object's state.
std::string text_of(const CatalogueEntry& entry) {
  std::string out = text(entry.gang);
  const ObjectName name = object_name(*entry.workload);
  for (const std::string* each : {&name.kind, &name.namespace_name, &name.name}) add(*each, out);
  add(reason_name(entry.reason), out);
  for (const bool each : {entry.started, entry.suspended, entry.ended}) add(each ? 1 : 0, out);
  add(static_cast<std::int64_t>(entry.version), out);
  if (entry.eviction) {
    add(static_cast<std::int64_t>(entry.eviction->reason), out);
    add(entry.eviction->requeue_at, out);
    add(entry.eviction->requeues, out);
  }
  if (entry.admission) add(*entry.admission, out);
  return out;
}

}  // namespace

ObjectName object_name(const Workload& workload) {
  return {workload.origin.kind, workload.namespace_name, workload.name};
}

std::size_t Catalogue::Hash::operator()(const ObjectName& name) const {
  constexpr std::size_t kFactor = 1'000'003;  // a prime: equal texts in two places do not cancel
  std::size_t hash = 0;
  for (const std::string* text : {&name.kind, &name.namespace_name, &name.name}) {
    hash = hash * kFactor + std::hash<std::string>{}(*text);
  }
  return hash;
}

void Catalogue::adopt(const Admitted& held) {
  auto entry = std::make_shared<CatalogueEntry>();
  entry->gang = held.gang;
  entry->workload = held.workload;
  entry->admission = held.admission;
  entry->started = held.workload->status.pods_ready;
  entry->suspended = !held.workload->active;
  names_.insert_or_assign(object_name(*entry->workload), entry->gang);
  rows_[held.gang] = {std::move(entry), kNoEvent};
}

void Catalogue::take(const CycleRecord& record) {
  if (record.cycle <= version_) return;
  version_ = record.cycle;
  for (const Submitted& submitted : record.submitted()) take(submitted);
  for (const LifeChange& change : record.changes) take(change);
  for (const GangId gang : record.finished) {
    auto entry = next_entry(gang);
    if (!entry) continue;
    entry->admission = nullptr;
    entry->ended = true;
    add(WatchEvent::Kind::kFinished, std::move(entry));
  }
  for (const GangId gang : record.evicted) {
    auto entry = next_entry(gang);
    if (!entry) continue;
    entry->admission = nullptr;
    entry->started = false;
    add(WatchEvent::Kind::kEvicted, std::move(entry));
  }
  for (const RefusedWorkload& refused : record.refused) {
    auto entry = next_entry(refused.gang);
    if (!entry) continue;  // the same cycle ended it
    entry->admission = nullptr;
    entry->reason = refused.reason;
    add(WatchEvent::Kind::kRefused, std::move(entry));
  }
  for (const Admitted& admitted : record.admitted) take(admitted);
}

void Catalogue::take(const Submitted& submitted) {
  auto entry = std::make_shared<CatalogueEntry>();
  entry->gang = submitted.gang;
  entry->workload = submitted.workload;
  entry->suspended = !submitted.workload->active;
  add(WatchEvent::Kind::kSubmitted, std::move(entry));
}

void Catalogue::take(const Admitted& admitted) {
  if (admitted.grows) return take_growth(admitted);
  auto entry = next_entry(admitted.gang);
  if (!entry) {
    entry = std::make_shared<CatalogueEntry>();
    entry->gang = admitted.gang;
    entry->workload = admitted.workload;
  }
  entry->admission = admitted.admission;
  entry->reason = Reason::kNone;
  entry->started = false;
  entry->eviction.reset();
  add(WatchEvent::Kind::kAdmitted, std::move(entry));
}

/// What the gang held stays, and so does all else that is known of it.
void Catalogue::take_growth(const Admitted& added) {
  auto entry = next_entry(added.gang);
  if (!entry || !entry->admission) {
    throw BrokenInvariant("gang " + text(added.gang) + " grows and holds nothing");
  }
  entry->admission = std::make_shared<const Admission>(merged(*entry->admission, *added.admission));
  add(WatchEvent::Kind::kGrew, std::move(entry));
}

void Catalogue::take(const LifeChange& change) {
  auto entry = next_entry(change.gang);
  if (!entry) return;
  WatchEvent::Kind kind{};
  switch (change.kind) {
    case LifeChange::Kind::kStarted:
      entry->started = true;
      kind = WatchEvent::Kind::kStarted;
      break;
    case LifeChange::Kind::kEvicting:
      entry->eviction = change;
      kind = WatchEvent::Kind::kEvicting;
      break;
    case LifeChange::Kind::kSuspended:
      entry->suspended = true;
      kind = WatchEvent::Kind::kSuspended;
      break;
    case LifeChange::Kind::kResumed:
      entry->suspended = false;
      if (entry->reason == Reason::kInactive) entry->reason = Reason::kNone;
      kind = WatchEvent::Kind::kResumed;
      break;
  }
  add(kind, std::move(entry));
}

std::shared_ptr<CatalogueEntry> Catalogue::next_entry(GangId gang) const {
  const auto at = rows_.find(gang);
  if (at == rows_.end() || at->second.entry->ended) return nullptr;
  return std::make_shared<CatalogueEntry>(*at->second.entry);
}

void Catalogue::add(WatchEvent::Kind kind, std::shared_ptr<CatalogueEntry> entry) {
  entry->version = version_;
  const auto [row, is_new] = rows_.try_emplace(entry->gang);
  if (is_new) names_.insert_or_assign(object_name(*entry->workload), entry->gang);
  row->second = {entry, first_event_ + events_.size()};
  events_.push_back({kind, std::move(entry)});
  if (events_.size() > most_events_) drop_event();
}

/// Drops the oldest event. If it is the last event of a workload that ended, drops the workload
/// too.
void Catalogue::drop_event() {
  const std::shared_ptr<const CatalogueEntry> entry = std::move(events_.front().entry);
  forgotten_ = entry->version;
  const std::uint64_t event = first_event_++;
  events_.pop_front();
  const auto row = rows_.find(entry->gang);
  if (row == rows_.end() || row->second.last_event != event || !entry->ended) return;
  rows_.erase(row);
  const auto name = names_.find(object_name(*entry->workload));
  if (name != names_.end() && name->second == entry->gang) names_.erase(name);
}

std::shared_ptr<const CatalogueEntry> Catalogue::find(const ObjectName& name) const {
  const auto at = names_.find(name);
  return at == names_.end() ? nullptr : rows_.at(at->second).entry;
}

std::optional<std::vector<WatchEvent>> Catalogue::since(CycleNumber version) const {
  if (version < forgotten_) return std::nullopt;
  const auto first =
      std::find_if(events_.begin(), events_.end(),
                   [version](const WatchEvent& event) { return event.version() > version; });
  return std::vector<WatchEvent>(first, events_.end());
}

std::uint64_t Catalogue::hash() const {
  std::uint64_t sum = text_hash(std::to_string(version_) + ' ' + std::to_string(forgotten_));
  for (const auto& [gang, row] : rows_) sum += text_hash(text_of(*row.entry));
  std::uint64_t number = first_event_;
  for (const WatchEvent& event : events_) {
    sum += text_hash(std::to_string(++number) + ' ' + std::to_string(static_cast<int>(event.kind)) +
                     ' ' + text_of(*event.entry));
  }
  return sum;
}

}  // namespace tessera::core
