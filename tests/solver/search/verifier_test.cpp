// SPDX-License-Identifier: Apache-2.0
// The checkers themselves: the verifier sees each kind of wrong placement, and brute force agrees
// with what is known.
#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>

#include "tests/support/brute_force.h"
#include "tests/support/notation.h"
#include "tests/support/placement_verifier.h"
#include "tests/support/world.h"

namespace tessera::test {
namespace {

struct VerifierCase {
  const char* name;
  const char* world;
  const char* gang;
  const char* placement;  // leaf number "=" pods, in the order of the answer; "|" between pod sets
  const char* fault;      // of the first fault; empty: none
};

void PrintTo(const VerifierCase& c, std::ostream* out) { *out << c.gang << ": " << c.placement; }

solver::Placement parse_placement(const std::string& text) {
  solver::Placement placement;
  placement.pod_sets.emplace_back();
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "|") {
      placement.pod_sets.emplace_back();
      continue;
    }
    const std::size_t equals = word.find('=');
    const auto leaf = static_cast<std::uint32_t>(std::stoul(word.substr(0, equals)));
    placement.pod_sets.back().push_back(
        {topology::LeafId{leaf}, std::stoll(word.substr(equals + 1))});
  }
  return placement;
}

const VerifierCase kVerifierCases[] = {
    {"RightPlacement", "r1/a4 r1/b4", "6 pods, required rack", "0=4 1=2", ""},
    {"PodsMissing", "r1/a4 r1/b4", "6 pods, required rack", "0=4 1=1", "5 of 6 pods placed"},
    {"PodsTooMany", "r1/a4 r1/b4", "6 pods, required rack", "0=4 1=3", "7 of 6 pods placed"},
    {"LeafWithoutPods", "r1/a4 r1/b4", "4 pods", "0=4 1=0", "a leaf with no pods"},
    {"LeafTwice", "r1/a4 r1/b4", "4 pods", "0=2 0=2", "leaves out of path order"},
    {"OutOfOrder", "r1/a4 r1/b4", "4 pods", "1=2 0=2", "leaves out of path order"},
    {"PodSetMissing", "r1/a4", "1 pods; 1 pods", "0=1", "not one entry a pod set"},
    {"TooManyOnALeaf", "r1/a4 r1/b4", "6 pods", "0=5 1=1", "gpu oversubscribed"},
    {"TogetherTooMany", "r1/a4 r1/b4", "3 pods; 2 pods", "0=3 | 0=2", "gpu oversubscribed"},
    {"NoPodSlots", "a{gpu=4,pods=2}", "3 pods", "0=3", "pods oversubscribed"},
    {"HeldByAnother", "a4 -a{gpu=2,pods=1}", "3 pods", "0=3", "gpu oversubscribed"},
    {"ResourceThatNoNodeHas", "a4", "1 pods of tpu=1", "0=1", "tpu oversubscribed"},
    {"TaintedNode", "a4!maint:NoSchedule", "1 pods", "0=1", "a node that the pods do not accept"},
    {"OtherNodeSelector", "a4@gen=x", "1 pods, selects gen=y", "0=1",
     "a node that the pods do not accept"},
    {"TwoRequiredDomains", "r1/a4 r2/b4", "6 pods, required rack", "0=4 1=2",
     "more than one domain of the required level"},
    {"SplitSlice", "r1/a4 r2/b4", "4 pods, slices of 2 at rack", "0=1 1=3", "a split slice in r1"},
    {"SplitInnerLayer", "r1/a4 r1/b4", "4 pods, slices of 4 at rack, slices of 2 at host",
     "0=1 1=3", "a split slice in a"},
    {"GroupSplit", "r1/a4 r2/b4", "1 pods, required rack, group g; 4 pods, required rack, group g",
     "0=1 | 1=4", "the group is split"},
    {"LeaderOnAForeignNode", "r1/a4 r1/b4!maint:NoSchedule",
     "1 pods, required rack, group g; 4 pods, required rack, tolerates maint, group g", "1=1 | 0=4",
     "a node that the pods do not accept"},
};

template <class Case>
std::string case_name(const testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

class Verifier : public testing::TestWithParam<VerifierCase> {};
TEST_P(Verifier, NamesTheFault) {
  const World world(parse_world(GetParam().world));
  const Verdict verdict =
      verify_placement(world, parse_gang(GetParam().gang), parse_placement(GetParam().placement),
                       topology::Basis::kFree, solver::LeaderFilters::kOwn);
  const std::string first = verdict.faults.empty() ? "" : verdict.faults.front();
  const std::string fault = GetParam().fault;
  EXPECT_TRUE(fault.empty() ? first.empty() : first.find(fault) != first.npos) << first;
}
INSTANTIATE_TEST_SUITE_P(Verifier, Verifier, testing::ValuesIn(kVerifierCases),
                         case_name<VerifierCase>);

TEST(VerifierOfGroups, CountsLeadersThatOnlyTheWorkersFilterAllows) {
  const World world(parse_world("r1/a4 r1/b4!maint:NoSchedule"));
  const Verdict verdict = verify_placement(
      world,
      parse_gang("1 pods, required rack, group g; 4 pods, required rack, tolerates maint, group g"),
      parse_placement("1=1 | 0=4"), topology::Basis::kFree, solver::LeaderFilters::kWorkers);
  EXPECT_TRUE(verdict.faults.empty());
  EXPECT_EQ(verdict.leaders_on_workers_filter, 1);
}

struct FeasibilityCase {
  const char* name;
  const char* world;
  const char* gang;
  bool exists;
};

void PrintTo(const FeasibilityCase& c, std::ostream* out) { *out << c.world << ": " << c.gang; }

const FeasibilityCase kFeasibilityCases[] = {
    {"JustFits", "r1/a4 r1/b4", "8 pods, required rack", true},
    {"OneTooMany", "r1/a4 r1/b4", "9 pods, required rack", false},
    {"NotInOneRack", "r1/a4 r2/b4", "5 pods, required rack", false},
    {"PreferredMaySpread", "r1/a4 r2/b4", "5 pods, preferred rack", true},
    {"SlicesDoNotFillUp", "r1/a3 r2/b3", "4 pods, slices of 4 at rack", false},
    {"SlicesFit", "r1/a2 r1/b2 r2/c3", "4 pods, slices of 4 at rack", true},
    {"InnerLayersDoNotFit", "r1/a3 r1/b1", "4 pods, slices of 4 at rack, slices of 2 at host",
     false},
    {"LeaderTakesTheLastSlot", "r1/a4",
     "1 pods, required rack, group g; 4 pods, required rack, group g", false},
    {"LeaderInAGap", "r1/a4 r1/b1",
     "1 pods, required rack, group g; 4 pods, required rack, group g", true},
    {"LeaderHasNoNode", "r1/a4 r1/b1",
     "1 pods, required rack, selects gen=x, group g; 4 pods, required rack, group g", false},
};

class BruteForce : public testing::TestWithParam<FeasibilityCase> {};
TEST_P(BruteForce, KnowsWhetherAPlacementExists) {
  EXPECT_EQ(placement_exists(parse_world(GetParam().world), parse_gang(GetParam().gang)),
            GetParam().exists);
}
INSTANTIATE_TEST_SUITE_P(BruteForce, BruteForce, testing::ValuesIn(kFeasibilityCases),
                         case_name<FeasibilityCase>);

TEST(Notation, IsReadBackAsItWasPrinted) {
  const std::string world =
      "levels=block,rack,host b1/r1/a{cpu=4,gpu=5,pods=9}@gen=x!maint=yes:NoSchedule "
      "b1/-/b{gpu=1,pods=110}~? -a{gpu=2,pods=1}";
  EXPECT_EQ(world_text(parse_world(world)), world);
  const std::string gang =
      "4 pods of cpu=1+gpu=1, required rack, slices of 4 at rack, slices of 2 at host, tolerates "
      "maint=yes, selects gen=x, prefers 5 gen=y, group g; 1 pods of nothing, preferred host";
  EXPECT_EQ(gang_text(parse_gang(gang)), gang);
}

}  // namespace
}  // namespace tessera::test
