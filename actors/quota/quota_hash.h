// SPDX-License-Identifier: Apache-2.0
// What an amount of quota adds to the hash of its quota root (capacity/state_hash.h). Pure.
#pragma once

#include <cstdint>

#include "actors/quota/ledger.h"

namespace tessera::core {

std::uint64_t quota_hash(QuotaNode queue, QuotaColumn column, std::int64_t amount);

}  // namespace tessera::core
