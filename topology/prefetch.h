// SPDX-License-Identifier: Apache-2.0
// prefetch(): asks for a cache line that will be read or written soon.
//
// Use this, never the builtin alone. GCC 12 takes a function that only prefetches for a function
// without effect, and deletes calls to it where it sees the body (measured: BM_NodeFlap at random
// nodes took 1.5 times as long). The empty asm statement counts as an effect; it emits no code.
#pragma once

namespace tessera::topology {

inline void prefetch(const void* at) {
  __builtin_prefetch(at);
  asm volatile("");
}

inline void prefetch_for_write(const void* at) {
  __builtin_prefetch(at, 1);
  asm volatile("");
}

}  // namespace tessera::topology
