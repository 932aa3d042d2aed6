// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/state_hash.h"

#include <algorithm>

namespace tessera::core {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit in changes half of those out.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

}  // namespace

std::uint64_t hash_factor(HashOf what, std::uint64_t number) {
  return mix(number ^ static_cast<std::uint64_t>(what));
}

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = hash_factor(HashOf::kText, text.size());
  for (; !text.empty(); text.remove_prefix(std::min<std::size_t>(text.size(), 8))) {
    std::uint64_t word = 0;
    for (const char c : text.substr(0, 8)) word = word << 8 | static_cast<unsigned char>(c);
    hash = mix(hash ^ word);
  }
  return hash;
}

std::uint64_t amounts_hash(const topology::Amounts& amounts) {
  std::uint64_t sum = 0;
  for (const topology::Amount& amount : amounts) {
    sum += text_hash(amount.resource.view()) * static_cast<std::uint64_t>(amount.value);
  }
  return sum;
}

std::uint64_t held_hash(topology::CellId cell, std::uint64_t amounts, std::int64_t times) {
  return hash_factor(HashOf::kHeld, topology::index(cell)) * amounts *
         static_cast<std::uint64_t>(times);
}

std::uint64_t held_hash(topology::CellId cell, const topology::Amounts& amounts,
                        std::int64_t times) {
  return held_hash(cell, amounts_hash(amounts), times);
}

std::uint64_t node_hash(topology::NodeId node, const topology::Amounts& allocatable,
                        const topology::Amounts& others, bool usable) {
  const std::uint64_t number = topology::index(node);
  return hash_factor(HashOf::kAllocatable, number) * amounts_hash(allocatable) +
         hash_factor(HashOf::kOthers, number) * amounts_hash(others) +
         (usable ? hash_factor(HashOf::kUsable, number) : 0);
}

}  // namespace tessera::core
