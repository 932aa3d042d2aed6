// SPDX-License-Identifier: Apache-2.0
// ChunkedRows<T>: a table of rows x cells, stored in chunks of 4,096 cells behind one pointer
// table.
//
// A copy of the table is a snapshot: it copies only the pointers, and a later write to a chunk that
// is shared copies that chunk first. Kernels run a chunk at a time over plain contiguous arrays.
// One writer; snapshots are read anywhere.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tessera::topology {

inline constexpr std::uint32_t kChunkCells = 4096;

template <class T>
class ChunkedRows {
 public:
  ChunkedRows() = default;
  ChunkedRows(std::uint32_t rows, std::uint32_t cells) : rows_(rows), cells_(cells) {
    const std::uint32_t chunks = (cells + kChunkCells - 1) / kChunkCells;
    for (std::uint32_t c = 0; c < chunks; ++c) {
      slots_.emplace_back(new T[chunk_size()]);
      for (std::uint32_t row = 0; row < rows; ++row) {
        std::fill_n(slots_.back().chunk.get() + offset(row), used(c), T{});
      }
    }
  }

  std::uint32_t rows() const { return rows_; }
  std::uint32_t cells() const { return cells_; }
  std::uint32_t chunk_count() const { return static_cast<std::uint32_t>(slots_.size()); }

  /// The cells of one row that lie in one chunk; the last chunk may be shorter.
  std::span<const T> row(std::uint32_t chunk, std::uint32_t row) const {
    return {slots_[chunk].chunk.get() + offset(row), width(chunk)};
  }
  T get(std::uint32_t row, std::uint32_t cell) const { return *peek(row, cell); }
  /// Where a number lies.
  const T* peek(std::uint32_t row, std::uint32_t cell) const {
    return slots_[cell / kChunkCells].chunk.get() + offset(row) + cell % kChunkCells;
  }
  /// Copies every chunk that is shared.
  void own_all() {
    for (std::uint32_t c = 0; c < chunk_count(); ++c) own(c);
  }

  /// Calls visit(span) for each part of cells begin..end of one row, in order.
  template <class Visit>
  void for_each_part(std::uint32_t row, std::uint32_t begin, std::uint32_t end, Visit visit) const {
    while (begin < end) {
      const std::uint32_t stop = std::min(end, (begin / kChunkCells + 1) * kChunkCells);
      visit(std::span<const T>(
          slots_[begin / kChunkCells].chunk.get() + offset(row) + begin % kChunkCells,
          stop - begin));
      begin = stop;
    }
  }
  void set(std::uint32_t row, std::uint32_t cell, T value) { at(row, cell) = value; }
  /// The reference is for one write at once: a later copy of the table shares the chunk again.
  T& at(std::uint32_t row, std::uint32_t cell) {
    return own(cell / kChunkCells)[offset(row) + cell % kChunkCells];
  }
  std::span<T> writable_row(std::uint32_t chunk, std::uint32_t row) {
    return {own(chunk) + offset(row), width(chunk)};
  }

 private:
  /// A chunk, and whether no other table can share it. The mark spares a write the look at the
  /// reference count, which lies in another cache line.
  struct Slot {
    explicit Slot(T* values) : chunk(values) {}
    // A copy also changes the mark of the original: from now on the original shares its chunk.
    // NOLINTNEXTLINE(cert-oop58-cpp)
    Slot(const Slot& other) : chunk(other.share()), alone(false) {}
    Slot(Slot&& other) noexcept = default;
    Slot& operator=(const Slot& other) {
      if (this == &other) return *this;
      chunk = other.share();  // NOLINT(cert-oop58-cpp)
      alone = false;
      return *this;
    }
    Slot& operator=(Slot&& other) noexcept = default;
    ~Slot() = default;

    const std::shared_ptr<T[]>& share() const {
      alone = false;
      return chunk;
    }

    std::shared_ptr<T[]> chunk;
    mutable bool alone = true;
  };

  std::size_t chunk_size() const { return static_cast<std::size_t>(rows_) * kChunkCells; }
  T* own(std::uint32_t chunk) {
    Slot& slot = slots_[chunk];
    if (!slot.alone) make_own(slot, chunk);
    return slot.chunk.get();
  }
  void make_own(Slot& slot, std::uint32_t number) {
    if (slot.chunk.use_count() > 1) {
      std::shared_ptr<T[]> copy(new T[chunk_size()]);
      for (std::uint32_t row = 0; row < rows_; ++row) {
        std::copy_n(slot.chunk.get() + offset(row), used(number), copy.get() + offset(row));
      }
      slot.chunk = std::move(copy);
    } else {
      // Reading the count orders no memory accesses. Dropping one more reference does: every other
      // table that shared the chunk, on any thread, has done its last read by then.
      std::shared_ptr<T[]>(slot.chunk).reset();
    }
    slot.alone = true;
  }
  static std::size_t offset(std::uint32_t row) {
    return static_cast<std::size_t>(row) * kChunkCells;
  }
  /// How many cells of a row in a chunk have a value: a small cluster does not pay for a whole
  /// chunk. Rounded up, since kernels read a few cells past the last one.
  std::uint32_t used(std::uint32_t chunk) const {
    constexpr std::uint32_t kRead = 256;
    return std::min(kChunkCells, (width(chunk) + kRead - 1) / kRead * kRead);
  }
  std::uint32_t width(std::uint32_t chunk) const {
    return std::min(kChunkCells, cells_ - chunk * kChunkCells);
  }

  std::uint32_t rows_ = 0, cells_ = 0;
  std::vector<Slot> slots_;
};

}  // namespace tessera::topology
