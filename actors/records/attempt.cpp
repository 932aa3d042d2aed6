// SPDX-License-Identifier: Apache-2.0
#include "actors/records/attempt.h"

namespace tessera::core {

const solver::Refusal* Attempt::refusal() const {
  for (const FlavorRejection& rejection : rejections) {
    if (rejection.refusal) return &*rejection.refusal;
  }
  return nullptr;
}

bool Attempt::invalid() const {
  const solver::Refusal* first = refusal();
  return first && solver::is_invalid(first->obstacle);
}

}  // namespace tessera::core
