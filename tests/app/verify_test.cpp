// SPDX-License-Identifier: Apache-2.0
// `tessera verify`: reads what `schedule` prints, in both forms, and says what is wrong with it.
#include <gtest/gtest.h>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

const std::string kCluster = source_file("examples/trees/cluster.yaml");
const std::string kGangs = source_file("examples/trees");

Answer verify(const std::string& text, const std::vector<std::string>& more = {}) {
  const Scratch folder;
  const std::string file = folder.file("answer", text);
  std::vector<std::string> words{"verify", "-C", kCluster, "-f", kGangs, "--answer", file};
  words.insert(words.end(), more.begin(), more.end());
  return tessera(words);
}

std::string scheduled(const char* format) {
  return tessera({"schedule", "-C", kCluster, "-f", kGangs, "-o", format, "--exit-zero"}).out;
}

TEST(VerifyCommand, TakesWhatScheduleSays) {
  for (const char* format : {"pods", "json"}) {
    const Answer run = verify(scheduled(format));
    EXPECT_EQ(run.exit, 0) << format << ": " << run.out << run.err;
    EXPECT_NE(run.out.find(": no rule is broken"), std::string::npos) << format << ": " << run.out;
  }
}

TEST(VerifyCommand, NamesTheRuleThatIsBroken) {
  std::string text = scheduled("pods");
  text.erase(text.rfind('\n', text.size() - 2) + 1);  // the last pod is missing
  const Answer run = verify(text);
  EXPECT_EQ(run.exit, 12) << run.out;
  EXPECT_NE(run.out.find("Minimum: "), std::string::npos) << run.out;
}

TEST(VerifyCommand, NamesTheLineThatItCannotRead) {
  const Answer run = verify("NAMESPACE WORKLOAD GROUP POD NODE\nns job/x\n");
  EXPECT_EQ(run.exit, 3);
  EXPECT_NE(run.err.find(":2: has 2 columns (right: NAMESPACE WORKLOAD GROUP POD NODE)"),
            std::string::npos)
      << run.err;
}

TEST(VerifyCommand, AnswersAsJson) {
  const Answer run = verify("", {"-o", "json"});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("\"right\": true"), std::string::npos) << run.out;
}

TEST(ExplainTree, SaysWhyAReplicaWasLeftOut) {
  const Answer run = tessera({"explain", "podgroup/replicas", "-C", kCluster, "-f",
                              source_file("examples/trees/3-enough-replicas.yaml")});
  EXPECT_EQ(run.exit, 0) << run.err;
  EXPECT_NE(run.out.find("left out  group replica-1 needs 3 pods in one rack, and none has room "
                         "for a pod"),
            std::string::npos)
      << run.out;
}

}  // namespace
}  // namespace tessera::app_test
