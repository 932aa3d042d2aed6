// SPDX-License-Identifier: Apache-2.0
// The life of a gang (design.md 3): every pair of phases is either in the table or refused.
#include "actors/gangs/gang_phase.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

/// From -> to; a phase that is not named leads nowhere.
const std::map<std::string, std::set<std::string>> kMoves = {
    {"Pending", {"Placing", "Suspended", "Evicted", "Finished"}},
    {"Suspended", {"Pending", "Finished"}},
    {"Placing", {"Admitted", "Pending"}},
    {"Admitted", {"Running", "Evicting", "Finished"}},
    {"Running", {"Evicting", "Finished"}},
    {"Evicting", {"Evicted", "Finished"}},
    {"Evicted", {"Pending", "Suspended", "Finished"}},
};

std::vector<GangPhase> all_phases() {
  std::vector<GangPhase> phases;
  for (int i = 0; i <= static_cast<int>(GangPhase::kFinished); ++i) {
    phases.push_back(static_cast<GangPhase>(i));
  }
  return phases;
}

Workload gang() {
  Workload workload;
  workload.namespace_name = "ns";
  workload.name = "a";
  return workload;
}

TEST(GangPhase, MovesAlongTheTableAndNowhereElse) {
  for (const GangPhase from : all_phases()) {
    const auto row = kMoves.find(std::string(phase_name(from)));
    for (const GangPhase to : all_phases()) {
      const std::string name(phase_name(to));
      const bool expected = row != kMoves.end() && row->second.count(name) > 0;
      EXPECT_EQ(may_follow(from, to), expected) << phase_name(from) << " -> " << name;
      GangPhase phase = from;
      if (expected || from == to) {
        move_phase(phase, to, gang());
        EXPECT_EQ(phase, to);
      } else {
        EXPECT_THROW(move_phase(phase, to, gang()), BrokenInvariant)
            << phase_name(from) << " -> " << name;
        EXPECT_EQ(phase, from) << "a refused move changes nothing";
      }
    }
  }
}

TEST(GangPhase, NoPhaseSharesItsName) {
  std::set<std::string_view> names;
  for (const GangPhase phase : all_phases()) names.insert(phase_name(phase));
  EXPECT_EQ(names.size(), all_phases().size());
}

TEST(GangPhase, AnEndedGangStaysEnded) {
  for (const GangPhase to : all_phases()) EXPECT_FALSE(may_follow(GangPhase::kFinished, to));
}

TEST(GangPhase, ARefusedMoveNamesGangAndPhases) {
  GangPhase phase = GangPhase::kPlacing;
  try {
    move_phase(phase, GangPhase::kEvicted, gang());
    FAIL() << "Placing -> Evicted";
  } catch (const BrokenInvariant& error) {
    EXPECT_STREQ(error.what(), "gang ns/a cannot go from Placing to Evicted");
  }
}

}  // namespace
}  // namespace tessera::core
