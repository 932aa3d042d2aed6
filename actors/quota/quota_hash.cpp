// SPDX-License-Identifier: Apache-2.0
#include "actors/quota/quota_hash.h"

#include "actors/capacity/state_hash.h"

namespace tessera::core {

std::uint64_t quota_hash(QuotaNode queue, QuotaColumn column, std::int64_t amount) {
  const std::uint64_t number =
      std::uint64_t{static_cast<std::uint32_t>(queue)} << 32 | static_cast<std::uint32_t>(column);
  return hash_factor(HashOf::kQuota, number) * static_cast<std::uint64_t>(amount);
}

}  // namespace tessera::core
