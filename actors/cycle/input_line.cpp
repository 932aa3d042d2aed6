// SPDX-License-Identifier: Apache-2.0
#include "actors/cycle/input_line.h"

#include <algorithm>
#include <iterator>

namespace tessera::core {

void InputLine::add(std::vector<Input> instant) {
  if (!instant.empty()) instants_.push_back(std::move(instant));
}

void InputLine::add_first(std::vector<Input> instant) {
  if (!instant.empty()) instants_.push_front(std::move(instant));
}

void InputLine::add_again(std::uint64_t first, std::vector<Input> inputs) {
  taken_ = first - 1;
  whole_ = !inputs.empty();
  add(std::move(inputs));
}

std::vector<Input> InputLine::take() {
  std::vector<Input> out;
  if (whole_) {
    out = std::move(instants_.front());
    instants_.pop_front();
    whole_ = false;
  }
  while (!instants_.empty() && out.size() < most_ && out.size() < enough_) {
    std::vector<Input>& instant = instants_.front();
    const std::size_t room = most_ - out.size();
    if (instant.size() > room && !out.empty()) break;
    if (instant.size() <= room && out.empty()) {
      out = std::move(instant);
      instants_.pop_front();
      continue;
    }
    const auto end = instant.begin() + static_cast<std::ptrdiff_t>(std::min(instant.size(), room));
    out.insert(out.end(), std::move_iterator(instant.begin()), std::move_iterator(end));
    if (end == instant.end()) {
      instants_.pop_front();
    } else {
      instant.erase(instant.begin(), end);
    }
  }
  taken_ += out.size();
  return out;
}

bool InputLine::comes(const std::function<bool(const Input&)>& such) const {
  std::size_t room = most_;
  for (const std::vector<Input>& instant : instants_) {
    for (const Input& input : instant) {
      if (room-- == 0) return false;
      if (such(input)) return true;
    }
  }
  return false;
}

bool waits_for_searches(const Input& input) {
  return std::holds_alternative<Advance>(input) || std::holds_alternative<NodeUpdate>(input) ||
         std::holds_alternative<NodeDelete>(input) || std::holds_alternative<Redefine>(input);
}

}  // namespace tessera::core
