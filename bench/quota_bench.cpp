// SPDX-License-Identifier: Apache-2.0
// Makes the quota roots of queues without cohort, each a tree of its own. The time must grow in
// proportion to the queues; if it grows faster, each root looks at all queues.
#include <string>
#include <vector>

#include "actors/quota/root_state.h"
#include "bench/rows.h"

namespace tessera::bench {
namespace {

constexpr int kTimings = 20;

core::Ledger standalone_queues(std::uint32_t count) {
  std::vector<core::ClusterQueueRecord> queues(count);
  for (std::uint32_t q = 0; q < count; ++q) {
    queues[q].name = "queue-" + std::to_string(q);
    core::ResourceGroup group;
    group.covered = {topology::gpu_resource()};
    group.flavors = {{"default", {{topology::gpu_resource(), 8, {}, {}}}}};
    queues[q].groups = {std::move(group)};
  }
  return core::Ledger(queues, {}, {});
}

void make_roots(benchmark::State& state, std::uint32_t queues) {
  const core::Ledger forest = standalone_queues(queues);
  Timings timings(state);
  for (auto _ : state) {
    std::vector<core::RootState> roots;
    roots.reserve(queues);
    timings.time([&] {
      for (std::uint32_t q = 0; q < queues; ++q) roots.emplace_back(core::QuotaNode{q}, forest);
    });
  }
  timings.report();
}

}  // namespace

void add_quota_rows() {
  for (const std::uint32_t queues : {1'000U, 10'000U}) {
    add_row("BM_QuotaRoots", queues, "standalone", kTimings,
            [queues](benchmark::State& state) { make_roots(state, queues); });
  }
}

}  // namespace tessera::bench
