// SPDX-License-Identifier: Apache-2.0
// How long the long tests run.
//
// Read by tests that repeat something for many seeds or steps. `make test` repeats the whole. A
// sanitizer makes a step ten times as slow, so `make sanitize` repeats a part. `make soak` sets
// TESSERA_SOAK and repeats the whole under the sanitizer too. The part begins with the same seeds
// as the whole.
#pragma once

#include <cstdlib>

namespace tessera::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
inline constexpr bool kSanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool kSanitized = false;
#endif

/// `whole`, or `part` under a sanitizer outside `make soak`.
template <class Number>
Number soaked(Number whole, Number part) {
  return kSanitized && std::getenv("TESSERA_SOAK") == nullptr ? part : whole;
}

}  // namespace tessera::test
