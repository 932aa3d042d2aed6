// SPDX-License-Identifier: Apache-2.0
#include "config/pods_ready.h"

#include <algorithm>

namespace tessera::config {

std::int64_t PodsReady::backoff(std::int64_t count) const {
  constexpr std::int64_t kNanosecondsInSecond = 1'000'000'000;
  std::int64_t seconds = std::min(backoff_base_seconds, backoff_max_seconds);
  for (std::int64_t i = 1; i < count && seconds > 0 && seconds < backoff_max_seconds; ++i) {
    seconds = seconds > backoff_max_seconds / 2 ? backoff_max_seconds : 2 * seconds;
  }
  return seconds * kNanosecondsInSecond;
}

}  // namespace tessera::config
