// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/table.h"

#include <algorithm>

namespace tessera::encode {
namespace {

std::size_t width(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

void Table::add(std::vector<std::string> cells) {
  cells.resize(columns_.size());
  for (std::string& cell : cells) {
    if (cell.empty()) cell = "-";
  }
  rows_.push_back(std::move(cells));
}

std::string Table::text(bool headers) const {
  std::vector<std::size_t> widths(columns_.size(), 0);
  const auto widen = [&](std::size_t i, const std::string& cell) {
    widths[i] = std::max(widths[i], width(cell));
  };
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (headers) widen(i, columns_[i].header);
    for (const auto& row : rows_) widen(i, row[i]);
  }
  std::string out;
  const auto line = [&](const auto& cell_at) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_at(i);
      const std::string pad(widths[i] - width(cell), ' ');
      const bool last = i + 1 == columns_.size();
      if (columns_[i].align == Align::kRight) {
        out += pad + cell;
      } else {
        out += last ? cell : cell + pad;
      }
      out += last ? "\n" : "  ";
    }
  };
  if (headers) line([&](std::size_t i) -> const std::string& { return columns_[i].header; });
  for (const auto& row : rows_) line([&](std::size_t i) -> const std::string& { return row[i]; });
  return out;
}

}  // namespace tessera::encode
