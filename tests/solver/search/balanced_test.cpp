// SPDX-License-Identifier: Apache-2.0
// Balanced placement alone (placement.md 5): what it places, by hand, and when it leaves the gang
// to the ordinary search. Worlds in the notation of tests/support/notation.h.
#include "solver/search/balanced.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <variant>

#include "solver/choice/host_group.h"
#include "solver/counting/counts.h"
#include "solver/search/place.h"
#include "tests/support/notation.h"

namespace tessera::solver {
namespace {

/// The search for the first pod set of a gang, the second one its leader, in a world.
class Fixture {
 public:
  Fixture(const std::string& world, const std::string& gang)
      : spec_(test::parse_world(world)), gang_(test::parse_gang(gang)) {
    tree_ = std::make_unique<topology::DomainTree>(spec_.topology, spec_.nodes, spec_.flavor_labels,
                                                   false);
    const std::array<const topology::DomainTree*, 1> trees = {tree_.get()};
    const std::array<std::uint32_t, 1> scopes = {0};
    cells_ = std::make_shared<const topology::CellMap>(
        trees, scopes, static_cast<std::uint32_t>(spec_.nodes.size()), spec_.policy);
    capacity_ = std::make_unique<topology::Capacity>(cells_, spec_.nodes);
    view_ = std::make_unique<FlavorView>(*tree_, cells_->cells_of_tree(0), spec_.nodes,
                                         std::vector<topology::Toleration>{});
    const PodSet& workers = gang_.pod_sets[0];
    request_ = std::get<ResolvedRequest>(resolve(workers.topology, spec_.topology));
    CountRequest count_request;
    count_request.view = view_.get();
    count_request.worker = pod_amounts(workers.request);
    count_request.worker_filter = view_->filter_class(workers.filter);
    if (gang_.pod_sets.size() > 1) {
      count_request.has_leader = true;
      count_request.leader = pod_amounts(gang_.pod_sets[1].request);
    }
    Exclusions exclusions;
    rows_ = std::make_unique<CountRows>(
        count(count_request, request_, *capacity_, topology::Basis::kFree, exclusions));
    table_ = std::make_unique<CountTable>(*tree_, request_, rows_->leaves, rows_->inner, nullptr);
    problem_ = {tree_.get(),
                table_.get(),
                &request_,
                workers.count,
                gang_.pod_sets.size() > 1 ? 1 : 0,
                {},
                BalancedPlacement::kKueue,
                &steps_};
  }

  const SearchProblem& problem() const { return problem_; }
  const CountTable& table() const { return *table_; }

  /// "a3* b5": the pods of each host, a star where the leader is.
  std::string text(const Leaves& leaves) const {
    std::string out;
    for (const Share& share : leaves) {
      out += (out.empty() ? "" : " ") + tree_->value(share.domain).str() +
             std::to_string(share.pods) + (share.leaders > 0 ? "*" : "");
    }
    return out;
  }

 private:
  test::WorldSpec spec_;
  Gang gang_;
  std::unique_ptr<topology::DomainTree> tree_;
  std::shared_ptr<const topology::CellMap> cells_;
  std::unique_ptr<topology::Capacity> capacity_;
  std::unique_ptr<FlavorView> view_;
  ResolvedRequest request_;
  std::unique_ptr<CountRows> rows_;
  std::unique_ptr<CountTable> table_;
  Steps steps_{1'000'000};
  SearchProblem problem_;
};

struct BalancedCase {
  const char* name;
  const char* world;
  const char* gang;
  const char* placed;  // "none": left to the ordinary search
};

void PrintTo(const BalancedCase& c, std::ostream* out) { *out << c.world << " ; " << c.gang; }

class Balanced : public testing::TestWithParam<BalancedCase> {};

TEST_P(Balanced, SharesAsSection5Says) {
  const Fixture fixture(GetParam().world, GetParam().gang);
  const std::optional<Leaves> leaves = place_balanced(fixture.problem());
  EXPECT_EQ(leaves ? fixture.text(*leaves) : "none", GetParam().placed);
}

const BalancedCase kBalanced[] = {
    {"WhatIsOverGoesToTheRoomiest_57_B1", "r/a9 r/b6 r/c5", "13 pods, preferred rack", "a7 b6"},
    {"TheLeastRoomIsChosen_57_B2", "r/a9 r/b7 r/c7", "13 pods, preferred rack", "b7 c6"},
    {"WhoIsTooSmallIsPruned_57_B3", "b/r1/a5 b/r1/b5 b/r2/c4 b/r2/d3",
     "8 pods, preferred rack, group g; 1 pods, preferred rack, group g", "a4* b4"},
    {"RacksOfABlockAreShared_57_B4", "b1/r1/a8 b1/r2/b8 b2/r3/c10 b2/r4/d6",
     "16 pods, preferred block", "a8 b8"},
    {"OfEqualGroupsTheFirst_53", "b1/r1/a4 b1/r2/b4 b2/r3/c4 b2/r4/d4", "8 pods, preferred rack",
     "a4 b4"},
    {"FewerMembersWinATie_53", "b1/r1/a4 b1/r2/b4 b2/r3/c4 b2/r3/d4", "8 pods, preferred rack",
     "c4 d4"},
    {"TheLargerShareWins_53", "b1/r1/a4 b1/r1/b4 b1/r1/c4 b2/r2/d6 b2/r2/e6",
     "12 pods, preferred rack", "d6 e6"},
    {"AndIsKeptThoughItCameFirst_53", "b1/r1/a6 b1/r1/b6 b2/r2/c4 b2/r2/d4 b2/r2/e4",
     "12 pods, preferred rack", "a6 b6"},
    {"AGroupWithTooLittleIsPassedOver_52", "b1/r1/a7 b2/r2/b4 b2/r2/c4", "8 pods, preferred rack",
     "b4 c4"},
    {"NoGroupHasEnough_52", "b1/r1/a4 b1/r1/b3 b2/r2/c7", "8 pods, preferred rack", "none"},
    {"TheLeaderKeepsItsShare_55", "r/a6 r/b6",
     "8 pods, preferred rack, group g; 1 pods of gpu=3, preferred rack, group g", "a3* b5"},
    {"SlicesAreSharedWhole_55", "r/a6 r/b4 r/c2", "8 pods, preferred rack, slices of 2 at host",
     "a4 b4"},
    {"HostsOfOneRackWherePreferredIsTheHost_51", "r/a4 r/b4", "8 pods, preferred host", "a4 b4"},
    {"ASliceLevelThatIsPreferredFallsBack_54", "b/r1/a8 b/r2/b8",
     "8 pods, preferred rack, slices of 4 at rack", "none"},
    {"ALevelBetweenThatLosesPodsFallsBack_56",
     "z/b1/r1/a3 z/b1/r1/b3 z/b1/r2/c3 z/b1/r2/d3 z/b2/r3/e3 z/b2/r3/f3 z/b2/r4/g3 z/b2/r4/h3",
     "16 pods, preferred dc, slices of 2 at host", "none"},
    // 256 pods and more are not counted by number of pods.
    {"HostsOfHundreds", "r/a{gpu=300,pods=900} r/b{gpu=260,pods=900} r/c{gpu=250,pods=900}",
     "520 pods, preferred rack", "a260 b260"},
};
INSTANTIATE_TEST_SUITE_P(ByHand, Balanced, testing::ValuesIn(kBalanced),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(BalancedSteps, EachStepLessEndsTheSearch) {
  const Fixture whole("b1/r1/a4 b1/r2/b4 b2/r3/c6 b2/r3/d3", "8 pods, preferred rack");
  ASSERT_TRUE(place_balanced(whole.problem()).has_value());
  const std::int64_t spent = whole.problem().steps->spent();
  for (std::int64_t most = 0; most < spent; ++most) {
    Steps steps(most);
    SearchProblem problem = whole.problem();
    problem.steps = &steps;
    place_balanced(problem);
    EXPECT_TRUE(steps.over()) << most << " of " << spent;
  }
}

struct GreedyCase {
  const char* name;
  const char* hosts;
  const char* leader;  // its gpus; empty: none
  std::int64_t pods;
  const char* expected;  // fits or short, hosts used, slices of the last ones
};

void PrintTo(const GreedyCase& c, std::ostream* out) { *out << c.hosts << " ; " << c.pods; }

class HostGroupGreedy : public testing::TestWithParam<GreedyCase> {};

TEST_P(HostGroupGreedy, TakesTheLargestFirst) {
  const GreedyCase& c = GetParam();
  const std::string led = ", preferred rack, group g; 1 pods of gpu=" + std::string(c.leader) +
                          ", preferred rack, group g";
  const bool leads = *c.leader != '\0';
  const Fixture fixture(c.hosts, "1 pods" + (leads ? led : ", preferred rack"));
  HostGroup hosts;
  const topology::DomainTree& tree = *fixture.problem().tree;
  ASSERT_TRUE(hosts.read(fixture.table(), tree.level(tree.leaf_level())));
  const Greedy greedy = hosts.greedy(c.pods, leads ? 1 : 0);
  std::string text = (greedy.fits ? "fits " : "short ") + std::to_string(greedy.used);
  if (greedy.last_leader) {
    text += " leader " + std::to_string(greedy.last_leader->slices_with_leader);
  }
  if (greedy.last_worker) {
    text += " worker " + std::to_string(greedy.last_worker->slices);
    if (leads) text += "/" + std::to_string(greedy.last_worker->slices_with_leader);
  }
  EXPECT_EQ(text, c.expected);
}

const GreedyCase kGreedy[] = {
    {"TwoOfThree", "r/a9 r/b6 r/c5", "", 13, "fits 2 worker 6"},
    {"TheLastOneFillsExactly", "r/a9 r/b6 r/c5", "", 15, "fits 2 worker 6"},
    {"OnePodMoreTakesOneMore", "r/a9 r/b6 r/c5", "", 16, "fits 3 worker 5"},
    {"AllAreTooFew", "r/a9 r/b6 r/c5", "", 21, "short 3 worker 5"},
    {"EqualHosts", "r/a4 r/b4 r/c4 r/d4", "", 9, "fits 3 worker 4"},
    {"TheLeadersHostFirst", "r/a5 r/b5 r/c4 r/d3", "1", 8, "fits 2 leader 4 worker 5/4"},
    {"TheLeaderWhereMostIsLeftBesideIt", "r/a4 r/b9 r/c5", "2", 10, "fits 2 leader 7 worker 5/3"},
    {"TheLeadersHostIsNotTakenTwice", "r/a9 r/b2", "1", 12, "short 2 leader 8 worker 2/1"},
    {"NobodyCanLead", "r/a4 r/b4", "5", 8, "short 2 worker 4/4"},
    {"TheLeaderAloneCoversAll", "r/a9 r/b6", "1", 8, "fits 1 leader 8"},
    {"OfEqualHostsThoseInPathOrder", "r/a4 r/b4 r/c4", "1", 7, "fits 2 leader 3 worker 4/3"},
};
INSTANTIATE_TEST_SUITE_P(ByHand, HostGroupGreedy, testing::ValuesIn(kGreedy),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(HostGroup, LeavesHostsOfManyPodsToLists) {
  const Fixture few("r/a{gpu=255,pods=900}", "1 pods, preferred rack");
  const Fixture many("r/a{gpu=256,pods=900}", "1 pods, preferred rack");
  HostGroup hosts;
  EXPECT_TRUE(hosts.read(few.table(), few.problem().tree->level(1)));
  EXPECT_FALSE(hosts.read(many.table(), many.problem().tree->level(1)));
}

TEST(HostGroup, KnowsWhatAThresholdWouldClear) {
  const Fixture plain("r/a9 r/b6 r/c0", "1 pods, preferred rack");
  HostGroup hosts;
  ASSERT_TRUE(hosts.read(plain.table(), plain.problem().tree->level(1)));
  EXPECT_EQ(hosts.candidates(), 2);
  EXPECT_TRUE(hosts.keeps_all(6));
  EXPECT_FALSE(hosts.keeps_all(7));
  const Fixture led("r/a9 r/b6",
                    "1 pods, preferred rack, group g; 1 pods of gpu=3, preferred rack, group g");
  ASSERT_TRUE(hosts.read(led.table(), led.problem().tree->level(1)));
  EXPECT_TRUE(hosts.keeps_all(3));
  EXPECT_FALSE(hosts.keeps_all(4));  // b could not lead any more
}

}  // namespace
}  // namespace tessera::solver
