// SPDX-License-Identifier: Apache-2.0
// `simulate` on a system that gives it too few threads or too little memory for them.
#include <gtest/gtest.h>

#include "tests/app/run_tessera.h"
#include "tests/support/soak.h"

namespace tessera::app_test {
namespace {

/// Megabytes of addresses. A sanitizer takes terabytes of them for itself, so there is no limit
/// under which such a program starts.
const std::vector<int> kLimits =
    test::kSanitized ? std::vector<int>() : std::vector<int>{40, 55, 70, 85};

TEST(ThreadLimit, SimulateSaysSoAndEnds) {
  const Scratch scratch;
  const std::string node = scratch.file(
      "node.yaml",
      "{apiVersion: v1, kind: Node, metadata: {name: n, labels: {kubernetes.io/hostname: n}}, "
      "status: {allocatable: {cpu: 4, pods: 110}, conditions: [{type: Ready, status: 'True'}]}}");
  const std::string trace = scratch.file("t.jsonl", "");
  for (const int megabytes : kLimits) {
    const Answer run = execute(
        {"/bin/sh", "-c", "ulimit -v " + std::to_string(megabytes * 1024) + "; exec \"$0\" \"$@\"",
         TESSERA_BINARY, "simulate", "-C", node, "--trace", trace});
    EXPECT_TRUE(run.exit == 0 || run.exit == 1) << megabytes << " MB: exit " << run.exit;
    EXPECT_EQ(run.exit == 1, run.err.find("cannot start") != std::string::npos) << run.err;
  }
}

}  // namespace
}  // namespace tessera::app_test
