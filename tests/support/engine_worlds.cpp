// SPDX-License-Identifier: Apache-2.0
#include "tests/support/engine_worlds.h"

#include <iterator>

namespace tessera::test {
namespace {

using config::Rounds;

/// Hosts and whole racks of the same nodes: bookings in one flavor lower the room of the other.
constexpr const char* kTwoFlavors =
    "$hosts=block,rack,host $racks=block,rack "
    "left:racks=8,hosts=10/pool right:hosts=8,racks=12/pool solo:hosts=8,racks=8 ^pool/all:4";
/// In rounds a release wakes its own tree only (queues.md 3.1).
constexpr const char* kTwoFlavorsOneTree =
    "$hosts=block,rack,host $racks=block,rack left:racks=8,hosts=10/pool "
    "right:hosts=8,racks=12/pool solo:hosts=8,racks=8/pool ^pool/all:4";
constexpr const char* kThreeRacks = "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4 b2/r3/e:4 b2/r3/f:4";
constexpr const char* kCrossings =
    "@1 +a/left:3x2@rack +b/right:3x2@rack +c/solo:1x2 +k/left:1x1;"
    "+d/left:5x1@rack +e/right:1x2@rack? +f/left:6x1!1 +l/solo:2x1@block;"
    "@5 -b +g/solo:1x2,2x2@rack %a;"
    "/a -d +h/right:4x2@rack ~c;"
    "@9 +i/left:3x2@rack -f ~e@12;"
    "-g +j/solo:6x1 -k; -h; -i +m/right:3x2@block";

/// The last level is the rack: nobody knows which host a pod is on.
constexpr const char* kRacks = "$racks=block,rack left:10/pool right:10+2/pool solo:8 ^pool/all:4";

/// u and v lack labels and serve pods that ask for no level. Then u gets labels while it is in use,
/// and changes its rack.
constexpr const char* kUnlabelledHosts = "b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b2/r3/e:4 //u:4 //v:4";
constexpr const char* kOpen =
    "$open=block,rack,host? left:10/pool right:10+2/pool solo:8 ^pool/all:4";
constexpr const char* kGetsLabels =
    "@1 +a/left:6x2 +b/right:2x4@rack +c/solo:4x2;"
    "+d/left:3x2 +e/right:3x2@rack? =b2/r3/u;"
    "@5 -b +f/solo:1x4,2x2 +g/right:2x4@rack;"
    "-a =b2/r4/u +h/left:4x2@rack ~c; +i/left:8x1 -d =//v; -f +j/right:4x2";

/// Nodes change racks and blocks, in use, and come back.
constexpr const char* kMoves =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2;"
    "+d/left:6x1 +e/right:3x2@rack? =b2/r3/a =b2/r4/c +f/left:8x1!1;"
    "@5 -b +g/solo:1x4,2x2 =b1/r2/e; =b1/r1/a %c;"
    "-a -d +h/right:4x2@rack =b1/r1/g;"
    "@9 /c +i/left:2x2 -f ~e@12 =b2/r4/g =b1/r2/c;"
    "-g +j/solo:8x1 =b1/r1/e";
/// The same with leaves above the host: all owners are made anew, and a rack may shrink below its
/// use.
constexpr const char* kRacksChange =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2;"
    "+d/left:6x1@rack +e/right:3x2@rack? =b2/r3/a +f/left:8x1!1;"
    "@5 -b +g/solo:1x4,2x2 =b1/r2/e; =b1/r1/a %c;"
    "-a -d +h/right:4x2@rack; /c +i/left:2x2 -f; -g +j/solo:8x1 =b2/r4/a";

/// Queues that use something leave their cohort, and come to a cohort that has less.
constexpr const char* kCohorts =
    "left:4/pool right:10+2/pool solo:4 other:4/small ^pool/all:10 ^small:2";
constexpr const char* kChangesCohort =
    "@1 +a/left:4x2@block +b/right:2x4@rack +c/solo:2x2 +k/right:4x1;"
    "+d/left:6x1 +e/right:3x2@rack? !left +f/left:8x1!1 +l/other:2x2;"
    "@5 -b +g/solo:1x4,2x2 !solo/pool %a;"
    "/a !left/small -d +h/right:4x2@rack ~c;"
    "@9 +i/left:2x2 -f ~e@12 !right/small; -k +m/left:3x2;"
    "-g +j/solo:8x1 !left/pool !right/pool; -l";

/// Gangs without a queue are never evaluated, whatever becomes of the cycle that took them.
constexpr const char* kNowhere =
    "+a/left:2x4@rack +x/nowhere:1x1; +b/right:2x4@rack +y/nowhere:1x1!1; -a +z/nowhere:1x1 _x;"
    "-y +c/left:2x4@rack; ^x";

/// Leaders, and workers with levels of their own: booked together or not at all.
constexpr const char* kSeveralPodSets =
    "@1 +a/left:1x2,3x2@rack +b/right:2x4@rack,4x1@block +c/solo:1x1,1x2,2x2;"
    "+d/left:2x1@block,4x1@rack,1x2 +e/right:1x4,3x2@rack? *a +f/left:4x1@rack,4x1@rack!1;"
    "@5 -b +g/solo:1x4,2x2@rack %a@7 *c;"
    "/a -d +h/right:1x2@block,4x2@rack ~c;"
    "@9 +i/left:2x2,2x2,2x2,2x1 -f ~e@12 _g; ^g +j/solo:4x1,4x1; /g -h";

const InterleavingCase kWorlds[] = {
    {"two_flavors",
     kThreeRacks,
     kTwoFlavors,
     kCrossings,
     {.slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::crossed},
    {"two_flavors_in_rounds",
     kThreeRacks,
     kTwoFlavorsOneTree,
     kCrossings,
     {.rounds = Rounds::kKueue, .slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::crossed},
    {"two_flavors_and_all_fails",
     kThreeRacks,
     kTwoFlavors,
     kCrossings,
     {.append_fails = 10, .refuses = 10, .queue_fails = 2, .most_failures = 6},
     Same::kNothing,
     &EngineChecker::Seen::crossed},
    {"racks_as_leaves", kHosts, kRacks, kComeAndGo, {.slow_journal = true}},
    {"racks_as_leaves_and_owners_refuse",
     kHosts,
     kRacks,
     kComeAndGo,
     {.refuses = 15},
     Same::kAdmissions},
    {"unlabelled_nodes",
     kUnlabelledHosts,
     kOpen,
     kGetsLabels,
     {.slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::new_owners},
    {"nodes_move",
     kHosts,
     kQueues,
     kMoves,
     {.shard_level = "rack", .slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::moved_uses},
    {"nodes_move_and_all_fails",
     kHosts,
     kQueues,
     kMoves,
     {.shard_level = "rack",
      .append_fails = 15,
      .append_fails_in_a_row = true,
      .refuses = 10,
      .queue_fails = 2,
      .most_failures = 6},
     Same::kNothing},
    {"racks_change",
     kHosts,
     kTwoFlavors,
     kRacksChange,
     {.slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::new_owners},
    {"queues_change_cohort",
     kHosts,
     kCohorts,
     kChangesCohort,
     {.slow_journal = true},
     Same::kHash,
     &EngineChecker::Seen::overdrawn},
    {"queues_change_cohort_and_all_fails",
     kHosts,
     kCohorts,
     kChangesCohort,
     {.append_fails = 10, .refuses = 10, .queue_fails = 2, .most_failures = 6},
     Same::kNothing,
     &EngineChecker::Seen::new_owners},
    {"no_queue_and_the_journal_fails",
     kHosts,
     kQueues,
     kNowhere,
     {.slow_journal = true, .append_fails = 50, .append_fails_in_a_row = true},
     Same::kNothing},
    {"several_pod_sets", kHosts, kQueues, kSeveralPodSets, {.slow_journal = true}},
    {"nodes_move_below_searches",
     kHosts,
     kQueues,
     kMoves,
     {.shard_level = "rack", .max_steps = 1, .slow_journal = true},
     Same::kNothing},
    {"nodes_move_and_searches_in_virtual_time",
     kHosts,
     kQueues,
     kMoves,
     {.limits = {.step_time = 50}, .shard_level = "rack", .max_steps = 6},
     Same::kHash,
     &EngineChecker::Seen::moved_uses},
    {"racks_change_below_searches",
     kHosts,
     kTwoFlavors,
     kRacksChange,
     {.max_steps = 1, .append_fails = 10},
     Same::kNothing,
     &EngineChecker::Seen::new_owners},
    {"queues_change_cohort_and_searches",
     kHosts,
     kCohorts,
     kChangesCohort,
     {.max_steps = 1, .refuses = 10, .queue_fails = 2},
     Same::kNothing,
     &EngineChecker::Seen::new_owners},
    {"queues_change_cohort_and_searches_in_virtual_time",
     kHosts,
     kCohorts,
     kChangesCohort,
     {.limits = {.step_time = 50}, .max_steps = 1, .slow_journal = true}},
    {"several_pod_sets_and_owners_refuse",
     kHosts,
     kQueues,
     kSeveralPodSets,
     {.refuses = 15},
     Same::kAdmissions},
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const InterleavingCase& each) {
  return out << each.name;
}

std::vector<InterleavingCase> engine_worlds() { return {std::begin(kWorlds), std::end(kWorlds)}; }

}  // namespace tessera::test
