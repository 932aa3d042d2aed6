// SPDX-License-Identifier: Apache-2.0
// Nothing grows with the number of gangs that came and went: every table of the engine is as large
// after thousands of them as after some hundred, and empty when the last one has ended. The table
// of symbols, which never shrinks, gets no text that they ask of nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "actors/catalogue/catalogue.h"
#include "actors/engine/local_engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::kRack;

constexpr std::int64_t kOneSecond = 1'000'000'000;
constexpr std::size_t kTogether = 12;  // gangs that are known at once
constexpr std::size_t kEvents = 50;    // of the catalogue

struct BoundedCase {
  const char* name;
  config::Rounds rounds = config::Rounds::kSequential;
  std::int64_t max_steps = config::Profile().search_max_steps;
  std::int64_t step_time = 0;

  friend std::ostream& operator<<(std::ostream& out, const BoundedCase& each) {
    return out << each.name;
  }
};

const BoundedCase kCases[] = {
    {"Sequential"},
    {"KueueRounds", config::Rounds::kKueue},
    {"BackgroundSearches", config::Rounds::kSequential, 2},
    {"BackgroundSearchesInVirtualTime", config::Rounds::kSequential, 2, 4'000'000},
};

/// Asks nodes for texts that no other gang asks for, and that no node has.
void ask_of_nodes(std::size_t number, topology::NodeFilter& filter) {
  using topology::AskedText;
  const std::string own = "of gang " + std::to_string(number);
  const topology::LabelRequirement not_here{
      AskedText("job " + own), topology::LabelOperator::kNotIn, {AskedText(own)}};
  filter.tolerations.emplace_back().key = AskedText("dedicated " + own);
  filter.tolerations.back().value = AskedText(own);
  filter.required = {{{not_here}, {}}};
  filter.preferred = {{1, {{not_here}, {}}}};
  if (number % 9 == 0) filter.node_selector.emplace_back(AskedText("only " + own), AskedText(own));
}

/// Gangs come one after the other, each with a name and a request of its own, and end in every way
/// that there is.
class Process {
 public:
  explicit Process(const BoundedCase& of) : catalogue_(kEvents) {
    ClusterBuilder builder;
    builder.hosts("b1/r1/a:4 b1/r1/b:4 b1/r2/c:4 b1/r2/d:4 b2/r3/e:4 b2/r3/f:4");
    builder.flavor("f");
    builder.queue("q", {"f"}, 24);
    builder.queue("small", {"f"}, 2);
    EngineOptions options;
    options.profile.rounds = of.rounds;
    options.profile.search_max_steps = of.max_steps;
    options.live = options.defers = true;
    CycleLimits limits;
    limits.step_time = of.step_time;
    limits.pods_ready.emplace();
    limits.pods_ready->timeout = 5 * kOneSecond;
    engine_ = std::make_unique<LocalEngine>(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(builder.build())),
        std::move(options), limits);
  }

  void run(std::size_t gangs) {
    for (const std::size_t end = number_ + gangs; number_ < end;) {
      ++number_;
      tell({Advance{static_cast<std::int64_t>(number_) * kOneSecond}, Submit{next()}});
      live_on();
    }
  }
  void end_all() {
    for (const GangId gang : known_) tell({Finish{gang}});
    known_.clear();
    tell({Advance{static_cast<std::int64_t>(number_ + 1'000) * kOneSecond}});
  }

  /// How many entries each table has.
  std::map<std::string, std::size_t> sizes() {
    const Cycle::Look look = engine_->cycle().look();
    std::map<std::string, std::size_t> out = {
        {"gangs", look.gangs.ids().size()},
        {"outside", look.outside.size()},
        {"searches", look.searches.awaited() + look.searches.running()},
        {"results held", look.searches.any_held() ? 1U : 0U},
        {"on their way", look.pipeline.on_their_way()},
        {"live", engine_->planner().worlds().live().size()},
        {"booked", engine_->planner().worlds().current().held().size()},
        {"decisions", engine_->take_placed().size()},
        {"deadlines", engine_->next_deadline() == INT64_MAX ? 0U : 1U},
    };
    for (const auto& queue : engine_->queues()) out["waiting"] += queue->size();
    for (const auto& shard : engine_->owners().shards) {
      out["holders of capacity"] += shard->holders().size();
    }
    for (const auto& [node, root] : engine_->owners().roots) {
      out["holders of quota"] += root->holders().size();
    }
    return out;
  }
  std::size_t in_catalogue() const { return catalogue_.size(); }
  EngineCounters counters() const { return engine_->counters(); }

 private:
  std::shared_ptr<const Workload> next() const {
    const auto odd = static_cast<std::int64_t>(number_ % 7);
    const bool too_large = odd == 6;
    solver::PodSet pods =
        test::required(test::pods("main", too_large ? 40 : 1 + odd % 3, 1), kRack);
    pods.request.set(topology::cpu_resource(), static_cast<std::int64_t>(1 + number_));
    ask_of_nodes(number_, pods.filter);
    const char* queue = odd == 5 ? "nowhere" : number_ % 5 == 0 ? "small" : "q";
    Workload workload =
        ClusterBuilder().workload("w" + std::to_string(number_), {std::move(pods)}, queue);
    workload.created = static_cast<std::int64_t>(number_);
    return std::make_shared<const Workload>(std::move(workload));
  }

  /// Something happens to one of the gangs, and the oldest ends.
  void live_on() {
    const GangId gang = known_[number_ % known_.size()];
    const std::int64_t later = static_cast<std::int64_t>(number_ + 3) * kOneSecond;
    switch (number_ % 6) {
      case 0:
        tell({Started{gang}});
        break;
      case 1:
        tell({Evict{gang, later, false}});
        break;
      case 2:
        tell({Evict{gang, later, true}});
        tell({PodsGone{gang}});
        break;
      case 3:
        tell({Suspend{gang}});
        break;
      case 4:
        tell({Resume{gang}});
        break;
      default:
        break;
    }
    if (known_.size() < kTogether) return;
    tell({Finish{known_.front()}});
    known_.erase(known_.begin());
  }

  void tell(std::vector<Input> inputs) {
    engine_->submit(std::move(inputs));
    for (const auto& record : engine_->settle()) {
      for (const Submitted& each : record->submitted()) known_.push_back(each.gang);
      catalogue_.take(*record);
    }
  }

  std::unique_ptr<LocalEngine> engine_;
  Catalogue catalogue_;
  std::vector<GangId> known_;
  std::size_t number_ = 0;
};

class BoundedMemory : public testing::TestWithParam<BoundedCase> {};

/// The most that each table has in the next 100 gangs.
std::map<std::string, std::size_t> most(Process& process) {
  std::map<std::string, std::size_t> out;
  for (int i = 0; i < 100; ++i) {
    process.run(1);
    for (const auto& [table, size] : process.sizes()) out[table] = std::max(out[table], size);
  }
  return out;
}

TEST_P(BoundedMemory, NoTableKeepsGangsThatEnded) {
  Process process(GetParam());
  process.run(100);
  const std::size_t symbols = topology::Symbol::count();
  for (const std::size_t gangs : {200U, 2'000U, 2'000U}) {
    process.run(gangs);
    for (const auto& [table, size] : most(process)) EXPECT_LE(size, kTogether + 1) << table;
    EXPECT_LE(process.in_catalogue(), kTogether + kEvents);
  }
  EXPECT_GT(process.counters().admitted, 1'000U);
  EXPECT_EQ(process.counters().deferred > 1'000U, GetParam().max_steps < 100)
      << process.counters().deferred;
  process.end_all();
  for (const auto& [table, size] : process.sizes()) EXPECT_EQ(size, 0U) << table;
  EXPECT_LE(process.in_catalogue(), kEvents);
  EXPECT_EQ(topology::Symbol::count(), symbols);
}
INSTANTIATE_TEST_SUITE_P(Cases, BoundedMemory, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace tessera::core
