// SPDX-License-Identifier: Apache-2.0
// The index under change: 50 shapes in rotation over 2 live keys, while gangs are placed and end,
// nodes are lost and come back, are cordoned, move to other racks, and change their amounts.
//
// Every answer is compared with the plain search's, with its evidence; after every 100th step every
// number of every live key with the plain count's, and the answers with those of a cluster that is
// built anew from the same nodes.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "tests/support/live_world.h"
#include "tests/support/soak.h"

namespace tessera::test {
namespace {

using topology::DomainId;
using topology::NodeId;
using topology::NodeRecord;
using topology::Symbol;
using Search = LiveWorld::Search;

constexpr int kShapes = 50;

/// A shape and how it is searched.
struct Shape {
  solver::Gang gang;
  solver::SearchOptions options;
};

std::vector<Shape> random_shapes(Dice& dice, const WorldSpec& world) {
  std::vector<Shape> shapes;
  for (int i = 0; i < kShapes; ++i) {
    Shape shape;
    switch (dice.below(4)) {
      case 0:
        shape.gang = random_pod_set(dice, world);
        break;
      case 1:
        shape.gang = random_group(dice, world);
        break;
      case 2:
        shape.gang = random_sliced_group(dice, world);
        break;
      default:
        shape.gang = random_gang(dice, world);
    }
    const auto algorithm = [&dice] { return static_cast<solver::Algorithm>(dice.below(3)); };
    if (dice.percent(30)) shape.options.required = algorithm();
    if (dice.percent(30)) shape.options.preferred = algorithm();
    if (dice.percent(30)) shape.options.unconstrained = algorithm();
    if (dice.percent(20)) shape.options.balanced = solver::BalancedPlacement::kKueue;
    if (dice.percent(30)) shape.options.leader_filters = solver::LeaderFilters::kWorkers;
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

class Churn {
 public:
  Churn(LiveWorld& world, std::uint64_t seed)
      : world_(world),
        dice_(seed),
        home_(world.nodes()),
        shapes_(random_shapes(dice_, world.shapes())) {}

  void step() {
    switch (dice_.below(10)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return place();
      case 4:
      case 5:
      case 6:
        if (world_.booked() > 0) {
          world_.release(
              static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(world_.booked()))));
        }
        return;
      default:
        return change_node();
    }
  }

  /// All numbers of the `count` shapes that were used last, against the plain count.
  void recount(std::size_t count) {
    for (std::size_t back = 0; back < count; ++back) {
      const Shape& shape = shapes_[(next_shape_ + kShapes - back) % kShapes];
      solver::CountRequest request;
      const solver::PodSet& pod_set = shape.gang.pod_sets.front();
      request.view = &world_.view();
      request.worker = solver::pod_amounts(pod_set.request);
      request.worker_filter = world_.view().filter_class(pod_set.filter);
      request.scores = world_.view().scores(pod_set.filter);
      if (shape.gang.pod_sets.size() > 1) {
        request.has_leader = true;
        request.leader = solver::pod_amounts(shape.gang.pod_sets[1].request);
        request.leader_filter = world_.view().filter_class(shape.gang.pod_sets[1].filter);
      }
      compare(request, pod_set.topology);
    }
  }

  /// Answers of a cluster without history.
  void compare_with_new_world() {
    LiveWorld fresh = world_.rebuilt();
    for (int i = 0; i < 5; ++i) {
      const Shape& shape = shapes_[static_cast<std::size_t>(dice_.below(kShapes))];
      EXPECT_EQ(world_.text(world_.place(shape.gang, shape.options, Search::kIndex)),
                fresh.text(fresh.place(shape.gang, shape.options, Search::kPlain)));
    }
  }

  int placed = 0, refused = 0;

 private:
  void place() {
    // Often the shape before comes again.
    if (dice_.percent(60)) ++next_shape_;
    const Shape& shape = shapes_[next_shape_ % kShapes];
    const solver::Answer plain = world_.place(shape.gang, shape.options, Search::kPlain);
    const solver::Answer indexed = world_.place(shape.gang, shape.options, Search::kIndex);
    ASSERT_EQ(world_.text(indexed), world_.text(plain));
    const auto* placement = std::get_if<solver::Placement>(&indexed);
    ++(placement != nullptr ? placed : refused);
    if (placement != nullptr) world_.book(shape.gang, *placement);
  }

  void change_node() {
    const NodeId node{
        static_cast<std::uint32_t>(dice_.below(static_cast<std::int64_t>(world_.nodes().size())))};
    NodeRecord record = world_.nodes()[topology::index(node)];
    switch (dice_.below(6)) {
      case 0:
        record.ready = !record.ready;
        break;
      case 1:
        record.unschedulable = !record.unschedulable;
        break;
      case 2: {
        // Mostly back to where it was built, so that racks do not fill up.
        const NodeRecord other =
            dice_.percent(75) ? home_[topology::index(node)]
                              : world_.nodes()[static_cast<std::size_t>(
                                    dice_.below(static_cast<std::int64_t>(world_.nodes().size())))];
        for (const char* label : {"rack", "block"}) {
          record.labels.set(Symbol(label), *other.labels.find(Symbol(label)));
        }
        break;
      }
      case 3:
        record.labels.set(Symbol("gen"), Symbol(dice_.percent(50) ? "x" : "y"));
        break;
      case 4:
        if (record.taints.empty()) {
          record.taints.push_back(
              {Symbol("maint"), Symbol("yes"), topology::TaintEffect::kNoSchedule});
        } else {
          record.taints.clear();
        }
        break;
      default:
        record.allocatable.set(Symbol("gpu"), dice_.between(0, 8));
        record.allocatable.set(Symbol("memory"), dice_.between(0, 9) << dice_.below(34));
    }
    world_.update(node, std::move(record));
  }

  void compare(const solver::CountRequest& request, const solver::TopologyRequest& topology) {
    const auto resolved = solver::resolve(topology, world_.view().tree().topology());
    ASSERT_TRUE(std::holds_alternative<solver::ResolvedRequest>(resolved));
    const auto& levels = std::get<solver::ResolvedRequest>(resolved);
    solver::Exclusions exclusions;
    const solver::CountRows rows =
        solver::count(request, levels, world_.capacity(), topology::Basis::kFree, exclusions);
    const topology::DomainTree& tree = world_.view().tree();
    const solver::CountTable plain(tree, levels, rows.leaves, rows.inner, request.scores.get());
    world_.index().begin_decision();
    const auto found =
        world_.index().counts(request, levels, world_.capacity(), topology::Basis::kFree);
    for (std::uint32_t d = 0; d < tree.domain_count(); ++d) {
      ASSERT_EQ(found.table.at(DomainId{d}), plain.at(DomainId{d})) << tree.path_text(DomainId{d});
    }
    const solver::Exclusions live = found.counts->exclusions();
    EXPECT_EQ(live.leaves, exclusions.leaves);
    ASSERT_EQ(live.causes.size(), exclusions.causes.size());
    for (std::size_t i = 0; i < live.causes.size(); ++i) {
      EXPECT_EQ(live.causes[i].detail, exclusions.causes[i].detail);
      EXPECT_EQ(live.causes[i].leaves, exclusions.causes[i].leaves);
    }
  }

  LiveWorld& world_;
  Dice dice_;
  std::vector<NodeRecord> home_;  // as they were first
  std::vector<Shape> shapes_;
  std::size_t next_shape_ = 0;
};

/// Small clusters are counted by the calling thread alone, which is not seen then.
int threads_expected(const LiveWorldSpec& spec) {
  return spec.index.parallel_leaves == 1 ? spec.index.threads : 0;
}

/// Steps with a check after every hundredth. Returns the churn's figures as text.
void run(const LiveWorldSpec& spec, std::uint64_t seed, int steps, int new_world_every = 100) {
  LiveWorld world(spec, seed);
  Churn churn(world, seed + 1);
  for (int step = 1; step <= steps; ++step) {
    churn.step();
    if (testing::Test::HasFatalFailure()) FAIL() << "seed " << seed << " step " << step;
    if (step % 100 != 0) continue;
    churn.recount(std::min<std::size_t>(kShapes, spec.index.max_keys));
    if (step % new_world_every == 0) churn.compare_with_new_world();
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed << " step " << step;
  }
  const solver::Index::Totals totals = world.totals();
  std::cout << steps << " steps: " << churn.placed << " placed, " << churn.refused << " refused, "
            << totals.counted << " cold counts, " << totals.found << " found, " << totals.evicted
            << " evicted, " << world.rebuilds() << " rebuilds\n";
  // The run was about what it says.
  EXPECT_GT(churn.placed, steps / 10);
  EXPECT_GT(churn.refused, steps / 100);
  EXPECT_GT(totals.found, static_cast<std::uint64_t>(steps / 20));
  EXPECT_LT(world.rebuilds(), steps / 200);
  // Threads of a machine with fewer cores may need some more counts before each had a turn.
  for (int i = 0; i < 400'000 && world.threads_seen() < threads_expected(spec); ++i) churn.step();
  EXPECT_EQ(world.threads_seen(), threads_expected(spec));
}

const int kSteps = soaked(100'000, 20'000);

TEST(IndexChurn, SaysWhatThePlainSearchSaysAtEachStep) {
  run({.index = {.max_keys = 2, .max_age_cycles = 1000, .threads = 1}}, 1, kSteps);
}

class IndexChurnThreads : public testing::TestWithParam<int> {};

TEST_P(IndexChurnThreads, SayWhatThePlainSearchSaysAtEachStep) {
  run({.blocks = 6,
       .racks_in_block = 32,
       .nodes_in_rack = 18,
       .index =
           {.max_keys = 2, .max_age_cycles = 1000, .threads = GetParam(), .parallel_leaves = 1}},
      5, kSteps, 2'000);
}

INSTANTIATE_TEST_SUITE_P(Threads, IndexChurnThreads, testing::Values(1, 2, 4, 8));

TEST(IndexChurn, SaysItWithAllShapesLive) {
  run({.index = {.max_keys = 200, .max_age_cycles = 1'000'000, .threads = 1}}, 2, kSteps);
}

TEST(IndexChurn, SaysItWhereLevelsAreLong) {
  run({.blocks = 20,
       .racks_in_block = 10,
       .nodes_in_rack = 3,
       .index = {.max_keys = 40, .max_age_cycles = 1000, .threads = 1}},
      4, 20'000);
}

TEST(IndexChurn, SaysItWhereADomainHasManyChildren) {
  run({.blocks = 2,
       .racks_in_block = 2,
       .nodes_in_rack = 90,
       .index = {.max_keys = 40, .max_age_cycles = 1000, .threads = 1}},
      3, 20'000);
}

}  // namespace
}  // namespace tessera::test
