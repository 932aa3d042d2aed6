// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/shells.h"

#include <openssl/crypto.h>
#ifdef __linux__
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <caf/all.hpp>
#include <exception>

#include "actors/records/planted_bug.h"
#include "actors/runtime/messages.h"

namespace tessera::actors {
namespace {

/// Runs the task of a message in an actor whose failure must end the process.
template <class Task>
void guarded(const Hooks* hooks, const char* actor, Task task) {
  try {
    if (hooks->enter) hooks->enter(actor);
    task();
  } catch (const std::exception& error) {
    hooks->fatal(std::string(actor) + ": " + error.what());
  }
}

/// Children do not know their parent: they answer the actor that asks.
template <class Message>
void answer(caf::event_based_actor* self, Message message) {
  self->send(caf::actor_cast<caf::actor>(self->current_sender()), std::move(message));
}

/// Lowers the priority of the thread, since a background search must take no core from a cycle. If
/// the system refuses that, the search runs at the usual priority.
void stand_behind_others() {
#ifdef __linux__
  constexpr int kNice = 10;
  const auto thread = static_cast<id_t>(syscall(SYS_gettid));
  (void)setpriority(PRIO_PROCESS, thread, kNice);
#endif
}

}  // namespace

caf::behavior planner_shell(caf::event_based_actor* self, const Hooks* hooks,
                            std::shared_ptr<core::PlannerState> planner) {
  return {
      [=](const StepPlanner& message) {
        guarded(hooks, "planner", [&] {
          const core::PlanRequest& request = *message.request;
          auto reply = std::make_shared<core::PlanReply>(planner->step(request));
          answer(self, Planned{request.cycle, std::move(reply)});
        });
      },
      [=](const Retract& message) {
        guarded(hooks, "planner", [&] { planner->retract(*message.gangs); });
      },
  };
}

caf::behavior searcher_shell(caf::event_based_actor* self, const Hooks* hooks,
                             std::shared_ptr<core::Searcher> searcher, bool own_thread) {
  if (own_thread) stand_behind_others();
  return {
      [=](const Search& message) {
        guarded(hooks, "searcher", [&] {
          answer(self, SearchFound{message.request, searcher->search(*message.request)});
        });
      },
  };
}

caf::behavior queue_shell(caf::event_based_actor* self, const Hooks* hooks, std::uint32_t position,
                          std::shared_ptr<core::QueueState> queue,
                          std::shared_ptr<const core::Definitions> definitions) {
  return {
      [=, owned = std::move(queue), keep = std::move(definitions)](const StepQueue& message) {
        try {
          if (hooks->enter) hooks->enter("queue");
          auto window = std::make_shared<core::Window>(owned->step(*message.step));
          answer(self, WindowOffered{message.step->cycle, std::move(window)});
        } catch (const std::exception& error) {
          answer(self, QueueLost{position, error.what()});
          self->quit();
        }
      },
  };
}

namespace {

/// Lets an owner refuse an item although it has room, as if the step ended before the item.
template <class Step, class State>
core::OwnerReply step_up_to(State& state, Step step, std::uint32_t refused) {
  const auto end = std::find_if(step.reserve.begin(), step.reserve.end(),
                                [refused](const auto& asked) { return asked.item >= refused; });
  step.reserve.erase(end, step.reserve.end());
  core::OwnerReply reply = state.step(step);
  reply.accepted = std::min(reply.accepted, refused);
  return reply;
}

/// What shards and quota roots have in common.
template <class Step, class State>
caf::message_handler owner_shell(caf::event_based_actor* self, const Hooks* hooks,
                                 const char* actor, std::shared_ptr<State> state) {
  return {
      [=](const Step& message) {
        guarded(hooks, actor, [&] {
          const core::CycleNumber cycle = message.step->cycle;
          if (core::planted(core::PlantedBug::kDoubleApply)) state->step(*message.step);
          const std::uint32_t refused = hooks->refuse ? hooks->refuse(actor, cycle) : UINT32_MAX;
          answer(self, OwnerAnswered{cycle, refused == UINT32_MAX
                                                ? state->step(*message.step)
                                                : step_up_to(*state, *message.step, refused)});
        });
      },
      [=](const SettleOwner& message) {
        guarded(hooks, actor, [&] { state->settle(message.cycle, message.from); });
      },
      [=](const CommitOwner& message) {
        guarded(hooks, actor, [&] { state->commit(message.cycle); });
      },
      [=](const AbortOwner& message) {
        guarded(hooks, actor, [&] { state->abort(message.cycle); });
      },
  };
}

}  // namespace

caf::behavior shard_shell(caf::event_based_actor* self, const Hooks* hooks,
                          std::shared_ptr<core::ShardState> shard,
                          std::shared_ptr<const topology::CellMap> cells) {
  caf::message_handler nodes = {
      [=, keep = std::move(cells)](const TakeNode& message) {
        guarded(hooks, "shard", [&] {
          auto moved =
              std::make_shared<const core::ShardState::Moved>(shard->take_out(message.move.node));
          answer(self, NodeTaken{message.cycle, message.move, std::move(moved)});
        });
      },
      [=](const PutNode& message) {
        guarded(hooks, "shard", [&] { shard->put_in(*message.moved); });
      },
  };
  return nodes.or_else(owner_shell<StepShard>(self, hooks, "shard", std::move(shard)));
}

caf::behavior root_shell(caf::event_based_actor* self, const Hooks* hooks,
                         std::shared_ptr<core::RootState> root) {
  return owner_shell<StepRoot>(self, hooks, "root", std::move(root));
}

caf::behavior journal_shell(caf::event_based_actor* self, const Hooks* hooks,
                            std::shared_ptr<Journal> journal) {
  // After a failure only the record that recovers is taken: no gap may become durable.
  const auto failed = std::make_shared<bool>(false);
  // Frees what OpenSSL keeps for this thread when the actor ends: the thread may outlive the
  // system.
  self->attach_functor([] { OPENSSL_thread_stop(); });
  return {
      [=](const Append& message) {
        guarded(hooks, "journal", [&] {
          if (*failed && !message.record->recovers) return;
          const Result<Hash> hash = journal->append(message.record);
          *failed = !hash;
          if (hash) {
            answer(self, Durable{message.cycle, *hash});
          } else {
            answer(self, AppendFailed{message.cycle});
          }
        });
      },
  };
}

caf::behavior catalogue_shell(caf::event_based_actor*, const Hooks* hooks,
                              std::shared_ptr<core::Catalogue> catalogue) {
  return {
      [=](const Committed& message) {
        guarded(hooks, "catalogue", [&] { catalogue->take(*message.record); });
      },
  };
}

}  // namespace tessera::actors
