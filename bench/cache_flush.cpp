// SPDX-License-Identifier: Apache-2.0
#include "bench/cache_flush.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace tessera::bench {
namespace {

constexpr std::size_t kLine = 64;

#if defined(__x86_64__)
bool has_clflushopt() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 23)) != 0;
}

__attribute__((target("clflushopt"))) void flush_unordered(char* begin, const char* end) {
  for (char* line = begin; line < end; line += kLine) _mm_clflushopt(line);
}

void flush_run(char* begin, const char* end) {
  static const bool unordered = has_clflushopt();
  if (unordered) return flush_unordered(begin, end);
  for (char* line = begin; line < end; line += kLine) _mm_clflush(line);
}

/// Calls visit(begin, end) for every private writable mapping.
template <class Visit>
void for_each_mapping(Visit visit) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end, rights) != 3) {
      continue;
    }
    if (std::string(rights) == "rw-p") {
      visit(reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end));
    }
  }
}
#endif

}  // namespace

#if defined(__x86_64__)
CacheFlush::CacheFlush() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for_each_mapping([&](char* begin, char* end) {
    std::vector<unsigned char> resident(static_cast<std::size_t>(end - begin) / page);
    if (mincore(begin, static_cast<std::size_t>(end - begin), resident.data()) != 0) return;
    for (std::size_t i = 0; i < resident.size(); ++i) {
      char* const at = begin + i * page;
      if ((resident[i] & 1) == 0) continue;
      if (!runs_.empty() && runs_.back().end == at) {
        runs_.back().end = at + page;
      } else {
        runs_.push_back({at, at + page});
      }
    }
  });
}

void CacheFlush::flush() {
  for (const Run& run : runs_) flush_run(run.begin, run.end);
  _mm_mfence();
}
#else
CacheFlush::CacheFlush() : other_(std::size_t{64} << 20) {}

void CacheFlush::flush() {
  volatile char* const bytes = other_.data();
  for (std::size_t i = 0; i < other_.size(); i += kLine) bytes[i] = static_cast<char>(bytes[i] + 1);
}
#endif

}  // namespace tessera::bench
