// SPDX-License-Identifier: Apache-2.0
// What the search must find, and when it may say Invalid or Never: counts in whole slices, flavors
// over the same nodes, groups on two flavors, pod sets that take each other's place.
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <regex>
#include <string>

#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kBlock;
using test::kHost;
using test::kRack;
using topology::Symbol;

struct SearchCase {
  const char* name;
  std::function<void(ClusterBuilder&)> cluster;
  const char* answer;  // of test::schedule()
};
void PrintTo(const SearchCase& test, std::ostream* out) { *out << test.name; }

solver::PodSet sliced(solver::PodSet pod_set, const char* level, std::int64_t size) {
  pod_set.topology.layers.push_back({Symbol(level), size});
  return pod_set;
}
solver::PodSet at_least(solver::PodSet pod_set, std::int64_t least) {
  pod_set.min_count = least;
  return pod_set;
}
solver::PodSet in_rack(std::int64_t count, std::int64_t gpus = 1) {
  return test::required(test::pods("main", count, gpus), kRack);
}
solver::PodSet on_host(const char* name, std::int64_t count, std::int64_t gpus,
                       std::int64_t cpu = 0) {
  solver::PodSet pod_set = test::required(test::pods(name, count, gpus), kHost);
  if (cpu > 0) pod_set.request.set(topology::cpu_resource(), cpu);
  return pod_set;
}

/// `count` pods or at least `least`, slices of `size` in the rack.
void rack_job(ClusterBuilder& builder, const char* hosts, std::int64_t count, std::int64_t least,
              std::int64_t size) {
  builder.hosts(hosts).workload("w", {at_least(sliced(in_rack(count), kRack, size), least)});
}

/// Flavors f-hosts and f-racks over all nodes, each with a queue of its name.
void two_topologies(ClusterBuilder& builder, const char* hosts) {
  builder.hosts(hosts).topology("racks", {kBlock, kRack});
  builder.flavor("f-hosts").flavor("f-racks", "racks");
  builder.queue("qh", {"f-hosts"}, 1000);
  builder.queue("qr", {"f-racks"}, 1000);
}

/// Workers of 1 GPU on flavor fg, and a leader of 1 cpu on flavor fc; `cpus`: of the leader's hosts
/// c1 in r1 and c2 in r2.
void split_group(ClusterBuilder& builder, const char* level, std::int64_t c1, std::int64_t c2) {
  builder.hosts("b1/r1/g1:4 b1/r1/c1:0 b1/r2/c2:0").flavor("fc").flavor("fg");
  builder.node("c1").allocatable.set(topology::cpu_resource(), c1);
  builder.node("c2").allocatable.set(topology::cpu_resource(), c2);
  for (const auto& [node, pool] : {std::pair("g1", "g"), std::pair("c1", "c"), {"c2", "c"}}) {
    builder.node(node).labels.set(Symbol("pool"), Symbol(pool));
  }
  builder.flavor_record("fc").node_labels = {{Symbol("pool"), Symbol("c")}};
  builder.flavor_record("fg").node_labels = {{Symbol("pool"), Symbol("g")}};
  ClusterQueueRecord& queue = builder.queue("q", {"fc"}, 1000);
  ResourceGroup gpus = queue.groups[0], cpus = queue.groups[0];
  cpus.covered = {topology::cpu_resource()};
  cpus.flavors[0].resources.pop_back();
  gpus.covered = {topology::gpu_resource()};
  gpus.flavors[0].flavor = "fg";
  gpus.flavors[0].resources.erase(gpus.flavors[0].resources.begin());
  queue.groups = {cpus, gpus};
  solver::PodSet leader = test::required(test::pods("leader", 1, 0), level);
  leader.request = {{topology::cpu_resource(), 4}};
  solver::PodSet workers = test::required(test::pods("workers", 4, 1), level);
  leader.unit = workers.unit = "g";
  builder.workload("w", {leader, workers});
}

const SearchCase kSearchCases[] = {
    // --- partial admission in whole slices
    {"room_for_8_of_12_in_slices_of_4", [](auto& b) { rack_job(b, "b/r1/a:8", 12, 1, 4); },
     "w Placed main[a:8]"},
    {"room_for_4_of_10_in_slices_of_2", [](auto& b) { rack_job(b, "b/r1/a:4", 10, 1, 2); },
     "w Placed main[a:4]"},
    {"slices_of_2_do_not_divide_7", [](auto& b) { rack_job(b, "b/r1/a:100", 7, 4, 2); },
     "w Placed main[a:6]"},
    {"room_for_35_of_100_in_slices_of_10", [](auto& b) { rack_job(b, "b/r1/a:35", 100, 1, 10); },
     "w Placed main[a:30]"},
    {"the_minimum_is_rounded_up", [](auto& b) { rack_job(b, "b/r1/a:5", 12, 5, 4); },
     "w Never TopologyFit"},
    {"no_count_from_5_to_6_is_slices_of_4", [](auto& b) { rack_job(b, "b/r1/a:8", 6, 5, 4); },
     "w Invalid Invalid"},
    {"slices_in_racks_of_6_and_7",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:6 b/r2/c:7");
       b.workload(
           "w", {at_least(sliced(test::required(test::pods("main", 12, 1), kBlock), kRack, 4), 1)});
     },
     "w Placed main[a:4 c:4]"},
    {"quota_for_6_of_7",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:100").flavor("f").queue("q", {"f"}, 6);
       b.workload("w", {at_least(sliced(in_rack(7), kRack, 2), 4)});
     },
     "w Placed main[a:6]"},
    {"the_largest_that_fits_beside_another_pod_set",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:6 b/r2/c:3");
       b.workload("w", {at_least(in_rack(6), 1), test::required(test::pods("x", 4, 1), kRack)});
     },
     "w Placed main[c:3] x[a:4]"},
    // --- Invalid, whatever is free
    {"a_remainder_behind_a_pod_set_that_never_fits",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:8");
       b.workload("w", {on_host("x", 9, 1), sliced(test::pods("y", 3, 1), kHost, 2)});
     },
     "w Invalid Invalid"},
    {"a_remainder_without_quota",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:8").flavor("f").queue("q", {"f"}, 1);
       b.workload("w", {sliced(in_rack(3), kRack, 2)});
     },
     "w Invalid Invalid"},
    {"slices_above_the_required_level_without_quota",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:8").flavor("f").queue("q", {"f"}, 1);
       b.workload("w", {sliced(test::required(test::pods("main", 4, 1), kHost), kRack, 2)});
     },
     "w Invalid Invalid"},
    // --- pod sets that take each other's place
    {"the_first_could_leave_the_gpus_to_the_second",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:4 b/r1/c:0");
       b.node("a").allocatable.set(topology::cpu_resource(), 4);
       b.node("c").allocatable.set(topology::cpu_resource(), 8);
       b.workload("w", {on_host("x", 1, 0, 1), on_host("y", 4, 1, 1)});
     },
     "w Waits"},
    {"no_order_makes_room_for_both",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:6 b/r2/c:3");
       b.workload("w", {on_host("x", 4, 1), on_host("y", 4, 1)});
     },
     "w Never TopologyFit"},
    // --- flavors over the same nodes
    {"a_flavor_of_racks_took_the_rack",
     [](ClusterBuilder& b) {
       two_topologies(b, "b/r1/a:4 b/r2/c:4");
       b.workload("v", {in_rack(4)}, "qr");
       b.workload("w", {in_rack(1)}, "qh");
     },
     "v Placed main[r1:4]\nw Placed main[c:1]"},
    {"a_flavor_of_racks_took_10_of_three_racks_of_4",
     [](ClusterBuilder& b) {
       two_topologies(b, "b/r1/a:4 b/r2/c:4 b/r3/d:4");
       b.workload("v", {test::preferred(test::pods("main", 10, 1), kRack)}, "qr");
       b.workload("w", {on_host("main", 2, 1)}, "qh");
     },
     "v Placed main[r1:4 r2:4 r3:2]\nw Placed main[d:2]"},
    {"hosts_share_what_is_left_of_their_rack",
     [](ClusterBuilder& b) {
       two_topologies(b, "b/r1/a:4 b/r1/c:4");
       b.workload("v", {in_rack(5)}, "qr");
       b.workload("w", {in_rack(3)}, "qh");
       b.workload("x", {in_rack(1)}, "qh");
     },
     "v Placed main[r1:5]\nw Placed main[a:3]\nx Waits"},
    {"another_rack_has_the_room_that_hosts_only_seem_to_have",
     [](ClusterBuilder& b) {
       two_topologies(b, "b/r1/a:4 b/r1/c:4 b/r2/d:4 b/r2/e:4");
       b.workload("v", {in_rack(5)}, "qr");
       b.workload("w", {in_rack(4)}, "qh");
       b.workload("x", {in_rack(4)}, "qh");
       b.workload("y", {in_rack(4)}, "qh");
     },
     "v Placed main[r1:5]\nw Placed main[d:4]\nx Placed main[e:4]\ny Waits"},
    {"slices_share_what_is_left_of_their_rack",
     [](ClusterBuilder& b) {
       two_topologies(b, "b/r1/a:4 b/r1/c:4 b/r2/d:2");
       b.workload("v", {in_rack(3)}, "qr");
       b.workload("w", {sliced(test::required(test::pods("main", 6, 1), kBlock), kHost, 2)}, "qh");
     },
     "v Placed main[r1:3]\nw Placed main[a:4 d:2]"},
    {"two_flavors_of_racks_share_a_full_node",
     [](ClusterBuilder& b) {
       b.hosts("b/r1/a:8 b/r1/c:8").topology("racks", {kRack});
       b.node("a").labels.set(Symbol("half"), Symbol("a"));
       b.flavor("all", "racks").flavor("half", "racks").queue("q", {"all"}, 1000);
       b.flavor_record("half").node_labels = {{Symbol("half"), Symbol("a")}};
       b.bound_pod("p", "a", 8);
       b.workload("w", {in_rack(8)});
     },
     "w Placed main[r1:8]"},
    // --- groups on two flavors
    {"no_room_for_the_leader_in_the_rack_of_its_workers",
     [](auto& b) { split_group(b, kRack, 2, 16); }, "w Never TopologyFit"},
    {"the_leader_goes_to_the_rack_of_its_workers", [](auto& b) { split_group(b, kRack, 8, 16); },
     "w Placed leader[c1:1] workers[g1:4]"},
    {"the_leader_goes_to_the_block_of_its_workers", [](auto& b) { split_group(b, kBlock, 2, 16); },
     "w Placed leader[c2:1] workers[g1:4]"},
};

class SearchAnswers : public testing::TestWithParam<SearchCase> {};

TEST_P(SearchAnswers, AreRight) {
  ClusterBuilder builder;
  GetParam().cluster(builder);
  // Evidence, and the reason of who waits, have tests of their own.
  const std::regex reason("Waits [A-Za-z]+");
  EXPECT_EQ(std::regex_replace(test::schedule(builder.build()), reason, "Waits"),
            GetParam().answer);
}
INSTANTIATE_TEST_SUITE_P(Cases, SearchAnswers, testing::ValuesIn(kSearchCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(SearchAnswersOfKueue, PlaceAGroupOnTwoFlavorsApart) {
  ClusterBuilder builder;
  split_group(builder, kRack, 2, 16);
  EngineOptions options;
  options.profile = config::kueue_0_19_profile();
  EXPECT_EQ(test::schedule(builder.build(), options), "w Placed leader[c2:1] workers[g1:4]");
}

}  // namespace
}  // namespace tessera::core
