// SPDX-License-Identifier: Apache-2.0
// The probe for threads. That a refusal is told is tested with the program: tests/app.
#include "topology/thread_probe.h"

#include <gtest/gtest.h>

namespace tessera::topology {
namespace {

TEST(ThreadProbe, AFewThreadsAreThere) { EXPECT_FALSE(try_threads(3, 1024)); }

TEST(ThreadProbe, NoThreadsAndNoMemoryAreAlwaysThere) { EXPECT_FALSE(try_threads(0, 0)); }

}  // namespace
}  // namespace tessera::topology
