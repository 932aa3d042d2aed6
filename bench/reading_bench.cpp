// SPDX-License-Identifier: Apache-2.0
// Reads what `kubectl get nodes` prints. Measures bytes per second from text to NodeRecords, on one
// core and on two threads, and the most memory per node while a file is read.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "bench/node_dump.h"
#include "bench/rows.h"
#include "config/settings.h"
#include "ingest/load/load.h"

namespace tessera::bench {
namespace {

constexpr int kNodes = 10'000;           // the smallest dump is then above Cutting::from_bytes
constexpr int kNodesOfMemory = 100'000;  // 346 MB

std::size_t load(ingest::Loader& loader) {
  const ingest::Loaded loaded = loader.finish();
  benchmark::DoNotOptimize(loaded);
  return loaded.inventory.nodes.size();
}

// One thread is measured in processor time, two in real time.
void read_dump(benchmark::State& state, DumpFormat format, std::uint32_t threads) {
  std::string text;
  dump_nodes(kNodes, format, [&](const std::string& part) { text += part; });
  const config::Settings settings = config::built_in_settings();
  reader::Cutting cutting;
  cutting.threads = threads;
  for (auto _ : state) {
    ingest::Loader loader(settings, cutting);
    loader.read_text(text, "nodes", ingest::Role::kState);
    if (load(loader) != kNodes) return state.SkipWithError("nodes are missing");
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void read_file(benchmark::State& state, DumpFormat format) {
  const std::string path = std::filesystem::temp_directory_path() / "tessera_read_memory";
  {
    std::ofstream file(path, std::ios::binary);
    dump_nodes(kNodesOfMemory, format, [&](const std::string& part) { file << part; });
  }
  const config::Settings settings = config::built_in_settings();
  double most = 0;
  for (auto _ : state) {
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak, VmHWM
    const double before = memory("VmRSS");
    ingest::Loader loader(settings);
    loader.read_path(path, ingest::Role::kState);
    if (load(loader) != kNodesOfMemory) state.SkipWithError("nodes are missing");
    most = std::max(most, memory("VmHWM") - before);
  }
  std::filesystem::remove(path);
  state.counters["bytes_a_node"] = most / kNodesOfMemory;
}

void add(const std::string& name, DumpFormat format) {
  for (const std::uint32_t threads : {1u, 2u}) {
    auto* const row = benchmark::RegisterBenchmark(
        (name + (threads == 1 ? "/one core/" : "/two threads/") + std::to_string(kNodes)).c_str(),
        [format, threads](benchmark::State& state) { read_dump(state, format, threads); });
    row->Unit(benchmark::kMillisecond);
    if (threads > 1) row->UseRealTime();
  }
}

[[maybe_unused]] const bool kAdded = [] {
  add("BM_ReadJsonNodes", DumpFormat::kJson);
  add("BM_ReadCompactNodes", DumpFormat::kCompact);
  add("BM_ReadYamlNodes", DumpFormat::kYaml);
  for (const auto& [state, format] :
       {std::pair{"json", DumpFormat::kJson}, std::pair{"compact", DumpFormat::kCompact},
        std::pair{"yaml", DumpFormat::kYaml}}) {
    const DumpFormat of = format;
    benchmark::RegisterBenchmark(
        (std::string("BM_ReadMemory/") + state + "/" + std::to_string(kNodesOfMemory)).c_str(),
        [of](benchmark::State& timed) { read_file(timed, of); })
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace tessera::bench
