// SPDX-License-Identifier: Apache-2.0
#include "topology/capacity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/topology/overlapping_trees.h"

namespace tessera::topology {
namespace {

using Cluster = OverlappingTrees;

Amounts gpus(std::int64_t count, std::int64_t pods = 1) {
  return {{gpu_resource(), count}, {pods_resource(), pods}};
}
std::int64_t free_gpus(const Capacity& capacity, CellId cell) {
  return capacity.amount(Basis::kFree, gpu_resource(), cell);
}

TEST(Capacity, ACellStartsWithTheSumOfItsNodes) {
  const Cluster cluster("n1:b1/r1/a*8 n2:b1/r1/a*4 b1/r1/b*2", {"- rack host", "- rack"}, {});
  const Capacity capacity = cluster.capacity();
  EXPECT_EQ(free_gpus(capacity, cluster.cell(0, {"a"})), 12);
  EXPECT_EQ(free_gpus(capacity, cluster.cell(1, {"r1"})), 14);
  EXPECT_EQ(capacity.amount(Basis::kEmpty, pods_resource(), cluster.cell(1, {"r1"})), 30);
}

TEST(Capacity, RowsAreAllResourcesByNameAndPods) {
  std::vector<NodeRecord> nodes(2);
  nodes[0].allocatable = {{Symbol("memory"), 1}, {Symbol("cpu"), 1}};
  nodes[1].allocatable = {{Symbol("example.com/nic"), 1}};
  const Capacity capacity(
      std::make_shared<CellMap>(std::span<const DomainTree* const>(),
                                std::span<const std::uint32_t>(), 2U, CellPolicy()),
      nodes);
  std::string names;
  for (const Symbol resource : capacity.resources()) names += resource.str() + " ";
  EXPECT_EQ(names, "cpu example.com/nic memory pods ");
  EXPECT_EQ(capacity.row(Symbol("memory")), 2);
  EXPECT_EQ(capacity.row(Symbol("example.com/none")), -1);
}

TEST(Capacity, AResourceNoNodeHasCountsAsZero) {
  const Cluster cluster("b1/r1/a", {"- host"}, {});
  Capacity capacity = cluster.capacity();
  const Symbol nic("example.com/nic");
  const CellId a = cluster.cell(0, {"a"});
  EXPECT_EQ(capacity.amount(Basis::kFree, nic, a), 0);
  EXPECT_FALSE(capacity.fits(a, {{nic, 1}}));
  EXPECT_TRUE(capacity.fits(a, {{nic, 0}}));
  capacity.book(a, {{nic, 1}});
  EXPECT_EQ(capacity.amount(Basis::kFree, nic, a), 0);
}

TEST(Capacity, PodsOfOthersLowerBothBasesAndBookingsOnlyFree) {
  const Cluster cluster("b1/r1/a*8", {"- host", "- rack"}, {});
  Capacity capacity = cluster.capacity();
  const CellId a = cluster.cell(0, {"a"}), r1 = cluster.cell(1, {"r1"});
  const auto expect = [&](std::int64_t free, std::int64_t empty) {
    for (const CellId cell : {a, r1}) {
      EXPECT_EQ(free_gpus(capacity, cell), free);
      EXPECT_EQ(capacity.amount(Basis::kEmpty, gpu_resource(), cell), empty);
    }
  };
  capacity.add_pod(cluster.node("a"), gpus(1));
  expect(7, 7);
  capacity.book(a, gpus(2));
  expect(5, 7);
  capacity.assume(a, gpus(4));
  expect(1, 3);
  capacity.forget(a, gpus(4));
  capacity.release(a, gpus(2));
  capacity.remove_pod(cluster.node("a"), gpus(1));
  expect(8, 8);
}

TEST(Capacity, APodOnOneNodeOfASharedHostnameLeavesTheOthersCellAlone) {
  const Cluster cluster("n1:b1/r1/a+x=1 n2:b1/r1/a+y=1", {"x host", "y host"}, {});
  Capacity capacity = cluster.capacity();
  capacity.add_pod(cluster.node("n1"), gpus(3));
  EXPECT_EQ(free_gpus(capacity, cluster.cell(0, {"a"})), 1);
  EXPECT_EQ(free_gpus(capacity, cluster.cell(1, {"a"})), 4);
  capacity.book(cluster.cell(0, {"a"}), gpus(1));
  EXPECT_EQ(free_gpus(capacity, cluster.cell(1, {"a"})), 3);
}

TEST(Capacity, AHostHasNoMoreThanTheRackAboveItHasLeft) {
  const Cluster cluster("b1/r1/a b1/r1/b b1/r2/c", {"- host", "- rack"}, {});
  Capacity capacity = cluster.capacity();
  const CellId a = cluster.cell(0, {"a"}), b = cluster.cell(0, {"b"}), c = cluster.cell(0, {"c"});
  const CellId r1 = cluster.cell(1, {"r1"});
  const auto expect_free = [&](std::int64_t of_a, std::int64_t of_b, std::int64_t of_r1) {
    EXPECT_EQ(free_gpus(capacity, a), of_a);
    EXPECT_EQ(free_gpus(capacity, b), of_b);
    EXPECT_EQ(free_gpus(capacity, r1), of_r1);
    EXPECT_EQ(free_gpus(capacity, c), 4);
  };
  capacity.book(r1, gpus(3));
  expect_free(4, 4, 5);  // nobody knows which node the rack's pods use
  capacity.book(r1, gpus(3));
  expect_free(2, 2, 2);
  EXPECT_TRUE(capacity.fits(a, gpus(2)));
  EXPECT_FALSE(capacity.fits(a, gpus(3)));
  capacity.book(a, gpus(2));
  expect_free(0, 0, 0);
  capacity.release(r1, gpus(6));
  expect_free(2, 4, 6);
}

TEST(Capacity, FlavorsOfRacksOverTheSameNodesDoNotCapEachOther) {
  const Cluster cluster("b1/r1/a+x=1 b1/r1/b", {"- rack", "x rack"}, {});
  Capacity capacity = cluster.capacity();
  const CellId all = cluster.cell(0, {"r1"}), half = cluster.cell(1, {"r1"});
  capacity.add_pod(cluster.node("a"), gpus(4));
  EXPECT_EQ(free_gpus(capacity, all), 4);
  EXPECT_EQ(free_gpus(capacity, half), 0);
  EXPECT_TRUE(capacity.fits(all, gpus(4)));
}

TEST(Capacity, FlavorsThatShareAPartOfARackAreBoundByAllItsNodes) {
  const Cluster cluster("b1/r1/a+x=1 b1/r1/b+x=1+y=1 b1/r1/c+y=1", {"x rack", "y rack"}, {});
  Capacity capacity = cluster.capacity();
  const CellId x = cluster.cell(0, {"r1"}), y = cluster.cell(1, {"r1"});
  capacity.book(x, gpus(4));
  EXPECT_EQ(free_gpus(capacity, x), 4);
  EXPECT_EQ(free_gpus(capacity, y), 8) << "x may use a alone";
  capacity.book(x, gpus(3));
  EXPECT_EQ(free_gpus(capacity, y), 5);
  capacity.book(y, gpus(5));
  EXPECT_EQ(free_gpus(capacity, x), 0);
  EXPECT_EQ(free_gpus(capacity, y), 0);
}

TEST(Capacity, AnOverfilledResourceHindersOnlyThoseThatAskForIt) {
  const Cluster cluster("b1/r1/a", {"- host"}, {});
  Capacity capacity = cluster.capacity();
  const CellId a = cluster.cell(0, {"a"});
  capacity.add_pod(cluster.node("a"), gpus(9));
  EXPECT_EQ(free_gpus(capacity, a), -5);
  EXPECT_FALSE(capacity.fits(a, gpus(1)));
  EXPECT_TRUE(capacity.fits(a, gpus(0)));
}

TEST(Capacity, AmountsSaturateAndDoNotWrap) {
  const Cluster cluster("b1/r1/a", {"- host"}, {});
  Capacity capacity = cluster.capacity();
  const CellId a = cluster.cell(0, {"a"});
  for (int i = 0; i < 3; ++i) capacity.book(a, gpus(kUnlimited));
  EXPECT_EQ(free_gpus(capacity, a), INT64_MIN);
  EXPECT_FALSE(capacity.fits(a, gpus(1)));
  for (int i = 0; i < 3; ++i) capacity.release(a, gpus(kUnlimited));
  EXPECT_EQ(free_gpus(capacity, a), kUnlimited);
}

TEST(Capacity, ACopyIsASnapshotThatSharesUntouchedChunks) {
  std::string nodes;
  for (std::uint32_t i = 0; i < 2 * kChunkCells + 5; ++i) {
    nodes += "b/r/" + std::to_string(100000 + i) + " ";
  }
  const Cluster cluster(nodes, {"- host"}, {});
  const Capacity original = cluster.capacity();
  Capacity copy = original;
  copy.book(cluster.cell(0, kChunkCells + 1), gpus(3));

  EXPECT_EQ(free_gpus(original, CellId{kChunkCells + 1}), 4);
  EXPECT_EQ(free_gpus(copy, CellId{kChunkCells + 1}), 1);
  const auto& before = original.rows(Basis::kFree);
  const auto& after = copy.rows(Basis::kFree);
  ASSERT_EQ(before.chunk_count(), 3U);
  for (std::uint32_t chunk = 0; chunk < 3; ++chunk) {
    EXPECT_EQ(before.row(chunk, 0).data() == after.row(chunk, 0).data(), chunk != 1) << chunk;
    EXPECT_EQ(original.rows(Basis::kEmpty).row(chunk, 0).data(),
              copy.rows(Basis::kEmpty).row(chunk, 0).data());
  }
  EXPECT_EQ(after.row(2, 0).size(), 5U);
}

struct RandomRun {
  explicit RandomRun(std::uint32_t seed) : random(seed) {
    for (std::uint32_t i = 0, count = 2 + pick(9); i < count; ++i) {
      nodes += "n" + std::to_string(i) + ":b" + std::to_string(pick(2)) + "/r" +
               std::to_string(pick(3)) + "/h" + std::to_string(pick(12)) + (pick(3) ? "+x=1" : "") +
               (pick(3) ? "+y=1" : "") + "*" + std::to_string(pick(9)) + " ";
    }
    policy = {pick(2) == 0, pick(2) == 0};
    const char* all[] = {"x block rack host", "x rack",      "y block rack host",
                         "y block rack",      "- rack host", "- block"};
    for (const char* tree : all) {
      if (pick(3) != 0) trees.emplace_back(tree);
    }
  }
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random() % below); }

  std::mt19937 random;
  std::string nodes;
  std::vector<std::string> trees;
  CellPolicy policy;
};

/// One random booking, release, pod or end of a pod, on both sides.
void take_step(RandomRun& run, const Cluster& cluster, Capacity& capacity, PlainSums& sums) {
  const Amounts total = gpus(run.pick(4), 1 + run.pick(2));
  const std::uint32_t kind = run.pick(5);
  if (kind == 0) {
    const NodeId node{run.pick(static_cast<std::uint32_t>(cluster.nodes().size()))};
    capacity.add_pod(node, total);
    sums.pods.push_back({node, total});
  } else if (kind == 1 && !sums.pods.empty()) {
    capacity.remove_pod(sums.pods.back().node, sums.pods.back().total);
    sums.pods.pop_back();
  } else if (kind == 2 && !sums.holdings.empty()) {
    const auto at =
        sums.holdings.begin() + run.pick(static_cast<std::uint32_t>(sums.holdings.size()));
    const CellId cell = cluster.cell(at->tree, at->leaf);
    at->assumed ? capacity.forget(cell, at->total) : capacity.release(cell, at->total);
    sums.holdings.erase(at);
  } else if (cluster.tree_count() > 0) {
    const std::size_t tree = run.pick(static_cast<std::uint32_t>(cluster.tree_count()));
    if (cluster.tree(tree).leaf_count() == 0) return;
    const std::uint32_t leaf = run.pick(cluster.tree(tree).leaf_count());
    const CellId cell = cluster.cell(tree, leaf);
    ASSERT_EQ(capacity.fits(cell, total), sums.fits(tree, leaf, total));
    const bool assumed = run.pick(3) == 0;
    assumed ? capacity.assume(cell, total) : capacity.book(cell, total);
    sums.holdings.push_back({tree, leaf, total, assumed});
  }
}

void expect_equal(const Cluster& cluster, const Capacity& capacity, const PlainSums& sums) {
  for (std::size_t tree = 0; tree < cluster.tree_count(); ++tree) {
    for (std::uint32_t leaf = 0; leaf < cluster.tree(tree).leaf_count(); ++leaf) {
      for (const Symbol resource : {gpu_resource(), pods_resource()}) {
        for (const Basis basis : {Basis::kFree, Basis::kEmpty}) {
          ASSERT_EQ(capacity.amount(basis, resource, cluster.cell(tree, leaf)),
                    sums.amount(basis, resource, tree, leaf))
              << "tree " << tree << " leaf " << leaf << " " << resource.view();
        }
      }
    }
  }
}

/// The narrow rows hold what is free, in their unit, and never below 0.
void expect_narrow(const Capacity& capacity) {
  for (std::uint32_t row = 0; row < capacity.resources().size(); ++row) {
    for (std::uint32_t cell = 0; cell < capacity.cells().cell_count(); ++cell) {
      const std::int64_t free =
          std::max<std::int64_t>(0, capacity.rows(Basis::kFree).get(row, cell));
      ASSERT_EQ(capacity.narrow_free().get(row, cell), free >> capacity.narrow_free().shift(row));
    }
  }
}

TEST(Capacity, NarrowRowsFollowAmountsThatOutgrowTheirUnit) {
  const Cluster cluster("b1/r1/a*8 b1/r1/b*8 b1/r2/c*4", {"- rack host"}, {});
  Capacity capacity = cluster.capacity();
  expect_narrow(capacity);
  const auto gpu_row = static_cast<std::uint32_t>(capacity.row(gpu_resource()));
  EXPECT_TRUE(capacity.narrow_free().is_small(gpu_row));
  const CellId cell{0};
  for (int bits = 0; bits < 62; bits += 3) {
    capacity.release(cell, {{gpu_resource(), std::int64_t{1} << bits}});
    expect_narrow(capacity);
    EXPECT_EQ(capacity.narrow_free().is_small(gpu_row), bits < 15);
    EXPECT_GE(capacity.narrow_free().bits(gpu_row), std::min(bits + 1, 31));
    capacity.book(CellId{1}, {{gpu_resource(), bits}});
    expect_narrow(capacity);
  }
  EXPECT_GT(capacity.narrow_free().shift(gpu_row), 25);
}

TEST(Capacity, RecordsTheCellsThatChangedSinceAVersion) {
  const Cluster cluster("b1/r1/a*8 b1/r1/b*8 b1/r2/c*4", {"- rack host"}, {});
  Capacity capacity = cluster.capacity();
  const std::uint64_t start = capacity.version();
  EXPECT_TRUE(capacity.changed_since(start)->empty());
  capacity.book(CellId{2}, gpus(1));
  capacity.book(CellId{0}, gpus(1));
  Capacity copy = capacity;
  capacity.release(CellId{2}, gpus(1));
  const auto changed = *capacity.changed_since(start);
  EXPECT_EQ(std::vector<CellId>(changed.begin(), changed.end()),
            (std::vector<CellId>{CellId{2}, CellId{0}, CellId{2}}));
  EXPECT_EQ(capacity.changed_since(start + 2)->size(), 1U);
  EXPECT_EQ(copy.changed_since(start)->size(), 2U);
}

TEST(Capacity, ANodeWithAResourceThatNobodyHadNeedsNewRows) {
  const Cluster cluster("b1/r1/a*8 b1/r1/b*8", {"- rack host"}, {});
  Capacity capacity = cluster.capacity();
  EXPECT_FALSE(capacity.resize_node(NodeId{0}, gpus(8), {{Symbol("new"), 1}}));
  EXPECT_EQ(capacity.amount(Basis::kFree, gpu_resource(), CellId{0}), 8);
  EXPECT_TRUE(capacity.resize_node(NodeId{0}, {{gpu_resource(), 8}}, {{gpu_resource(), 3}}));
  for (const Basis basis : {Basis::kFree, Basis::kEmpty}) {
    EXPECT_EQ(capacity.amount(basis, gpu_resource(), CellId{0}), 3);
  }
}

TEST(Capacity, EqualsPlainSumsAfterAnyBookings) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    RandomRun run(seed);
    const Cluster cluster(run.nodes, run.trees, run.policy);
    Capacity capacity = cluster.capacity();
    PlainSums sums(cluster, run.policy);
    for (int step = 0; step < 60; ++step) {
      take_step(run, cluster, capacity, sums);
      expect_equal(cluster, capacity, sums);
      expect_narrow(capacity);
      ASSERT_FALSE(testing::Test::HasFailure())
          << "seed " << seed << " step " << step << ": " << run.nodes;
    }
  }
}

}  // namespace
}  // namespace tessera::topology
