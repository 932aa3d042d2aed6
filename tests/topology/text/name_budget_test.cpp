// SPDX-License-Identifier: Apache-2.0
#include "topology/text/name_budget.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace tessera::topology {
namespace {

TEST(NameBudget, BoundsTheNamesThatNobodyKnows) {
  const Symbol known("budget-known");
  NameBudget budget(2);
  const std::optional<Symbol> first = budget.take("budget-1");
  ASSERT_TRUE(first);
  EXPECT_EQ(first->view(), "budget-1");
  EXPECT_TRUE(budget.take("budget-2"));
  const std::size_t before = Symbol::count();
  EXPECT_FALSE(budget.take("budget-3"));
  EXPECT_EQ(budget.take("budget-1"), first);
  EXPECT_EQ(budget.take("budget-known"), known);
  EXPECT_EQ(budget.take(""), Symbol());
  EXPECT_EQ(Symbol::count(), before);
  const Symbol later("budget-3");
  EXPECT_EQ(budget.take("budget-3"), later) << "a node brought it";
}

TEST(NameBudget, HoldsAmongThreads) {
  constexpr std::size_t kThreads = 4, kNames = 1'000, kMost = 1'500;
  NameBudget budget(kMost);
  std::vector<std::size_t> taken(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kNames; ++i) {
        const std::string name = "budget-" + std::to_string(t) + "-" + std::to_string(i);
        if (budget.take(name)) ++taken[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t sum = 0;
  for (const std::size_t each : taken) sum += each;
  EXPECT_EQ(sum, kMost);
}

}  // namespace
}  // namespace tessera::topology
