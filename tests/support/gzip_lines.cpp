// SPDX-License-Identifier: Apache-2.0
#include "tests/support/gzip_lines.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <sstream>

namespace tessera::test {
namespace {

std::string inflate_file(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) {
    ADD_FAILURE() << path << ": cannot be opened";
    return {};
  }
  std::string text;
  std::array<char, 65536> buffer;
  int got = 0;
  while ((got = gzread(file, buffer.data(), static_cast<unsigned>(buffer.size()))) > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  EXPECT_EQ(got, 0) << path << ": not a whole gzip file";
  EXPECT_EQ(gzclose(file), Z_OK) << path;
  return text;
}

}  // namespace

std::vector<std::string> read_gzip_lines(const std::string& path) {
  std::istringstream text(inflate_file(path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace tessera::test
