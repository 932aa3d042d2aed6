// SPDX-License-Identifier: Apache-2.0
// CacheFlush: takes the process's data out of all caches, for timings of a decision that finds
// nothing there.
//
// On x86-64 every line of every resident writable page (heap, static data, stack) is flushed to
// memory with clflushopt (clflush where there is none), from all levels of cache, the last one
// included. The walk also drops most translations from the TLB. Code stays where it is. Elsewhere a
// buffer of 64 MiB is walked, which empties the caches of the core, not always the shared one.
#pragma once

#include <cstddef>
#include <vector>

namespace tessera::bench {

class CacheFlush {
 public:
  /// Notes the pages that are resident now, so make it after the world.
  CacheFlush();
  void flush();

 private:
  struct Run {
    char* begin;
    char* end;
  };
  std::vector<Run> runs_;
  std::vector<char> other_;  // the buffer, where lines cannot be flushed
};

}  // namespace tessera::bench
