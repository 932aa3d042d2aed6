// SPDX-License-Identifier: Apache-2.0
// Any bytes as a quantity: what parses has a canonical text that parses to the same value and is
// its own canonical text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "topology/nodes/quantity.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using tessera::topology::Quantity;
  const auto parsed = Quantity::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const std::string canonical = parsed->canonical();
  const auto again = Quantity::parse(canonical);
  if (!again || again->value() != parsed->value() ||
      again->milli_value() != parsed->milli_value() || again->sign() != parsed->sign() ||
      again->canonical() != canonical) {
    std::abort();
  }
  return 0;
}
