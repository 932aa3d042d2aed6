// SPDX-License-Identifier: Apache-2.0
// Names that the API server refuses, and names that it takes though they look odd.
#include "ingest/fields/api_names.h"

#include <gtest/gtest.h>

namespace tessera::ingest {
namespace {

struct NameCase {
  std::string name;
  int object, namespace_name;  // how many faults it has as the name of an object, of a namespace
};
const NameCase kNames[] = {
    {"train", 0, 0},
    {"0-train-1", 0, 0},
    {"ip-10-0-0-1.ec2.internal", 0, 1},
    {std::string(63, 'a'), 0, 0},
    {std::string(64, 'a'), 0, 1},
    {std::string(253, 'a'), 0, 1},
    {std::string(254, 'a'), 1, 1},
    {"Train_A", 1, 1},
    {"train a", 1, 1},
    {"-train", 1, 1},
    {"train-", 1, 1},
    {"a..b", 1, 1},
    {"a.-b", 1, 1},
    {"a-.b", 1, 1},
    {".a", 1, 1},
    {"größe", 1, 1},
    {"a\x1b[31m", 1, 1},
    {"a\nb", 1, 1},
    {"a/b", 1, 1},
    {"", 1, 1},
};

TEST(ApiNames, FollowTheRulesOfTheApiServer) {
  for (const NameCase& c : kNames) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(object_name_faults(c.name).size(), static_cast<std::size_t>(c.object));
    EXPECT_EQ(namespace_name_faults(c.name).size(), static_cast<std::size_t>(c.namespace_name));
  }
}

}  // namespace
}  // namespace tessera::ingest
