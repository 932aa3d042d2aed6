// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/table.h"

#include <algorithm>

#include "topology/text/printable.h"

namespace tessera::encode {
namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void fill(std::vector<std::string>& cells, std::size_t columns) {
  cells.resize(columns);
  for (std::string& cell : cells) {
    cell = cell.empty() ? "-" : printable(cell);
  }
}

/// `text` as lines of at most `columns`, each indented. A longer word is not cut.
std::string wrapped(const std::string& text, std::size_t columns) {
  const std::string indent = "  ";
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += indent + line + "\n";
    line.clear();
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    begin = end + 1;
    if (!line.empty() && indent.size() + width(line) + 1 + width(word) > columns) end_line();
    line += (line.empty() ? "" : " ") + word;
  }
  end_line();
  return out;
}

/// The columns with their widths.
class Layout {
 public:
  Layout(const std::vector<Table::Column>& columns, bool headers)
      : columns_(columns), widths_(columns.size(), 0) {
    if (headers) widen(this->headers());
  }

  std::vector<std::string> headers() const {
    std::vector<std::string> out;
    for (const Table::Column& column : columns_) out.push_back(column.header);
    return out;
  }
  void widen(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      widths_[i] = std::max(widths_[i], width(cells[i]));
    }
  }
  void append_line(const std::vector<std::string>& cells, std::string& out) const {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string pad(widths_[i] - width(cells[i]), ' ');
      const bool last = i + 1 == columns_.size();
      if (columns_[i].align == Table::Align::kRight) {
        out += pad + cells[i];
      } else {
        out += last ? cells[i] : cells[i] + pad;
      }
      out += last ? "\n" : "  ";
    }
  }

 private:
  const std::vector<Table::Column>& columns_;
  std::vector<std::size_t> widths_;
};

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_) column.header = printable(column.header);
}

void Table::add(std::vector<std::string> cells) {
  fill(cells, columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::add_below(const std::string& text, std::size_t width) {
  below_[rows_.size()] += wrapped(printable(text), width);
}

std::string Table::text(bool headers) const {
  Layout layout(columns_, headers);
  for (const auto& row : rows_) layout.widen(row);
  const auto below = [&](std::size_t rows) {
    const auto found = below_.find(rows);
    return found == below_.end() ? std::string() : found->second;
  };
  std::string out;
  if (headers) {
    layout.append_line(layout.headers(), out);
    out += below(0);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    layout.append_line(rows_[i], out);
    out += below(i + 1);
  }
  return out;
}

void stream_table(
    const std::vector<Table::Column>& columns, bool headers,
    const std::function<void(const std::function<void(std::vector<std::string>)>&)>& rows,
    const TextSink& out) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;
  Layout layout(columns, headers);
  rows([&](std::vector<std::string> cells) {
    fill(cells, columns.size());
    layout.widen(cells);
  });
  std::string piece;
  if (headers) layout.append_line(layout.headers(), piece);
  rows([&](std::vector<std::string> cells) {
    fill(cells, columns.size());
    layout.append_line(cells, piece);
    if (piece.size() < kPiece) return;
    out(piece);
    piece.clear();
  });
  out(piece);
}

}  // namespace tessera::encode
