// SPDX-License-Identifier: Apache-2.0
// Searches that leave their cycle (design.md 3.2): who waits for them, when their results count,
// and what becomes of those that come too late.
#include "actors/planner/background_search.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "actors/engine/local_engine.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/engine_script.h"
#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using test::EngineScript;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kTwoRacks = "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4";

struct Deferring {
  std::int64_t max_steps = 1;  // every gang with pods on nodes
  CycleLimits limits = {.step_time = 50};
};

/// A LocalEngine that defers, told what to do by words of EngineScript.
class Story {
 public:
  Story(const std::string& hosts, const std::string& queues, const std::string& instants,
        const Deferring& deferring = {})
      : script_(test::engine_script(hosts, queues, instants)) {
    EngineOptions options;
    options.live = options.defers = true;
    options.profile.search_max_steps = deferring.max_steps;
    options.solver_threads = 1;
    engine_ = std::make_unique<LocalEngine>(std::make_shared<const Definitions>(script_.inventory),
                                            options, deferring.limits);
  }

  /// The next instants of the script; all that is said about them, "a[x:1] b?" where b was
  /// deferred and "c!" where it was refused.
  std::string next(int instants = 1) {
    std::string text;
    for (; instants > 0; --instants) text += tell(script_.instants[at_++]);
    return text;
  }
  std::string tell(std::vector<Input> inputs) {
    engine_->submit(std::move(inputs));
    std::string text;
    for (const auto& record : engine_->settle()) {
      for (const RefusedWorkload& refused : record->refused) {
        text += refused.workload->name + (refused.reason == Reason::kDeferred ? "? " : "! ");
        details_[refused.workload->name] = refused.detail;
      }
      const std::string admitted = test::admissions_text({record});
      if (!admitted.empty()) text += admitted + ' ';
    }
    return text;
  }
  /// Time goes on to the next deadline.
  std::string wait() { return tell({Advance{engine_->next_deadline()}}); }

  const EngineScript& script() const { return script_; }
  LocalEngine& engine() { return *engine_; }
  const std::string& detail(const std::string& name) const { return details_.at(name); }

 private:
  EngineScript script_;
  std::size_t at_ = 0;
  std::unique_ptr<LocalEngine> engine_;
  std::map<std::string, std::string> details_;
};

TEST(BackgroundSearch, EndsAfterItsStepsOfVirtualTime) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack");
  EXPECT_EQ(run.next(), "a? ");
  EXPECT_EQ(run.detail("a"), "its search takes more than 1 steps and goes on in the background");
  const std::int64_t takes = run.engine().next_deadline() - kSecond;
  EXPECT_GT(takes, 50);
  EXPECT_EQ(takes % 50, 0);
  EXPECT_EQ(run.tell({Advance{kSecond + takes - 1}}), "");
  EXPECT_EQ(run.wait(), "a[a:1 b:1] ");
  EXPECT_EQ(run.engine().counters().deferred, 1u);
}

TEST(BackgroundSearch, CountsAtOnceWhereTimeIsReal) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack", {.limits = {}});
  EXPECT_EQ(run.next(), "a? a[a:1 b:1] ");
  EXPECT_EQ(run.engine().cycle().counters().inputs, 3u);  // the result is one
}

TEST(BackgroundSearch, TakesNoMoreThanItsStepsInTheCycle) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack +b/q:1x4,1x2,1x1", {.max_steps = 8});
  EXPECT_EQ(run.next(), "b? a[a:1 b:1] ");
}

TEST(BackgroundSearch, BlocksAStrictFifoQueueAndNoOther) {
  Story run(kTwoRacks, "=q:16 r:16", "@1 +a/q:1x4,1x4,1x4 +b/q:1x1 +c/r:1x1", {.max_steps = 8});
  EXPECT_EQ(run.next(), "a? c[a:1] ");
  EXPECT_EQ(run.wait(), "a[b:1 c:1 d:1] b[a:1] ");
}

TEST(BackgroundSearch, IsPassedByInABestEffortQueue) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:1x4,1x4,1x4 +b/q:1x1", {.max_steps = 8});
  EXPECT_EQ(run.next(), "a? b[a:1] ");
  EXPECT_EQ(run.wait(), "a[b:1 c:1 d:1] ");
}

/// One search serves all gangs that ask for the same.
TEST(BackgroundSearch, IsOneForAllOfAShape) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack +b/q:2x4@rack +c/q:2x4@rack");
  EXPECT_EQ(run.next(), "a? ");
  EXPECT_EQ(run.wait(), "b? a[a:1 b:1] ");
  EXPECT_EQ(run.wait(), "c? b[c:1 d:1] ");
  EXPECT_EQ(run.wait(), "c! ");
}

TEST(BackgroundSearch, OfWhoEndedServesTheNextOfItsShape) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack +b/q:2x4@rack; -a");
  EXPECT_EQ(run.next(), "a? ");
  EXPECT_EQ(run.next(), "b? ");
  EXPECT_EQ(run.wait(), "b[a:1 b:1] ");
}

TEST(BackgroundSearch, OfWhoWasSuspendedIsForgotten) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack; _a; @2; ^a");
  EXPECT_EQ(run.next(4), "a? a? ");
  EXPECT_EQ(run.wait(), "a[a:1 b:1] ");
}

TEST(BackgroundSearch, OfWhoWasPutOffIsForgotten) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack; ~a@3; @2");
  EXPECT_EQ(run.next(3), "a? ");
  EXPECT_EQ(run.engine().next_deadline(), 3 * kSecond);
  EXPECT_EQ(run.wait(), "a? ");
  EXPECT_EQ(run.wait(), "a[a:1 b:1] ");
}

/// If others took the room meanwhile, the gang is searched for again and gets another place.
TEST(BackgroundSearch, WhoseRoomIsGoneBeginsAgain) {
  Story run(kTwoRacks, "q:16 r:16", "@1 +a/q:2x4@rack; @2 +b/r:1x1!1", {.max_steps = 4});
  ASSERT_EQ(run.next(), "a? ");
  const auto& b = run.script().instants[1].back();
  // The result lies on a and b; b goes to a in the cycle in which it counts.
  EXPECT_EQ(run.tell({Advance{run.engine().next_deadline()}, b}), "a? b[a:1] ");
  EXPECT_EQ(run.wait(), "a[c:1 d:1] ");
  EXPECT_EQ(run.engine().counters().deferred, 2u);
}

/// Somebody more important takes a part of each result in the cycle in which it counts.
TEST(BackgroundSearch, ThatIsLateThreeTimesIsMadeInTheCycle) {
  Story run("b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4 b1/r3/e:4 b1/r3/f:4 b1/r4/g:4 b1/r4/h:4",
            "q:32 r:32", "@1 +a/q:1x4,1x3,1x1; +b/r:2x4@rack!1; +c/r:2x4@rack!1; +d/r:2x4@rack!1",
            {.max_steps = 11});
  ASSERT_EQ(run.next(), "a? ");
  const auto late = [&](std::size_t instant) {
    return run.tell({Advance{run.engine().next_deadline()}, run.script().instants[instant][0]});
  };
  EXPECT_EQ(late(1), "a? b[a:1 b:1] ");
  EXPECT_EQ(late(2), "a? c[c:1 d:1] ");
  EXPECT_EQ(late(3), "d[e:1 f:1] a[g:1 h:1 h:1] ");
  EXPECT_EQ(run.engine().counters().deferred, 3u);
}

/// A refusal that came too late is no reason to hold up others.
TEST(BackgroundSearch, ThatRefusesIsNeverMadeInTheCycle) {
  const char* instants = "@1 +x/q:1x1 +y/q:1x1 +z/q:1x1 +u/q:1x1 +v/q:1x1; @2 +c/q:1x4,1x4,1x4,1x4";
  Story run(kTwoRacks, "q:32", instants, {.max_steps = 6});
  run.next();
  EXPECT_EQ(run.next(), "c? ");
  for (const char* name : {"x", "y", "z", "u"}) {
    EXPECT_EQ(run.tell({Advance{run.engine().next_deadline()}, Finish{run.script().ids.at(name)}}),
              "c? ");
  }
  EXPECT_EQ(run.engine().counters().deferred, 5u);
}

/// A refusal counts while nothing that could help has happened.
TEST(BackgroundSearch, ThatRefusedBeginsAgainWhereRoomCameFree) {
  const char* instants = "@1 +a/q:1x1 +b/q:1x1; @2 +c/q:1x4,1x4,1x4,1x4; -a; @3";
  Story run(kTwoRacks, "q:32", instants, {.max_steps = 6});
  EXPECT_EQ(run.next(), "a[a:1] b[a:1] ");
  EXPECT_EQ(run.next(), "c? ");
  EXPECT_EQ(run.next(), "");
  EXPECT_EQ(run.wait(), "c? ");  // it was refused before a ended
  EXPECT_EQ(run.wait(), "c! ");
  EXPECT_EQ(run.tell({Finish{run.script().ids.at("b")}}), "c? ");
  EXPECT_EQ(run.wait(), "c[a:1 b:1 c:1 d:1] ");
}

TEST(BackgroundSearch, WaitsForItsTimeAlsoWhenNodesChangeAndBeginsAgainOnThem) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack");
  EXPECT_EQ(run.next(), "a? ");
  topology::NodeRecord node = run.script().inventory.nodes[0];
  node.ready = false;
  EXPECT_EQ(run.tell({NodeUpdate{node}}), "");
  EXPECT_EQ(run.wait(), "a? ");
  EXPECT_EQ(run.wait(), "a[c:1 d:1] ");
}

TEST(BackgroundSearch, BeginsAgainUnderOtherDefinitions) {
  Story run(kTwoRacks, "q:16", "@1 +a/q:2x4@rack");
  EXPECT_EQ(run.next(), "a? ");
  EXPECT_EQ(run.tell({Redefine{std::make_shared<const Inventory>(run.script().inventory)}}), "a? ");
  EXPECT_EQ(run.wait(), "a[a:1 b:1] ");
  EXPECT_EQ(run.engine().next_deadline(), INT64_MAX);
}

TEST(BackgroundSearch, KeepsVirtualTimeFromPassing) {
  EngineScript script = test::engine_script(kTwoRacks, "q:16", "@1 +a/q:2x4@rack; @2 +b/q:1x1!1");
  EngineOptions options;
  options.defers = true;
  options.profile.search_max_steps = 1;
  const auto definitions = std::make_shared<const Definitions>(script.inventory);
  LocalEngine at_once(definitions, options, {.step_time = 50});
  for (const auto& instant : script.instants) at_once.submit(instant);
  // a's result counts at the time of the second instant at the latest, whatever was handed over
  // meanwhile.
  EXPECT_EQ(test::admissions_text(at_once.settle()), "a[a:1 b:1]");
  at_once.submit({Advance{at_once.next_deadline()}});
  EXPECT_EQ(test::admissions_text(at_once.settle()), "b[c:1]");
}

TEST(BackgroundSearch, IsNoneInRoundsNorWhereNothingDefers) {
  for (const bool rounds : {false, true}) {
    const EngineScript script = test::engine_script(kTwoRacks, "q:16", "@1 +a/q:2x4@rack");
    EngineOptions options;
    options.profile.search_max_steps = 1;
    options.defers = rounds;
    if (rounds) options.profile.rounds = config::Rounds::kKueue;
    EXPECT_EQ(test::admissions_text(test::local_records(script, options, {})), "a[a:1 b:1]");
  }
}

/// A queue in order, with time enough: gangs go where they would have gone in their cycle.
TEST(BackgroundSearch, ChangesNoPlacementWhereNobodyPassesBy) {
  constexpr int kStreams = 200, kGangs = 30;
  std::uint64_t deferred = 0;
  for (std::uint64_t seed = 0; seed < kStreams; ++seed) {
    test::Dice dice(seed);
    std::string instants;
    std::vector<std::string> names;
    for (int i = 0; i < kGangs; ++i) {
      const char* levels[] = {"", "@rack", "@rack?", "@block", "@host?"};
      const std::string name = "g" + std::to_string(i);
      instants += '@' + std::to_string(i + 1) + " +" + name +
                  "/q:" + std::to_string(1 + dice.below(4)) + 'x' +
                  std::to_string(1 + dice.below(4)) + levels[dice.below(5)];
      if (dice.percent(30)) instants += ",1x1";
      instants += "; @" + std::to_string(i + 1) + ';';
      names.push_back(name);
      while (names.size() > 4) {
        const auto at =
            static_cast<std::ptrdiff_t>(dice.below(static_cast<std::int64_t>(names.size())));
        instants += '-' + names[static_cast<std::size_t>(at)] + ';';
        names.erase(names.begin() + at);
      }
    }
    const std::int64_t max_steps = 1 + dice.below(20);
    Story whole(kTwoRacks, "=q:14", instants, {.max_steps = INT64_MAX});
    Story run(kTwoRacks, "=q:14", instants, {.max_steps = max_steps});
    std::string expected, got;
    const auto settle = [](Story& each) {
      std::string text;
      while (each.engine().next_deadline() != INT64_MAX) text += each.wait();
      return text;
    };
    const auto admissions = [](const std::string& text) {
      std::string out;
      std::istringstream words(text);
      for (std::string word; words >> word;) {
        if (word.back() != '?' && word.back() != '!') out += word + ' ';
      }
      return out;
    };
    for (std::size_t i = 0; i < whole.script().instants.size(); ++i) {
      expected += whole.next();
      expected += settle(whole);
      got += run.next();
      got += settle(run);
      ASSERT_EQ(admissions(got), admissions(expected)) << "seed " << seed << ", instant " << i;
    }
    deferred += run.engine().counters().deferred;
  }
  EXPECT_GT(deferred, 500u);
}

/// The planner changes trees in place while another thread searches them.
TEST(BackgroundSearch, NeverSeesNodesThatChange) {
  constexpr int kRacks = 40, kHosts = 16, kRounds = 300;
  std::string hosts;
  for (int r = 0; r < kRacks; ++r) {
    for (int h = 0; h < kHosts; ++h) {
      hosts += "b1/r" + std::to_string(r) + "/h" + std::to_string(r * kHosts + h) + ":4 ";
    }
  }
  const EngineScript script = test::engine_script(hosts, "q:4000", "@1 +a/q:40x3,7x1,30x4");
  const auto definitions = std::make_shared<const Definitions>(script.inventory);
  EngineOptions options;
  options.live = options.defers = true;
  options.profile.search_max_steps = 1;
  options.solver_threads = 1;
  PlannerState planner(definitions, options);
  planner.make_owners();
  Searcher searcher(options);
  int ended = 0, voided = 0;
  for (int round = 0; round < kRounds; ++round) {
    PlanRequest request;
    request.cycle = 2 * static_cast<CycleNumber>(round) + 1;
    Window window;
    request.may_search = true;
    window.items.push_back({GangId{1}, script.gangs.at(GangId{1}), 0, {}, false, nullptr});
    request.windows.push_back(std::move(window));
    const PlanReply reply = planner.step(request);
    ASSERT_EQ(reply.plan.deferred.size(), 1u);
    const SearchRequest search{GangId{1}, 1, 0, script.gangs.at(GangId{1}), 0, reply.snapshot};
    std::shared_ptr<const SearchResult> result;
    std::thread thread([&] { result = searcher.search(search); });
    PlanRequest change;
    change.cycle = request.cycle + 1;
    topology::NodeRecord node =
        script.inventory.nodes[static_cast<std::size_t>(round % (kRacks * kHosts))];
    node.ready = round % 2 == 0;
    node.labels.set(topology::Symbol(test::kRack),
                    topology::Symbol("r" + std::to_string(round % 7)));
    change.updates.emplace_back(NodeUpdate{node});
    planner.step(change);
    thread.join();
    result->is_void ? ++voided : ++ended;
    if (!result->is_void) {
      EXPECT_TRUE(result->place.has_value());
    }
    EXPECT_TRUE(searcher.search(search)->is_void);  // its nodes do not exist any more
  }
  EXPECT_EQ(ended + voided, kRounds);
}

}  // namespace
}  // namespace tessera::core
