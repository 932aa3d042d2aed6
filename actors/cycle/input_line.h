// SPDX-License-Identifier: Apache-2.0
// InputLine: the inputs that wait for their cycle, instant by instant, and the numbers they get.
//
// One owner: Cycle. A cycle begins only between instants; an instant is cut only where it is larger
// than a cycle. Inputs are numbered from 1 in the order in which they are taken. Does not know what
// an input means.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "actors/records/input.h"

namespace tessera::core {

class InputLine {
 public:
  /// A cycle takes at most `most` inputs, and no further instant once it has `enough`.
  InputLine(std::size_t most, std::size_t enough) : most_(most), enough_(enough) {}

  void add(std::vector<Input> instant);
  /// Puts an instant before all others.
  void add_first(std::vector<Input> instant);
  /// The inputs of a record, numbered from `first` as they were then; nothing else may wait. The
  /// next cycle takes all of them.
  void add_again(std::uint64_t first, std::vector<Input> inputs);
  bool empty() const { return instants_.empty(); }
  /// The inputs of the next cycle, in order; empty if there are none.
  std::vector<Input> take();
  /// How many were taken in all: the number of the last one.
  std::uint64_t taken() const { return taken_; }
  /// True if `such` holds for one of the next inputs; looks at no more than one cycle takes.
  bool comes(const std::function<bool(const Input&)>& such) const;

 private:
  std::size_t most_, enough_;
  std::deque<std::vector<Input>> instants_;
  std::uint64_t taken_ = 0;
  bool whole_ = false;  // the next cycle takes the first instant, whatever its size
};

/// True for an input that moves time, changes nodes or replaces definitions. In virtual time such
/// an input waits until the results of all searches are known; else the results would depend on how
/// long a search really takes.
bool waits_for_searches(const Input& input);

}  // namespace tessera::core
