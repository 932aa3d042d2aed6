// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/holdings.h"

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>

namespace tessera::core {
namespace {

/// Holdings whose parts are letters, driven by a text. One word a call:
///   +7=ab       workload 7 is adopted with parts a and b
///   r2.1:7=ab   cycle 2 reserves item 1, of workload 7
///   c2 s2.1 a2  commit through cycle 2, settle cycle 2 from item 1, abort from cycle 2
///   x7          workload 7 releases all that it holds
///   t=ab        parts a and b are taken out
///   ?7 ?        what workload 7 holds; who holds anything
/// Calls that give parts back add those to the answer, in order; "t" and "?" add words.
class Script {
 public:
  std::string run(const std::string& script) {
    std::istringstream words(script);
    for (std::string word; words >> word;) call(word);
    return answer_;
  }

 private:
  using Letters = Holdings<char>;

  static std::string text(const Letters::Entry& entry) {
    std::string text(1, entry.part);
    if (entry.cycle == 0) return text;
    return text + "@" + std::to_string(entry.cycle) + "." + std::to_string(entry.item);
  }
  void add(const std::string& word) { answer_ += (answer_.empty() ? "" : " ") + word; }

  void call(const std::string& word) {
    std::istringstream in(word);
    char kind = 0, mark = 0;
    std::size_t first = 0, second = 0, third = 0;
    std::string letters;
    const auto give_back = [this](char part) { given_back_ += part; };
    in >> kind;
    if (word == "?") {
      for (const GangId gang : holdings_.holders()) add(core::text(gang));
      return;
    }
    switch (kind) {
      case '+':
        in >> first >> mark >> letters;
        for (const char part : letters) holdings_.adopt(GangId{first}, part);
        return;
      case 'r':
        in >> first >> mark >> second >> mark >> third >> mark >> letters;
        return holdings_.reserve(first, static_cast<std::uint32_t>(second), GangId{third}, letters);
      case 'c':
        in >> first;
        return holdings_.commit(first);
      case 's':
        in >> first >> mark >> second;
        holdings_.settle(first, static_cast<std::uint32_t>(second), give_back);
        break;
      case 'a':
        in >> first;
        holdings_.abort(first, give_back);
        break;
      case 'x':
        in >> first;
        holdings_.release(GangId{first}, give_back);
        break;
      case 't':
        in >> mark >> letters;
        for (const Letters::Entry& entry : holdings_.take_out(
                 [&](char part) { return letters.find(part) != std::string::npos; })) {
          add(core::text(entry.gang) + ":" + text(entry));
        }
        return;
      default:
        in >> first;
        for (const Letters::Entry& entry : holdings_.of(GangId{first})) add(text(entry));
        return;
    }
    if (!given_back_.empty()) add(given_back_);
    given_back_.clear();
  }

  Letters holdings_;
  std::string given_back_, answer_;
};

struct HoldingsCase {
  const char* name;
  const char* script;
  const char* expected;

  friend std::ostream& operator<<(std::ostream& out, const HoldingsCase& c) {
    return out << c.name;
  }
};
const HoldingsCase kHoldingsCases[] = {
    {"ReleaseGivesBackTheNewestFirst", "+7=abc x7", "cba"},
    {"ReleaseGivesBackReservedPartsBeforeUsedOnes", "+7=a r1.0:7=bc x7", "cba"},
    {"ReleaseTakesThePartsOfEveryCycleLatestFirst", "r1.0:7=a r2.0:7=b r3.0:7=c x7", "cba"},
    {"ReleaseLeavesWhatOthersHold", "+7=a +8=b r1.0:7=c r1.1:8=d x7 ?8 ?", "ca b d@1.1 8"},
    {"ReleaseOfAStrangerGivesNothingBack", "+7=a x8 ?", "7"},
    {"ASecondReleaseGivesNothingBack", "+7=a x7 x7", "a"},
    {"SettleGivesBackFromTheItemOnLastFirst", "r1.0:7=a r1.1:8=bc r1.2:9=d s1.1 ?", "dcb 7"},
    {"SettleFromBehindTheLastItemKeepsAll", "r1.0:7=a r1.1:8=b s1.2 ?", "7 8"},
    {"SettleTouchesItsOwnCycleOnly", "r1.0:7=a r2.0:8=b r3.0:9=c s2.0 ?", "b 7 9"},
    {"SettleKeepsThePartsThatWereCommitted", "+7=a r1.0:7=b s1.0 ?7 ?", "b a 7"},
    {"AbortTakesLaterCyclesTooLatestFirst", "r1.0:7=a r2.0:8=b r3.0:9=c a2 ?", "cb 7"},
    {"AbortedCyclesAreNotCommittedLater", "r1.0:7=a r2.0:8=b a2 c2 ?", "b 7"},
    {"CommitTakesEarlierCyclesToo", "r1.0:7=a r2.0:8=b r3.0:9=c c2 a1 ?", "c 7 8"},
    {"CommittedPartsAreReleasedNewestFirst", "r1.0:7=ab r1.1:7=c c1 x7", "cba"},
    {"AHolderGoesWithItsLastPart", "r1.0:7=a r2.0:7=b a2 s1.0 ?", "b a"},
    {"AnItemThatComesLateKeepsItsPlace", "r1.2:9=c r1.0:7=a r1.1:8=b s1.1 ?", "cb 7"},
    {"ACycleThatComesLateKeepsItsPlace", "r2.0:8=b r1.0:7=a a2 ?", "b 7"},
    {"PartsAreToldOldestFirst", "+7=ab r2.1:7=d r1.0:7=c ?7", "a b c@1.0 d@2.1"},
    {"HoldersAreAscending", "+9=a +7=b r1.0:8=c ?", "7 8 9"},
    {"FreedPlacesServeOthers", "+7=abc x7 +8=de +9=f ?8 x9 ?8", "cba d e f d e"},
    {"TakenOutByWorkloadOldestFirst", "+9=ab +7=b r1.0:7=a t=ab ?", "7:b 7:a@1.0 9:a 9:b"},
    {"WhatStaysKeepsItsOrderCycleAndItem", "+7=abc r2.1:7=ade t=a ?7",
     "7:a 7:a@2.1 b c d@2.1 e@2.1"},
    {"WhatStaysIsStillSettledInItsOrder", "r2.0:8=b r2.1:7=ac t=a s2.0 ?", "7:a@2.1 cb"},
};
class HoldingsScript : public testing::TestWithParam<HoldingsCase> {};

TEST_P(HoldingsScript, GivesBackAndKeeps) {
  EXPECT_EQ(Script().run(GetParam().script), GetParam().expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, HoldingsScript, testing::ValuesIn(kHoldingsCases),
                         [](const auto& test_case) { return test_case.param.name; });

TEST(HoldingsAnswer, IsRepeatedForACycleThatWasAnswered) {
  Holdings<char> holdings;
  EXPECT_EQ(holdings.answered(1), std::nullopt);
  holdings.answer({1, UINT32_MAX});
  holdings.answer({2, 5});
  holdings.answer({3, UINT32_MAX});
  EXPECT_EQ(holdings.answered(1)->accepted, UINT32_MAX);
  EXPECT_EQ(holdings.answered(2)->accepted, 5U);
  EXPECT_EQ(holdings.answered(2)->cycle, 2U);
  EXPECT_EQ(holdings.answered(3)->accepted, UINT32_MAX);
  EXPECT_EQ(holdings.answered(4), std::nullopt);
}

}  // namespace
}  // namespace tessera::core
