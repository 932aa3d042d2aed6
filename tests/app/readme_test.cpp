// SPDX-License-Identifier: Apache-2.0
// The README's blocks that begin with "$ tessera" are what the command prints today.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

struct Block {
  std::string command;
  std::string output;
};

std::vector<Block> blocks(const std::string& readme) {
  std::vector<Block> out;
  bool inside = false;
  for (const std::string& line : lines_of(readme)) {
    if (line.rfind("```", 0) == 0) {
      inside = false;
    } else if (line.rfind("$ tessera ", 0) == 0) {
      out.push_back({line.substr(10), ""});
      inside = true;
    } else if (inside) {
      out.back().output += line + "\n";
    }
  }
  return out;
}

/// Times differ from run to run.
std::string without_times(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.]+ (ns|us|ms|s)\\b"), "TIME");
}

TEST(Readme, ShowsWhatTheCommandsPrint) {
  const std::vector<Block> shown = blocks(read_file(source_file("README.md")));
  EXPECT_GE(shown.size(), 4u);
  for (const Block& block : shown) {
    std::vector<std::string> arguments{"-c", "cd \"$1\" && shift && exec \"$@\"", "sh",
                                       source_file("examples/gb200"),
                                       std::filesystem::absolute(TESSERA_BINARY).string()};
    std::istringstream words(block.command);
    for (std::string word; words >> word;) arguments.push_back(word);
    arguments.insert(arguments.begin(), "/bin/sh");
    const Answer answer = execute(arguments);
    EXPECT_EQ(without_times(answer.out), without_times(block.output)) << block.command << "\n"
                                                                      << answer.err;
  }
}

TEST(Readme, IsShort) { EXPECT_LE(lines_of(read_file(source_file("README.md"))).size(), 250u); }

}  // namespace
}  // namespace tessera::app_test
