// SPDX-License-Identifier: Apache-2.0
#include "ingest/load/shape.h"

#include <string>

namespace tessera::ingest {

Result<topology::Amounts> parse_shape(std::string_view text) {
  topology::Amounts amounts;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos || equals == 0) {
      return fail(ErrorCode::kUsage, "--shape \"" + std::string(part) +
                                         "\" is not RESOURCE=QUANTITY (for example "
                                         "cpu=120,memory=800Gi,nvidia.com/gpu=4)");
    }
    const auto quantity = topology::Quantity::parse(part.substr(equals + 1));
    if (!quantity || quantity->sign() < 0) {
      return fail(ErrorCode::kUsage,
                  "--shape: " + (quantity ? "\"" + std::string(part) + "\" is negative"
                                          : quantity.error().message));
    }
    const topology::Symbol resource(part.substr(0, equals));
    amounts.set(resource, topology::engine_amount(resource, *quantity));
  }
  return amounts;
}

}  // namespace tessera::ingest
