// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/simulation.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "actors/records/broken_invariant.h"
#include "topology/nodes/amounts.h"

namespace tessera::core {
namespace {

constexpr std::int64_t kNever = INT64_MAX;

/// What an admitted gang holds: fewer pods than asked for after partial admission.
std::int64_t gpus_of(const Workload& workload, const Admission& admission) {
  std::int64_t gpus = 0;
  for (const PodSetAssignment& assigned : admission.pod_sets) {
    for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
      if (pod_set.name != assigned.name) continue;
      const std::int64_t per_pod = pod_set.request.get(topology::gpu_resource());
      gpus = topology::saturating_add(gpus, topology::saturating_mul(per_pod, assigned.count));
    }
  }
  return gpus;
}

Waits percentiles(std::vector<std::int64_t> waits) {
  Waits out;
  out.gangs = static_cast<std::int64_t>(waits.size());
  if (waits.empty()) return out;
  std::sort(waits.begin(), waits.end());
  const auto rank = [&](std::size_t percent) {
    constexpr std::size_t kAll = 100;
    return waits[(waits.size() * percent + kAll - 1) / kAll - 1];
  };
  out.p50 = rank(50);
  out.p95 = rank(95);
  out.p99 = rank(99);
  return out;
}

class Simulation {
 public:
  Simulation(Driver& driver, const std::vector<Arrival>& trace, SimulationObserver* observer)
      : driver_(driver), trace_(trace), observer_(observer), gangs_(trace.size()) {}

  SimulationResult run(const ClusterGpus& cluster);

 private:
  struct Gang {
    GangId id{};  // known when its record comes
    std::optional<std::int64_t> start, end;
    std::int64_t gpus = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> growths = {};  // time, GPUs that came then
    int evictions = 0;
  };
  /// Events of one instant come in the order of these kinds, then of positions.
  enum class Kind : std::uint8_t { kEnd, kPodsGone, kReady };
  struct Event {
    std::int64_t time;
    Kind kind;
    std::size_t position;  // in trace_
    int evictions;         // of the gang when the event was made; see is_void()
    bool operator>(const Event& other) const {
      return std::tie(time, kind, position) > std::tie(other.time, other.kind, other.position);
    }
  };
  /// GPUs that an evicted gang held.
  struct Share {
    std::int64_t begin, end, gpus;
  };

  std::int64_t next_instant();
  std::vector<Input> inputs();
  void take(const CycleRecord& record);
  void learn(const Submitted& submitted);
  /// The gang was evicted after the event was made: what was to happen then does not.
  bool is_void(const Event& event) const {
    return event.evictions != gangs_[event.position].evictions;
  }
  void add_event(std::vector<Input>& inputs, const Event& event);
  void admit(const Admitted& admitted);
  void evict(const LifeChange& change);
  /// Position in trace_; nothing for workloads of the state.
  std::optional<std::size_t> position(GangId gang) const;
  double gpu_use(const ClusterGpus& cluster) const;

  Driver& driver_;
  const std::vector<Arrival>& trace_;
  SimulationObserver* observer_;
  std::vector<Gang> gangs_;  // parallel to trace_
  std::size_t arrived_ = 0;  // of trace_
  std::size_t known_ = 0;    // of the arrived, those whose ids are known
  std::unordered_map<GangId, std::size_t> positions_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::vector<Share> evicted_;
  std::int64_t now_ = INT64_MIN;
  SimulationResult result_;
};

std::int64_t Simulation::next_instant() {
  const bool begun = now_ != INT64_MIN;
  std::int64_t next = begun ? driver_.next_deadline() : kNever;
  if (begun && next <= now_) {
    throw BrokenInvariant("a deadline of the driver lies in the past");
  }
  if (arrived_ < trace_.size()) next = std::min(next, trace_[arrived_].at);
  while (!events_.empty() && is_void(events_.top())) events_.pop();
  if (!events_.empty()) next = std::min(next, events_.top().time);
  return next;
}

std::vector<Input> Simulation::inputs() {
  std::vector<Input> inputs;
  inputs.emplace_back(Advance{now_});
  for (; !events_.empty() && events_.top().time == now_; events_.pop()) {
    add_event(inputs, events_.top());
  }
  for (; arrived_ < trace_.size() && trace_[arrived_].at == now_; ++arrived_) {
    const Arrival& arrival = trace_[arrived_];
    inputs.emplace_back(Submit{arrival.workload});
  }
  return inputs;
}

void Simulation::add_event(std::vector<Input>& inputs, const Event& event) {
  if (is_void(event)) return;
  const Gang& gang = gangs_[event.position];
  if (event.kind == Kind::kEnd) inputs.emplace_back(Finish{gang.id});
  if (event.kind == Kind::kPodsGone) inputs.emplace_back(PodsGone{gang.id});
  if (event.kind == Kind::kReady) inputs.emplace_back(Started{gang.id});
}

std::optional<std::size_t> Simulation::position(GangId gang) const {
  const auto at = positions_.find(gang);
  return at == positions_.end() ? std::nullopt : std::optional(at->second);
}

/// Gangs are taken in the order of their arrival.
void Simulation::learn(const Submitted& submitted) {
  if (known_ == arrived_) throw BrokenInvariant("more gangs were taken than have arrived");
  positions_.emplace(submitted.gang, known_);
  gangs_[known_++].id = submitted.gang;
}

void Simulation::admit(const Admitted& admitted) {
  ++result_.decisions;
  const std::optional<std::size_t> at = position(admitted.gang);
  if (at && admitted.grows) {
    const std::int64_t gpus = gpus_of(*admitted.workload, *admitted.admission);
    gangs_.at(*at).growths.emplace_back(now_, gpus);
  } else if (at) {
    Gang& gang = gangs_.at(*at);
    gang.start = now_;
    gang.gpus = gpus_of(*admitted.workload, *admitted.admission);
    const std::optional<std::int64_t>& start = trace_[*at].start;
    const std::int64_t ready = topology::saturating_add(now_, start.value_or(0));
    if (start) events_.push({ready, Kind::kReady, *at, gang.evictions});
    const std::int64_t end = topology::saturating_add(ready, trace_[*at].run);
    if (end != kNever) events_.push({end, Kind::kEnd, *at, gang.evictions});
  }
  if (observer_ != nullptr) observer_->admitted(now_, admitted);
}

/// The pods of an evicted gang end at once.
void Simulation::evict(const LifeChange& change) {
  const std::optional<std::size_t> at = position(change.gang);
  if (!at || change.kind != LifeChange::Kind::kEvicting) return;
  Gang& gang = gangs_.at(*at);
  ++gang.evictions;
  ++result_.evictions;
  evicted_.push_back({*gang.start, now_, gang.gpus});
  for (const auto& [since, gpus] : gang.growths) evicted_.push_back({since, now_, gpus});
  gang.growths.clear();
  gang.start.reset();
  events_.push({now_, Kind::kPodsGone, *at, gang.evictions});
  if (observer_ != nullptr) observer_->evicted(now_, change.gang, *trace_[*at].workload);
}

void Simulation::take(const CycleRecord& record) {
  for (const Submitted& submitted : record.submitted()) learn(submitted);
  for (const LifeChange& change : record.changes) evict(change);
  for (const GangId finished : record.finished) {
    const std::optional<std::size_t> at = position(finished);
    if (!at) continue;
    gangs_.at(*at).end = now_;
    ++result_.finished;
    if (observer_ != nullptr) observer_->finished(now_, finished, *trace_[*at].workload);
  }
  for (const Admitted& admitted : record.admitted) admit(admitted);
  result_.decisions +=
      std::count_if(record.refused.begin(), record.refused.end(),
                    [](const auto& refused) { return refused.reason != Reason::kDeferred; });
  result_.hash = record.hash;
}

/// Sums in 128 bits: 10^6 GPUs over 100 years of nanoseconds need more than 64.
double Simulation::gpu_use(const ClusterGpus& cluster) const {
  __extension__ using Wide = __int128;
  const Wide span = Wide{result_.end} - result_.begin;
  Wide held = span * cluster.in_use;
  const auto add = [&](const Share& share) {
    const std::int64_t end = std::min(share.end, result_.end);
    if (end > share.begin) held += (Wide{end} - share.begin) * share.gpus;
  };
  for (const Gang& gang : gangs_) {
    const std::int64_t end = gang.end.value_or(result_.end);
    if (gang.start) add({*gang.start, end, gang.gpus});
    for (const auto& [since, gpus] : gang.growths) add({since, end, gpus});
  }
  for (const Share& share : evicted_) add(share);
  const Wide all = span * cluster.usable;
  return all > 0 ? static_cast<double>(held) / static_cast<double>(all) : 0;
}

SimulationResult Simulation::run(const ClusterGpus& cluster) {
  for (std::int64_t next = next_instant(); next != kNever; next = next_instant()) {
    now_ = next;
    driver_.submit(inputs());
    for (const auto& record : driver_.settle()) take(*record);
  }
  result_.gangs = static_cast<std::int64_t>(trace_.size());
  std::vector<std::int64_t> waits;
  std::array<std::vector<std::int64_t>, kSizeClasses> by_size;
  std::optional<std::int64_t> last_end;
  for (std::size_t i = 0; i < gangs_.size(); ++i) {
    const Gang& gang = gangs_[i];
    if (!gang.start) {
      result_.waiting.push_back(i);
      continue;
    }
    const std::int64_t wait = *gang.start - trace_[i].at;
    waits.push_back(wait);
    by_size.at(static_cast<std::size_t>(size_class(trace_[i].workload->total_gpus())))
        .push_back(wait);
    if (gang.end) last_end = std::max(last_end.value_or(*gang.end), *gang.end);
  }
  result_.admitted = static_cast<std::int64_t>(waits.size());
  result_.waits = percentiles(std::move(waits));
  for (std::size_t i = 0; i < kSizeClasses; ++i) {
    result_.waits_by_size.at(i) = percentiles(std::move(by_size.at(i)));
  }
  if (!trace_.empty()) {
    result_.begin = trace_.front().at;
    result_.end = last_end.value_or(now_);
  }
  result_.gpu_use = gpu_use(cluster);
  result_.counters = driver_.counters();
  return std::move(result_);
}

}  // namespace

SizeClass size_class(std::int64_t gpus) {
  constexpr std::int64_t kMostOfSmall = 8, kMostOfMedium = 64;
  if (gpus <= kMostOfSmall) return SizeClass::kSmall;
  return gpus <= kMostOfMedium ? SizeClass::kMedium : SizeClass::kLarge;
}

SimulationResult simulate(Driver& driver, const std::vector<Arrival>& trace,
                          const ClusterGpus& cluster, SimulationObserver* observer) {
  return Simulation(driver, trace, observer).run(cluster);
}

}  // namespace tessera::core
