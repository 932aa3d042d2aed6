// SPDX-License-Identifier: Apache-2.0
#include "topology/text/symbol.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <thread>
#include <vector>

namespace tessera::topology {
namespace {

TEST(Symbol, IsEqualIffTheTextIs) {
  EXPECT_EQ(Symbol("rack"), Symbol(std::string("rack")));
  EXPECT_NE(Symbol("rack"), Symbol("Rack"));
  EXPECT_NE(Symbol("rack"), Symbol(std::string_view("rack\0", 5)));
  EXPECT_EQ(Symbol(std::string_view("a\0b", 3)).str().size(), 3u);
}

TEST(Symbol, OfNoTextIsTheDefault) {
  EXPECT_EQ(Symbol(""), Symbol());
  EXPECT_TRUE(Symbol("").empty());
  EXPECT_EQ(Symbol().view(), "");
  EXPECT_FALSE(Symbol("x").empty());
}

TEST(Symbol, FindNeverAdds) {
  EXPECT_TRUE(Symbol::find("never interned before").empty());
  EXPECT_TRUE(Symbol::find("never interned before").empty());
  const Symbol symbol("interned");
  EXPECT_EQ(Symbol::find("interned"), symbol);
  EXPECT_TRUE(Symbol::find("").empty());
}

TEST(Symbol, TextsOfAnySizeStayWhereTheyAre) {
  std::vector<std::pair<Symbol, std::string_view>> held;
  for (std::size_t size = 1; size <= 1 << 17; size *= 2) {
    const Symbol symbol(std::string(size, 'x'));
    held.emplace_back(symbol, symbol.view());
  }
  for (int i = 0; i < 100'000; ++i) Symbol("filler-" + std::to_string(i));
  for (const auto& [symbol, view] : held) {
    EXPECT_EQ(symbol.view().data(), view.data());
    EXPECT_EQ(view, std::string(view.size(), 'x'));
  }
}

TEST(Symbol, ByTextIsByteOrder) {
  std::vector<Symbol> symbols;
  for (const char* text : {"b", "a\xff", "a", "B", "a-1", ""}) symbols.emplace_back(text);
  std::sort(symbols.begin(), symbols.end(), ByText{});
  std::string order;
  for (Symbol symbol : symbols) order += symbol.str() + "|";
  EXPECT_EQ(order, "|B|a|a-1|a\xff|b|");
}

// Every thread interns the same texts, each from another start, and reads them back meanwhile.
TEST(Symbol, ThreadsAgreeOnEveryText) {
  constexpr std::size_t kThreads = 4, kTexts = 20'000;
  std::vector<std::vector<Symbol>> seen(kThreads, std::vector<Symbol>(kTexts));
  std::vector<std::size_t> wrong(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kTexts; ++i) {
        const std::size_t n = (i + t * kTexts / kThreads) % kTexts;
        const std::string text = "shared-host-" + std::to_string(n);
        seen[t][n] = Symbol(text);
        wrong[t] += seen[t][n].view() != text || Symbol::find(text) != seen[t][n];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::uint32_t> ids;
  for (std::size_t n = 0; n < kTexts; ++n) ids.insert(seen[0][n].id());
  EXPECT_EQ(ids.size(), kTexts);
  for (std::size_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(wrong[t], 0u) << "thread " << t;
    EXPECT_EQ(seen[t], seen[0]) << "thread " << t;
  }
}

}  // namespace
}  // namespace tessera::topology
