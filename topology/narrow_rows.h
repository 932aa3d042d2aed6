// SPDX-License-Identifier: Apache-2.0
// NarrowRows: what is free on every cell, each number in 16 or 32 bits, for kernels that read all
// cells.
//
// Belongs to a Capacity, which keeps the exact rows. A number is what is free in units of
// 2^shift(row), rounded down, and never below 0. Dividing it by an amount that is a multiple of the
// unit gives the exact result: floor(floor(x / u) / d) = floor(x / (u d)). Rows of small numbers
// (devices, pods) take 16 bits, since the time of a full count is the time to load its bytes.
// Widths and units only grow, and version() grows with them. Copies share chunks until a write. One
// writer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/chunked_rows.h"
#include "topology/prefetch.h"

namespace tessera::topology {

class NarrowRows {
 public:
  NarrowRows() = default;
  /// `largest`: the largest number of each row of `exact`.
  NarrowRows(const ChunkedRows<std::int64_t>& exact, std::span<const std::int64_t> largest);

  std::uint32_t rows() const { return static_cast<std::uint32_t>(rows_.size()); }
  int shift(std::uint32_t row) const { return rows_[row].shift; }
  /// All numbers of the row are below 2^bits; 15 to 31.
  int bits(std::uint32_t row) const { return rows_[row].bits; }
  /// Grows when shift() or bits() of a row grow.
  std::uint32_t version() const { return version_; }

  std::int32_t get(std::uint32_t row, std::uint32_t cell) const {
    const Row& at = rows_[row];
    return at.small ? small_.get(at.place, cell) : wide_.get(at.place, cell);
  }
  /// True if the numbers of the row have 16 bits.
  bool is_small(std::uint32_t row) const { return rows_[row].small; }
  /// Where the numbers of a chunk lie, from `cell` on.
  const std::int16_t* small(std::uint32_t row, std::uint32_t cell) const {
    return small_.peek(rows_[row].place, cell);
  }
  const std::int32_t* wide(std::uint32_t row, std::uint32_t cell) const {
    return wide_.peek(rows_[row].place, cell);
  }
  void prefetch(std::uint32_t row, std::uint32_t cell) const {
    const Row& at = rows_[row];
    topology::prefetch(at.small ? static_cast<const void*>(small_.peek(at.place, cell))
                                : static_cast<const void*>(wide_.peek(at.place, cell)));
  }

  /// Takes over the number of a cell that now has `free` in `exact`.
  void follow(std::uint32_t row, std::uint32_t cell, std::int64_t free,
              const ChunkedRows<std::int64_t>& exact) {
    const Row& at = rows_[row];
    const std::int64_t number = std::max<std::int64_t>(0, free) >> at.shift;
    if ((number >> at.bits) != 0) return grow(row, cell, free, exact);
    if (at.small) {
      small_.set(at.place, cell, static_cast<std::int16_t>(number));
    } else {
      wide_.set(at.place, cell, static_cast<std::int32_t>(number));
    }
  }

 private:
  struct Row {
    std::uint32_t place = 0;  // in small_ or wide_
    std::uint8_t shift = 0, bits = 0;
    bool small = false;
  };

  void grow(std::uint32_t row, std::uint32_t cell, std::int64_t free,
            const ChunkedRows<std::int64_t>& exact);
  void fit(Row& row, std::int64_t largest) const;
  void make_rows(const ChunkedRows<std::int64_t>& exact);

  std::vector<Row> rows_;
  ChunkedRows<std::int16_t> small_;
  ChunkedRows<std::int32_t> wide_;
  std::uint32_t version_ = 0;
};

}  // namespace tessera::topology
