// SPDX-License-Identifier: Apache-2.0
// Tables: columns, and a streamed table that is the same text as a held one.
#include "ingest/text/table.h"

#include <gtest/gtest.h>

namespace tessera::encode {
namespace {

const std::vector<Table::Column> kColumns = {{"NAME"}, {"PODS", Table::Align::kRight}, {"NODE"}};

std::vector<std::string> row(int i) {
  return {"pod-" + std::string(static_cast<std::size_t>(i % 7), 'x'), std::to_string(i),
          i % 3 == 0 ? "" : "n\xC3\xA9" + std::to_string(i)};
}

TEST(Table, AStreamedTableIsTheTextOfAHeldOne) {
  for (const bool headers : {true, false}) {
    for (const int rows : {0, 1, 5'000}) {  // 5,000 rows are several pieces
      Table held(kColumns);
      for (int i = 0; i < rows; ++i) held.add(row(i));
      std::string streamed;
      std::size_t largest = 0;
      stream_table(
          kColumns, headers,
          [rows](const auto& add) {
            for (int i = 0; i < rows; ++i) add(row(i));
          },
          [&](std::string_view piece) {
            streamed += piece;
            largest = std::max(largest, piece.size());
          });
      EXPECT_EQ(streamed, held.text(headers)) << rows;
      EXPECT_LT(largest, 66'000U);
    }
  }
}

TEST(Table, WidthsCountCharactersAndAnEmptyCellIsADash) {
  Table table(kColumns);
  table.add({"\xC3\xA9", "1", ""});
  table.add({"abcde", "10"});
  EXPECT_EQ(table.text(),
            "NAME   PODS  NODE\n"
            "\xC3\xA9         1  -\n"
            "abcde    10  -\n");
}

TEST(Table, ATextBelowARowIsWrappedBetweenWordsAndLeavesTheColumnsAlone) {
  Table table(kColumns);
  table.add_below("HINT", 20);
  table.add({"a", "1", "n"});
  table.add_below("rack needs 16 hosts, largest has 4", 20);
  table.add({"b", "2", "m"});
  table.add_below("a-word-that-is-longer-than-the-screen \x1b[31m", 20);
  EXPECT_EQ(table.text(),
            "NAME  PODS  NODE\n"
            "  HINT\n"
            "a        1  n\n"
            "  rack needs 16\n"
            "  hosts, largest has\n"
            "  4\n"
            "b        2  m\n"
            "  a-word-that-is-longer-than-the-screen\n"
            "  \\x1b[31m\n");
  EXPECT_EQ(table.text(false).substr(0, 14), "a  1  n\n  rack");
}

}  // namespace
}  // namespace tessera::encode
