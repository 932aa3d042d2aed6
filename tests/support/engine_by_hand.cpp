// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_by_hand.h"

#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "actors/engine/engine_hashes.h"
#include "actors/runtime/messages.h"
#include "actors/runtime/system.h"
#include "tests/support/random_world.h"

namespace tessera::test {
namespace {

using actors::Role;

constexpr std::size_t kMostSteps = 100'000;  // of a run that ends

class EngineByHand {
 public:
  EngineByHand(const EngineScript& script, const ByHandOptions& options, std::uint64_t seed)
      : script_(&script),
        options_(options),
        dice_(seed),
        system_(script.inventory, system_options()),
        scheduler_(
            dynamic_cast<caf::scheduler::test_coordinator&>(system_.caf_system().scheduler())),
        checker_(script, system_, objects_, *journal_) {}

  ByHandRun run();

 private:
  core::EngineOptions engine_options() const;
  actors::SystemOptions system_options();
  actors::Hooks hooks();
  /// Whether a failure happens now: with a chance of `percent`, and at most `most` times. Counts
  /// it.
  bool fails(int percent, std::size_t& count, int most);
  bool append_fails();
  void enter(std::string_view actor);

  const core::Cycle& cycle() const { return system_.coordinator().cycle(); }
  /// False: nothing is left to do.
  bool feed();
  void submit(std::vector<core::Input> inputs) { system_.submit(std::move(inputs)); }
  Role role(caf::resumable* job) const;
  std::size_t pick();
  void step();
  void look_at(caf::scheduled_actor& coordinator);
  bool is_calm() const;
  std::string not_woken() const;
  std::string not_rebuilt() const;

  const EngineScript* script_;
  ByHandOptions options_;
  Dice dice_;
  bool append_failed_ = false;  // the last one
  std::optional<std::int64_t> last_shell_failure_;
  bool may_fail_ = true;
  const actors::MemoryJournal* journal_ = nullptr;
  ByHandRun out_;
  std::size_t next_instant_ = 0;
  EngineObjects objects_;
  actors::System system_;
  caf::scheduler::test_coordinator& scheduler_;
  EngineChecker checker_;
};

core::EngineOptions EngineByHand::engine_options() const {
  core::EngineOptions options;
  options.profile.rounds = options_.rounds;
  options.shard_level = options_.shard_level;
  options.profile.search_max_steps = options_.max_steps;
  options.solver_threads = 1;
  return options;
}

actors::SystemOptions EngineByHand::system_options() {
  actors::SystemOptions options;
  options.engine = engine_options();
  options.limits = options_.limits;
  options.by_hand = true;
  options.actor_threads = 1;
  auto journal = std::make_unique<actors::MemoryJournal>(
      SIZE_MAX, [this](core::CycleNumber) { return append_fails(); });
  journal_ = journal.get();
  options.journal = std::move(journal);
  options.hooks = hooks();
  return options;
}

actors::Hooks EngineByHand::hooks() {
  actors::Hooks hooks;
  hooks.observer = &objects_;
  hooks.fatal = [this](const std::string& what) {
    if (out_.fatal.empty()) out_.fatal = what;
  };
  hooks.enter = [this](const char* actor) { enter(actor); };
  hooks.refuse = [this](const char*, core::CycleNumber) {
    constexpr std::int64_t kFirstItems = 3;
    return fails(options_.refuses, out_.failures, options_.most_failures)
               ? static_cast<std::uint32_t>(dice_.below(kFirstItems))
               : UINT32_MAX;
  };
  return hooks;
}

bool EngineByHand::fails(int percent, std::size_t& count, int most) {
  if (percent == 0 || !may_fail_ || count >= static_cast<std::size_t>(most)) return false;
  if (!dice_.percent(percent)) return false;
  ++count;
  return true;
}

bool EngineByHand::append_fails() {
  if (append_failed_ && !options_.append_fails_in_a_row) return append_failed_ = false;
  return append_failed_ = fails(options_.append_fails, out_.failures, options_.most_failures);
}

void EngineByHand::enter(std::string_view actor) {
  const int percent = actor == "queue"     ? options_.queue_fails
                      : actor == "gang"    ? options_.gang_fails
                      : actor == "shard"   ? options_.shard_fails
                      : actor == "planner" ? options_.planner_fails
                                           : 0;
  constexpr std::int64_t kSecond = 1'000'000'000;
  if (percent == 0 || !may_fail_) return;
  const std::int64_t now = cycle().look().gangs.now();
  if (last_shell_failure_ && now - *last_shell_failure_ < options_.shell_failures_apart * kSecond) {
    return;
  }
  if (!fails(percent, out_.shell_failures, options_.most_shell_failures)) return;
  last_shell_failure_ = now;
  throw std::runtime_error("thrown by the test");
}

/// Submits the next instant or deadline, if its turn has come.
bool EngineByHand::feed() {
  constexpr int kRarely = 8;
  const bool idle = scheduler_.jobs.empty();
  if (!idle && (options_.settle_between || !dice_.percent(kRarely))) return true;
  if (idle && !cycle().settled()) {
    out_.wrong = "nothing runs, and the engine has not settled";
    return false;
  }
  if (next_instant_ < script_->instants.size()) {
    submit(script_->instants[next_instant_++]);
  } else if (idle && cycle().look().pipeline.read_only()) {
    submit({core::Advance{cycle().look().gangs.now()}});
  } else if (idle && cycle().next_deadline() != INT64_MAX) {
    submit({core::Advance{cycle().next_deadline()}});
  } else {
    return !idle;
  }
  return true;
}

Role EngineByHand::role(caf::resumable* job) const {
  return objects_.role(dynamic_cast<caf::scheduled_actor&>(*job).id());
}

std::size_t EngineByHand::pick() {
  constexpr int kRarely = 2;
  const auto any = static_cast<std::int64_t>(scheduler_.jobs.size());
  auto at = static_cast<std::size_t>(dice_.below(any));
  while (options_.slow_journal && any > 1 && role(scheduler_.jobs[at]) == Role::kJournal &&
         !dice_.percent(kRarely)) {
    at = static_cast<std::size_t>(dice_.below(any));
  }
  return at;
}

/// Tells the checker which gangs the coordinator's next message moves.
void EngineByHand::look_at(caf::scheduled_actor& coordinator) {
  caf::mailbox_element* next = coordinator.peek_at_next_mailbox_element();
  if (next == nullptr) return;
  const caf::type_erased_tuple& content = next->content();
  if (content.match_elements<actors::Planned>()) {
    checker_.planned(*content.get_as<actors::Planned>(0).reply);
  } else if (content.match_elements<actors::AppendFailed>()) {
    checker_.aborting();
  }
}

bool EngineByHand::is_calm() const {
  if (system_.coordinator().holds_back()) return false;
  for (caf::resumable* job : scheduler_.jobs) {
    const Role of = role(job);
    if (of == Role::kCoordinator || of == Role::kPlanner || of == Role::kShard ||
        of == Role::kRoot) {
      return false;
    }
  }
  return true;
}

void EngineByHand::step() {
  const std::size_t at = pick();
  caf::resumable* job = scheduler_.jobs[at];
  scheduler_.jobs.erase(scheduler_.jobs.begin() + static_cast<std::ptrdiff_t>(at));
  scheduler_.jobs.push_front(job);
  auto& actor = dynamic_cast<caf::scheduled_actor&>(*job);
  constexpr std::uint64_t kPrime = 1099511628211u;  // FNV-1a
  out_.schedule = (out_.schedule ^ actor.id()) * kPrime;
  ++out_.steps;
  if (role(job) == Role::kCoordinator) look_at(actor);
  scheduler_.run_once();
  out_.most_in_flight = std::max(out_.most_in_flight, cycle().look().pipeline.in_flight());
  out_.most_searching = std::max(out_.most_searching, cycle().look().searches.running());
}

/// Gangs that a new engine places at once if it starts from the end of the script: this engine
/// should have woken them.
std::string EngineByHand::not_woken() const {
  const std::string placed =
      admissions_text(records_after(*script_, out_.records, engine_options()));
  return placed.empty() ? "" : "room for " + placed + ", and nobody woke it";
}

/// Where an engine that recovers from the records alone differs from this one.
std::string EngineByHand::not_rebuilt() const {
  core::EngineOptions options = engine_options();
  options.live = options.defers = true;
  core::LocalEngine rebuilt(std::make_shared<const core::Definitions>(script_->inventory),
                            std::move(options), options_.limits);
  rebuilt.recover(out_.records);
  core::EngineHashes held;
  for (const auto& shard : objects_.shards()) held.shards.push_back(shard->hash());
  for (const auto& [root, state] : objects_.roots()) held.roots[root] = state->hash();
  for (const auto& queue : objects_.queues()) held.queues.push_back(queue->hash());
  held.gangs = cycle().look().gangs.hash();
  const core::EngineHashes now = core::hashes_of(rebuilt);
  std::string other;
  if (now.shards != held.shards) other += " shards";
  if (now.roots != held.roots) other += " roots";
  if (now.queues != held.queues) other += " queues";
  if (now.gangs != held.gangs) other += " gangs";
  if (rebuilt.counters().solves > 0) other += " solved";
  return other.empty() ? "" : "not as the records say:" + other;
}

ByHandRun EngineByHand::run() {
  while (out_.wrong.empty() && out_.fatal.empty() && feed()) {
    if (scheduler_.jobs.empty()) continue;
    step();
    if (out_.wrong.empty() && out_.fatal.empty()) out_.wrong = checker_.check(is_calm());
    if (out_.steps > kMostSteps) out_.wrong = "the engine does not come to an end";
  }
  out_.records = system_.coordinator().records();
  out_.counters = cycle().counters();
  out_.seen = checker_.seen();
  if (out_.wrong.empty() && out_.fatal.empty()) out_.wrong = checker_.check_end();
  if (out_.wrong.empty() && out_.fatal.empty()) out_.wrong = not_woken();
  if (out_.wrong.empty() && out_.fatal.empty()) out_.wrong = not_rebuilt();
  if (system_.coordinator().restored() > out_.shell_failures) out_.wrong = "an actor failed";
  may_fail_ = false;  // no failures while the actors end
  return out_;
}

}  // namespace

ByHandRun run_by_hand(const EngineScript& script, const ByHandOptions& options,
                      std::uint64_t seed) {
  return EngineByHand(script, options, seed).run();
}

}  // namespace tessera::test
