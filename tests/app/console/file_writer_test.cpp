// SPDX-License-Identifier: Apache-2.0
// What --decisions and --summary-json do to the path that they are given.
#include "app/console/file_writer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

class FileWriting : public testing::Test {
 protected:
  void SetUp() override {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) / ("tessera-writer-" + std::to_string(getpid()));
};

TEST_F(FileWriting, APipeGetsTheTextAndStaysAPipe) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
  ASSERT_GE(reader, 0);
  EXPECT_TRUE(write_file(pipe.string(), "text"));
  std::array<char, 16> read_back{};
  EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 4);
  EXPECT_STREQ(read_back.data(), "text");
  close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries(), 1U);
}

TEST_F(FileWriting, AFileKeepsItsMode) {
  const fs::path file = folder_ / "file";
  std::ofstream(file) << "old";
  fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(write_file(file.string(), "new"));
  EXPECT_EQ(content(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(FileWriting, ALinkStaysALinkToTheNewText) {
  const fs::path file = folder_ / "file", link = folder_ / "link";
  std::ofstream(file) << "old";
  fs::create_symlink("file", link);
  EXPECT_TRUE(write_file(link.string(), "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(file), "new");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(FileWriting, AFolderIsAnErrorAndStays) {
  EXPECT_FALSE(write_file(folder_.string(), "text"));
  EXPECT_TRUE(fs::is_directory(folder_));
}

TEST_F(FileWriting, AnAbandonedFileLeavesTheOldOne) {
  const fs::path file = folder_ / "file";
  std::ofstream(file) << "old";
  { FileWriter(file.string()).write("new"); }
  EXPECT_EQ(content(file), "old");
  EXPECT_EQ(entries(), 1U);
}

}  // namespace
}  // namespace tessera::app
