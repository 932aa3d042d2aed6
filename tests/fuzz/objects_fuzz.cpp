// SPDX-License-Identifier: Apache-2.0
// Any bytes as manifests, state and request alike: reading, linking and naming end, positions of
// workloads are valid, and names are unique.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "ingest/load/load.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tessera;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const config::Settings settings;
  ingest::Loader loader(settings);
  loader.read_text(text.substr(0, size / 2), "state", ingest::Role::kState);
  loader.read_text(text, "request", ingest::Role::kRequest);
  const ingest::Loaded loaded = loader.finish();
  std::set<std::string> keys;
  for (const core::Workload& workload : loaded.inventory.workloads) {
    if (!keys.insert(workload.key()).second) std::abort();
  }
  for (const std::size_t position : loaded.to_place) {
    if (position >= loaded.inventory.workloads.size()) std::abort();
  }
  return 0;
}
