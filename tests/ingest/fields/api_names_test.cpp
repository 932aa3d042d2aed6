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

struct LabelCase {
  std::string text;
  bool key, value;  // whether it is a right one
};
const LabelCase kLabels[] = {
    {"app", true, true},
    {"", false, true},
    {"kubernetes.io/hostname", true, false},
    {"Upper_9.x-y", true, true},
    {"Example.com/a", false, false},
    {"a.b/", false, false},
    {"/a", false, false},
    {"a/b/c", false, false},
    {"-a", false, false},
    {"a.", false, false},
    {"a b", false, false},
    {"x:y", false, false},
    {std::string(63, 'a'), true, true},
    {std::string(64, 'a'), false, false},
    {std::string(253, 'a') + "/" + std::string(63, 'b'), true, false},
    {std::string(254, 'a') + "/b", false, false},
    {"a\x1b", false, false},
};

TEST(ApiNames, OfLabelsAreTheSameInTheQuickCheck) {
  for (const LabelCase& c : kLabels) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(is_label_key(c.text), c.key);
    EXPECT_EQ(label_key_faults(c.text).empty(), c.key);
    EXPECT_EQ(is_label_value(c.text), c.value);
    EXPECT_EQ(label_value_faults(c.text).empty(), c.value);
  }
}

}  // namespace
}  // namespace tessera::ingest
