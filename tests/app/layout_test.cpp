// SPDX-License-Identifier: Apache-2.0
// The order of rooms holds, and docs/architecture.md shows what each room includes.
#include <gtest/gtest.h>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

TEST(Layout, NoIncludeRunsUpTheRoomsAndThePageShowsThem) {
  const Answer answer = execute({source_file(".ci/check-layout"), "--rooms"});
  EXPECT_EQ(answer.exit, 0) << answer.out << answer.err;
}

}  // namespace
}  // namespace tessera::app_test
