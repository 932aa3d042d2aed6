// SPDX-License-Identifier: Apache-2.0
// Threads change no record: the records are the same for any number of threads in the solver and
// among the actors, and for the engine in the calling thread. All threads that were asked for take
// part.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <thread>

#include "actors/runtime/system.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/engine_objects.h"
#include "tests/support/engine_script.h"
#include "tests/support/engine_text.h"

namespace tessera::actors {
namespace {

using test::EngineScript;

constexpr std::uint64_t kWorlds = 50;
constexpr int kThreads[] = {1, 2, 4};

SystemOptions with_threads(config::Rounds rounds, int solver, int actors) {
  SystemOptions options;
  options.engine.profile.rounds = rounds;
  options.engine.live = true;
  options.engine.solver_threads = solver;
  options.engine.parallel_leaves = 1;
  options.actor_threads = actors;
  return options;
}

/// Names of the levels of the cluster's topology, the host's last.
constexpr const char* kShardLevels[] = {test::kBlock, test::kRack, test::kHost};

class SameDecisions : public testing::TestWithParam<config::Rounds> {};

TEST_P(SameDecisions, ForAnyNumberOfThreads) {
  std::size_t admitted = 0, refused = 0, runs = 0;
  for (std::uint64_t seed = 0; seed < kWorlds; ++seed) {
    const test::EngineText text = test::random_engine_text(seed);
    const EngineScript script = test::engine_script(text.hosts, text.queues, text.instants);
    const auto local = test::local_records(script, with_threads(GetParam(), 1, 1).engine, {});
    for (const auto& record : local) {
      admitted += record->admitted.size();
      refused += record->refused.size();
    }
    const std::string expected = test::decision_hash(local);
    for (const int solver : kThreads) {
      for (const int actors : kThreads) {
        System system(script.inventory, with_threads(GetParam(), solver, actors));
        const auto records = test::records_of(system, script);
        ASSERT_EQ(core::hash_text(records.back()->hash), expected)
            << solver << " solver threads, " << actors << " actor threads, seed " << seed << ":\n"
            << text.hosts << '\n'
            << text.queues << '\n'
            << text.instants;
        ++runs;
      }
    }
  }
  std::printf("%zu runs, %zu admissions and %zu refusals each\n", runs, admitted, refused);
  EXPECT_GT(admitted, kWorlds * 5);
  EXPECT_GT(refused, kWorlds * 3);
}

/// Their results count at their virtual time, however long they really take.
TEST(SameDecisionsInVirtualTime, OfSearchesInTheBackground) {
  std::size_t runs = 0;
  std::uint64_t deferred = 0;
  core::CycleLimits limits;
  limits.batch = 2;
  limits.step_time = 50;
  for (std::uint64_t seed = 0; seed < kWorlds; ++seed) {
    const test::EngineText text = test::random_engine_text(seed);
    const EngineScript script = test::engine_script(text.hosts, text.queues, text.instants);
    const auto options = [&](int threads) {
      SystemOptions made = with_threads(config::Rounds::kSequential, threads, threads);
      made.engine.defers = true;
      made.engine.profile.search_max_steps = static_cast<std::int64_t>(1 + seed % 10);
      made.limits = limits;
      return made;
    };
    const std::string expected =
        test::decision_hash(test::local_records(script, options(1).engine, limits));
    for (const int threads : kThreads) {
      System system(script.inventory, options(threads));
      const auto records = test::records_of(system, script);
      ASSERT_EQ(core::hash_text(records.back()->hash), expected)
          << threads << " threads, seed " << seed;
      deferred += system.counters().deferred;
      ++runs;
    }
  }
  std::printf("%zu runs, %zu searches in the background\n", runs,
              static_cast<std::size_t>(deferred));
  EXPECT_GT(deferred, runs * 5);
}

TEST_P(SameDecisions, ForAnyShardLevel) {
  for (std::uint64_t seed = 0; seed < kWorlds; ++seed) {
    const test::EngineText text = test::random_engine_text(seed);
    const EngineScript script = test::engine_script(text.hosts, text.queues, text.instants);
    const SystemOptions chosen = with_threads(GetParam(), 1, 1);
    const std::string expected =
        test::decision_hash(test::local_records(script, chosen.engine, {}));
    std::set<std::size_t> shards;
    for (const char* level : kShardLevels) {
      SystemOptions options = with_threads(GetParam(), 1, 2);
      options.engine.shard_level = level;
      test::EngineObjects objects;
      options.hooks.observer = &objects;
      System system(script.inventory, std::move(options));
      const auto records = test::records_of(system, script);
      ASSERT_EQ(core::hash_text(records.back()->hash), expected) << level << ", seed " << seed;
      shards.insert(objects.shards().size());
    }
    EXPECT_EQ(shards.size(), std::size(kShardLevels)) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Rounds, SameDecisions,
                         testing::Values(config::Rounds::kSequential, config::Rounds::kKueue),
                         [](const auto& each) {
                           return each.param == config::Rounds::kKueue ? "kueue" : "sequential";
                         });

/// Which threads ran an actor of each kind.
class Seen {
 public:
  void note(const char* actor) {
    const std::lock_guard lock(mutex_);
    const bool alone = std::string_view(actor) == "planner" || std::string_view(actor) == "journal";
    threads_[alone ? actor : "pool"].insert(std::this_thread::get_id());
  }
  std::set<std::thread::id> of(const std::string& actor) {
    const std::lock_guard lock(mutex_);
    return threads_[actor];
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::set<std::thread::id>> threads_;
};

class AllThreads : public testing::TestWithParam<int> {};

/// Large enough that a count has several parts, and two keys, so that each new shape counts anew.
/// Messages and counts are short: threads of a machine with fewer cores need some before each had
/// its turn.
TEST_P(AllThreads, ThatWereAskedForTakePart) {
  constexpr int kHosts = 20'000, kHostsInRack = 100, kMostGangs = 5'000;
  std::string hosts;
  for (int i = 0; i < kHosts; ++i) {
    hosts += " b/r" + std::to_string(i / kHostsInRack) + "/h" + std::to_string(i) + ":4";
  }
  const EngineScript script = test::engine_script(hosts, "q:80000", "");
  Seen seen;
  SystemOptions options = with_threads(config::Rounds::kSequential, GetParam(), GetParam());
  options.engine.profile.index_max_keys = 2;
  options.hooks.enter = [&](const char* actor) { seen.note(actor); };
  test::EngineObjects objects;
  options.hooks.observer = &objects;
  System system(script.inventory, std::move(options));
  const auto threads = static_cast<std::size_t>(GetParam());
  const auto solver_threads = [&] {
    return objects.planner().worlds().current().live_index().threads_seen();
  };
  std::size_t number = 0;
  do {
    test::ClusterBuilder builder;
    const auto gpus = static_cast<std::int64_t>(number % 4 + 1);
    core::Workload& workload = builder.workload(
        "g" + std::to_string(number), {test::pods("main", 40, gpus), test::pods("other", 2, 1)});
    system.submit({core::Submit{std::make_shared<const core::Workload>(workload)}});
    const auto records = system.settle();
    ASSERT_FALSE(records.empty());
    std::vector<core::Submitted> submitted;
    for (const auto& record : records) {
      for (const core::Submitted& each : record->submitted()) submitted.push_back(each);
    }
    ASSERT_EQ(submitted.size(), 1u);
    system.submit({core::Finish{submitted[0].gang}});
    ++number;
  } while ((seen.of("pool").size() < threads || solver_threads() < GetParam()) &&
           number < kMostGangs);
  std::printf("%d threads: %zu gangs\n", GetParam(), number);
  EXPECT_EQ(solver_threads(), GetParam());
  EXPECT_EQ(seen.of("pool").size(), threads);
  for (const char* alone : {"planner", "journal"}) {
    const std::set<std::thread::id> own = seen.of(alone);
    ASSERT_EQ(own.size(), 1u) << alone;
    EXPECT_EQ(seen.of("pool").count(*own.begin()), 0u) << alone << " shares its thread";
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, AllThreads, testing::ValuesIn(kThreads));

/// Clients of a process that runs for a year ask the catalogue: cycles that nobody takes would pile
/// up in the coordinator.
TEST(ALongRun, KeepsNoCycles) {
  const test::EngineText text = test::random_engine_text(1);
  const EngineScript script = test::engine_script(text.hosts, text.queues, text.instants);
  SystemOptions options = with_threads(config::Rounds::kSequential, 1, 2);
  options.collects = false;
  System system(script.inventory, std::move(options));
  EXPECT_TRUE(test::records_of(system, script).empty());
  EXPECT_TRUE(system.coordinator().records().empty());
  EXPECT_GT(system.counters().admitted, 0U);
}

}  // namespace
}  // namespace tessera::actors
