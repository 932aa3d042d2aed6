// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/state_hash.h"

#include <algorithm>

namespace tessera::core {
namespace {

/// Random words that tell what a number stands for, so that cell 7 and node 7 hash differently.
enum Salt : std::uint64_t {
  kHeld = 0x6c1f0e7a9b3d5284,
  kAllocatable = 0xd39a46b1e80c7f25,
  kOthers = 0x17e5c8f2a4609bd3,
  kUsable = 0xb8024d6ff1937eca,
  kQuota = 0x4ea7931c25d8b60f,
  kText = 0x93f10b5ed7a2486c,
};

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): every bit in changes half of those out.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

std::uint64_t coefficient(Salt salt, std::uint64_t number) { return mix(number ^ salt); }

}  // namespace

std::uint64_t text_hash(std::string_view text) {
  std::uint64_t hash = mix(text.size() ^ kText);
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
  return coefficient(kHeld, topology::index(cell)) * amounts * static_cast<std::uint64_t>(times);
}

std::uint64_t held_hash(topology::CellId cell, const topology::Amounts& amounts,
                        std::int64_t times) {
  return held_hash(cell, amounts_hash(amounts), times);
}

std::uint64_t node_hash(topology::NodeId node, const topology::Amounts& allocatable,
                        const topology::Amounts& others, bool usable) {
  const std::uint64_t number = topology::index(node);
  return coefficient(kAllocatable, number) * amounts_hash(allocatable) +
         coefficient(kOthers, number) * amounts_hash(others) +
         (usable ? coefficient(kUsable, number) : 0);
}

std::uint64_t quota_hash(QuotaNode queue, QuotaColumn column, std::int64_t amount) {
  const std::uint64_t number =
      std::uint64_t{static_cast<std::uint32_t>(queue)} << 32 | static_cast<std::uint32_t>(column);
  return coefficient(kQuota, number) * static_cast<std::uint64_t>(amount);
}

}  // namespace tessera::core
