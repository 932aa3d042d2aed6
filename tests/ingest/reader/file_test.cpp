// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "tests/ingest/reader/read.h"

namespace tessera::reader {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::string packed(std::string_view text) {
  const fs::path path = fs::path(::testing::TempDir()) / ("packed-" + std::to_string(getpid()));
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
  std::ifstream in(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  fs::remove(path);
  return bytes;
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "/reader-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string path(const std::string& name) const { return (root_ / name).string(); }

  std::string write(const std::string& name, std::string_view text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
    return path(name);
  }

  Collected read_all(const std::string& name, const Limits& limits = {}) {
    Collected collected;
    count_ = read_path(name, limits, collected);
    return collected;
  }

  fs::path root_;
  std::size_t count_ = 0;
};

TEST_F(Files, AreReadWhateverTheirExtensionWhenNamed) {
  const Collected got = read_all(write("nodes.txt", "a: 1"));
  EXPECT_THAT(got.objects, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(got.files, ElementsAre(path("nodes.txt")));
  EXPECT_EQ(count_, 1u);
}

TEST_F(Files, ErrorsNameTheFile) {
  EXPECT_THAT(read_all(write("a.json", "{\"a\":1,\n")).errors,
              ElementsAre(path("a.json") +
                          ":1:8: malformed JSON while parsing object key: unexpected end of input; "
                          "expected string literal"));
}

TEST_F(Files, ThatAreAbsentAreNotFound) {
  const Collected got = read_all(path("absent.yaml"));
  EXPECT_THAT(got.errors, ElementsAre(path("absent.yaml") + ": No such file or directory"));
  EXPECT_THAT(got.codes, ElementsAre(ErrorCode::kNotFound));
  EXPECT_EQ(count_, 0u);
}

TEST_F(Files, ThatCannotBeReadAreAnErrorWithTheirName) {
  // Opens, but its first page is not mapped: reading fails for every user, root too.
  const Collected got = read_all("/proc/self/mem");
  EXPECT_THAT(got.errors, ElementsAre("/proc/self/mem: Input/output error"));
  EXPECT_THAT(got.codes, ElementsAre(ErrorCode::kInvalidInput));
  EXPECT_EQ(count_, 0u);
}

TEST_F(Files, OfAFolderComeInByteOrderOfTheirPaths) {
  write("b.yaml", "n: b");
  write("a/z.json", "{\"n\":\"a/z\"}");
  write("a-b.yml", "n: a-b");
  write("a/B.jsonl", "{\"n\":\"a/B\"}\n{\"n\":\"a/B2\"}");
  write("a/deep/er/x.yaml.gz", packed("n: packed"));
  write("a/readme.md", "n: no");
  write("noyaml", "n: no");
  write("a/x.yaml.bak", "n: no");
  const Collected got = read_all(root_.string());
  EXPECT_THAT(got.errors, IsEmpty());
  EXPECT_THAT(got.objects, ElementsAre(R"({"n":"a-b"})", R"({"n":"a/B"})", R"({"n":"a/B2"})",
                                       R"({"n":"packed"})", R"({"n":"a/z"})", R"({"n":"b"})"));
  EXPECT_EQ(count_, 5u);
}

TEST_F(Files, GoOnBehindABadOne) {
  write("a.yaml", "a: [");
  write("b.yaml", "b: 1");
  fs::create_symlink("nowhere.yaml", root_ / "c.yaml");
  const Collected got = read_all(root_.string());
  EXPECT_THAT(got.objects, ElementsAre(R"({"b":1})"));
  EXPECT_THAT(got.codes, ElementsAre(ErrorCode::kInvalidInput, ErrorCode::kNotFound));
  EXPECT_EQ(count_, 2u);
}

TEST_F(Files, AreReadOnceThroughFoldersThatAreLinks) {
  write("..2026/nodes.yaml", "a: 1");
  fs::create_symlink("..2026", root_ / "..data");  // as a mounted ConfigMap
  fs::create_directory_symlink(root_, root_ / "..2026" / "loop");
  EXPECT_THAT(read_all(root_.string()).objects, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(read_all(path("..data")).objects, ElementsAre(R"({"a":1})"));
}

TEST_F(Files, ThatArePipesAreNotOpenedInAFolder) {
  ASSERT_EQ(mkfifo(path("pipe.yaml").c_str(), 0600), 0);
  write("a.yaml", "a: 1");
  EXPECT_THAT(read_all(root_.string()).objects, ElementsAre(R"({"a":1})"));
}

TEST_F(Files, ThatLinkToThemselvesAreAnError) {
  fs::create_symlink("self.yaml", root_ / "self.yaml");
  EXPECT_EQ(read_all(path("self.yaml")).errors.size(), 1u);
}

TEST_F(Files, ThatAreEmptyHoldNothing) {
  EXPECT_THAT(read_all(write("empty.yaml", "")).errors, IsEmpty());
  EXPECT_EQ(count_, 1u);
  fs::create_directory(root_ / "folder");
  EXPECT_THAT(read_all(path("folder")).errors, IsEmpty());
  EXPECT_EQ(count_, 0u);
}

TEST_F(Files, OfManyMegabytesKeepTheirPositions) {
  std::string text = "[";
  while (text.size() < (3u << 20)) text += "{\"a\":\"0123456789\"},\n";
  const Collected got = read_all(write("large.json", text + "{\"a\":1,\"a\":2}]"));
  const std::string line = std::to_string(got.objects.size() + 1);
  EXPECT_THAT(got.errors, ElementsAre(path("large.json") + ":" + line +
                                      ":8: duplicate key \"a\": give it once in its object"));
  EXPECT_GT(got.objects.size(), 100'000u);
}

TEST_F(Files, PackedAreUnpackedInBlocks) {
  std::string text;
  while (text.size() < (2u << 20)) text += "{\"a\":\"0123456789\"}\n";
  const Collected got = read_all(write("a.json.gz", packed(text)));
  EXPECT_THAT(got.errors, IsEmpty());
  EXPECT_EQ(got.objects.size(), text.size() / 19);
}

TEST_F(Files, PackedAreKnownByTheirBytes) {
  EXPECT_THAT(read_all(write("a.json", packed("{\"a\":1}"))).objects, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(read_all(write("b.json.gz", "{\"b\":1}")).objects, ElementsAre(R"({"b":1})"));
}

TEST_F(Files, PackedAndCutAreAnError) {
  const std::string bytes = packed("a: 1\nb: 2\nc: 3\n");
  const Collected got = read_all(write("a.yaml.gz", bytes.substr(0, bytes.size() - 6)));
  EXPECT_THAT(got.errors, ElementsAre(path("a.yaml.gz") + ": the gzip data ends too early"));
  EXPECT_THAT(got.objects, IsEmpty());
  EXPECT_EQ(count_, 0u);
}

TEST_F(Files, PackedAndDamagedAreAnError) {
  std::string bytes = packed("a: 1\nb: 2\nc: 3\n");
  bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 0x55);  // check sum
  const Collected got = read_all(write("a.yaml.gz", bytes));
  ASSERT_EQ(got.errors.size(), 1u);
  EXPECT_THAT(got.errors[0], ::testing::StartsWith(path("a.yaml.gz") + ": broken gzip data: "));
}

TEST_F(Files, PackedStopAtTheCap) {
  Limits limits;
  limits.max_unpacked_bytes = 1 << 20;
  const Collected got = read_all(write("bomb.yaml.gz", packed(std::string(8u << 20, ' '))), limits);
  EXPECT_THAT(got.errors,
              ElementsAre(path("bomb.yaml.gz") + ": more than 1048576 bytes: split the input"));
  EXPECT_THAT(got.codes, ElementsAre(ErrorCode::kLimit));
}

class Stdin : public Files {
 protected:
  void SetUp() override {
    Files::SetUp();
    saved_ = dup(STDIN_FILENO);
  }
  void TearDown() override {
    dup2(saved_, STDIN_FILENO);
    close(saved_);
    Files::TearDown();
  }
  int saved_ = -1;
};

TEST_F(Stdin, IsReadFromAPipeAndNamed) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const std::string text = "a: 1\n---\nb: [";
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  const Collected got = read_all("-");
  EXPECT_THAT(got.objects, ElementsAre(R"({"a":1})"));
  EXPECT_THAT(got.files, ElementsAre("<stdin>"));
  EXPECT_THAT(got.errors,
              ElementsAre("<stdin>:3:5: malformed YAML: did not find expected node content "
                          "while parsing a flow node"));
  EXPECT_EQ(count_, 1u);
}

TEST_F(Stdin, ThatIsClosedIsAnError) {
  close(STDIN_FILENO);
  const Collected got = read_all("-");
  EXPECT_EQ(got.errors.size(), 1u);
  EXPECT_EQ(count_, 0u);
}

}  // namespace
}  // namespace tessera::reader
