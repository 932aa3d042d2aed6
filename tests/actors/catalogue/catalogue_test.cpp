// SPDX-License-Identifier: Apache-2.0
// What clients are told: entries, versions and the ring of events follow the committed cycles.
#include "actors/catalogue/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <sstream>

namespace tessera::core {
namespace {

ObjectName name_of(int workload) { return {"Job", "ns", "w" + std::to_string(workload)}; }

/// ">1 +1 ~2 -3 <4" in one cycle: 1 submitted and admitted, 2 refused, 3 finished, 4 evicted;
/// ")1": 1 submitted and not active; "*5 %6 _7 ^8": 5 started, 6 being evicted, 7 suspended, 8
/// resumed. Workload 12 has the name of workload 2.
CycleRecord record_of(CycleNumber cycle, const std::string& text) {
  CycleRecord record;
  record.cycle = cycle;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::uint64_t number = std::stoul(word.substr(1));
    const GangId gang{number};
    auto workload = std::make_shared<Workload>();
    const ObjectName name = name_of(static_cast<int>(number % 10));
    workload->namespace_name = name.namespace_name;
    workload->name = name.name;
    workload->origin.kind = name.kind;
    if (word[0] == '+') {
      record.admitted.push_back(
          {gang, workload, std::make_shared<const Admission>(Admission{"q", {}}), {}});
    }
    workload->active = word[0] != ')';
    if (word[0] == '>' || word[0] == ')') record.inputs.emplace_back(Submit{workload, gang});
    if (word[0] == '-') record.finished.push_back(gang);
    if (word[0] == '<') record.evicted.push_back(gang);
    const auto change = std::string("*_^%").find(word[0]);  // in the order of LifeChange::Kind
    if (change != std::string::npos) {
      record.changes.push_back({static_cast<LifeChange::Kind>(change), gang});
    }
    if (word[0] != '~') continue;
    RefusedWorkload& refused = record.refused.emplace_back();
    refused.gang = gang;
    refused.workload = workload;
    refused.reason = Reason::kGated;
  }
  return record;
}

/// "w1 admitted @2".
std::string text_of(const CatalogueEntry& entry) {
  std::string text = entry.workload->name;
  text += entry.ended ? " ended" : entry.admission ? " admitted" : " waits";
  if (entry.started) text += " started";
  if (entry.suspended) text += " suspended";
  if (entry.eviction) text += entry.admission ? " evicting" : " evicted";
  if (entry.reason != Reason::kNone) text += " " + std::string(reason_name(entry.reason));
  return text + " @" + std::to_string(entry.version);
}

/// The entries of w1 to w9.
std::string entries(const Catalogue& catalogue) {
  std::string text;
  for (int workload = 1; workload < 10; ++workload) {
    const auto entry = catalogue.find(name_of(workload));
    if (entry) text += (text.empty() ? "" : ", ") + text_of(*entry);
  }
  return text;
}

/// In the notation of record_of(), each with its version; "list again" where they are gone.
std::string events(const Catalogue& catalogue, CycleNumber version) {
  const auto found = catalogue.since(version);
  if (!found) return "list again";
  std::string text;
  for (const WatchEvent& event : *found) {
    constexpr char kMarks[] = {'>', '+', '~', '<', '-', '*', '%', '_', '^'};
    if (!text.empty()) text += ' ';
    text += kMarks[static_cast<std::size_t>(event.kind)] + core::text(event.entry->gang) + '@' +
            std::to_string(event.version());
  }
  return text;
}

struct EntryCase {
  const char* name;
  std::vector<std::pair<CycleNumber, const char*>> cycles;
  const char* entries;
  const char* events;

  friend std::ostream& operator<<(std::ostream& out, const EntryCase& c) { return out << c.name; }
};

const EntryCase kEntryCases[] = {
    {"Nothing", {}, "", ""},
    {"KnownBeforeItIsLookedAt", {{1, ">1"}}, "w1 waits @1", ">1@1"},
    {"SubmittedAndSuspendedByOneCycle", {{1, "_1 >1"}}, "w1 waits suspended @1", ">1@1 _1@1"},
    {"SubmittedAndEndedByOneCycle", {{1, "-1 >1"}}, "w1 ended @1", ">1@1 -1@1"},
    {"SubmittedAndRefusedByOneCycle", {{1, "~1 >1"}}, "w1 waits Gated @1", ">1@1 ~1@1"},
    {"EndedByTheCycleThatFoundNoQueueForIt", {{1, ">1 ~1 -1"}}, "w1 ended @1", ">1@1 -1@1"},
    {"SubmittedAndAdmittedLater", {{1, ">1"}, {2, "+1"}}, "w1 admitted @2", ">1@1 +1@2"},
    {"SubmittedWithoutBeingActive", {{1, ")1"}}, "w1 waits suspended @1", ">1@1"},
    {"Admitted", {{1, "+1"}}, "w1 admitted @1", "+1@1"},
    {"Refused", {{1, ">1"}, {2, "~1"}}, "w1 waits Gated @2", ">1@1 ~1@2"},
    {"RefusedThenAdmitted", {{1, ">1 ~1"}, {3, "+1"}}, "w1 admitted @3", ">1@1 ~1@1 +1@3"},
    {"FinishedStaysWhileItsEventDoes",
     {{1, "+1 +2"}, {2, "-1"}},
     "w1 ended @2, w2 admitted @1",
     "+1@1 +2@1 -1@2"},
    {"EndOfTheUnknownIsNoEvent", {{1, "-1"}}, "", ""},
    {"TheEndedChangesNoMore",
     {{1, "+1"}, {2, "-1"}, {3, "-1 *1 ~1 <1"}},
     "w1 ended @2",
     "+1@1 -1@2"},
    {"AnotherOfTheNameOfAnEndedOne", {{1, "+2"}, {2, "-2 >12"}}, "w2 waits @2", "+2@1 >12@2 -2@2"},
    {"AnotherOfTheNameOfALiveOne", {{1, "+2"}, {2, ">12"}}, "w2 waits @2", "+2@1 >12@2"},
    {"EvictedWaits", {{1, "+1"}, {2, "<1"}}, "w1 waits @2", "+1@1 <1@2"},
    {"EvictedAndAdmittedAgainInOneCycle",
     {{1, "+1"}, {2, "<1 +1"}},
     "w1 admitted @2",
     "+1@1 <1@2 +1@2"},
    {"EvictionOfTheUnknownIsNoEvent", {{1, "<1"}}, "", ""},
    {"Started", {{1, "+1"}, {2, "*1"}}, "w1 admitted started @2", "+1@1 *1@2"},
    {"EvictedInTwoSteps",
     {{1, "+1"}, {2, "*1 %1"}},
     "w1 admitted started evicting @2",
     "+1@1 *1@2 %1@2"},
    {"EvictedAfterItsPodsAreGone",
     {{1, "+1"}, {2, "*1 %1"}, {3, "<1"}},
     "w1 waits evicted @3",
     "+1@1 *1@2 %1@2 <1@3"},
    {"AdmissionEndsTheEviction",
     {{1, "+1"}, {2, "%1 <1"}, {3, "+1"}},
     "w1 admitted @3",
     "+1@1 %1@2 <1@2 +1@3"},
    {"Suspended", {{1, ">1 ~1"}, {2, "_1"}}, "w1 waits suspended Gated @2", ">1@1 ~1@1 _1@2"},
    {"ResumedInTheSameCycle",
     {{1, ">1 ~1"}, {2, "_1 ^1"}},
     "w1 waits Gated @2",
     ">1@1 ~1@1 _1@2 ^1@2"},
    {"ChangesOfTheUnknownAreNoEvents", {{1, "*1 %2 _3 ^4"}}, "", ""},
    {"ARepeatedCycleChangesNothing", {{2, "+1"}, {2, "-1"}}, "w1 admitted @2", "+1@2"},
    {"AnOldCycleChangesNothing", {{2, "+1"}, {1, "-1"}}, "w1 admitted @2", "+1@2"},
};

class Entries : public testing::TestWithParam<EntryCase> {};
TEST_P(Entries, FollowTheCycles) {
  Catalogue catalogue(100);
  for (const auto& [cycle, text] : GetParam().cycles) catalogue.take(record_of(cycle, text));
  EXPECT_EQ(entries(catalogue), GetParam().entries);
  EXPECT_EQ(events(catalogue, 0), GetParam().events);
}
INSTANTIATE_TEST_SUITE_P(Catalogue, Entries, testing::ValuesIn(kEntryCases),
                         [](const auto& c) { return c.param.name; });

struct WatchCase {
  CycleNumber version;
  const char* events;
};

/// Three events are kept; the cycles are 2: +1 +2, 5: +3, 7: -1.
TEST(CatalogueWatch, TellsWhatCameAfterAVersionOrToListAgain) {
  Catalogue catalogue(3);
  catalogue.take(record_of(2, "+1 +2"));
  catalogue.take(record_of(5, "+3"));
  EXPECT_EQ(events(catalogue, 0), "+1@2 +2@2 +3@5");
  catalogue.take(record_of(7, "-1"));
  const WatchCase cases[] = {{0, "list again"}, {1, "list again"},  // one of cycle 2 is gone
                             {2, "+3@5 -1@7"},  {4, "+3@5 -1@7"},  {5, "-1@7"}, {7, ""}, {9, ""}};
  for (const WatchCase& each : cases) {
    EXPECT_EQ(events(catalogue, each.version), each.events) << "since " << each.version;
  }
  EXPECT_EQ(catalogue.version(), 7U);
}

TEST(CatalogueWatch, AnEmptyCycleMovesTheVersion) {
  Catalogue catalogue(3);
  catalogue.take(record_of(4, ""));
  EXPECT_EQ(catalogue.version(), 4U);
  EXPECT_EQ(events(catalogue, 0), "");
}

/// The workload as it was then, whatever became of it since.
TEST(CatalogueWatch, AnEventCarriesTheEntryOfItsTime) {
  Catalogue catalogue(9);
  catalogue.take(record_of(1, ">1"));
  catalogue.take(record_of(2, "+1"));
  catalogue.take(record_of(3, "*1 %1"));
  catalogue.take(record_of(4, "-1"));
  std::string text;
  const auto all = catalogue.since(0);
  ASSERT_TRUE(all);
  for (const WatchEvent& event : *all) text += text_of(*event.entry) + "; ";
  EXPECT_EQ(text,
            "w1 waits @1; w1 admitted @2; w1 admitted started @3; w1 admitted started evicting @3; "
            "w1 ended started evicted @4; ");
}

struct ForgettingCase {
  const char* name;
  std::vector<const char*> cycles;  // from 1 on; three events are kept
  const char* entries;
  std::size_t size;

  friend std::ostream& operator<<(std::ostream& out, const ForgettingCase& c) {
    return out << c.name;
  }
};

const ForgettingCase kForgettingCases[] = {
    {"TheEndedStaysAsLongAsItsLastEvent",
     {"+1", "-1", "+2 +3"},
     "w1 ended @2, w2 admitted @3, w3 admitted @3",
     3},
    {"AndGoesWithIt",
     {"+1", "-1", "+2 +3 +4"},
     "w2 admitted @3, w3 admitted @3, w4 admitted @3",
     3},
    {"TheLiveStayWithoutEvents",
     {"+1", "+2 +3 +4"},
     "w1 admitted @1, w2 admitted @2, w3 admitted @2, w4 admitted @2",
     4},
    {"ForgettingAnEndedOneKeepsTheNextOfItsName",
     {"+2", "-2", ">12", "+3 +4"},
     "w2 waits @3, w3 admitted @4, w4 admitted @4",
     3},
};

class Forgetting : public testing::TestWithParam<ForgettingCase> {};
TEST_P(Forgetting, FollowsTheRing) {
  Catalogue catalogue(3);
  CycleNumber cycle = 0;
  for (const char* text : GetParam().cycles) catalogue.take(record_of(++cycle, text));
  EXPECT_EQ(entries(catalogue), GetParam().entries);
  EXPECT_EQ(catalogue.size(), GetParam().size);
}
INSTANTIATE_TEST_SUITE_P(Catalogue, Forgetting, testing::ValuesIn(kForgettingCases),
                         [](const auto& c) { return c.param.name; });

/// A hundred thousand gangs come and go through a ring of a hundred events.
TEST(CatalogueMemory, IsTheLiveAndTheRing) {
  constexpr std::size_t kRing = 100, kLive = 10, kGangs = 100'000;
  Catalogue catalogue(kRing);
  std::size_t most = 0;
  for (std::uint64_t number = 1; number <= kGangs; ++number) {
    const GangId gang{number};
    CycleRecord record;
    record.cycle = number;
    auto workload = std::make_shared<Workload>();
    workload->name = "w" + std::to_string(number);
    record.inputs.emplace_back(Submit{workload, gang});
    record.admitted.push_back({gang, workload, std::make_shared<const Admission>(), {}});
    if (number > kLive) record.finished.push_back(GangId{number - kLive});
    catalogue.take(record);
    most = std::max(most, catalogue.size());
  }
  EXPECT_LE(most, kLive + 1 + kRing);
  EXPECT_EQ(catalogue.since(kGangs - 1)->size(), 3U);
}

}  // namespace
}  // namespace tessera::core
