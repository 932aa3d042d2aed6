// SPDX-License-Identifier: Apache-2.0
// QueueState rule by rule: a case is a list of steps, each with the window that must follow
// (notation: tests/support/queue_script.h). Over random steps: queue_model_test.cpp.
#include "actors/queues/queue_state.h"

#include <gtest/gtest.h>

#include <ostream>

#include "actors/records/reason.h"
#include "tests/support/queue_script.h"

namespace tessera::core {
namespace {

using config::Rounds;

struct ScriptCase {
  const char* name;
  QueueStrategy strategy;
  std::vector<std::pair<const char*, const char*>> steps;  // step, window

  friend std::ostream& operator<<(std::ostream& out, const ScriptCase& c) { return out << c.name; }
};

PlanQueue queue_of(QueueStrategy strategy) {
  PlanQueue queue;
  queue.name = "q";
  queue.strategy = strategy;
  return queue;
}

void run(const ScriptCase& script, Rounds order) {
  const PlanQueue queue = queue_of(script.strategy);
  QueueState state(queue, 0, order);
  test::QueueScript reader;
  for (const auto& [step, window] : script.steps) {
    EXPECT_EQ(reader.text(state.step(reader.step(step))), window) << "after " << step;
  }
}

constexpr QueueStrategy kBest = QueueStrategy::kBestEffortFifo;
constexpr QueueStrategy kStrict = QueueStrategy::kStrictFifo;

const ScriptCase kSequentialCases[] = {
    {"ShapesAreMergedInQueueOrder", kBest, {{"+a4 +b2 +a1 +c3", "a1 b2 c3 a4"}}},
    {"PriorityComesFirst", kBest, {{"+a1 +b2! +a3!", "b2 a3 a1"}}},
    {"AWindowIsOfferedAgainUntilAnOutcome", kBest, {{"+a1 +b2", "a1 b2"}, {"", "a1 b2"}}},
    {"UnreachedKeepsItsTurn", kBest, {{"+a1 +b2", "a1 b2"}, {"a1=unreached", "a1 b2"}}},
    {"NoMoreThanWanted",
     kBest,
     {{"+a1 +a2 +b3 most=2", "a1 a2 ..."}, {"most=3", "a1 a2 b3"}, {"most=0", " ..."}}},
    {"ClosedShapesAreNotMore", kBest, {{"+a1 +b2", "a1 b2"}, {"b2=no:q most=1", "a1"}}},
    {"TheAdmittedLeave", kBest, {{"+a1 +a2 +b3", "a1 a2 b3"}, {"a1=ok b3=ok", "a2"}}},
    {"TheAdmittedCanComeAgain", kBest, {{"+a1", "a1"}, {"a1=ok", ""}, {"+a1", "a1"}}},
    {"WhatIsThereAlreadyIsNotTwice", kBest, {{"+a1", "a1"}, {"+a1", "a1"}}},
    {"ARemovedHeadGivesWay", kBest, {{"+a1 +a2 +b3", "a1 a2 b3"}, {"-a1", "a2 b3"}}},
    {"RemovalOfTheUnknownChangesNothing", kBest, {{"+a1", "a1"}, {"-b2", "a1"}}},

    {"ARefusedShapeIsClosedWhole", kBest, {{"+a1 +b2 +a3", "a1 b2 a3"}, {"a1=no:q", "b2"}}},
    {"LaterArrivalsOfAClosedShapeWait",
     kBest,
     {{"+a1", "a1"}, {"a1=no:q", ""}, {"+a2! +b3", "b3"}, {"wake:q", "a2 a1 b3"}}},
    {"AShapeIsForgottenWithItsLast",
     kBest,
     {{"+a1 +a2", "a1 a2"}, {"a1=no:q", ""}, {"-a1 -a2", ""}, {"+a3", "a3"}}},
    {"ARefusalOfTheRemovedClosesNothing",
     kBest,
     {{"+a1 +a2", "a1 a2"}, {"-a1", "a2"}, {"a1=no:q", "a2"}}},
    {"AStaleRefusalDoesNotClose", kBest, {{"+a1 +b2", "a1 b2"}, {"a1=stale:p", "a1 b2"}}},

    {"QuotaWakesThoseThatHopeForIt",
     kBest,
     {{"+a1 +b2 +c3", "a1 b2 c3"}, {"a1=no:q b2=no:0 c3=no", ""}, {"wake:q", "a1"}}},
    {"AFlavorWakesThoseThatHopeForIt",
     kBest,
     {{"+a1 +b2 +c3", "a1 b2 c3"},
      {"a1=no:q1 b2=no:02 c3=no:3", ""},
      {"wake:0", "b2"},
      {"b2=no:02 wake:1 wake:3", "a1 c3"}}},
    {"AllWakesThoseWithoutHopeToo",
     kBest,
     {{"+a1 +b2", "a1 b2"},
      {"a1=no b2=unplanned", ""},
      {"wake:q wake:0", ""},
      {"wake:all", "a1 b2"}}},
    {"WhatChangedInTheSameStepWakesTheRefused",
     kBest,
     {{"+a1 +b2", "a1 b2"}, {"a1=no:q b2=no:0 wake:q", "a1"}}},
    {"PlacementsWakeEarlierRefusalsOnly",
     kBest,
     {{"+a1 +b2 +c3", "a1 b2 c3"},
      {"a1=no:p c3=no:q", "b2"},
      {"placed b2=no:p", "a1"},
      {"placed", "a1 b2"}}},

    {"ThoseThatGrowComeBehindAllOfTheirPriorityThatHoldNothing",
     kBest,
     {{"+a1 +b2 +c3! +d9", "c3 a1 b2 d9"},
      {"c3=placed a1=placed", "c3^ b2 d9 a1^"},
      {"+e1! b2=placed d9=ok", "e1 c3^ a1^ b2^"},
      {"most=2", "e1 c3^ ..."}}},
    {"OneThatGrowsIsOfferedUntilItHasAll",
     kBest,
     {{"+a1 +a2", "a1 a2"}, {"a1=placed", "a2 a1^"}, {"a2=ok a1=placed", "a1^"}, {"a1=ok", ""}}},
    {"OneThatGrowsSharesNoRefusal",
     kBest,
     {{"+a1 +a2 +a3", "a1 a2 a3"},
      {"a1=full:q0 a2=placed a3=no:q", "a2^"},
      {"a2=full:q1", ""},
      {"wake:0", "a1^"},
      {"a1=no:q0 wake:q", "a3 a1^ a2^"}}},
    {"OneThatGrowsLeavesLikeTheOthers",
     kBest,
     {{"+a1 +b2", "a1 b2"}, {"a1=full:q b2=placed", "b2^"}, {"-a1 -b2", ""}, {"wake:q +a1", "a1"}}},
    {"OneThatMayNotGrowNowWaitsForDefinitions",
     kBest,
     {{"+a1^", "a1^"}, {"a1=held", ""}, {"wake:q", ""}, {"wake:all", "a1^"}}},

    {"OneThatCannotGrowBlocksNobody",
     kStrict,
     {{"+a1! +b2 +c3", "a1 b2 c3"},
      {"a1=full:q", "b2 c3"},
      {"b2=no:q", ""},
      {"-b2 wake:q", "a1^ c3"},
      {"a1=held c3=placed", "c3^"}}},
    {"NothingGrowsBehindARefusedHead",
     kStrict,
     {{"+a1 +b2 +c3!", "c3 a1 b2"}, {"c3=placed a1=placed b2=no:q", "c3^"}, {"-b2", "c3^ a1^"}}},
    {"NothingBehindARefusedHead",
     kStrict,
     {{"+a1 +b2 +a3", "a1 b2 a3"}, {"a1=no:q", ""}, {"+c4", ""}, {"wake:q", "a1 b2 a3 c4"}}},
    {"ABetterArrivalGoesBeforeARefusedHead",
     kStrict,
     {{"+a1 +b2", "a1 b2"}, {"a1=no:q", ""}, {"+b3!", "b3"}, {"b3=ok", ""}}},
    {"ABetterArrivalOfARefusedShapeBlocksItself",
     kStrict,
     {{"+a1 +b2", "a1 b2"}, {"a1=no:q", ""}, {"+a3! +b4!", ""}}},
    {"BehindTheHeadAShapeClosedBefore",
     kStrict,
     {{"+b1! +a2 +b3", "b1 a2 b3"}, {"b1=no:q", ""}, {"-b1", "a2"}}},
    {"ARemovedHeadUnblocks", kStrict, {{"+a1 +b2", "a1 b2"}, {"a1=no:q", ""}, {"-a1", "b2"}}},
    {"AnUnplannableHeadBlocks",
     kStrict,
     {{"+a1 +b2", "a1 b2"},
      {"a1=unplanned", ""},
      {"+c3!", "c3"},
      {"wake:q wake:0", "c3"},
      {"c3=ok wake:all", "a1 b2"}}},
    {"AnUnplannableHeadLeaves",
     kStrict,
     {{"+a1 +a2", "a1 a2"}, {"a1=unplanned", ""}, {"-a1", "a2"}}},
    {"AnUnplannableOneIsPassedBy",
     kBest,
     {{"+a1 +a2 +b3", "a1 a2 b3"}, {"a1=unplanned", "a2 b3"}, {"wake:q", "a2 b3"}}},

    {"NotBeforeItsBackOffEnds",
     kBest,
     {{"+a1@50 +b2", "b2"}, {"now=49", "b2"}, {"now=50", "a1 b2"}, {"a1=ok", "b2"}}},
    {"ABackOffThatIsOverIsNone", kBest, {{"+a1@50 now=50", "a1"}}},
    {"NothingWakesFromABackOff", kBest, {{"+a1@50", ""}, {"wake:all", ""}, {"now=50", "a1"}}},
    {"ABackOffEndsInAClosedShape",
     kBest,
     {{"+a1@50 +a2", "a2"}, {"a2=no:q", ""}, {"now=50", ""}, {"wake:q", "a1 a2"}}},
    {"RemovedDuringItsBackOff", kBest, {{"+a1@50", ""}, {"-a1", ""}, {"now=50", ""}}},
    {"ABackOffDoesNotBlockAStrictQueue", kStrict, {{"+a1@50 +b2", "b2"}, {"now=60", "a1 b2"}}},

    {"ARepeatedCycleChangesNothing",
     kBest,
     {{"+a1 +b2", "a1 b2"}, {"a1=no:q", "b2"}, {"cycle=2 b2=ok wake:all -b2 +c3", "b2"}}},
    {"AnOldCycleChangesNothing",
     kBest,
     {{"+a1", "a1"}, {"+b2", "a1 b2"}, {"cycle=1 a1=ok +c3", "a1 b2"}}},
};

const ScriptCase kRoundsCases[] = {
    {"ARefusedHeadIsSetAside", kBest, {{"+a1 +b2", "a1 b2"}, {"a1=no/-1", "b2"}}},
    {"ItsShapeMovesWithIt",
     kBest,
     {{"+a1 +b2 +a3", "a1 b2 a3"}, {"a1=no/-1", "b2"}, {"+a4", "b2"}}},
    {"AnotherPriorityIsAnotherShape", kBest, {{"+a1 +b2 +a3!", "a3 a1 b2"}, {"a3=no/-1", "a1 b2"}}},
    {"AnUnfinishedSearchStaysActive",
     kBest,
     {{"+a1 +a2", "a1 a2"}, {"a1=no/0", "a1/0 a2"}, {"a1=no/-1", ""}}},
    {"TheSkippedStaysActiveAndMovesNobody",
     kBest,
     {{"+a1 +a2 +b3", "a1 a2 b3"}, {"a1=skipped", "a1 a2 b3"}}},
    {"AWrongNamespaceMovesNobodyElse",
     kBest,
     {{"+a1 +a2", "a1 a2"}, {"a1=namespace", "a2"}, {"wake:q", "a1 a2"}}},
    {"TheUnplannableMovesNobodyElse", kBest, {{"+a1 +a2", "a1 a2"}, {"a1=unplanned", "a2"}}},

    {"AStrictHeadStaysActive",
     kStrict,
     {{"+a1 +b2", "a1 b2"}, {"a1=no/-1", "a1/-1 b2"}, {"a1=skipped", "a1 b2"}}},
    {"AStrictHeadWithAnUnfinishedSearchStays",
     kStrict,
     {{"+a1 +b2", "a1 b2"}, {"a1=no/0", "a1/0 b2"}}},
    {"AnUnplannableStrictHeadStays", kStrict, {{"+a1 +b2", "a1 b2"}, {"a1=unplanned", "a1 b2"}}},
    {"AWrongNamespaceLeavesEvenAStrictQueue",
     kStrict,
     {{"+a1 +b2", "a1 b2"}, {"a1=namespace", "b2"}}},

    {"AnyReleaseOfTheTreeLetsAllIn",
     kBest,
     {{"+a1 +a2 +b3", "a1 a2 b3"},
      {"a1=no/-1 b3=no/-1", ""},
      {"wake:0", ""},
      {"wake:q", "a1 a2 b3"}}},
    {"ARecordLastsWithoutAReleases",
     kBest,
     {{"+a1", "a1"}, {"a1=no/0", "a1/0"}, {"wake:0", "a1/0"}, {"placed +b2", "a1/0 b2"}}},
    {"ARecordFromBeforeTheReleaseEnds",
     kBest,
     {{"+a1", "a1"}, {"a1=no/0", "a1/0"}, {"wake:q", "a1"}}},
    {"ARecordOfTheCycleOfTheReleaseStays",
     kBest,
     {{"+a1", "a1"}, {"a1=no/0 wake:q", "a1/0"}, {"wake:q", "a1"}}},
    {"OneHeadARound", kBest, {{"+a1 +b2 most=1", "a1 ..."}, {"a1=no/-1 most=1", "b2"}}},
};

class Sequential : public testing::TestWithParam<ScriptCase> {};
TEST_P(Sequential, OffersTheWindow) { run(GetParam(), Rounds::kSequential); }
INSTANTIATE_TEST_SUITE_P(QueueState, Sequential, testing::ValuesIn(kSequentialCases),
                         [](const auto& c) { return c.param.name; });

class InRounds : public testing::TestWithParam<ScriptCase> {};
TEST_P(InRounds, OffersTheWindow) { run(GetParam(), Rounds::kKueue); }
INSTANTIATE_TEST_SUITE_P(QueueState, InRounds, testing::ValuesIn(kRoundsCases),
                         [](const auto& c) { return c.param.name; });

/// What a window says beside its items: "3 waiting, sleepers, placements, deadline 50, moved,
/// 1:0,".
std::string figures(const Window& window) {
  std::string text = std::to_string(window.waiting) + " waiting";
  if (window.sleepers) text += ", sleepers";
  if (window.waits_for_placement) text += ", placements";
  if (window.next_deadline != INT64_MAX) {
    text += ", deadline " + std::to_string(window.next_deadline);
  }
  if (window.moved) text += ", moved";
  return window.unfinished.empty() ? text : text + ", " + window.unfinished;
}

struct FigureCase {
  const char* name;
  Rounds order;
  QueueStrategy strategy;
  std::vector<std::pair<const char*, const char*>> steps;

  friend std::ostream& operator<<(std::ostream& out, const FigureCase& c) { return out << c.name; }
};

const FigureCase kFigureCases[] = {
    {"RefusedOnesSleep",
     Rounds::kSequential,
     kBest,
     {{"+a1 +b2", "2 waiting"}, {"a1=no:q", "2 waiting, sleepers"}, {"wake:q", "2 waiting"}}},
    {"HopeForPlacementsIsTold",
     Rounds::kSequential,
     kBest,
     {{"+a1", "1 waiting"},
      {"a1=no:p", "1 waiting, sleepers, placements"},
      {"placed", "1 waiting"}}},
    {"TheEarliestBackOffIsTold",
     Rounds::kSequential,
     kBest,
     {{"+a1@70 +b2@50", "2 waiting, sleepers, deadline 50"},
      {"now=60", "2 waiting, sleepers, deadline 70"},
      {"-a1", "1 waiting"}}},
    {"TheUnplannableSleep",
     Rounds::kSequential,
     kStrict,
     {{"+a1", "1 waiting"}, {"a1=unplanned", "1 waiting, sleepers"}, {"wake:all", "1 waiting"}}},
    {"AMoveIsToldOnce",
     Rounds::kKueue,
     kBest,
     {{"+a1", "1 waiting"},
      {"a1=no/-1", "1 waiting, sleepers, moved"},
      {"", "1 waiting, sleepers"}}},
    {"AStrictHeadDoesNotMove",
     Rounds::kKueue,
     kStrict,
     {{"+a1", "1 waiting"}, {"a1=no/-1", "1 waiting"}}},
    {"UnfinishedRecordsAreTold",
     Rounds::kKueue,
     kBest,
     {{"+a1", "1 waiting"}, {"a1=no/2", "1 waiting, 1:2,;"}, {"a1=ok", "0 waiting"}}},
};

class Figures : public testing::TestWithParam<FigureCase> {};
TEST_P(Figures, AreThoseOfTheRows) {
  const PlanQueue queue = queue_of(GetParam().strategy);
  QueueState state(queue, 0, GetParam().order);
  test::QueueScript reader;
  for (const auto& [step, expected] : GetParam().steps) {
    EXPECT_EQ(figures(state.step(reader.step(step))), expected) << "after " << step;
  }
}
INSTANTIATE_TEST_SUITE_P(QueueState, Figures, testing::ValuesIn(kFigureCases),
                         [](const auto& c) { return c.param.name; });

TEST(QueueStateStanding, SaysWhoseRefusalSpeaksForAWaitingOne) {
  const PlanQueue queue = queue_of(kBest);
  QueueState state(queue, 0, Rounds::kSequential);
  test::QueueScript reader;
  for (const char* step : {"+a1 +b2 +a3", "a1=no:q"}) state.step(reader.step(step));
  std::string text;
  for (const QueueState::Standing& each : state.standing()) {
    text += reader.name(each.gang) + (each.active ? " active" : " waits");
    if (each.evaluated) text += " for " + reader.name(*each.evaluated);
    text += "; ";
  }
  EXPECT_EQ(text, "a1 waits for a1; b2 active; a3 waits for a1; ");
}

}  // namespace
}  // namespace tessera::core
