// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace: reading ends, entries are in the order of time, with times within
// bounds; a line that gives nothing gives an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "ingest/load/load.h"

namespace {

void demand(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  constexpr std::int64_t kMost = 3'155'760'000'000'000'000;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const config::Settings settings;
  ingest::Loader loader(settings);
  loader.read_trace_text(text, "trace");
  const ingest::Loaded loaded = loader.finish();
  std::int64_t before = 0;
  for (const ingest::TraceEntry& entry : loaded.trace) {
    demand(entry.arrival >= before && entry.arrival <= kMost);
    demand(entry.start >= 0 && entry.start <= kMost);
    demand(entry.run == ingest::kRunsForEver || (entry.run >= 0 && entry.run <= kMost));
    demand(entry.workload->created == entry.arrival && entry.workload->invalid.empty());
    demand(!entry.workload->gang.pod_sets.empty());
    before = entry.arrival;
  }
  demand(!loaded.trace.empty() || loaded.objects == 0 || !loaded.errors.empty());
  return 0;
}
