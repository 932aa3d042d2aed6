// SPDX-License-Identifier: Apache-2.0
// Gangs that the queues do not try again could not have been placed: LocalEngine and an engine that
// tries every waiting gang in every cycle admit the same gangs, at the same instants, in the same
// order, on the same nodes (design.md 3.2, sequential order).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "actors/engine/local_engine.h"
#include "actors/records/text/record_text.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/random_cluster.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::Dice;
using test::Kinds;

/// What was admitted, in order, as a text: numbers, flavors, domains.
std::string text_of(const std::vector<Admitted>& admitted) {
  CycleRecord record;
  record.admitted = admitted;
  std::string text;
  append_decisions_text(record, text);
  return text;
}

/// Every waiting gang has a turn of its own in every cycle; cycles go on until one places nothing.
class RetryOracle {
 public:
  RetryOracle(std::shared_ptr<const Definitions> definitions, const EngineOptions& options)
      : definitions_(std::move(definitions)), planner_(definitions_, options) {
    planner_.make_owners();
  }

  /// `submitted`: the gangs that come in the instant, with the ids that the engine gave.
  std::vector<Admitted> run(const std::vector<Input>& instant,
                            const std::vector<Submitted>& submitted) {
    PlanRequest request;
    for (const Input& input : instant) take(input, request);
    for (const Submitted& each : submitted) waiting_[each.gang] = each.workload;
    std::vector<Admitted> admitted;
    for (bool placed = true; placed;) {
      request.cycle = ++cycle_;
      request.windows = windows();
      const PlanReply reply = planner_.step(request);
      request.released.clear();
      request.updates.clear();
      solves_ += reply.plan.solves;
      placed = !reply.plan.admitted.empty();
      for (const Admitted& each : reply.plan.admitted) {
        live_.emplace(each.gang, each.workload);
        waiting_.erase(each.gang);
        admitted.push_back(each);
      }
    }
    return admitted;
  }

  std::uint64_t solves() const { return solves_; }

 private:
  void take(const Input& input, PlanRequest& request) {
    if (const auto* finish = std::get_if<Finish>(&input)) {
      waiting_.erase(finish->gang);
      if (live_.erase(finish->gang) > 0) request.released.push_back(finish->gang);
    } else if (const auto* evict = std::get_if<Evict>(&input)) {
      request.released.push_back(evict->gang);
      waiting_[evict->gang] = live_.at(evict->gang);
      live_.erase(evict->gang);
    } else if (!std::holds_alternative<Submit>(input)) {
      request.updates.push_back(input);
    }
  }

  /// Each item has a shape of its own, so that no refusal counts for another item.
  std::vector<Window> windows() const {
    std::map<std::uint32_t, Window> windows;
    std::uint32_t shape = 0;
    for (const auto& [gang, workload] : waiting_) {
      const Directory::Entry entry = definitions_->directory.enter(*workload);
      if (!entry.stands) continue;
      Window& window = windows[definitions_->position(*entry.queue)];
      window.queue = definitions_->position(*entry.queue);
      window.items.push_back({gang, workload, shape++, {}});
    }
    std::vector<Window> sorted;
    for (auto& [queue, window] : windows) {
      std::stable_sort(window.items.begin(), window.items.end(),
                       [](const WindowItem& a, const WindowItem& b) {
                         return plans_before(a.order(), b.order());
                       });
      sorted.push_back(std::move(window));
    }
    return sorted;
  }

  std::shared_ptr<const Definitions> definitions_;
  PlannerState planner_;
  CycleNumber cycle_ = 0;
  std::uint64_t solves_ = 0;
  std::map<GangId, std::shared_ptr<const Workload>> waiting_, live_;
};

struct Figures {
  std::uint64_t admitted = 0, ends = 0, solves = 0, oracle_solves = 0;

  double avoided() const {
    return 1 - static_cast<double>(solves - admitted) /
                   static_cast<double>(std::max<std::uint64_t>(1, oracle_solves - admitted));
  }
  void print(const char* what) const {
    const auto an_end = [&](std::uint64_t count) {
      return static_cast<double>(count) / static_cast<double>(std::max<std::uint64_t>(1, ends));
    };
    std::printf(
        "%s: %lu admitted, %lu ended; solves an end %.2f, of the oracle %.2f; %.1f %% of "
        "retries avoided\n",
        what, static_cast<unsigned long>(admitted), static_cast<unsigned long>(ends),
        an_end(solves), an_end(oracle_solves), 100 * avoided());
  }
};

void run_stream(std::uint64_t seed, Kinds kinds, const CycleLimits& limits, Figures& figures) {
  constexpr int kInstants = 14;
  Dice dice(seed);
  test::RandomCluster cluster(dice, kinds);
  const Inventory inventory = cluster.build();
  const auto definitions = std::make_shared<const Definitions>(inventory);
  EngineOptions options;
  options.live = true;
  LocalEngine engine(definitions, options, limits);
  RetryOracle oracle(definitions, options);
  test::RandomTrace trace(dice, cluster);
  for (int i = 0; i < kInstants; ++i) {
    const std::vector<Input> inputs = trace.instant(5, 25);
    engine.submit(inputs);
    std::vector<Admitted> admitted;
    std::vector<Submitted> submitted;
    for (const auto& record : engine.settle()) {
      admitted.insert(admitted.end(), record->admitted.begin(), record->admitted.end());
      const std::vector<Submitted> more = record->submitted();
      submitted.insert(submitted.end(), more.begin(), more.end());
    }
    ASSERT_EQ(text_of(admitted), text_of(oracle.run(inputs, submitted)))
        << "seed " << seed << ", instant " << i;
    trace.take(submitted, admitted);
    figures.admitted += admitted.size();
  }
  figures.ends += trace.ends();
  figures.solves += engine.counters().solves;
  figures.oracle_solves += oracle.solves();
}

TEST(RetryOracle, AdmitsNothingThatTheEngineDoesNotAdmit) {
  CycleLimits limits;
  limits.batch =
      10'000;  // one batch: a cycle ends with its batch, and woken gangs would go first in the next
  Figures figures;
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    run_stream(seed, Kinds::kAll, limits, figures);
    if (HasFatalFailure()) return;
  }
  figures.print("all kinds");
  EXPECT_GT(figures.admitted, 20'000U);
}

TEST(RetryOracle, AdmitsTheSameWhateverTheSizeOfABatch) {
  Figures figures;
  for (std::uint64_t seed = 1; seed <= 1'000; ++seed) {
    CycleLimits limits;
    limits.batch = 1 + seed % 5;
    run_stream(seed, Kinds::kMonotone, limits, figures);
    if (HasFatalFailure()) return;
  }
  figures.print("one pod set, small batches");
  EXPECT_GT(figures.admitted, 10'000U);
}

/// 12 racks of 64 GPUs, 85 % of them used by gangs of 8 pods that end at random while as many
/// come; 400 gangs of four sizes wait all the time for a rack that has room for them.
TEST(RetryOracle, NineOfTenRetriesAreAvoidedInASteadyLoad) {
  constexpr int kInstants = 60, kEnds = 4, kWaiting = 400, kQueues = 4;
  constexpr std::size_t kRunning = 82;  // x 8 of 768 GPUs
  Dice dice(5);
  ClusterBuilder builder;
  std::string hosts;
  for (int h = 0; h < 96; ++h) {
    hosts += " b" + std::to_string(h / 48) + "/r" + std::to_string(h / 8) + "/h" +
             std::to_string(h) + ":8";
  }
  builder.hosts(hosts).flavor("f");
  for (int q = 0; q < kQueues; ++q) builder.queue("q" + std::to_string(q), {"f"}, 300, "all");
  const Inventory inventory = builder.build();
  const auto definitions = std::make_shared<const Definitions>(inventory);
  LocalEngine engine(definitions, {}, {});
  RetryOracle oracle(definitions, {});
  std::size_t next = 0;
  const auto arrival = [&](std::int64_t count) {
    auto workload = std::make_shared<Workload>();
    workload->namespace_name = "ns";
    workload->name = workload->uid = "w" + std::to_string(next);
    workload->queue = "q" + std::to_string(dice.below(kQueues));
    workload->created = static_cast<std::int64_t>(next);
    workload->gang.pod_sets = {test::required(test::pods("one", count, 1), test::kRack)};
    workload->quota_requests = {workload->gang.pod_sets[0].request};
    ++next;
    return Submit{std::move(workload)};
  };
  Figures figures;
  std::vector<GangId> live;
  const auto run = [&](const std::vector<Input>& inputs) {
    engine.submit(inputs);
    std::vector<Admitted> admitted;
    std::vector<Submitted> submitted;
    for (const auto& record : engine.settle()) {
      admitted.insert(admitted.end(), record->admitted.begin(), record->admitted.end());
      const std::vector<Submitted> more = record->submitted();
      submitted.insert(submitted.end(), more.begin(), more.end());
    }
    EXPECT_EQ(text_of(admitted), text_of(oracle.run(inputs, submitted)));
    for (const Admitted& each : admitted) live.push_back(each.gang);
    figures.admitted += admitted.size();
  };
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < kRunning; ++i) inputs.emplace_back(arrival(8));
  run(inputs);
  inputs.clear();
  for (int i = 0; i < kWaiting; ++i) inputs.emplace_back(arrival(61 + i % 4));
  run(inputs);
  const std::uint64_t solves = engine.counters().solves, oracle_solves = oracle.solves();
  figures = {};
  for (int i = 0; i < kInstants; ++i) {
    inputs.clear();
    for (int e = 0; e < kEnds; ++e) {
      std::swap(live[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(live.size())))],
                live.back());
      inputs.emplace_back(Finish{live.back()});
      inputs.emplace_back(arrival(8));
      live.pop_back();
    }
    run(inputs);
    figures.ends += kEnds;
  }
  figures.solves = engine.counters().solves - solves;
  figures.oracle_solves = oracle.solves() - oracle_solves;
  figures.print("steady load");
  EXPECT_GE(figures.admitted, static_cast<std::uint64_t>(kInstants * kEnds / 2));
  EXPECT_GE(figures.avoided(), 0.9);
}

}  // namespace
}  // namespace tessera::core
