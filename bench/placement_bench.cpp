// SPDX-License-Identifier: Apache-2.0
// Times decisions with the index on, 16 live keys, 85 % of the cluster used by gangs of the timed
// shapes, in one thread. The plain search on the same clusters is the base line.
//
// A timed decision is the whole of it: key lookup, search, descent, booking (the undo record), and
// the deltas to all live keys, or, for kLagging, to the key of the request. BM_CannotFit times
// place_gang() alone: a refusal books nothing, and its text is rendered elsewhere.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bench/cache_flush.h"
#include "bench/rows.h"
#include "bench/world.h"

namespace tessera::bench {
namespace {

using Shape = WorldSpec::Shape;

constexpr std::int64_t kUsedPercent = 85;
constexpr int kWarmUp = 10, kPlainTimings = 50, kBalancedTimings = 200;
constexpr Traffic kAllTraffic[] = {Traffic::kHot, Traffic::kRandom, Traffic::kFlushed};

bool flushes(Traffic traffic) {
  return traffic == Traffic::kFlushed || traffic == Traffic::kLagging;
}

int timings_of(std::uint32_t nodes, Traffic traffic) {
  if (!flushes(traffic)) return 2'000;
  return nodes >= 1'000'000 ? 50 : 200;
}

/// How many of `running` gangs of a shape end before the first of them is replaced.
std::size_t batch_of(std::size_t running) { return std::clamp<std::size_t>(running / 16, 1, 32); }

/// Times decisions on `what`. Each takes the place of a gang that was running as `order`.
void decide(benchmark::State& state, World& world, std::size_t order, const Order& what,
            Traffic traffic, solver::Index* live) {
  std::vector<solver::Booking>& running = world.running(order);
  const std::size_t before = running.size(), batch = batch_of(before);
  if (traffic == Traffic::kHot) world.end_any(order);
  for (int i = 0; i < kWarmUp; ++i) {
    if (const auto booking = world.decide(what, live)) world.end(*booking, live);
  }
  std::optional<CacheFlush> caches;
  if (flushes(traffic)) caches.emplace();
  world.let_keys_follow(traffic != Traffic::kLagging);
  std::size_t next_end = 0;  // decisions until gangs end again
  std::int64_t placed = 0;
  Timings timings(state);
  for (auto _ : state) {
    if (traffic != Traffic::kHot && next_end-- == 0) {
      while (running.size() + batch > before) world.end_any(order);
      next_end = batch - 1;
    }
    if (caches) caches->flush();
    std::optional<solver::Booking> booking;
    timings.time([&] { booking = world.decide(what, live); });
    if (!booking) continue;
    ++placed;
    if (traffic == Traffic::kHot) {
      world.end(*booking, live);
    } else {
      running.push_back(std::move(*booking));
    }
  }
  timings.report();
  state.counters["used_share"] = world.used_share();
  state.counters["placed_share"] =
      static_cast<double>(placed) / static_cast<double>(state.iterations());
  world.let_keys_follow(true);
  world.settle();
  for (bool fits = true; fits && running.size() < before;) fits = world.start(order);
}

/// Times decisions with an index that is empty each time, so that all nodes are counted.
void decide_cold(benchmark::State& state, World& world, std::size_t order, const Order& what) {
  world.end_any(order);
  std::int64_t placed = 0;
  Timings timings(state);
  for (auto _ : state) {
    solver::Index empty({.max_keys = 32, .max_age_cycles = 10'000, .threads = 1});
    std::optional<solver::Booking> booking;
    timings.time([&] { booking = world.decide(what, &empty); });
    if (!booking) continue;
    ++placed;
    world.end(*booking, nullptr);
  }
  timings.report();
  state.counters["placed_share"] =
      static_cast<double>(placed) / static_cast<double>(state.iterations());
  world.settle();
  world.start(order);
}

/// Times refusals. Between two of them a small gang ends and another starts, untimed.
void refuse(benchmark::State& state, World& world, const Order& what, bool flushed,
            solver::Index* live) {
  std::optional<CacheFlush> caches;
  if (flushed) caches.emplace();
  std::int64_t refused = 0;
  const auto decide_it = [&] {
    return place_gang(what.gang, what.counts, what.targets, *world.cluster().capacity,
                      topology::Basis::kFree, {}, live);
  };
  decide_it();  // makes its key live
  Timings timings(state);
  for (auto _ : state) {
    world.end_any(kOneRack);
    world.start(kOneRack);
    if (caches) caches->flush();
    std::optional<solver::Answer> answer;
    timings.time([&] { answer = decide_it(); });
    if (std::holds_alternative<solver::Refusal>(*answer)) ++refused;
  }
  timings.report();
  state.counters["refused_share"] =
      static_cast<double>(refused) / static_cast<double>(state.iterations());
}

void add_decisions(const std::string& name, const WorldSpec& spec, std::size_t order) {
  const auto add = [&](Traffic traffic) {
    add_row(name, spec.nodes, text(traffic), timings_of(spec.nodes, traffic),
            [=](benchmark::State& state) {
              World& world = World::shared(spec);
              decide(state, world, order, world.orders()[order], traffic, &world.index());
            });
  };
  for (const Traffic traffic : kAllTraffic) add(traffic);
  add(Traffic::kLagging);
}

void add_plain(const std::string& name, const WorldSpec& spec, std::size_t order) {
  add_row(name, spec.nodes, "plain", kPlainTimings, [=](benchmark::State& state) {
    World& world = World::shared(spec);
    decide(state, world, order, world.orders()[order], Traffic::kHot, nullptr);
  });
}

void add_refusals(const WorldSpec& spec) {
  for (const bool flushed : {false, true}) {
    const Traffic traffic = flushed ? Traffic::kFlushed : Traffic::kRandom;
    const int timings = timings_of(spec.nodes, traffic);
    add_row("BM_CannotFitRack", spec.nodes, text(traffic), timings, [=](benchmark::State& state) {
      World& world = World::shared(spec);
      refuse(state, world, world.orders()[kWholeRack], flushed, &world.index());
    });
    add_row("BM_CannotFitBlock", spec.nodes, text(traffic), timings, [=](benchmark::State& state) {
      World& world = World::shared(spec);
      // Nine slices of 16; each of the eight racks of a block has room for one.
      refuse(state, world, order(sliced_gang(9 * 16, true), *world.cluster().view), flushed,
             &world.index());
    });
  }
}

/// The shape of Kueue's own benchmark, and the same with a leader.
void add_preferred(std::uint32_t nodes) {
  const WorldSpec spec{Shape::kKueue, nodes, kUsedPercent};
  add_decisions("BM_PreferredRack", spec, kPreferredRack);
  for (const Traffic traffic : kAllTraffic) {
    add_row("BM_PreferredRackLed", nodes, text(traffic), timings_of(nodes, traffic),
            [=](benchmark::State& state) {
              World& world = World::shared(spec);
              const Order led = order(led_gang(), *world.cluster().view);
              decide(state, world, kPreferredRack, led, traffic, &world.index());
            });
  }
  add_plain("BM_PreferredRack", spec, kPreferredRack);
}

/// The same two gangs spread evenly: the choice that Kueue's own benchmark makes.
void add_balanced(std::uint32_t nodes) {
  const WorldSpec spec{Shape::kKueue, nodes, kUsedPercent};
  for (const bool led : {false, true}) {
    const std::string name = led ? "BM_BalancedRackLed" : "BM_BalancedRack";
    const auto what = [led](World& world) {
      return balanced(order(whole_block_gang(led), *world.cluster().view));
    };
    for (const Traffic traffic : kAllTraffic) {
      add_row(name, nodes, text(traffic), kBalancedTimings, [=](benchmark::State& state) {
        World& world = World::shared(spec);
        decide(state, world, kPreferredRack, what(world), traffic, &world.index());
      });
    }
    add_row(name, nodes, "cold", kBalancedTimings, [=](benchmark::State& state) {
      World& world = World::shared(spec);
      decide_cold(state, world, kPreferredRack, what(world));
    });
  }
}

/// One gang that takes `share_percent` of all nodes, while other gangs use `used_percent`. It ends
/// and comes again.
void add_hero(std::uint32_t nodes, std::int64_t used_percent, std::int64_t share_percent) {
  const std::string name = "BM_Hero" + std::to_string(share_percent);
  const WorldSpec spec{Shape::kNvl, nodes, used_percent};
  const std::int64_t slices = (nodes * share_percent / 100 + 15) / 16;
  for (const int threads : {1, 2}) {
    add_row(name, nodes, threads == 1 ? "1 thread" : "2 threads", 50, [=](benchmark::State& state) {
      World& world = World::shared(spec);
      solver::Index index({.max_keys = 32, .max_age_cycles = 10'000, .threads = threads});
      world.make_live(index);
      const Order hero = order(sliced_gang(slices * 16, false), *world.cluster().view);
      decide(state, world, kSlicedBlock, hero, Traffic::kHot, &index);
      state.counters["threads_seen"] = index.threads_seen();
    });
  }
}

}  // namespace

void add_placement_rows(std::uint32_t nodes) {
  const WorldSpec spec{Shape::kNvl, nodes, kUsedPercent};
  add_decisions("BM_SlicedBlock", spec, kSlicedBlock);
  add_decisions("BM_OneRack", spec, kOneRack);
  add_refusals(spec);
  if (nodes == 10'000 || nodes == 100'000) {
    add_plain("BM_SlicedBlock", spec, kSlicedBlock);
    add_plain("BM_OneRack", spec, kOneRack);
    add_row("BM_CannotFitRack", nodes, "plain", kPlainTimings, [=](benchmark::State& state) {
      World& world = World::shared(spec);
      refuse(state, world, world.orders()[kWholeRack], false, nullptr);
    });
  }
}

void add_other_worlds(std::uint32_t nodes) {
  if (nodes == 1'000) {
    add_preferred(2'500);
    add_balanced(2'500);
  }
  if (nodes != 100'000) return;
  add_preferred(nodes);
  add_balanced(nodes);
  add_hero(nodes, 60, 25);
  add_hero(nodes, 40, 50);
}

}  // namespace tessera::bench
