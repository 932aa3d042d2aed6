// SPDX-License-Identifier: Apache-2.0
// Quantity: a Kubernetes resource quantity ("143900m", "960Gi", "1e3"), exact.
//
// Values, usable on any thread. The rules are those of apimachinery's resource.Quantity: suffix
// families, canonical form, rounding up at nano precision, saturation of binary suffixes
// (tests/topology/nodes/quantity_test.cpp runs the reference's answers). There are two differences.
// Texts beyond 1024 bytes and exponents beyond +-100000 are refused. Where the reference's
// arithmetic overflows, our value is right or absent. Amounts of resources in the engine are plain
// int64 (topology/nodes/amounts.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "topology/text/result.h"

namespace tessera::topology {

class Quantity {
 public:
  Quantity() = default;  // 0

  /// An error is kInvalidInput with a message of the form `"4x" is not a quantity`; the caller adds
  /// where the text stands.
  static Result<Quantity> parse(std::string_view text);

  /// The canonical text, e.g. "1.5Gi" -> "1536Mi", "0.5m" -> "500u".
  std::string canonical() const;

  /// The value in units, or in thousandths, rounded up. Nothing if it does not fit 64 bits.
  std::optional<std::int64_t> value() const;
  std::optional<std::int64_t> milli_value() const;
  /// The value in units of 10^-9, exact.
  std::optional<std::int64_t> nano_value() const;
  int sign() const;

 private:
  enum class Format : std::uint8_t { kDecimalSi, kBinarySi, kDecimalExponent };

  // The value is mantissa_ * 10^exponent_, exponent_ >= -9. A mantissa beyond 64 bits is in digits_
  // instead (signed decimal).
  std::int64_t mantissa_ = 0;
  std::int32_t exponent_ = 0;
  Format format_ = Format::kDecimalSi;
  std::string digits_;
};

/// The canonical text of an engine amount: cpu from milli, memory, storage and hugepages binary,
/// others decimal (queues.md 10.1).
std::string amount_text(std::string_view resource, std::int64_t amount);

}  // namespace tessera::topology
