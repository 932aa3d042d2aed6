// SPDX-License-Identifier: Apache-2.0
#include "topology/text/wording.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace tessera {
namespace {

struct CountCase {
  std::int64_t number;
  const char* text;
};
const CountCase kCounts[] = {{0, "0 pods"}, {1, "1 pod"}, {2, "2 pods"}, {21, "21 pods"}};

TEST(Wording, OneThingAloneIsSingular) {
  for (const CountCase& c : kCounts) EXPECT_EQ(counted(c.number, "pod", "pods"), c.text);
}

struct ListCase {
  std::vector<std::string> texts;
  const char* joined;
  const char* sentence;
};
const ListCase kLists[] = {
    {{}, "", ""},
    {{"a"}, "a", "a"},
    {{"a", "b"}, "a, b", "a and b"},
    {{"", "b", ""}, ", b, ", ", b and "},
    {{"a", "b", "c"}, "a, b, c", "a, b and c"},
};

TEST(Wording, ListsHaveSomethingBetweenAllTexts) {
  for (const ListCase& c : kLists) {
    EXPECT_EQ(joined(c.texts), c.joined);
    EXPECT_EQ(joined_with_and(c.texts), c.sentence);
  }
  EXPECT_EQ(joined(std::set<std::string_view>{"b", "a"}, "+"), "a+b");
}

}  // namespace
}  // namespace tessera
