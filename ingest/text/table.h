// SPDX-License-Identifier: Apache-2.0
// Table: aligned columns in kubectl's manner: two spaces between columns, no borders, header first.
// Control characters in cells and headers are escaped.
//
// Widths count code points. The last column is never padded. Pure text; the caller prints.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::encode {

class Table {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string header;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns);
  /// Missing cells are empty; an empty cell is printed as "-".
  void add(std::vector<std::string> cells);
  /// A text under the last row, or under the headers if there is no row yet: indented, and wrapped
  /// between words at `width` columns.
  void add_below(const std::string& text, std::size_t width);
  std::string text(bool headers = true) const;
  std::size_t rows() const { return rows_.size(); }

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::map<std::size_t, std::string> below_;  // whole lines, by the number of rows above them
};

/// Takes the next piece of a text.
using TextSink = std::function<void(std::string_view)>;

/// A table whose rows are made twice, so that a long one is never held: `rows(add)` calls `add`
/// with the cells of each row, the same cells both times. `out` gets the text in pieces.
void stream_table(
    const std::vector<Table::Column>& columns, bool headers,
    const std::function<void(const std::function<void(std::vector<std::string>)>&)>& rows,
    const TextSink& out);

}  // namespace tessera::encode
