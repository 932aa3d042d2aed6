// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/coordinator.h"

#include <algorithm>
#include <caf/all.hpp>
#include <exception>

#include "actors/runtime/gangs.h"
#include "actors/runtime/shells.h"

namespace tessera::actors {
namespace {

constexpr std::int64_t kMinute = 60'000'000'000;
constexpr std::size_t kMostFailures = 3;  // within a minute

}  // namespace

Coordinator::Coordinator(caf::actor_config& config, Parts* parts, const CoordinatorOptions& options)
    : caf::event_based_actor(config),
      parts_(parts),
      options_(options),
      cycle_(parts->definitions, parts->order, options.limits, *this) {
  if (options_.detached) {
    planner_ = spawn<caf::detached>(planner_shell, parts_);
    searcher_ = spawn<caf::detached>(searcher_shell, parts_, true);
    journal_ = spawn<caf::detached>(journal_shell, parts_);
  } else {
    planner_ = spawn(planner_shell, parts_);
    searcher_ = spawn(searcher_shell, parts_, false);
    journal_ = spawn(journal_shell, parts_);
  }
  catalogue_ = spawn(catalogue_shell, parts_);
  spawn_queues();
  spawn_owners();
  gangs_ = spawn<Gangs>(parts_, address(), catalogue_);
}

void Coordinator::spawn_queues() {
  for (const caf::actor& actor : queues_) send_exit(actor, caf::exit_reason::user_shutdown);
  queues_.clear();
  for (std::uint32_t q = 0; q < parts_->queues.size(); ++q) {
    queues_.push_back(spawn(queue_shell, parts_, q));
  }
}

void Coordinator::spawn_owners() {
  for (std::uint32_t s = 0; s < parts_->owners->shards.size(); ++s) {
    shards_.push_back(spawn(shard_shell, parts_, s));
  }
  for (const auto& [root, state] : parts_->owners->roots) {
    const auto number = static_cast<std::uint32_t>(root);
    roots_[number] = spawn(root_shell, parts_, number);
  }
}

void Coordinator::end_owners() {
  for (const caf::actor& actor : shards_) send_exit(actor, caf::exit_reason::user_shutdown);
  for (const auto& [root, actor] : roots_) send_exit(actor, caf::exit_reason::user_shutdown);
  shards_.clear();
  roots_.clear();
}

/// One root ends everything top-down.
void Coordinator::on_exit() {
  for (const caf::actor& actor : queues_) send_exit(actor, caf::exit_reason::user_shutdown);
  end_owners();
  for (const caf::actor& actor : {planner_, searcher_, journal_, catalogue_, gangs_}) {
    send_exit(actor, caf::exit_reason::user_shutdown);
  }
  queues_.clear();
  planner_ = searcher_ = journal_ = catalogue_ = gangs_ = nullptr;
}

template <class Handler>
void Coordinator::guarded(Handler handler) {
  try {
    if (parts_->hooks.enter) parts_->hooks.enter("coordinator");
    handler();
    if (!cycle_.awaits_windows()) send_held_back();
    tell_settled();
  } catch (const std::exception& error) {
    parts_->hooks.fatal(std::string("coordinator: ") + error.what());
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

/// While queues make windows the planner has nothing to do: what others are told comes behind them.
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
  parts_->owners = std::move(owners);
  spawn_owners();
}
void Coordinator::replace_queues(std::shared_ptr<const core::Definitions> definitions) {
  parts_->definitions = std::move(definitions);
  parts_->queues = core::make_queues(*parts_->definitions, parts_->order);
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
  records_.push_back(std::move(record));
}

const Gangs& Coordinator::gangs() const { return *caf::actor_cast<const Gangs*>(gangs_); }

Coordinator::Role Coordinator::role(caf::actor_id actor) const {
  const auto is = [actor](const caf::actor& each) { return each.id() == actor; };
  if (actor == id()) return Role::kCoordinator;
  if (is(planner_)) return Role::kPlanner;
  if (is(searcher_)) return Role::kSearcher;
  if (is(journal_)) return Role::kJournal;
  if (is(catalogue_)) return Role::kCatalogue;
  if (is(gangs_)) return Role::kGangs;
  if (std::any_of(queues_.begin(), queues_.end(), is)) return Role::kQueue;
  if (std::any_of(shards_.begin(), shards_.end(), is)) return Role::kShard;
  const bool root =
      std::any_of(roots_.begin(), roots_.end(), [&](const auto& each) { return is(each.second); });
  return root ? Role::kRoot : Role::kGang;
}

void Coordinator::note_failure() {
  ++restored_;
  failures_.push_back(cycle_.look().gangs.now());
  if (failures_.size() < kMostFailures) return;
  if (failures_.back() - failures_.front() <= kMinute) {
    parts_->hooks.fatal("coordinator: three actors failed within a minute");
  }
  failures_.pop_front();
}

void Coordinator::restore_queue(std::uint32_t queue) {
  note_failure();
  parts_->queues[queue] =
      std::make_shared<core::QueueState>(*parts_->definitions->queues[queue], queue, parts_->order);
  queues_[queue] = spawn(queue_shell, parts_, queue);
  cycle_.on_queue_lost(queue);
}

}  // namespace tessera::actors
