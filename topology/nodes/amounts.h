// SPDX-License-Identifier: Apache-2.0
// Amounts: how much of each resource, in engine units: cpu in thousandths, everything else in whole
// units (bytes, devices, pods). Sorted by resource name, each resource at most once; 0 is a value
// of its own ("asks for none").
//
// Values, usable on any thread. Arithmetic saturates at the ends of int64 and never wraps
// (placement.md 2.3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/nodes/quantity.h"
#include "topology/text/symbol.h"

namespace tessera::topology {

inline constexpr std::int64_t kUnlimited = INT64_MAX;

inline std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? INT64_MAX : INT64_MIN;
}

inline std::int64_t saturating_sub(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b < 0 ? INT64_MAX : INT64_MIN;
}

inline std::int64_t saturating_mul(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

struct Amount {
  Symbol resource;
  std::int64_t value = 0;
  friend bool operator==(const Amount&, const Amount&) = default;
};

class Amounts {
 public:
  Amounts() = default;
  Amounts(std::initializer_list<Amount> amounts);

  const std::int64_t* find(Symbol resource) const;
  std::int64_t get(Symbol resource) const;  // 0 if absent
  void set(Symbol resource, std::int64_t value);
  void erase(Symbol resource);

  void add(const Amounts& other);
  void subtract(const Amounts& other);
  void raise_to(const Amounts& other);  // the larger of both, resource by resource
  Amounts times(std::int64_t factor) const;

  bool empty() const { return amounts_.empty(); }
  std::size_t size() const { return amounts_.size(); }
  auto begin() const { return amounts_.begin(); }
  auto end() const { return amounts_.end(); }
  friend bool operator==(const Amounts&, const Amounts&) = default;

 private:
  std::vector<Amount> amounts_;
};

Symbol cpu_resource();   // "cpu"
Symbol pods_resource();  // "pods"
Symbol gpu_resource();   // "nvidia.com/gpu"

/// A quantity in engine units: cpu in thousandths, everything else in whole units. Rounds up, and
/// saturates at the ends of int64.
std::int64_t engine_amount(Symbol resource, const Quantity& quantity);

}  // namespace tessera::topology
