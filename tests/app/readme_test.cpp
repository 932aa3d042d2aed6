// SPDX-License-Identifier: Apache-2.0
// The README's blocks that begin with "$ tessera" are what the command prints today, and the files
// and functions that README and docs name exist.
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

/// "app/main.cpp: main()" in a page: the file, and the name behind it; empty if there is none.
struct Mention {
  std::string file, name;
};

std::vector<Mention> mentions(const std::string& page) {
  static const std::regex kMention(
      "((?:topology|solver|actors|ingest|config|app|tests|bench|docs|examples)/[A-Za-z0-9_./-]+"
      "\\.(?:h|cpp|md|yaml|sh))(?:: ([A-Za-z_]+))?");
  std::vector<Mention> out;
  for (std::sregex_iterator at(page.begin(), page.end(), kMention), end; at != end; ++at) {
    out.push_back({(*at)[1], (*at)[2]});
  }
  return out;
}

/// A header and the .cpp beside it are one: a function that one declares may be found in the other.
std::string text_of(const std::filesystem::path& file) {
  std::string text;
  for (const char* const ending : {".h", ".cpp"}) {
    std::filesystem::path half = file;
    if (half.extension() == ".h" || half.extension() == ".cpp") half.replace_extension(ending);
    if (std::filesystem::exists(half)) text += read_file(half.string());
  }
  return text;
}

TEST(Docs, NameFilesAndFunctionsThatExist) {
  std::vector<std::filesystem::path> pages{source_file("README.md")};
  for (const auto& entry : std::filesystem::directory_iterator(source_file("docs"))) {
    pages.push_back(entry.path());
  }
  std::size_t named = 0;
  for (const std::filesystem::path& page : pages) {
    for (const Mention& mention : mentions(read_file(page.string()))) {
      const std::filesystem::path file = source_file(mention.file);
      EXPECT_TRUE(std::filesystem::exists(file)) << page.filename() << " names " << mention.file;
      if (mention.name.empty()) continue;
      ++named;
      EXPECT_NE(text_of(file).find(mention.name), std::string::npos)
          << page.filename() << " names " << mention.name << " in " << mention.file;
    }
  }
  EXPECT_GE(named, 20u);
}

TEST(Readme, IsShort) { EXPECT_LE(lines_of(read_file(source_file("README.md"))).size(), 250u); }

}  // namespace
}  // namespace tessera::app_test
