// SPDX-License-Identifier: Apache-2.0
#include "actors/runtime/system.h"

#include <algorithm>
#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>

#include "actors/runtime/messages.h"
#include "topology/thread_probe.h"

namespace tessera::actors {
namespace {

/// CAF workers and solver slots together are one more than the cores; the planner's thread is one
/// of the slots. The actors get the larger half, since between two plans everything waits for them.
void share_out_threads(int& actors, int& solver) {
  const int all = std::max(2, static_cast<int>(std::thread::hardware_concurrency())) + 1;
  if (actors == 0) actors = std::max(1, solver == 0 ? (all + 1) / 2 : all - solver);
  if (solver == 0) solver = std::max(1, all - actors);
}

std::unique_ptr<caf::actor_system_config> make_config(const SystemOptions& options) {
  auto config = std::make_unique<caf::actor_system_config>();
  config->set("scheduler.max-threads", static_cast<std::size_t>(options.actor_threads));
  // Few workers wait often. A shared queue wakes a worker at once; a stealing worker would sleep
  // between its looks.
  config->set("scheduler.policy", options.by_hand ? caf::atom("testing") : caf::atom("sharing"));
  return config;
}

[[noreturn]] void abort_with(const std::string& what) {
  std::fprintf(stderr, "tessera: broken invariant: %s\n", what.c_str());
  std::abort();
}

/// Fills in everything that may be left open. `engine`: the options that the planner was made with.
SystemOptions complete(SystemOptions options, const core::EngineOptions& engine) {
  options.engine = engine;
  share_out_threads(options.actor_threads, options.engine.solver_threads);
  if (!options.journal) options.journal = std::make_unique<MemoryJournal>();
  if (!options.hooks.fatal) options.hooks.fatal = abort_with;
  return options;
}

/// CAF can neither end nor go on if it gets only some of its threads.
SystemOptions with_threads(SystemOptions options) {
  if (options.by_hand) return options;
  // Beside the workers: planner, searcher, journal, and CAF's clock. The memory is for their first
  // allocations.
  constexpr int kOwnThreads = 4;
  constexpr std::size_t kFirstBytes = std::size_t{24} << 20;
  const int threads = options.actor_threads + kOwnThreads + options.engine.solver_threads - 1;
  if (const std::error_code refused = topology::try_threads(threads, kFirstBytes)) {
    throw std::system_error(refused, "cannot start " + std::to_string(threads) +
                                         " threads (limits: ulimit -u, ulimit -v)");
  }
  return options;
}

Beginning begin(core::EngineStart start, SystemOptions& options) {
  Beginning beginning;
  beginning.definitions = std::move(start.definitions);
  beginning.planner = std::move(start.planner);
  beginning.searcher = std::make_shared<core::Searcher>(options.engine);
  beginning.journal = std::move(options.journal);
  return beginning;
}

}  // namespace

class System::State {
 public:
  State(core::EngineStart start, SystemOptions options)
      : options_(with_threads(complete(std::move(options), start.planner->options()))),
        config_(make_config(options_)),
        caf_(*config_),
        outside_(caf_) {
    const CoordinatorOptions coordinator{options_.limits, !options_.by_hand, options_.collects};
    coordinator_ =
        caf_.spawn<Coordinator>(begin(std::move(start), options_), &options_.hooks, coordinator);
  }

  ~State() {
    outside_->send_exit(coordinator_, caf::exit_reason::user_shutdown);
    coordinator_ = nullptr;
    // Nothing else runs the actors now.
    if (options_.by_hand) dynamic_cast<caf::scheduler::test_coordinator&>(caf_.scheduler()).run();
  }

  void submit(std::vector<core::Input> inputs) {
    outside_->send(coordinator_,
                   Instant{std::make_shared<std::vector<core::Input>>(std::move(inputs))});
  }

  std::vector<std::shared_ptr<const core::CycleRecord>> settle() {
    std::vector<std::shared_ptr<const core::CycleRecord>> records;
    outside_->request(coordinator_, caf::infinite, SettleRequest{})
        .receive(
            [&](const Settled& settled) {
              records = std::move(*settled.records);
              next_deadline_ = settled.next_deadline;
              counters_ = settled.counters;
            },
            [&](const caf::error& error) { abort_with(caf_.render(error)); });
    return records;
  }

  std::int64_t next_deadline() const { return next_deadline_; }
  const core::EngineCounters& counters() const { return counters_; }
  caf::actor_system& caf_system() { return caf_; }
  const Coordinator& coordinator() const {
    return *caf::actor_cast<const Coordinator*>(coordinator_);
  }

 private:
  // Declared in this order: the actor system waits for its actors before the hooks go.
  SystemOptions options_;
  std::unique_ptr<caf::actor_system_config> config_;
  caf::actor_system caf_;
  caf::scoped_actor outside_;
  caf::actor coordinator_;
  std::int64_t next_deadline_ = INT64_MAX;
  core::EngineCounters counters_;
};

core::EngineStart System::make_start(std::shared_ptr<const core::Inventory> state,
                                     const SystemOptions& options) {
  core::EngineOptions engine = options.engine;
  int actors = options.actor_threads;
  share_out_threads(actors, engine.solver_threads);
  engine.live = true;
  engine.defers = true;
  return core::make_start(std::move(state), std::move(engine));
}

System::System(core::EngineStart start, SystemOptions options)
    : state_(std::make_unique<State>(std::move(start), std::move(options))) {}
System::System(std::shared_ptr<const core::Inventory> state, SystemOptions options) {
  core::EngineStart start = make_start(std::move(state), options);
  state_ = std::make_unique<State>(std::move(start), std::move(options));
}
System::System(core::Inventory state, SystemOptions options)
    : System(std::make_shared<const core::Inventory>(std::move(state)), std::move(options)) {}
System::~System() = default;

void System::submit(std::vector<core::Input> inputs) { state_->submit(std::move(inputs)); }
std::vector<std::shared_ptr<const core::CycleRecord>> System::settle() { return state_->settle(); }
std::int64_t System::next_deadline() const { return state_->next_deadline(); }
core::EngineCounters System::counters() const { return state_->counters(); }
const Coordinator& System::coordinator() const { return state_->coordinator(); }
caf::actor_system& System::caf_system() { return state_->caf_system(); }

}  // namespace tessera::actors
