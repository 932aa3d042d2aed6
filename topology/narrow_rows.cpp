// SPDX-License-Identifier: Apache-2.0
#include "topology/narrow_rows.h"

#include <algorithm>
#include <bit>

namespace tessera::topology {
namespace {

constexpr int kSmallBits = 15, kWideBits = 31;

template <class T>
void fill(const ChunkedRows<std::int64_t>& exact, std::uint32_t row, int shift,
          ChunkedRows<T>& narrow, std::uint32_t place) {
  for (std::uint32_t chunk = 0; chunk < exact.chunk_count(); ++chunk) {
    const std::span<const std::int64_t> from = exact.row(chunk, row);
    const std::span<T> to = narrow.writable_row(chunk, place);
    for (std::size_t i = 0; i < from.size(); ++i) {
      to[i] = static_cast<T>(std::max<std::int64_t>(0, from[i]) >> shift);
    }
  }
}

}  // namespace

NarrowRows::NarrowRows(const ChunkedRows<std::int64_t>& exact,
                       std::span<const std::int64_t> largest)
    : rows_(exact.rows()) {
  for (std::uint32_t row = 0; row < rows(); ++row) fit(rows_[row], largest[row]);
  make_rows(exact);
}

/// Takes the smallest unit and the fewest bits that can hold `largest`.
void NarrowRows::fit(Row& row, std::int64_t largest) const {
  const auto number = static_cast<std::uint64_t>(std::max<std::int64_t>(0, largest));
  const int bits = static_cast<int>(std::bit_width(number));
  const int shift = std::max<int>(row.shift, bits - kWideBits);
  row.shift = static_cast<std::uint8_t>(std::max(0, shift));
  row.bits = static_cast<std::uint8_t>(std::max({kSmallBits, int{row.bits}, bits - row.shift}));
  row.small = row.shift == 0 && row.bits <= kSmallBits;
}

void NarrowRows::make_rows(const ChunkedRows<std::int64_t>& exact) {
  std::uint32_t small = 0, wide = 0;
  for (Row& row : rows_) row.place = row.small ? small++ : wide++;
  small_ = ChunkedRows<std::int16_t>(small, exact.cells());
  wide_ = ChunkedRows<std::int32_t>(wide, exact.cells());
  for (std::uint32_t row = 0; row < rows(); ++row) {
    const Row& at = rows_[row];
    if (at.small) {
      fill(exact, row, at.shift, small_, at.place);
    } else {
      fill(exact, row, at.shift, wide_, at.place);
    }
  }
}

/// Rare. When one row gets another width or unit, all rows are made anew.
void NarrowRows::grow(std::uint32_t row, std::uint32_t cell, std::int64_t free,
                      const ChunkedRows<std::int64_t>& exact) {
  Row& at = rows_[row];
  const Row before = at;
  fit(at, free);
  ++version_;
  if (at.small != before.small || at.shift != before.shift) return make_rows(exact);
  wide_.set(at.place, cell, static_cast<std::int32_t>(free >> at.shift));
}

}  // namespace tessera::topology
