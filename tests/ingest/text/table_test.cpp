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

}  // namespace
}  // namespace tessera::encode
