// SPDX-License-Identifier: Apache-2.0
// The index's own rules: cap, age, pins, snapshots, 32-bit rows and their limits.
#include "solver/index/index.h"

#include <gtest/gtest.h>

#include "tests/support/live_world.h"

namespace tessera::test {
namespace {

using solver::CountRequest;
using solver::Index;
using solver::ResolvedRequest;
using topology::Amounts;
using topology::Basis;
using topology::Capacity;
using topology::DomainId;
using topology::Symbol;

LiveWorldSpec with(std::uint32_t max_keys, std::uint64_t max_age = 1000) {
  return {.index = {.max_keys = max_keys, .max_age_cycles = max_age, .threads = 1}};
}

/// One pod of these amounts, without filters.
CountRequest request(const LiveWorld& world, const Amounts& amounts) {
  CountRequest out;
  out.view = &world.view();
  out.worker = solver::pod_amounts(amounts);
  out.worker_filter = world.view().filter_class({});
  return out;
}

ResolvedRequest anywhere(const LiveWorld& world) {
  return std::get<ResolvedRequest>(solver::resolve({}, world.view().tree().topology()));
}

ResolvedRequest in_slices(const LiveWorld& world, std::int64_t size) {
  solver::TopologyRequest topology;
  topology.layers.push_back({Symbol("rack"), size});
  return std::get<ResolvedRequest>(solver::resolve(topology, world.view().tree().topology()));
}

void expect_plain_numbers(const LiveWorld& world, Index& index, const Capacity& capacity,
                          const CountRequest& wanted, const ResolvedRequest& levels) {
  solver::Exclusions exclusions;
  const solver::CountRows rows = solver::count(wanted, levels, capacity, Basis::kFree, exclusions);
  const topology::DomainTree& tree = world.view().tree();
  const solver::CountTable plain(tree, levels, rows.leaves, rows.inner, nullptr);
  const Index::Found found = index.counts(wanted, levels, capacity, Basis::kFree);
  for (std::uint32_t d = 0; d < tree.domain_count(); ++d) {
    ASSERT_EQ(found.table.at(DomainId{d}), plain.at(DomainId{d})) << tree.path_text(DomainId{d});
  }
}

TEST(Index, KeepsNoMoreKeysThanItMay) {
  LiveWorld world(with(3), 1);
  for (std::int64_t gpus = 1; gpus <= 8; ++gpus) {
    world.index().begin_decision();
    world.index().counts(request(world, {{Symbol("gpu"), gpus}}), anywhere(world), world.capacity(),
                         Basis::kFree);
    EXPECT_LE(world.index().live_keys(), 3U);
  }
  EXPECT_EQ(world.index().totals().evicted, 5U);
}

TEST(Index, TheLeastRecentlyUsedKeyGoesFirst) {
  LiveWorld world(with(2), 1);
  const auto use = [&world](std::int64_t gpus) {
    world.index().begin_decision();
    world.index().counts(request(world, {{Symbol("gpu"), gpus}}), anywhere(world), world.capacity(),
                         Basis::kFree);
  };
  use(1);
  use(2);
  use(1);
  use(3);  // 2 goes
  const std::uint64_t counted = world.index().totals().counted;
  use(1);
  EXPECT_EQ(world.index().totals().counted, counted);
  use(2);
  EXPECT_EQ(world.index().totals().counted, counted + 1);
}

TEST(Index, SlicesOfOneRequestShareItsLeavesAndCountAsKeys) {
  LiveWorld world(with(2), 1);
  const CountRequest wanted = request(world, {{Symbol("gpu"), 1}});
  for (std::int64_t size = 1; size <= 5; ++size) {
    world.index().begin_decision();
    expect_plain_numbers(world, world.index(), world.capacity(), wanted, in_slices(world, size));
    EXPECT_LE(world.index().live_keys(), 2U);
  }
}

TEST(Index, KeysOfTheDecisionInProgressStay) {
  LiveWorld world(with(1), 1);
  world.index().begin_decision();
  for (std::int64_t gpus = 1; gpus <= 3; ++gpus) {
    world.index().counts(request(world, {{Symbol("gpu"), gpus}}), anywhere(world), world.capacity(),
                         Basis::kFree);
  }
  EXPECT_EQ(world.index().live_keys(), 3U);
  world.index().begin_decision();
  world.index().counts(request(world, {{Symbol("gpu"), 4}}), anywhere(world), world.capacity(),
                       Basis::kFree);
  EXPECT_EQ(world.index().live_keys(), 1U);
}

TEST(Index, AKeyThatNoCycleUsesEnds) {
  LiveWorld world(with(10, 3), 1);
  world.index().counts(request(world, {{Symbol("gpu"), 1}}), anywhere(world), world.capacity(),
                       Basis::kFree);
  for (int cycle = 0; cycle < 3; ++cycle) world.index().begin_cycle();
  EXPECT_EQ(world.index().live_keys(), 1U);
  world.index().begin_cycle();
  EXPECT_EQ(world.index().live_keys(), 0U);
}

TEST(Index, ASnapshotKeepsItsNumbersWhateverHappensToTheOriginal) {
  LiveWorld world(with(10), 1);
  const CountRequest wanted = request(world, {{Symbol("gpu"), 1}});
  const ResolvedRequest levels = in_slices(world, 2);
  Dice dice(5);
  const auto change = [&](Capacity& capacity) {
    const auto cells = static_cast<std::int64_t>(world.view().cells().size());
    for (int i = 0; i < 20; ++i) {
      capacity.book(world.view().cells()[static_cast<std::size_t>(dice.below(cells))],
                    {{Symbol("gpu"), dice.between(-2, 2)}, {topology::pods_resource(), 1}});
    }
  };
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, levels);
  change(world.capacity());  // the copy is made of an index that lags behind
  Capacity capacity = world.capacity();
  Index index = world.index();
  change(world.capacity());
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, levels);
  expect_plain_numbers(world, index, capacity, wanted, levels);
  change(capacity);
  expect_plain_numbers(world, index, capacity, wanted, levels);
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, levels);
  EXPECT_EQ(index.totals().counted, 1U);  // nothing was counted anew
}

TEST(Index, MoreChangesThanAreOnRecordAreCountedAnew) {
  LiveWorld world(with(10), 1);
  const CountRequest wanted = request(world, {{Symbol("gpu"), 1}});
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, anywhere(world));
  for (int i = 0; i < 40'000; ++i) {
    const auto cell = static_cast<std::size_t>(i) % world.view().cells().size();
    world.capacity().book(world.view().cells()[cell],
                          {{Symbol("gpu"), i % 3 - 1}, {topology::pods_resource(), i % 2}});
  }
  EXPECT_FALSE(world.capacity().changed_since(0));
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, anywhere(world));
}

struct WidthCase {
  const char* name;
  std::int64_t free, request;
  bool in_32_bits;
};

class IndexWidth : public testing::TestWithParam<WidthCase> {};

TEST_P(IndexWidth, NumbersAreExactAtAnyWidth) {
  const WidthCase& c = GetParam();
  LiveWorld world(with(10), 1);
  for (std::uint32_t n = 0; n < 5; ++n) {
    topology::NodeRecord record = world.nodes()[n];
    record.allocatable.set(Symbol("memory"), c.free + n);
    world.update(topology::NodeId{n}, record);
  }
  const CountRequest wanted = request(world, {{Symbol("memory"), c.request}});
  expect_plain_numbers(world, world.index(), world.capacity(), wanted, anywhere(world));
  const Index::Found found =
      world.index().counts(wanted, anywhere(world), world.capacity(), Basis::kFree);
  EXPECT_EQ(found.counts->in_32_bits(), c.in_32_bits);
}

INSTANTIATE_TEST_SUITE_P(
    Widths, IndexWidth,
    testing::Values(WidthCase{"SmallNumbers", 1000, 7, true},
                    WidthCase{"BytesByMebibytes", std::int64_t{920} << 30, std::int64_t{5} << 20,
                              true},
                    WidthCase{"OddBytesByMebibytes", (std::int64_t{920} << 30) + 12'345,
                              std::int64_t{3} << 20, true},
                    WidthCase{"BytesByAnOddNumber", std::int64_t{920} << 30, 1'000'000'007, false},
                    WidthCase{"EndOf31Bits", INT32_MAX - 4, INT32_MAX - 4, true},
                    WidthCase{"Above31Bits", std::int64_t{INT32_MAX} + 1, 1, false},
                    WidthCase{"LargestNumber", INT64_MAX - 10, INT64_MAX - 7, false}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST(Index, ALargerUnitOfARowChangesNoNumber) {
  LiveWorld world(with(10), 1);
  const CountRequest even = request(world, {{Symbol("memory"), 1 << 20}});
  const CountRequest odd = request(world, {{Symbol("memory"), 3}});
  expect_plain_numbers(world, world.index(), world.capacity(), even, anywhere(world));
  expect_plain_numbers(world, world.index(), world.capacity(), odd, anywhere(world));
  topology::NodeRecord record = world.nodes()[3];
  record.allocatable.set(Symbol("memory"), (std::int64_t{1} << 50) + 1);
  world.update(topology::NodeId{3}, record);
  expect_plain_numbers(world, world.index(), world.capacity(), even, anywhere(world));
  expect_plain_numbers(world, world.index(), world.capacity(), odd, anywhere(world));
}

}  // namespace
}  // namespace tessera::test
