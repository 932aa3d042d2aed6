// SPDX-License-Identifier: Apache-2.0
// Reading `kubectl get nodes`: bytes a second from text to NodeRecords, JSON and YAML, one thread.
#include <benchmark/benchmark.h>

#include <string>

#include "config/settings.h"
#include "ingest/load.h"

namespace tessera::bench {
namespace {

constexpr int kNodes = 5'000;

std::string json_node(int i) {
  const std::string n = std::to_string(i), rack = std::to_string(i / 18);
  return R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"gb-)" + n + R"(","uid":"u)" + n +
         R"(","labels":{"kubernetes.io/hostname":"gb-)" + n + R"(","nvidia.com/gpu.clique":"nvl-)" +
         rack +
         R"(","topology.kubernetes.io/zone":"z1","kubernetes.io/os":"linux","kubernetes.io/arch":"arm64"}},)" +
         R"("spec":{"providerID":"test:///x","taints":[{"key":"nvidia.com/gpu","value":"present","effect":"NoSchedule"}]},)" +
         R"("status":{"allocatable":{"cpu":"143900m","memory":"1001123904Ki","nvidia.com/gpu":"4","pods":"250"},)" +
         R"("conditions":[{"type":"MemoryPressure","status":"False","reason":"KubeletHasSufficientMemory"},)" +
         R"({"type":"Ready","status":"True","reason":"KubeletReady"}],"nodeInfo":{"kubeletVersion":"v1.34.1"}}})";
}

std::string yaml_node(int i) {
  const std::string n = std::to_string(i), rack = std::to_string(i / 18);
  return "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: gb-" + n + "\n    uid: u" + n +
         "\n    labels:\n      kubernetes.io/hostname: gb-" + n +
         "\n      nvidia.com/gpu.clique: nvl-" + rack +
         "\n      topology.kubernetes.io/zone: z1\n      kubernetes.io/os: linux\n  spec:\n    "
         "taints:\n    - key: nvidia.com/gpu\n"
         "      value: present\n      effect: NoSchedule\n  status:\n    allocatable:\n      cpu: "
         "143900m\n      memory: 1001123904Ki\n"
         "      nvidia.com/gpu: \"4\"\n      pods: \"250\"\n    conditions:\n    - type: Ready\n   "
         "   status: \"True\"\n";
}

void read(benchmark::State& state, const std::string& text) {
  const config::Settings settings = config::built_in_settings();
  for (auto _ : state) {
    ingest::Loader loader(settings);
    loader.read_text(text, "nodes", ingest::Role::kState);
    benchmark::DoNotOptimize(loader.finish());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void BM_ReadJsonNodes(benchmark::State& state) {
  std::string text = R"({"apiVersion":"v1","items":[)";
  for (int i = 0; i < kNodes; ++i) text += (i == 0 ? "" : ",") + json_node(i);
  read(state, text + R"(],"kind":"List"})");
}

void BM_ReadYamlNodes(benchmark::State& state) {
  std::string text = "apiVersion: v1\nitems:\n";
  for (int i = 0; i < kNodes; ++i) text += yaml_node(i);
  read(state, text + "kind: List\n");
}

BENCHMARK(BM_ReadJsonNodes)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_ReadYamlNodes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tessera::bench
