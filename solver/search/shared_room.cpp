// SPDX-License-Identifier: Apache-2.0
#include "solver/search/shared_room.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

namespace tessera::solver {
namespace {

using topology::Capacity;
using topology::CellId;
using topology::DomainId;
using topology::LeafId;
using topology::RowAmounts;

/// One leaf that can take pods.
struct Room {
  CellId cell{};
  DomainId leaf{}, slice{};  // the leaf, and its domain at the slice level
  std::int64_t pods = 0;     // alone
  std::int64_t outer = 0;    // pods of its domain at the requested level
  DomainId outer_domain{};
  std::int64_t slices = 0;  // of its domain at the slice level
  std::int64_t granted = 0;
};

std::vector<Room> rooms_of(const SearchProblem& problem, const CountRequest& request) {
  const topology::DomainTree& tree = *problem.tree;
  std::vector<Room> rooms;
  for (std::uint32_t leaf = 0; leaf < tree.leaf_count(); ++leaf) {
    Room room;
    room.leaf = tree.domain_of(LeafId{leaf});
    room.pods = problem.table->at(room.leaf).pods;
    if (room.pods <= 0) continue;
    room.cell = request.view->cells()[leaf];
    room.slice = tree.ancestor(room.leaf, problem.request->slice_level);
    room.slices = problem.table->at(room.slice).slices;
    room.outer_domain = tree.ancestor(room.leaf, problem.request->level);
    room.outer = problem.table->at(room.outer_domain).pods;
    rooms.push_back(room);
  }
  std::sort(rooms.begin(), rooms.end(), [](const Room& a, const Room& b) {
    return std::tuple(-a.outer, a.outer_domain, -a.slices, a.slice, -a.pods, a.leaf) <
           std::tuple(-b.outer, b.outer_domain, -b.slices, b.slice, -b.pods, b.leaf);
  });
  return rooms;
}

/// What is left of the cells that bound others while room is granted.
class Remaining {
 public:
  /// `leader`: takes its share of every cell, since nobody knows yet where it goes.
  Remaining(const Capacity& capacity, const RowAmounts& worker, const RowAmounts& leader)
      : capacity_(capacity), worker_(worker), leader_(leader) {}

  /// Grants up to `pods` pods on `cell`, in multiples of `unit`.
  std::int64_t grant(CellId cell, std::int64_t pods, std::int64_t unit) {
    for (const CellId above : capacity_.cells().observers(cell)) {
      if (capacity_.cells().is_host(above)) continue;
      const std::vector<std::int64_t>& left = of(above);
      for (std::size_t i = 0; i < left.size(); ++i) {
        const std::int64_t each = worker_.entries[i].value;
        if (each > 0) pods = std::min(pods, std::max<std::int64_t>(0, left[i]) / each);
      }
    }
    pods -= pods % unit;
    take(cell, pods);
    return pods;
  }

  /// Negative `pods`: gives back.
  void take(CellId cell, std::int64_t pods) {
    for (const CellId above : capacity_.cells().observers(cell)) {
      if (capacity_.cells().is_host(above)) continue;
      std::vector<std::int64_t>& left = of(above);
      for (std::size_t i = 0; i < left.size(); ++i) left[i] -= worker_.entries[i].value * pods;
    }
  }

 private:
  std::vector<std::int64_t>& of(CellId cell) {
    const auto [at, added] = left_.try_emplace(index(cell));
    if (!added) return at->second;
    for (const RowAmounts::Entry& entry : worker_.entries) {
      std::int64_t left = capacity_.left(entry.row, cell);
      for (const RowAmounts::Entry& own : leader_.entries) {
        if (own.row == entry.row) left -= own.value;
      }
      at->second.push_back(left);
    }
    return at->second;
  }

  const Capacity& capacity_;
  const RowAmounts& worker_;
  const RowAmounts& leader_;
  std::map<std::uint32_t, std::vector<std::int64_t>> left_;  // by cell, by entry of the worker
};

}  // namespace

SharedRoom::~SharedRoom() {
  for (auto it = withheld_.rbegin(); it != withheld_.rend(); ++it) {
    capacity_.withhold(it->cell, it->row, -it->amount);
  }
}

void SharedRoom::divide(const SearchProblem& problem, const CountRequest& request) {
  const RowAmounts worker = capacity_.rows_of(request.worker);
  const RowAmounts leader = problem.leaders > 0 ? capacity_.rows_of(request.leader) : RowAmounts();
  Remaining remaining(capacity_, worker, leader);
  std::vector<Room> rooms = rooms_of(problem, request);
  problem.steps->spend(static_cast<std::int64_t>(rooms.size()));
  const std::int64_t size = problem.request->slice_size;
  for (std::size_t begin = 0, end = 0; begin < rooms.size(); begin = end) {
    std::int64_t sum = 0;
    for (; end < rooms.size() && rooms[end].slice == rooms[begin].slice; ++end) {
      rooms[end].granted =
          remaining.grant(rooms[end].cell, rooms[end].pods, problem.request->unit.back());
      sum += rooms[end].granted;
    }
    // Pods that are no whole slice leave their room to other domains.
    std::int64_t over = sum % size;
    for (std::size_t i = end; i > begin && over > 0; --i) {
      const std::int64_t back = std::min(over, rooms[i - 1].granted);
      rooms[i - 1].granted -= back;
      remaining.take(rooms[i - 1].cell, -back);
      over -= back;
    }
  }
  for (const Room& room : rooms) {
    if (room.granted == room.pods) continue;
    for (const RowAmounts::Entry& entry : worker.entries) {
      std::int64_t keep = topology::saturating_mul(room.granted, entry.value);
      for (const RowAmounts::Entry& own : leader.entries) {
        if (own.row == entry.row) keep = topology::saturating_add(keep, own.value);
      }
      const std::int64_t amount = capacity_.left(entry.row, room.cell) - keep;
      if (amount <= 0) continue;
      capacity_.withhold(room.cell, entry.row, amount);
      withheld_.push_back({room.cell, entry.row, amount});
    }
  }
}

}  // namespace tessera::solver
