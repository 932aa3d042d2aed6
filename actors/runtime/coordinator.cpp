// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/coordinator.h"

#include <caf/all.hpp>
#include <exception>

#include "actors/records/held_at_start.h"
#include "actors/runtime/gangs.h"
#include "actors/runtime/shells.h"

namespace tessera::actors {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::size_t kMostFailures = 3;     // within a minute
constexpr std::size_t kKeptEvents = 65'536;  // of the catalogue

}  // namespace

Coordinator::Coordinator(caf::actor_config& config, const Beginning& beginning, const Hooks* hooks,
                         const CoordinatorOptions& options)
    : caf::event_based_actor(config),
      hooks_(hooks),
      options_(options),
      definitions_(beginning.definitions),
      order_(beginning.planner->options().profile.rounds),
      cycle_(definitions_, order_, options.limits, *this) {
  if (hooks_->observer != nullptr) hooks_->observer->on_actor(id(), Role::kCoordinator);
  // Done before the planner belongs to another actor.
  const std::shared_ptr<core::Owners> owners = beginning.planner->make_owners();
  std::vector<core::GangId> live;
  for (const auto& [id, admitted] : beginning.planner->worlds().live()) live.push_back(id);
  spawn_alone(beginning);
  const auto catalogue = std::make_shared<core::Catalogue>(kKeptEvents);
  for (const core::HeldAtStart& held : core::held_at_start(definitions_->inventory)) {
    catalogue->adopt(held.admitted);
  }
  catalogue_ = spawn(catalogue_shell, hooks_, catalogue);
  note(catalogue_, Role::kCatalogue);
  if (hooks_->observer != nullptr) hooks_->observer->on_catalogue(catalogue);
  spawn_queues();
  spawn_owners(*owners);
  gangs_ = spawn<Gangs>(hooks_, address(), catalogue_, live);
  note(gangs_, Role::kGangs);
}

void Coordinator::note(const caf::actor& actor, Role role) const {
  if (hooks_->observer != nullptr) hooks_->observer->on_actor(actor.id(), role);
}

/// The actors that have threads of their own.
void Coordinator::spawn_alone(const Beginning& beginning) {
  if (options_.detached) {
    planner_ = spawn<caf::detached>(planner_shell, hooks_, beginning.planner);
    searcher_ = spawn<caf::detached>(searcher_shell, hooks_, beginning.searcher, true);
    journal_ = spawn<caf::detached>(journal_shell, hooks_, beginning.journal);
  } else {
    planner_ = spawn(planner_shell, hooks_, beginning.planner);
    searcher_ = spawn(searcher_shell, hooks_, beginning.searcher, false);
    journal_ = spawn(journal_shell, hooks_, beginning.journal);
  }
  note(planner_, Role::kPlanner);
  note(searcher_, Role::kSearcher);
  note(journal_, Role::kJournal);
  if (hooks_->observer != nullptr) hooks_->observer->on_planner(beginning.planner);
}

caf::actor Coordinator::spawn_queue(std::uint32_t position,
                                    std::shared_ptr<core::QueueState> queue) {
  if (hooks_->observer != nullptr) hooks_->observer->on_queue(position, queue);
  caf::actor actor = spawn(queue_shell, hooks_, position, std::move(queue), definitions_);
  note(actor, Role::kQueue);
  return actor;
}

void Coordinator::spawn_queues() {
  for (const caf::actor& actor : queues_) send_exit(actor, caf::exit_reason::user_shutdown);
  queues_.clear();
  if (hooks_->observer != nullptr) hooks_->observer->on_definitions(definitions_);
  for (std::shared_ptr<core::QueueState>& queue : core::make_queues(*definitions_, order_)) {
    const auto position = static_cast<std::uint32_t>(queues_.size());
    queues_.push_back(spawn_queue(position, std::move(queue)));
  }
}

void Coordinator::spawn_owners(core::Owners& owners) {
  ActorObserver* const observer = hooks_->observer;
  if (observer != nullptr) observer->on_owners(owners.cells);
  for (std::unique_ptr<core::ShardState>& each : owners.shards) {
    std::shared_ptr<core::ShardState> shard = std::move(each);
    const core::ShardId number{static_cast<std::uint32_t>(shards_.size())};
    if (observer != nullptr) observer->on_shard(number, shard);
    shards_.push_back(spawn(shard_shell, hooks_, std::move(shard), owners.cells));
    note(shards_.back(), Role::kShard);
  }
  for (auto& [number, each] : owners.roots) {
    std::shared_ptr<core::RootState> root = std::move(each);
    if (observer != nullptr) observer->on_root(number, root);
    caf::actor& actor = roots_[static_cast<std::uint32_t>(number)];
    actor = spawn(root_shell, hooks_, std::move(root));
    note(actor, Role::kRoot);
  }
}

void Coordinator::end_owners() {
  for (const caf::actor& actor : shards_) send_exit(actor, caf::exit_reason::user_shutdown);
  for (const auto& [root, actor] : roots_) send_exit(actor, caf::exit_reason::user_shutdown);
  shards_.clear();
  roots_.clear();
}

/// The coordinator ends all other actors, from the top down.
void Coordinator::on_exit() {
  for (const caf::actor& actor : queues_) send_exit(actor, caf::exit_reason::user_shutdown);
  end_owners();
  for (const caf::actor& actor : {planner_, searcher_, journal_, catalogue_, gangs_}) {
    send_exit(actor, caf::exit_reason::user_shutdown);
  }
  queues_.clear();
  planner_ = searcher_ = journal_ = catalogue_ = gangs_ = nullptr;
}

template <class Task>
void Coordinator::guarded(Task task) {
  try {
    if (hooks_->enter) hooks_->enter("coordinator");
    task();
    if (!cycle_.awaits_windows()) send_held_back();
    tell_settled();
  } catch (const std::exception& error) {
    hooks_->fatal(std::string("coordinator: ") + error.what());
  }
}

caf::behavior Coordinator::make_behavior() {
  return {
      [this](const Instant& message) {
        guarded([&] { cycle_.submit(std::move(*message.inputs)); });
      },
      [this](const WindowOffered& message) {
        guarded([&] { cycle_.on_window(message.cycle, std::move(*message.window)); });
      },
      [this](const Planned& message) { guarded([&] { cycle_.on_plan(message.reply); }); },
      [this](const NodeTaken& message) {
        guarded([&] {
          send(shards_[core::index(message.move.to)], PutNode{message.cycle, message.moved});
          cycle_.on_moved();
        });
      },
      [this](const SearchFound& message) {
        guarded([&] { cycle_.on_found(*message.request, message.result); });
      },
      [this](const OwnerAnswered& message) { guarded([&] { cycle_.on_owner(message.reply); }); },
      [this](const Durable& message) {
        guarded([&] { cycle_.on_durable(message.cycle, message.hash); });
      },
      [this](const AppendFailed& message) {
        guarded([&] { cycle_.on_append_failed(message.cycle); });
      },
      [this](const SettleRequest&) {
        caf::response_promise promise = make_response_promise();
        settle_waits_ = promise;
        tell_settled();
        return promise;
      },
      [this](const QueueLost& message) { guarded([&] { restore_queue(message.queue); }); },
      [this](const GangLost&) { guarded([&] { note_failure(); }); },
  };
}

/// The planner has nothing to do until the queues have made their windows, so messages to all
/// others wait.
template <class Message>
void Coordinator::tell_after_windows(const caf::actor& actor, const Message& message) {
  held_back_.emplace_back(actor, caf::make_message(message));
  if (!cycle_.awaits_windows()) send_held_back();
}

void Coordinator::send_held_back() {
  for (auto& [actor, message] : held_back_) send(actor, std::move(message));
  held_back_.clear();
}

void Coordinator::tell_settled() {
  if (!settle_waits_ || !cycle_.settled()) return;
  core::EngineCounters counters = cycle_.counters();
  counters.messages += messages_;
  auto records = std::make_shared<std::vector<std::shared_ptr<const core::CycleRecord>>>();
  records->swap(records_);
  settle_waits_->deliver(Settled{std::move(records), cycle_.next_deadline(), counters});
  settle_waits_.reset();
}

void Coordinator::to_queue(std::uint32_t queue, std::shared_ptr<const core::QueueStep> step) {
  send(queues_[queue], StepQueue{std::move(step)});
}
void Coordinator::to_planner(std::shared_ptr<const core::PlanRequest> request) {
  send(planner_, StepPlanner{std::move(request)});
}
void Coordinator::retract(std::vector<core::GangId> gangs) {
  send(planner_, Retract{std::make_shared<const std::vector<core::GangId>>(std::move(gangs))});
}
void Coordinator::search(core::SearchRequest request) {
  send(searcher_, Search{std::make_shared<const core::SearchRequest>(std::move(request))});
}
void Coordinator::replace_owners(std::shared_ptr<core::Owners> owners) {
  send_held_back();
  end_owners();
  spawn_owners(*owners);
}
void Coordinator::replace_queues(std::shared_ptr<const core::Definitions> definitions) {
  definitions_ = std::move(definitions);
  spawn_queues();
}
void Coordinator::move_node(const core::NodeMove& move) {
  messages_ += 2;
  send_held_back();
  send(shards_[core::index(move.from)], TakeNode{cycle_.number(), move});
}
void Coordinator::to_shard(core::ShardId shard, std::shared_ptr<const core::ShardStep> step) {
  tell_after_windows(shards_[core::index(shard)], StepShard{std::move(step)});
}
void Coordinator::to_root(core::QuotaNode root, std::shared_ptr<const core::RootStep> step) {
  tell_after_windows(roots_.at(static_cast<std::uint32_t>(root)), StepRoot{std::move(step)});
}

template <class Message>
void Coordinator::tell(const core::TouchedOwners& owners, const Message& message) {
  for (const core::ShardId shard : owners.shards) {
    tell_after_windows(shards_[core::index(shard)], message);
  }
  for (const core::QuotaNode root : owners.roots) {
    tell_after_windows(roots_.at(static_cast<std::uint32_t>(root)), message);
  }
}
void Coordinator::settle(const core::TouchedOwners& owners, core::CycleNumber cycle,
                         std::uint32_t from) {
  tell(owners, SettleOwner{cycle, from});
}
void Coordinator::commit(const core::TouchedOwners& owners, core::CycleNumber cycle) {
  tell(owners, CommitOwner{cycle});
}
void Coordinator::abort(const core::TouchedOwners& owners, core::CycleNumber cycle) {
  tell(owners, AbortOwner{cycle});
}
void Coordinator::append(std::shared_ptr<const core::CycleRecord> record) {
  const core::CycleNumber cycle = record->cycle;
  send(journal_, Append{cycle, std::move(record)});
}

void Coordinator::publish(std::shared_ptr<const core::CycleRecord> record) {
  messages_ += 2 + record->changes.size();
  tell_after_windows(gangs_, Committed{record->cycle, record});
  if (options_.collects) records_.push_back(std::move(record));
}

const Gangs& Coordinator::gangs() const { return *caf::actor_cast<const Gangs*>(gangs_); }

void Coordinator::note_failure() {
  ++restored_;
  failures_.push_back(cycle_.look().gangs.now());
  if (failures_.size() < kMostFailures) return;
  if (failures_.back() - failures_.front() <= kMinute) {
    hooks_->fatal("coordinator: three actors failed within a minute");
  }
  failures_.pop_front();
}

void Coordinator::restore_queue(std::uint32_t queue) {
  note_failure();
  queues_[queue] = spawn_queue(
      queue, std::make_shared<core::QueueState>(*definitions_->queues[queue], queue, order_));
  cycle_.on_queue_lost(queue);
}

}  // namespace tessera::actors
