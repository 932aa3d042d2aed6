// SPDX-License-Identifier: Apache-2.0
#include "topology/nodes/amounts.h"

#include <gtest/gtest.h>

namespace tessera::topology {
namespace {

/// "cpu=1000 pods=3", in the order in which the amounts are held.
std::string text(const Amounts& amounts) {
  std::string out;
  for (const Amount& amount : amounts) {
    out += (out.empty() ? "" : " ") + amount.resource.str() + "=" + std::to_string(amount.value);
  }
  return out;
}

const Symbol kLate("zz.example/late"), kEarly("aa.example/early");  // interned in this order

TEST(Amounts, AreInTheOrderOfNamesNotOfSymbols) {
  ASSERT_LT(kLate.id(), kEarly.id());
  EXPECT_EQ(text({{kLate, 1}, {pods_resource(), 2}, {kEarly, 3}}),
            "aa.example/early=3 pods=2 zz.example/late=1");
}

TEST(Amounts, HoldAResourceOnce) {
  EXPECT_EQ(text({{kLate, 1}, {kEarly, 2}, {kLate, 7}}), "aa.example/early=2 zz.example/late=7");
}

TEST(Amounts, TellZeroFromAbsent) {
  Amounts amounts = {{kEarly, 0}};
  ASSERT_NE(amounts.find(kEarly), nullptr);
  EXPECT_EQ(*amounts.find(kEarly), 0);
  EXPECT_EQ(amounts.find(kLate), nullptr);
  EXPECT_EQ(amounts.get(kLate), 0);
  EXPECT_NE(amounts, Amounts());
  amounts.erase(kLate);
  amounts.erase(kEarly);
  EXPECT_EQ(amounts, Amounts());
}

TEST(Amounts, AddAndSubtractResourceByResource) {
  Amounts amounts = {{cpu_resource(), 1500}, {pods_resource(), 4}};
  amounts.add({{cpu_resource(), 500}, {gpu_resource(), 8}});
  EXPECT_EQ(text(amounts), "cpu=2000 nvidia.com/gpu=8 pods=4");
  amounts.subtract({{gpu_resource(), 9}, {kLate, 1}});
  EXPECT_EQ(text(amounts), "cpu=2000 nvidia.com/gpu=-1 pods=4 zz.example/late=-1");
}

TEST(Amounts, SaturateAtBothEnds) {
  Amounts amounts = {{cpu_resource(), kUnlimited - 1}, {pods_resource(), INT64_MIN + 1}};
  amounts.add({{cpu_resource(), 5}, {pods_resource(), -5}});
  EXPECT_EQ(amounts.get(cpu_resource()), INT64_MAX);
  EXPECT_EQ(amounts.get(pods_resource()), INT64_MIN);
  EXPECT_EQ(amounts.times(-1).get(cpu_resource()), -INT64_MAX);
  EXPECT_EQ(amounts.times(-1).get(pods_resource()), INT64_MAX);
  amounts.subtract({{cpu_resource(), INT64_MIN}});
  EXPECT_EQ(amounts.get(cpu_resource()), INT64_MAX);
}

TEST(Amounts, RaiseToTheLargerAndKeepWhatOnlyOneHas) {
  Amounts amounts = {{cpu_resource(), 1000}, {pods_resource(), 1}};
  amounts.raise_to({{cpu_resource(), 500}, {pods_resource(), 2}, {kEarly, -3}});
  EXPECT_EQ(text(amounts), "aa.example/early=-3 cpu=1000 pods=2");
}

TEST(Amounts, MayBeAddedToThemselves) {
  Amounts amounts = {{cpu_resource(), 3}, {pods_resource(), 1}};
  amounts.add(amounts);
  EXPECT_EQ(text(amounts), "cpu=6 pods=2");
  amounts.subtract(amounts);
  EXPECT_EQ(text(amounts), "cpu=0 pods=0");
}

}  // namespace
}  // namespace tessera::topology
