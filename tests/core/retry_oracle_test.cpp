// SPDX-License-Identifier: Apache-2.0
// What the queues do not try again could not have been placed: LocalEngine admits what an engine
// admits that tries every waiting gang in every cycle, at the same instants, in the same order, on
// the same nodes (design.md 3.2, sequential order).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "actors/core/canonical.h"
#include "actors/core/local_engine.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::Dice;

/// What was admitted, in order, as a text: numbers, flavors, domains.
std::string text_of(const std::vector<Admitted>& admitted) {
  CycleRecord record;
  record.admitted = admitted;
  std::string text;
  append_body(record, text);
  return text;
}

/// Every waiting gang has a turn of its own in every cycle; cycles go on until one places nothing.
class RetryOracle {
 public:
  RetryOracle(std::shared_ptr<const Definitions> definitions, const EngineOptions& options)
      : definitions_(std::move(definitions)), planner_(definitions_, options) {}

  std::vector<Admitted> run(const std::vector<Input>& instant) {
    PlanRequest request;
    for (const Input& input : instant) take(input, request.released);
    std::vector<Admitted> admitted;
    for (bool placed = true; placed;) {
      request.cycle = ++cycle_;
      request.windows = windows();
      const PlanReply reply = planner_.step(request);
      request.released.clear();
      solves_ += reply.plan.solves;
      placed = !reply.plan.admitted.empty();
      for (const Admitted& each : reply.plan.admitted) {
        live_.emplace(each.number, each.workload);
        waiting_.erase(each.number);
        admitted.push_back(each);
      }
    }
    return admitted;
  }

  std::uint64_t solves() const { return solves_; }

 private:
  void take(const Input& input, std::vector<std::size_t>& released) {
    if (const auto* submit = std::get_if<Submit>(&input)) {
      waiting_[submit->number] = submit->workload;
    } else if (const auto* finish = std::get_if<Finish>(&input)) {
      waiting_.erase(finish->number);
      if (live_.erase(finish->number) > 0) released.push_back(finish->number);
    } else if (const auto* evict = std::get_if<Evict>(&input)) {
      released.push_back(evict->number);
      waiting_[evict->number] = live_.at(evict->number);
      live_.erase(evict->number);
    }
  }

  /// No two items have one shape, so that no refusal speaks for another.
  std::vector<Window> windows() const {
    std::map<std::uint32_t, Window> windows;
    std::uint32_t shape = 0;
    for (const auto& [number, workload] : waiting_) {
      const Directory::Entry entry = definitions_->directory.enter(*workload);
      if (!entry.stands) continue;
      Window& window = windows[definitions_->position(*entry.queue)];
      window.queue = definitions_->position(*entry.queue);
      window.items.push_back({number, workload, shape++, {}});
    }
    std::vector<Window> sorted;
    for (auto& [queue, window] : windows) {
      std::stable_sort(window.items.begin(), window.items.end(),
                       [](const WindowItem& a, const WindowItem& b) {
                         return plans_before(*a.workload, *b.workload);
                       });
      sorted.push_back(std::move(window));
    }
    return sorted;
  }

  std::shared_ptr<const Definitions> definitions_;
  PlannerState planner_;
  CycleNumber cycle_ = 0;
  std::uint64_t solves_ = 0;
  std::map<std::size_t, std::shared_ptr<const Workload>> waiting_, live_;
};

enum class Kinds {
  kAll,
  kMonotone,  // one pod set, one group of resources, no partial admission
};

/// Nodes of two kinds in six racks; up to three flavors, of one kind each or of all; up to four
/// queues, in cohorts or below a KAI Queue.
class RandomCluster {
 public:
  RandomCluster(Dice& dice, Kinds kinds) : dice_(dice), kinds_(kinds) {
    const auto hosts = dice.between(4, 12);
    std::string text;
    for (std::int64_t h = 0; h < hosts; ++h) {
      text += " b" + std::to_string(h % 6 / 3) + "/r" + std::to_string(h % 6) + "/h" +
              std::to_string(h) + ":" + std::to_string(dice.between(1, 8));
    }
    builder_.hosts(text);
    for (std::int64_t h = 0; h < hosts; ++h) {
      topology::NodeRecord& node = builder_.node("h" + std::to_string(h));
      node.labels.set(Symbol("kind"), Symbol(dice.percent(50) ? "x" : "y"));
      node.unschedulable = dice.percent(5);
    }
    std::vector<std::string> flavors = {"all", "x", "y"};
    flavors.resize(static_cast<std::size_t>(dice.between(1, 3)));
    for (const std::string& flavor : flavors) {
      builder_.flavor(flavor);
      if (flavor == "all") continue;
      builder_.flavor_record(flavor).node_labels.emplace_back(Symbol("kind"), Symbol(flavor));
    }
    queues_ = dice.between(1, 4);
    is_kai_ = dice.percent(15);
    if (is_kai_) builder_.kai_queue("top", dice.between(8, 40));
    for (std::int64_t q = 0; q < queues_; ++q) {
      if (is_kai_) {
        builder_.kai_queue("q" + std::to_string(q), dice.between(2, 24), "top");
      } else {
        add_queue(q, flavors);
      }
    }
    for (int s = 0; s < 5; ++s) shapes_.push_back(shape());
  }

  std::shared_ptr<const Workload> workload(std::size_t number) {
    auto workload = std::make_shared<Workload>();
    workload->namespace_name = "ns";
    workload->name = workload->uid = "w" + std::to_string(number);
    workload->origin = {"batch/v1", "Job", workload->name, workload->uid};
    workload->queue = "q" + std::to_string(dice_.below(queues_));
    workload->queue_is_kai = is_kai_;
    workload->created = static_cast<std::int64_t>(number) / 3;
    workload->priority = dice_.percent(20) ? 1 : 0;
    workload->gang.pod_sets =
        shapes_[static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(shapes_.size())))];
    for (const solver::PodSet& pod_set : workload->gang.pod_sets) {
      workload->quota_requests.push_back(pod_set.request);
    }
    return workload;
  }

  Inventory build() const { return builder_.build(); }

 private:
  void add_queue(std::int64_t q, std::vector<std::string> flavors) {
    if (dice_.percent(30)) std::reverse(flavors.begin(), flavors.end());
    if (dice_.percent(20)) flavors.resize(1);
    const std::string cohort = dice_.percent(70) ? "c" + std::to_string(dice_.below(2)) : "";
    ClusterQueueRecord& queue =
        builder_.queue("q" + std::to_string(q), flavors, dice_.between(2, 24), cohort);
    if (dice_.percent(40)) queue.strategy = QueueStrategy::kStrictFifo;
    queue.borrow_tries_next_flavor = dice_.percent(30);
    for (FlavorQuotas& quotas : queue.groups[0].flavors) {
      ResourceQuota& gpus = quotas.resources[1];
      gpus.nominal = dice_.between(2, 24);
      if (!cohort.empty() && dice_.percent(30)) gpus.borrowing_limit = dice_.between(0, 8);
      if (!cohort.empty() && dice_.percent(30)) gpus.lending_limit = dice_.between(0, 8);
    }
    if (kinds_ == Kinds::kAll && dice_.percent(15)) split_groups(queue);
  }

  /// cpu is a group of its own.
  static void split_groups(ClusterQueueRecord& queue) {
    ResourceGroup cpus{{topology::cpu_resource()}, {}};
    queue.groups[0].covered = {topology::gpu_resource()};
    for (FlavorQuotas& quotas : queue.groups[0].flavors) {
      cpus.flavors.push_back({quotas.flavor, {quotas.resources[0]}});
      quotas.resources.erase(quotas.resources.begin());
    }
    queue.groups.push_back(std::move(cpus));
  }

  std::vector<solver::PodSet> shape() {
    std::vector<solver::PodSet> pod_sets = {pod_set("one")};
    if (kinds_ == Kinds::kAll && dice_.percent(30)) pod_sets.push_back(pod_set("two"));
    return pod_sets;
  }

  solver::PodSet pod_set(const char* name) {
    const char* const levels[] = {test::kBlock, test::kRack, test::kHost};
    const char* const level = levels[dice_.below(3)];
    solver::PodSet pod_set = test::pods(name, dice_.between(1, 6), dice_.between(1, 4));
    switch (dice_.below(4)) {
      case 0:
        pod_set = test::preferred(pod_set, level);
        break;
      case 1:
        pod_set.topology.unconstrained = true;
        break;
      default:
        pod_set = test::required(pod_set, level);
    }
    if (dice_.percent(15)) pod_set.filter.node_selector.emplace_back(Symbol("kind"), Symbol("x"));
    if (kinds_ == Kinds::kAll && dice_.percent(15)) pod_set.min_count = 1;
    return pod_set;
  }

  Dice& dice_;
  Kinds kinds_;
  ClusterBuilder builder_;
  std::int64_t queues_ = 0;
  bool is_kai_ = false;
  std::vector<std::vector<solver::PodSet>> shapes_;
};

/// Arrivals, ends and evictions; who lives is told by take().
class Trace {
 public:
  Trace(Dice& dice, RandomCluster& cluster) : dice_(dice), cluster_(cluster) {}

  std::vector<Input> instant(std::int64_t most_arrivals, int percent_ends) {
    std::vector<Input> inputs;
    const std::set<std::size_t> live = live_;
    for (const std::size_t number : live) {
      if (!dice_.percent(percent_ends)) continue;
      live_.erase(number);
      if (dice_.percent(20)) {
        inputs.emplace_back(Evict{number, INT64_MIN});
        waiting_.insert(number);
      } else {
        inputs.emplace_back(Finish{number});
        ++ends_;
      }
    }
    if (!waiting_.empty() && dice_.percent(15)) {
      const auto at =
          std::next(waiting_.begin(), dice_.below(static_cast<std::int64_t>(waiting_.size())));
      inputs.emplace_back(Finish{*at});
      waiting_.erase(at);
    }
    for (std::int64_t i = dice_.between(0, most_arrivals); i > 0; --i) {
      inputs.emplace_back(Submit{next_, cluster_.workload(next_)});
      waiting_.insert(next_++);
    }
    return inputs;
  }

  void take(const std::vector<Admitted>& admitted) {
    for (const Admitted& each : admitted) {
      waiting_.erase(each.number);
      live_.insert(each.number);
    }
  }

  std::size_t ends() const { return ends_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  Dice& dice_;
  RandomCluster& cluster_;
  std::set<std::size_t> waiting_, live_;
  std::size_t next_ = 0, ends_ = 0;
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
  RandomCluster cluster(dice, kinds);
  const Inventory inventory = cluster.build();
  const auto definitions = std::make_shared<const Definitions>(inventory);
  LocalEngine engine(definitions, {}, limits);
  RetryOracle oracle(definitions, {});
  Trace trace(dice, cluster);
  for (int i = 0; i < kInstants; ++i) {
    const std::vector<Input> inputs = trace.instant(5, 25);
    engine.submit(inputs);
    std::vector<Admitted> admitted;
    for (const auto& record : engine.settle()) {
      admitted.insert(admitted.end(), record->admitted.begin(), record->admitted.end());
    }
    ASSERT_EQ(text_of(admitted), text_of(oracle.run(inputs)))
        << "seed " << seed << ", instant " << i;
    trace.take(admitted);
    figures.admitted += admitted.size();
  }
  figures.ends += trace.ends();
  figures.solves += engine.counters().solves;
  figures.oracle_solves += oracle.solves();
}

TEST(RetryOracle, AdmitsNothingThatTheEngineDoesNotAdmit) {
  CycleLimits limits;
  limits.batch = 10'000;  // where a batch ends, a cycle ends: those who hope may go first again
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
    return Submit{next++, std::move(workload)};
  };
  Figures figures;
  std::vector<std::size_t> live;
  const auto run = [&](const std::vector<Input>& inputs) {
    engine.submit(inputs);
    std::vector<Admitted> admitted;
    for (const auto& record : engine.settle()) {
      admitted.insert(admitted.end(), record->admitted.begin(), record->admitted.end());
    }
    EXPECT_EQ(text_of(admitted), text_of(oracle.run(inputs)));
    for (const Admitted& each : admitted) live.push_back(each.number);
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
