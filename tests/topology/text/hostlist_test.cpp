// SPDX-License-Identifier: Apache-2.0
#include "topology/text/hostlist.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::encode {
namespace {

struct FoldCase {
  const char* name;
  std::vector<std::string> hosts;
  const char* folded;
};

TEST(FoldHosts, PastesIntoSlurm) {
  const FoldCase cases[] = {
      {"runs", {"gb-r01-n01", "gb-r01-n02", "gb-r01-n03", "gb-r01-n06"}, "gb-r01-n[01-03,06]"},
      {"one name has no bracket", {"gb-r01-n05"}, "gb-r01-n05"},
      {"racks stay apart", {"r1-n1", "r2-n1", "r2-n2"}, "r1-n1,r2-n[1-2]"},
      {"unpadded numbers cross a width", {"n9", "n10", "n11"}, "n[9-11]"},
      {"padding survives", {"n08", "n09", "n10", "n11"}, "n[08-11]"},
      {"different paddings stay apart", {"n9", "n010", "n011"}, "n[010-011],n9"},
      {"text after the number is not folded",
       {"ip-1.internal", "ip-2.internal"},
       "ip-1.internal,ip-2.internal"},
      {"no number", {"login", "admin"}, "admin,login"},
      {"twice the same", {"a1", "a1", "a2"}, "a[1-2]"},
      {"a number beyond 64 bits", {"x99999999999999999999", "x1"}, "x1,x99999999999999999999"},
      {"none", {}, ""},
  };
  for (const FoldCase& c : cases) EXPECT_EQ(fold_hosts(c.hosts), c.folded) << c.name;
}

TEST(FoldHosts, ExpandsBackToTheSameNames) {
  const std::vector<std::string> hosts{"gb-r01-n01", "gb-r01-n02", "gb-r10-n007", "gb-r10-n008",
                                       "login",      "n9",         "n10"};
  auto back = expand_hosts(fold_hosts(hosts));
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_THAT(*back, testing::UnorderedElementsAreArray(hosts));
}

struct ExpandCase {
  const char* list;
  std::vector<std::string> hosts;
};

// cases.md C157
TEST(ExpandHosts, FollowsSlurm) {
  const ExpandCase cases[] = {
      {"node[01-03,07]", {"node01", "node02", "node03", "node07"}},
      {"rack[1-2]-n[01-02]", {"rack1-n01", "rack1-n02", "rack2-n01", "rack2-n02"}},
      {"n[9-11]", {"n9", "n10", "n11"}},
      {"n[098-101]", {"n098", "n099", "n100", "n101"}},
      {"a,b[1-2],c", {"a", "b1", "b2", "c"}},
      {"tux[01-03,12]-n[0-1]",
       {"tux01-n0", "tux01-n1", "tux02-n0", "tux02-n1", "tux03-n0", "tux03-n1", "tux12-n0",
        "tux12-n1"}},
      {"", {}},
  };
  for (const ExpandCase& c : cases) {
    auto hosts = expand_hosts(c.list);
    ASSERT_TRUE(hosts) << c.list << ": " << hosts.error().text();
    EXPECT_EQ(*hosts, c.hosts) << c.list;
  }
}

struct BadList {
  const char* list;
  int column;
  const char* says;
};

TEST(ExpandHosts, NamesThePositionOfAMistake) {
  const BadList cases[] = {
      {"n[3-1]", 6, "runs backwards"},        {"n[1-", 5, "expected a number"},
      {"n[1-3]x", 8, "text after a bracket"}, {"n[1", 2, "'[' without ']'"},
      {"n]", 2, "']' without '['"},           {"n[a]", 3, "expected a number"},
      {"n[1;2]", 4, "expected ','"},          {"n[0-9999999]", 0, "more than"},
      {"n[0-999][0-9999]", 0, "more than"},   {"n[9999999999999999999]", 22, "too long"},
  };
  for (const BadList& c : cases) {
    auto hosts = expand_hosts(c.list, 100'000);
    ASSERT_FALSE(hosts) << c.list;
    EXPECT_EQ(hosts.error().where.column, c.column) << c.list << ": " << hosts.error().text();
    EXPECT_THAT(hosts.error().message, testing::HasSubstr(c.says));
  }
}

}  // namespace
}  // namespace tessera::encode
