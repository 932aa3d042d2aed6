// SPDX-License-Identifier: Apache-2.0
#include "topology/text/asked_text.h"

#include <gtest/gtest.h>

#include "topology/nodes/labels.h"

namespace tessera::topology {
namespace {

TEST(AskedText, NeverAddsASymbol) {
  const std::size_t before = Symbol::count();
  const AskedText asked("asked of nobody");
  EXPECT_EQ(asked.view(), "asked of nobody");
  EXPECT_EQ(AskedText("asked of nobody"), asked);
  EXPECT_FALSE(asked.symbol());
  AskedText adopted = asked;
  adopted.adopt_symbol();
  EXPECT_EQ(adopted.str(), "asked of nobody");
  EXPECT_FALSE(Labels().find(asked));
  EXPECT_EQ(Symbol::count(), before);
  EXPECT_TRUE(Symbol::find("asked of nobody").empty());
}

TEST(AskedText, IsEqualIffTheTextIsWheneverItWasInterned) {
  const AskedText before("asked, then interned");
  const Symbol symbol("asked, then interned");
  const AskedText after("asked, then interned"), other("asked, then not");
  AskedText adopted = before;
  adopted.adopt_symbol();
  for (const AskedText& each : {before, after, adopted, AskedText(symbol)}) {
    EXPECT_EQ(each, before);
    EXPECT_EQ(each, after);
    EXPECT_EQ(each, symbol);
    EXPECT_EQ(each.hash(), before.hash());
    EXPECT_EQ(each.symbol(), symbol);
    EXPECT_NE(each, other);
    EXPECT_NE(each, Symbol("asked"));
  }
  EXPECT_NE(other, symbol);
}

TEST(AskedText, OfNoTextIsTheDefault) {
  for (const AskedText& each : {AskedText(), AskedText(""), AskedText(Symbol())}) {
    EXPECT_TRUE(each.empty());
    EXPECT_EQ(each, AskedText());
    EXPECT_EQ(each, Symbol());
    EXPECT_EQ(each.hash(), AskedText().hash());
    EXPECT_EQ(each.symbol(), Symbol());
  }
  EXPECT_FALSE(AskedText("of nobody either").empty());
  EXPECT_NE(AskedText("of nobody either"), Symbol());
  EXPECT_NE(AskedText("of nobody either"), AskedText());
}

TEST(AskedText, FindsAKeyThatANodeBroughtLater) {
  const AskedText key("a key of later");
  Labels labels;
  labels.set(Symbol(), Symbol("of the empty key"));
  EXPECT_FALSE(labels.find(key));
  labels.set(Symbol("a key of later"), Symbol("v"));
  EXPECT_EQ(labels.find(key), Symbol("v"));
}

}  // namespace
}  // namespace tessera::topology
