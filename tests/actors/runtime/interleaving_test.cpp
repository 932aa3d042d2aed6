// SPDX-License-Identifier: Apache-2.0
// The engine behind actors under random orders of delivery: 1,000 of them a case, each step checked
// (tests/support/engine_checker.h). A quarter of the seeds hands over an instant only when the one
// before has settled: then the records must be those of core::LocalEngine.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>

#include "tests/support/engine_worlds.h"
#include "tests/support/soak.h"

namespace tessera::actors {
namespace {

using config::Rounds;
using test::ByHandOptions;
using test::ByHandRun;
using test::EngineScript;
using test::InterleavingCase;
using test::kComeAndGo;
using test::kHosts;
using test::kQueues;
using test::kTrees;
using test::kTreesMove;
using test::Same;
using Seen = test::EngineChecker::Seen;

/// At most a tenth of the seeds may give an order of delivery that another gave.
const std::uint64_t kSeeds = test::soaked<std::uint64_t>(1000, 200), kMostAlike = kSeeds / 10;
constexpr const char* kStrict = "=left:10/pool right:10+2/pool =solo:8 ^pool/all:4";
constexpr const char* kOneRack =
    "+a/left:2x4@rack +b/right:2x4@rack +c/solo:8x1@rack;"
    "+d/left:1x4@rack +e/right:3x2@rack;"
    "-a; +f/solo:4x2@rack!2 -b; ~c -d; -e +g/left:2x4@rack";

/// The last input ends a. If the cycle of a's admission was aborted, a is not admitted again before
/// it ends. Then only the abort can wake the gangs that a stood in the way of.
constexpr const char* kLastEnds = "+a/left:2x4@rack +c/solo:2x4!1; +b/right:2x4@rack -c; -a";

/// In rounds a StrictFIFO queue offers its head for ever. The rounds end when nothing moves any
/// more.
constexpr const char* kBlockedHead = "+x/left:1x16; +a/right:2x4@rack";

/// The head of a queue is blocked when the rounds end. The end of a gang of another queue lets it
/// in.
constexpr const char* kUnblocked = "+a/left:2x4@rack; +b/right:2x4@rack; +c/left:2x4@rack; -a; -b";

/// Gangs start, are evicted in two steps (some end before the second), and are suspended: gangs
/// that hold something, gangs that wait, and gangs that wait for their back-off.
constexpr const char* kLives =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2 *a;"
    "+d/left:6x1 +e/right:3x2@rack? +f/left:8x1!1 %a@7 *b;"
    "@5 _b %c +g/solo:1x4,2x2 *c;"
    "/a /b +h/right:4x2@rack _f %d;"
    "@9 /c ^b +i/left:2x2 -d ~e@12 _g;"
    "@10 ^f _e /a %b *h; ^e ^g /b -c;"
    "%h@20 +j/solo:8x1; -h _j";

/// Each admission but the first is void if the cycle in which the one before it ended is aborted.
constexpr const char* kStartsAgain =
    "+a/left:2x4@rack; *a +b/left:2x4@rack; %a; /a; *b; %b; /b *a; *a; %a _b; /a ^b; *b";

/// Pods have 4 s; d gets ready in time, a never does, and is given up after its second timeout.
constexpr config::PodsReady kFourSeconds = {.timeout = 4'000'000'000,
                                            .backoff_limit_count = 1,
                                            .backoff_base_seconds = 2,
                                            .backoff_max_seconds = 60};
constexpr const char* kTimeouts =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2; @2 *b +d/right:2x4;"
    "@4 *d; @5 /a /c +e/left:3x2; @7 *c; @8 *e; @11 /a; -c; @20 ^a; @24 -b /a; _e /e";

constexpr const char* kOneRackHosts = "b1/r1/a:4 b1/r1/b:4";

const InterleavingCase kCases[] = {
    {"borrowing", kHosts, kQueues, kComeAndGo, {.slow_journal = true}},
    {"small_batches",
     kHosts,
     kQueues,
     kComeAndGo,
     {.limits = {.inputs = 2, .batch = 1, .in_flight = 2}}},
    {"a_shard_a_host", kHosts, kQueues, kComeAndGo, {.shard_level = "kubernetes.io/hostname"}},
    {"rounds", kHosts, kQueues, kComeAndGo, {.rounds = Rounds::kKueue, .slow_journal = true}},
    {"strict_rounds", kHosts, kStrict, kComeAndGo, {.rounds = Rounds::kKueue}},
    {"blocked_heads_in_rounds",
     kOneRackHosts,
     "=left:8/pool =right:8/pool",
     kUnblocked,
     {.rounds = Rounds::kKueue, .slow_journal = true}},
    {"one_rack", kOneRackHosts, kQueues, kOneRack, {.slow_journal = true}},
    {"journal_fails",
     kHosts,
     kQueues,
     kComeAndGo,
     {.slow_journal = true, .append_fails = 20},
     Same::kAdmissions},
    {"journal_fails_again",
     kHosts,
     kQueues,
     kComeAndGo,
     {.slow_journal = true, .append_fails = 40, .append_fails_in_a_row = true},
     Same::kNothing},
    {"journal_fails_in_one_rack",
     kOneRackHosts,
     kQueues,
     kLastEnds,
     {.append_fails = 50, .append_fails_in_a_row = true},
     Same::kNothing},
    {"journal_fails_in_rounds",
     kHosts,
     kStrict,
     kComeAndGo,
     {.rounds = Rounds::kKueue, .append_fails = 20},
     Same::kNothing},
    {"owners_refuse", kHosts, kQueues, kComeAndGo, {.refuses = 15}, Same::kAdmissions},
    {"owners_refuse_in_rounds",
     kHosts,
     kStrict,
     kComeAndGo,
     {.rounds = Rounds::kKueue, .refuses = 15},
     Same::kNothing},
    {"journal_fails_behind_a_blocked_head",
     kOneRackHosts,
     kStrict,
     kBlockedHead,
     {.rounds = Rounds::kKueue, .slow_journal = true, .append_fails = 60},
     Same::kNothing},
    {"owners_refuse_behind_a_blocked_head",
     kOneRackHosts,
     kStrict,
     kBlockedHead,
     {.rounds = Rounds::kKueue, .refuses = 70},
     Same::kNothing},
    {"shells_fail",
     kHosts,
     kQueues,
     kComeAndGo,
     {.queue_fails = 15, .gang_fails = 20},
     Same::kAdmissions},
    {"lives", kHosts, kQueues, kLives, {.slow_journal = true}},
    {"lives_in_rounds", kHosts, kStrict, kLives, {.rounds = Rounds::kKueue, .slow_journal = true}},
    {"lives_in_small_cycles",
     kHosts,
     kQueues,
     kLives,
     {.limits = {.inputs = 1, .batch = 1, .in_flight = 8}, .slow_journal = true}},
    {"lives_and_the_journal_fails",
     kHosts,
     kQueues,
     kLives,
     {.slow_journal = true, .append_fails = 30, .append_fails_in_a_row = true},
     Same::kNothing},
    {"starts_again_and_the_journal_fails",
     kOneRackHosts,
     kQueues,
     kStartsAgain,
     {.slow_journal = true, .append_fails = 50, .append_fails_in_a_row = true},
     Same::kNothing},
    {"lives_and_shells_fail",
     kHosts,
     kQueues,
     kLives,
     {.queue_fails = 10, .gang_fails = 20},
     Same::kAdmissions},
    {"timeouts", kHosts, kQueues, kTimeouts, {.limits = {.pods_ready = kFourSeconds}}},
    {"timeouts_and_the_journal_fails",
     kHosts,
     kQueues,
     kTimeouts,
     {.limits = {.pods_ready = kFourSeconds}, .slow_journal = true, .append_fails = 30},
     Same::kNothing},
    {"searches_in_the_background",
     kHosts,
     kQueues,
     kComeAndGo,
     {.limits = {.step_time = 50}, .max_steps = 1, .slow_journal = true}},
    {"some_searches_in_the_background",
     kHosts,
     kStrict,
     kComeAndGo,
     {.limits = {.batch = 2, .step_time = 50}, .max_steps = 6, .slow_journal = true}},
    {"lives_and_searches",
     kHosts,
     kQueues,
     kLives,
     {.limits = {.inputs = 2, .batch = 2, .step_time = 50}, .max_steps = 1}},
    {"searches_that_end_when_they_end",
     kHosts,
     kStrict,
     kLives,
     {.max_steps = 1, .slow_journal = true},
     Same::kNothing},
    {"one_search_at_a_time",
     kHosts,
     kQueues,
     kLives,
     {.limits = {.searches = 1}, .max_steps = 1, .append_fails = 10},
     Same::kNothing},
    {"one_search_at_a_time_in_virtual_time",
     kHosts,
     kQueues,
     kComeAndGo,
     {.limits = {.batch = 1, .searches = 1, .step_time = 50}, .max_steps = 1}},
    {"searches_and_the_journal_fails",
     kHosts,
     kQueues,
     kComeAndGo,
     {.max_steps = 6, .append_fails = 20},
     Same::kNothing},
    {"searches_and_owners_refuse",
     kHosts,
     kQueues,
     kComeAndGo,
     {.limits = {.step_time = 50}, .max_steps = 6, .refuses = 15},
     Same::kNothing},
    {"searches_and_shells_fail",
     kHosts,
     kQueues,
     kComeAndGo,
     {.max_steps = 1, .queue_fails = 15, .gang_fails = 20},
     Same::kNothing},
    {"trees", kHosts, kQueues, kTrees, {.slow_journal = true}, Same::kHash, &Seen::grown},
    {"trees_in_small_cycles",
     kHosts,
     kStrict,
     kTrees,
     {.limits = {.inputs = 1, .batch = 1, .in_flight = 8}, .slow_journal = true},
     Same::kHash,
     &Seen::grown},
    {"trees_in_rounds", kHosts, kStrict, kTrees, {.rounds = Rounds::kKueue, .slow_journal = true}},
    {"trees_move",
     kHosts,
     kQueues,
     kTreesMove,
     {.limits = {.batch = 2}},
     Same::kHash,
     &Seen::grown},
    {"trees_and_the_journal_fails",
     kHosts,
     kQueues,
     kTrees,
     {.slow_journal = true, .append_fails = 30, .append_fails_in_a_row = true},
     Same::kNothing,
     &Seen::grown},
    {"trees_and_owners_refuse",
     kHosts,
     kQueues,
     kTrees,
     {.limits = {.batch = 3}, .refuses = 15},
     Same::kNothing,
     &Seen::grown},
    {"trees_and_shells_fail",
     kHosts,
     kQueues,
     kTrees,
     {.queue_fails = 15, .gang_fails = 20},
     Same::kAdmissions,
     &Seen::grown},
    {"trees_and_searches",
     kHosts,
     kQueues,
     kTrees,
     {.limits = {.batch = 2, .step_time = 50}, .max_steps = 1},
     Same::kHash,
     &Seen::grown},
    {"all_fails",
     kHosts,
     kQueues,
     kComeAndGo,
     {.append_fails = 10, .refuses = 10, .queue_fails = 2, .most_failures = 6},
     Same::kNothing},
};

class Interleaving : public testing::TestWithParam<InterleavingCase> {};

TEST_P(Interleaving, EveryOrderOfDeliveryKeepsTheInvariantsAndTheDecisions) {
  const InterleavingCase& each = GetParam();
  const EngineScript script = test::engine_script(each.hosts, each.queues, each.instants);
  core::EngineOptions engine;
  engine.profile.rounds = each.options.rounds;
  engine.profile.search_max_steps = each.options.max_steps;
  engine.defers = true;
  engine.solver_threads = 1;
  const auto local = test::local_records(script, engine, each.options.limits);
  std::set<std::uint64_t> schedules;
  std::size_t most_in_flight = 0, failures = 0, steps = 0, about = 0;
  std::uint64_t retracted = 0, deferred = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    ByHandOptions options = each.options;
    options.settle_between = seed % 4 == 0;
    const ByHandRun run = test::run_by_hand(script, options, seed);
    ASSERT_EQ(run.wrong + run.fatal, "") << "seed " << seed << ", step " << run.steps;
    schedules.insert(run.schedule);
    most_in_flight = std::max(most_in_flight, run.most_in_flight);
    failures += run.failures + run.shell_failures;
    retracted += run.counters.retracted;
    deferred += run.counters.deferred;
    ASSERT_LE(run.most_searching, options.limits.searches) << "seed " << seed;
    if (each.about != nullptr && run.seen.*each.about > 0) ++about;
    steps += run.steps;
    if (!options.settle_between) continue;
    if (each.same == Same::kHash) {
      ASSERT_EQ(core::hash_text(run.records.back()->hash), test::decision_hash(local))
          << "seed " << seed;
    }
    if (each.same != Same::kNothing) {
      ASSERT_EQ(test::admissions_text(run.records), test::admissions_text(local))
          << "seed " << seed;
    }
  }
  std::printf(
      "%s: %zu distinct schedules of %zu, %zu steps, %zu cycles in flight, %zu failures, "
      "%zu retracted, %zu deferred, %zu about it\n",
      each.name, schedules.size(), std::size_t{kSeeds}, steps, most_in_flight, failures,
      std::size_t{retracted}, std::size_t{deferred}, about);
  EXPECT_GE(schedules.size(), kSeeds - kMostAlike);
  EXPECT_GE(most_in_flight, 2u);
  if (each.about != nullptr) {
    EXPECT_GE(about, kSeeds / 2);
  }
  const bool may_fail = each.options.append_fails + each.options.refuses +
                            each.options.queue_fails + each.options.gang_fails >
                        0;
  EXPECT_EQ(failures > kSeeds / 2, may_fail);
  const bool may_defer = each.options.max_steps != config::Profile().search_max_steps;
  EXPECT_EQ(deferred > kSeeds, may_defer);
  if (each.options.append_fails + each.options.refuses > 0) {
    EXPECT_GE(retracted, kSeeds / 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, Interleaving, testing::ValuesIn(kCases),
                         [](const auto& each) { return std::string(each.param.name); });

INSTANTIATE_TEST_SUITE_P(Worlds, Interleaving, testing::ValuesIn(test::engine_worlds()),
                         [](const auto& each) { return std::string(each.param.name); });

struct FatalCase {
  const char* name;
  ByHandOptions options;
  const char* fatal;  // empty: the engine goes on
};

const FatalCase kFatalCases[] = {
    {"third_shell_within_a_minute",
     {.queue_fails = 100, .most_shell_failures = 3, .shell_failures_apart = 30},
     "coordinator: three actors failed within a minute"},
    {"three_shells_in_more",
     {.queue_fails = 100, .most_shell_failures = 4, .shell_failures_apart = 40},
     ""},
    {"shard", {.shard_fails = 80}, "shard: thrown by the test"},
    {"planner", {.planner_fails = 80}, "planner: thrown by the test"},
};

std::ostream& operator<<(std::ostream& out, const FatalCase& each) { return out << each.name; }

class FailingActor : public testing::TestWithParam<FatalCase> {};

TEST_P(FailingActor, EndsTheProcessOnlyIfItHasToEnd) {
  const EngineScript script = test::engine_script(
      kHosts, kQueues,
      "@0 +a/left:4x1;@30 +b/left:2x2;@40 +c/right:1x4;@60 +d/left:1x1 -a;@80 -b;"
      "@90 +e/left:1x4; @120 +f/solo:8x1; @150 -e +g/left:1x1");
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ByHandOptions options = GetParam().options;
    options.settle_between = true;
    const ByHandRun run = test::run_by_hand(script, options, seed);
    ASSERT_EQ(run.wrong, "") << "seed " << seed;
    ASSERT_GT(run.shell_failures, 0u) << "seed " << seed;
    ASSERT_EQ(run.fatal, GetParam().fatal) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, FailingActor, testing::ValuesIn(kFatalCases),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace tessera::actors
