// SPDX-License-Identifier: Apache-2.0
// Faults that people met in schedulers of this kind, and the worked examples of placement.md, as
// one-line cases.
//
// Worlds and gangs in the notation of tests/support/notation.h. Expected: the pods of each pod set
// ("a5 b1 | c2"), or the refusal's text in Kueue's words.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "ingest/text/kueue_text.h"
#include "solver/search/place.h"
#include "tests/support/notation.h"
#include "tests/support/placement_verifier.h"
#include "tests/support/world.h"

namespace tessera::test {
namespace {

enum class Setting { kDefault, kBalanced, kUnconstrainedBestFit };

struct PlacementCase {
  const char* name;
  const char* world;
  const char* gang;
  const char* expected;
  Setting setting = Setting::kDefault;
};

void PrintTo(const PlacementCase& c, std::ostream* out) { *out << c.world << " ; " << c.gang; }

solver::SearchOptions options_of(Setting setting) {
  solver::SearchOptions options;
  if (setting == Setting::kBalanced) options.balanced = solver::BalancedPlacement::kKueue;
  if (setting == Setting::kUnconstrainedBestFit)
    options.unconstrained = solver::Algorithm::kBestFit;
  return options;
}

std::string answer_text(const World& world, const solver::Answer& answer) {
  if (const auto* refusal = std::get_if<solver::Refusal>(&answer)) {
    return encode::kueue_text(*refusal, world.spec().topology);
  }
  std::string out;
  bool first = true;
  for (const auto& pod_set : std::get<solver::Placement>(answer).pod_sets) {
    out += (first ? "" : " | ") + world.text(pod_set);
    first = false;
  }
  return out;
}

class KnownCase : public testing::TestWithParam<PlacementCase> {};

TEST_P(KnownCase, GivesTheExpectedAnswer) {
  World world(parse_world(GetParam().world));
  const solver::Gang gang = parse_gang(GetParam().gang);
  const solver::SearchOptions options = options_of(GetParam().setting);
  const solver::Answer answer = world.place(gang, options);
  EXPECT_EQ(answer_text(world, answer), GetParam().expected);
  if (const auto* placement = std::get_if<solver::Placement>(&answer)) {
    const Verdict verdict =
        verify_placement(world, gang, *placement, topology::Basis::kFree, options.leader_filters);
    EXPECT_EQ(verdict.faults, std::vector<std::string>());
  }
}

std::string case_name(const testing::TestParamInfo<PlacementCase>& info) { return info.param.name; }

// C numbers are those of the collection of known faults; each row is named after what would be
// wrong.
const PlacementCase kCounting[] = {
    {"C001_pod_slots_limit_a_host", "r1/a{gpu=8,pods=3} r1/b{gpu=8,pods=10}",
     "10 pods, required rack", "a2 b8"},
    {"C001_slots_of_all_hosts_are_too_few", "r1/a{gpu=8,pods=3} r1/b{gpu=8,pods=10}",
     "12 pods, required rack", R"(topology "t" allows to fit only 11 out of 12 pod(s))"},
    {"C001_a_pod_without_requests_takes_a_slot",
     "r1/a{gpu=8,pods=3} r1/b{gpu=8,pods=10} -a{pods=1}", "10 pods, required rack", "a2 b8"},
    {"C001_that_slot_is_missing", "r1/a{gpu=8,pods=3} r1/b{gpu=8,pods=10} -a{pods=1}",
     "11 pods, required rack", R"(topology "t" allows to fit only 10 out of 11 pod(s))"},
    {"C001_pods_that_ask_nothing_take_slots", "a{pods=2} b{pods=1}", "3 pods of nothing", "a2 b1"},
    {"C003_each_resource_counts_once",
     "a{cpu=64,gpu=8,memory=512} -a{cpu=32,gpu=4,memory=256,pods=4}",
     "4 pods of cpu=8+gpu=1+memory=64, required host", "a4"},
    {"C003_nothing_is_left_behind", "a{cpu=64,gpu=8,memory=512} -a{cpu=64,gpu=8,memory=512,pods=8}",
     "1 pods of cpu=1+gpu=1+memory=1, required host",
     R"(topology "t" doesn't allow to fit any of 1 pod(s). Total nodes: 1; excluded: resource "cpu": 1)"},
    {"C005_a_tiny_request_does_not_wrap", "a{memory=4398046511104}",
     "50 pods of memory=1000, required host", "a50"},
    {"C005_a_request_of_one_byte", "a{memory=4398046511104}", "111 pods of memory=1, required host",
     R"(topology "t" allows to fit only 110 out of 111 pod(s))"},
    {"C007_the_second_pod_set_sees_the_first", "r1/a4 r1/b4",
     "1 pods of gpu=2, required rack; 3 pods of gpu=2, required rack", "a1 | a1 b2"},
    {"C007_one_more_does_not_fit", "r1/a4 r1/b4",
     "1 pods of gpu=2, required rack; 4 pods of gpu=2, required rack",
     R"(topology "t" allows to fit only 3 out of 4 pod(s))"},
    {"C009_an_overused_host_counts_as_empty", "a{cpu=8} b{cpu=8} -b{cpu=10}",
     "3 pods of cpu=4, unconstrained",
     R"(topology "t" allows to fit only 2 out of 3 pod(s). Total nodes: 2; excluded: resource "cpu": 1)"},
    {"C011_a_node_without_a_level_is_out", "b1/r1/n1:1 b1/-/n2:1", "2 pods, required block",
     R"(topology "t" allows to fit only 1 out of 2 pod(s))"},
    {"C011_the_others_stay_in", "b1/r1/n1:1 b1/-/n2:1", "1 pods, required block", "n1:1"},
};
INSTANTIATE_TEST_SUITE_P(Counting, KnownCase, testing::ValuesIn(kCounting), case_name);

const PlacementCase kSelection[] = {
    {"C015_names_sort_as_bytes", "r1/n10:4 r1/n2:4 r1/n9:4", "6 pods, required rack", "n10:4 n2:2"},
    {"C015_whatever_the_order_of_input", "r1/n9:4 r1/n2:4 r1/n10:4", "6 pods, required rack",
     "n10:4 n2:2"},
    {"C017_least_free_takes_the_host_that_fits", "r1/a0 r1/b2 r1/c4", "4 pods, unconstrained",
     "c4"},
    {"C017_least_free_skips_full_hosts", "r1/a0 r1/b2 r1/c4", "5 pods, unconstrained", "b2 c3"},
    {"C017_least_free_says_what_fits", "r1/a0 r1/b2 r1/c4", "7 pods, unconstrained",
     R"(topology "t" allows to fit only 6 out of 7 pod(s). Total nodes: 3; excluded: resource "gpu": 1)"},
    {"C019_preferred_climbs_one_level", "b1/r1/a4 b1/r2/b3 b2/r3/c3 b2/r4/d3",
     "6 pods, preferred rack", "c3 d3"},
    {"C019_preferred_spreads_at_the_top", "b1/r1/a4 b1/r2/b3 b2/r3/c3 b2/r4/d3",
     "9 pods, preferred rack", "a4 b3 c2"},
    {"C019_required_does_not_climb", "b1/r1/a4 b1/r2/b3 b2/r3/c3 b2/r4/d3", "6 pods, required rack",
     R"(topology "t" allows to fit only 4 out of 6 pod(s))"},
    {"C021_preferred_stays_under_one_parent",
     "b1/s0/n1:1 b1/s0/n2:1 b1/s1/n3:1 b1/s1/n4:1 b2/s2/n5:1 b2/s2/n6:1", "4 pods, preferred rack",
     "n1:1 n2:1 n3:1 n4:1"},
};
INSTANTIATE_TEST_SUITE_P(Selection, KnownCase, testing::ValuesIn(kSelection), case_name);

const PlacementCase kSlices[] = {
    {"C023_tightest_racks_for_slices", "b1/r1/a6 b1/r2/b5 b1/r3/c4",
     "8 pods, required block, slices of 4 at rack", "b4 c4"},
    {"C025_a_remainder_is_refused", "b1/r1/a6 b1/r2/b5",
     "3 pods, required block, slices of 2 at rack", "slice size 2 does not divide 3"},
    {"C027_no_workers_is_no_failure", "r1/a6",
     "1 pods, required rack; 0 pods, required rack, slices of 2 at host", "a1 | "},
    {"C029_whole_slices_only", "b1/r1/a3 b1/r1/b3 b1/r2/c3 b1/r2/d2",
     "6 pods, required block, slices of 2 at host", "a2 b2 d2"},
    {"C029_loose_slots_make_no_slice", "b1/r1/a3 b1/r1/b3 b1/r2/c3 b1/r2/d2",
     "10 pods, required block, slices of 2 at host",
     R"(topology "t" allows to fit only 4 out of 5 slice(s))"},
    {"C031_a_last_smaller_slice_is_refused", "b/r1/a4 b/r2/b4 b/r3/c4 b/r4/d4",
     "1 pods, required block, group g; 15 pods, required block, slices of 4 at rack, group g",
     "slice size 4 does not divide 15"},
    {"C033_inner_groups_decide_the_block", "d/b1/r1/a6 d/b1/r2/b3 d/b2/r3/c5 d/b2/r4/d4",
     "8 pods, required dc, slices of 8 at block, slices of 4 at rack", "c4 d4"},
    {"C037_three_layers",
     "d/b1/r1/a3 d/b1/r1/b3 d/b1/r2/c3 d/b1/r2/d3 d/b2/r3/e3 d/b2/r3/f3 d/b2/r4/g3 d/b2/r4/h3",
     "16 pods, required dc, slices of 8 at block, slices of 4 at rack, slices of 2 at host",
     "a2 b2 c2 d2 e2 f2 g2 h2"},
    {"C037_each_layer_is_counted",
     "d/b1/r1/a3 d/b1/r1/b3 d/b1/r2/c3 d/b1/r2/d3 d/b2/r3/e3 d/b2/r3/f3 d/b2/r4/g3 d/b2/r4/h3",
     "24 pods, required dc, slices of 8 at block, slices of 4 at rack, slices of 2 at host",
     R"(topology "t" doesn't allow to fit; 2/3 slice(s) fit on level block; )"
     "4/6 slice(s) fit on level rack; 8/12 slice(s) fit on level kubernetes.io/hostname"},
};
INSTANTIATE_TEST_SUITE_P(Slices, KnownCase, testing::ValuesIn(kSlices), case_name);

const PlacementCase kGroups[] = {
    {"C039_leader_leaves_room_for_workers", "r1/a{cpu=5} r1/b{cpu=9} r1/c{cpu=6}",
     "1 pods of cpu=2, required rack, group g; 6 pods of cpu=3, required rack, group g",
     "a1 | a1 b3 c2"},
    {"C041_leader_without_gpus", "r1/a{cpu=16,gpu=4} r2/b{cpu=64,gpu=4} r2/c{cpu=64,gpu=4}",
     "1 pods of cpu=8, required rack, group g; 4 pods of cpu=4+gpu=1, required rack, group g",
     "b1 | b4"},
    {"C043_three_members", "r1/a4 r2/b8",
     "2 pods, required rack, group g; 3 pods, required rack, group g; 1 pods, required rack, group "
     "g",
     "a pod set group must be one leader pod and its workers"},
    {"C043_two_leaders", "r1/a4 r2/b8",
     "2 pods, required rack, group g; 3 pods, required rack, group g",
     "a pod set group must be one leader pod and its workers"},
    {"leader_keeps_its_own_node_filter", "r1/a4@pool=x r1/b4@pool=y",
     "1 pods, required rack, selects pool=y, group g; 4 pods, required rack, selects pool=x, group "
     "g",
     "b1 | a4"},
    {"leader_does_not_need_the_workers_filter", "r1/a4!maint=yes:NoSchedule r1/b4",
     "1 pods, required rack, tolerates maint, group g; 4 pods, required rack, group g", "a1 | b4"},
};
INSTANTIATE_TEST_SUITE_P(Groups, KnownCase, testing::ValuesIn(kGroups), case_name);

const PlacementCase kBalancedCases[] = {
    {"C045_least_total_capacity", "b1/r1/a12 b1/r1/b8 b1/r2/c9 b1/r2/d9", "16 pods, preferred rack",
     "c8 d8", Setting::kBalanced},
    {"C047_falls_back_when_the_leader_is_in_the_way",
     "b1/r1/x1:3 b1/r2/x2:3 b1/r3/x3:8 b2/r4/x4:11",
     "1 pods of gpu=5, preferred block, group g; 7 pods, preferred block, group g",
     "x3:1 | x1:3 x2:1 x3:3", Setting::kBalanced},
    {"C049_preferred_is_balanced", "b1/r1/a10 b1/r2/b6 b2/r3/c8 b2/r4/d8",
     "14 pods, preferred rack", "c7 d7", Setting::kBalanced},
    {"C049_required_is_not", "b1/r1/a10 b1/r2/b6 b2/r3/c8 b2/r4/d8", "14 pods, required block",
     "a10 b4", Setting::kBalanced},
    {"B1_extra_to_the_roomier", "b/r1/a9 b/r1/b6 b/r1/c5", "13 pods, preferred rack", "a7 b6",
     Setting::kBalanced},
    {"B2_smallest_total", "b/r1/a9 b/r1/b7 b/r1/c7", "13 pods, preferred rack", "b7 c6",
     Setting::kBalanced},
    {"B2_best_fit_instead", "b/r1/a9 b/r1/b7 b/r1/c7", "13 pods, preferred rack", "a9 b4"},
    {"B3_leader_beside_workers", "b/r1/a5 b/r1/b5 b/r2/c4 b/r2/d3",
     "1 pods, preferred rack, group g; 8 pods, preferred rack, group g", "a1 | a4 b4",
     Setting::kBalanced},
    {"B4_block_of_even_racks", "b1/r1/a8 b1/r2/b8 b2/r3/c10 b2/r4/d6", "16 pods, preferred block",
     "a8 b8", Setting::kBalanced},
};
INSTANTIATE_TEST_SUITE_P(Balanced, KnownCase, testing::ValuesIn(kBalancedCases), case_name);

const PlacementCase kFilters[] = {
    {"C073_an_untolerated_taint", "r1/a4!maint=yes:NoSchedule r1/b4", "6 pods, required rack",
     R"(topology "t" allows to fit only 4 out of 6 pod(s). Total nodes: 2; excluded: taint "maint=yes:NoSchedule": 1)"},
    {"C073_a_tolerated_taint", "r1/a4!maint=yes:NoSchedule r1/b4",
     "6 pods, required rack, tolerates maint", "a4 b2"},
    {"C073_prefer_no_schedule_keeps_nobody_out", "r1/a4!maint=yes:PreferNoSchedule r1/b4",
     "6 pods, required rack", "a4 b2"},
    {"C075_a_cordoned_node_is_no_capacity", "r1/a4~ r1/b4", "5 pods, required rack",
     R"(topology "t" allows to fit only 4 out of 5 pod(s))"},
    {"C075_after_the_cordon", "r1/a4 r1/b4", "5 pods, required rack", "a4 b1"},
    {"C075_a_node_that_is_not_ready", "r1/a4? r1/b4", "5 pods, required rack",
     R"(topology "t" allows to fit only 4 out of 5 pod(s))"},
    {"C077_a_tolerated_eviction_taint_may_be_placed_on", "r1/a4!maint=yes:NoExecute",
     "1 pods, required rack, tolerates maint=yes", "a1"},
    {"C079_affinity_terms_are_alternatives",
     "levels=dc,host d/a1@gen=h100@zone=z1 d/b1@gen=gb200@zone=z2 d/c1@gen=gb200@zone=z1",
     "2 pods, required dc, affinity gen In gb200 & zone In z1 | gen In h100", "a1 c1"},
    {"C079_the_third_node_matches_no_term",
     "levels=dc,host d/a1@gen=h100@zone=z1 d/b1@gen=gb200@zone=z2 d/c1@gen=gb200@zone=z1",
     "3 pods, required dc, affinity gen In gb200 & zone In z1 | gen In h100",
     R"(topology "t" allows to fit only 2 out of 3 pod(s). Total nodes: 3; excluded: affinity: 1)"},
    {"C079_not_in_matches_a_node_without_the_key", "r1/a1@gen=h100 r1/b1",
     "1 pods, required rack, affinity gen NotIn h100", "b1"},
    {"C079_does_not_exist", "r1/a1@gen=h100 r1/b1",
     "1 pods, required rack, affinity gen DoesNotExist", "b1"},
    {"C079_greater_compares_numbers", "r1/a1@cc=9 r1/b1@cc=10",
     "1 pods, required rack, affinity cc Gt 9", "b1"},
    {"C079_less_compares_numbers", "r1/a1@cc=10 r1/b1@cc=9",
     "1 pods, required rack, affinity cc Lt 10", "b1"},
    {"C193_each_leaf_counts_once",
     "r1/a0!maint:NoSchedule r1/b0!maint:NoSchedule~ r1/c4@gen=x r1/d4@gen=x r1/e0@gen=x r1/f0 "
     "r1/g0 "
     "r2/h1 r1/i2 r1/j2",
     "5 pods, required rack, affinity gen NotIn x",
     R"(topology "t" allows to fit only 4 out of 5 pod(s). Total nodes: 9; )"
     R"(excluded: affinity: 3, resource "gpu": 2, taint "maint:NoSchedule": 1)"},
    {"preferred_affinity_comes_before_tightness", "r1/a4 r1/b8@gen=x",
     "4 pods, required host, prefers 10 gen=x", "b4"},
};
INSTANTIATE_TEST_SUITE_P(Filters, KnownCase, testing::ValuesIn(kFilters), case_name);

constexpr const char* kSixHosts = "b1/r1/a4 b1/r1/b3 b1/r2/c5 b2/r3/d6 b2/r4/e5 b2/r4/f2";

// Numbers are those of placement.md 4.10; 3a, 3b and 4a of 3.4 and 4.5.
const PlacementCase kExamples[] = {
    {"E3a_leader_in_a_gap", "r1/a{cpu=9} r1/b{cpu=5} r1/c{cpu=6}",
     "1 pods of cpu=1, required rack, group g; 9 pods of cpu=2, required rack, group g",
     "a1 | a4 b2 c3"},
    {"E3b_rounded_to_inner_groups", "d/b1/r1/a5 d/b1/r1/b5 d/b1/r2/c6 d/b2/r3/e8",
     "24 pods, slices of 8 at block, slices of 4 at host",
     R"(topology "t" doesn't allow to fit; 2/3 slice(s) fit on level block; )"
     "5/6 slice(s) fit on level kubernetes.io/hostname"},
    {"E4a_below_slices_smallest_hosts_first", "b/r/a2 b/r/b3 b/r/c8",
     "8 pods, required block, slices of 8 at rack", "a2 b3 c3"},
    {"E4a_without_slices_the_tightest_host", "b/r/a2 b/r/b3 b/r/c8", "8 pods, required rack", "c8"},
    {"E1_tightest_rack", "b/r1/a9 b/r2/b6 b/r3/c5 b/r4/d3 b/r4/e2", "5 pods, required rack", "c5"},
    {"E2_tightest_block", kSixHosts, "12 pods, preferred rack", "a4 b3 c5"},
    {"E3_spread_over_blocks", kSixHosts, "20 pods, preferred rack", "a4 b3 d6 e5 f2"},
    {"E4_least_free_fills_gaps", kSixHosts, "9 pods, unconstrained", "a4 b3 f2"},
    {"E4_best_fit_instead", kSixHosts, "9 pods, unconstrained", "b3 d6",
     Setting::kUnconstrainedBestFit},
    {"E5_least_free_single_host", kSixHosts, "5 pods, unconstrained", "c5"},
    {"E6_single_host_before_gaps", "a5 b2 c3 d8", "8 pods, unconstrained", "d8"},
    {"E6_single_host_stays_first", "x1:2 x2:1 x3:1", "2 pods, unconstrained", "x1:2"},
    {"E7_preferred_host", "a5 b2 c3 d8", "9 pods, preferred host", "b1 d8"},
    {"E8_tightest_of_two_blocks", "b1/r1/a5 b1/r1/b3 b1/r2/c6 b2/r1/d6 b2/r2/e6",
     "9 pods, required block", "d6 e3"},
    {"E9_hosts_of_all_chosen_racks_are_pooled", "b/r1/a5 b/r1/b2 b/r2/c4 b/r2/d3",
     "10 pods, required block", "a5 b1 c4"},
    {"E10_path_order_breaks_ties", "b1/r1/x4 b1/r2/y4 b2/r1/z4", "4 pods, required rack", "x4"},
    {"E11_slices_on_hosts", "r/a6 r/b5 r/c4 r/d3 r/e2",
     "12 pods, required rack, slices of 2 at host", "a6 c4 e2"},
    {"E12_slices_alone", "b1/r1/a5 b1/r2/b4 b2/r1/c9 b2/r2/d3", "8 pods, slices of 4 at rack",
     "a4 b4"},
    {"E13_slices_in_racks", "b/r1/a3 b/r1/b4 b/r2/c5 b/r2/d2",
     "12 pods, required block, slices of 3 at rack", "a3 b3 c4 d2"},
    {"E14_two_layers", "b/r1/a7 b/r1/b9 b/r2/c8 b/r2/d8",
     "16 pods, required block, slices of 8 at rack, slices of 4 at host", "c8 d8"},
    {"E15_two_layers_with_a_level_between", "d/b1/r1/a5 d/b1/r1/b5 d/b1/r2/c6 d/b2/r3/e8",
     "16 pods, slices of 8 at block, slices of 4 at host", "a4 c4 e8"},
    {"E16_leader_first_where_it_costs_least", "r/a{cpu=4} r/b{cpu=8} r/c{cpu=7}",
     "1 pods of cpu=1, required rack, group g; 4 pods of cpu=2, required rack, group g",
     "b1 | a1 b3"},
    {"E17_leader_on_the_roomiest", "r/a4 r/b5 r/c4",
     "1 pods of gpu=3, required rack, group g; 6 pods, required rack, group g", "b1 | a4 b2"},
    {"E18_leader_without_a_penalty", "r/a{cpu=9} r/b{cpu=5} r/c{cpu=6}",
     "1 pods of cpu=1, required rack, group g; 8 pods of cpu=2, required rack, group g",
     "a1 | a4 b1 c3"},
};
INSTANTIATE_TEST_SUITE_P(Examples, KnownCase, testing::ValuesIn(kExamples), case_name);

// placement.md 3.4, in the order in which they are tested.
const PlacementCase kSanity[] = {
    {"slice_size_missing", "r/a4", "4 pods, required rack, slices of 0 at host",
     "slice topology requested, but slice size not provided"},
    {"unconstrained_false_names_no_level", "r/a4", "4 pods, unconstrained false",
     "topology level not specified"},
    {"unknown_level", "r/a4", "4 pods, required rock", "no requested topology level: rock"},
    {"unknown_slice_level", "r/a4", "4 pods, required rack, slices of 2 at hoost",
     "no requested topology level for slices: hoost"},
    {"slices_above_the_request", "r/a4", "4 pods, required host, slices of 2 at rack",
     "podset slice topology rack is above the podset topology kubernetes.io/hostname"},
    {"unknown_inner_level", "r/a4", "4 pods, required rack, slices of 4 at rack, slices of 2 at x",
     "no requested topology level for additional slice layer: x"},
    {"inner_layer_not_lower", "r/a4",
     "4 pods, required rack, slices of 4 at host, slices of 2 at rack",
     "additional slice layer topology rack must be at a lower level than kubernetes.io/hostname"},
    {"inner_layer_not_dividing", "r/a4",
     "4 pods, required rack, slices of 4 at rack, slices of 3 at host",
     "additional slice layer size 3 must evenly divide parent layer size 4"},
    {"no_domains", "levels=rack,host r/a4~", "4 pods, required rack",
     "no topology domains at level: rack"},
};
INSTANTIATE_TEST_SUITE_P(Sanity, KnownCase, testing::ValuesIn(kSanity), case_name);

}  // namespace
}  // namespace tessera::test
