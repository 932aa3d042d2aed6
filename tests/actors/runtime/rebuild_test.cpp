// SPDX-License-Identifier: Apache-2.0
// What the records of an engine are good for (design.md 2.2): recovery applies them without solving
// and ends in the same state; replay takes their inputs alone and decides the same again.
#include <gtest/gtest.h>

#include <regex>

#include "actors/catalogue/catalogue.h"
#include "actors/engine/engine_hashes.h"
#include "actors/records/held_at_start.h"
#include "actors/records/text/record_text.h"
#include "tests/support/engine_script.h"
#include "tests/support/engine_text.h"
#include "tests/support/engine_worlds.h"
#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using Records = std::vector<std::shared_ptr<const CycleRecord>>;

constexpr std::uint64_t kSeeds = 300;

struct RebuildCase {
  const char* name;
  config::Rounds rounds = config::Rounds::kSequential;
  CycleLimits limits = {};
  std::int64_t max_steps = config::Profile().search_max_steps;

  friend std::ostream& operator<<(std::ostream& out, const RebuildCase& each) {
    return out << each.name;
  }
};

CycleLimits small_cycles() {
  CycleLimits limits;
  limits.inputs = 3;
  limits.batch = 2;
  return limits;
}

CycleLimits virtual_time() {
  CycleLimits limits;
  limits.step_time = 400'000'000;
  return limits;
}

CycleLimits impatient() {
  CycleLimits limits;
  limits.pods_ready.emplace();
  limits.pods_ready->timeout = 7'000'000'000;
  limits.pods_ready->backoff_limit_count = 1;
  return limits;
}

const RebuildCase kCases[] = {
    {"Sequential"},
    {"SmallCycles", config::Rounds::kSequential, small_cycles()},
    {"KueueRounds", config::Rounds::kKueue},
    {"PodsReadyInTime", config::Rounds::kSequential, impatient()},
    {"BackgroundSearches", config::Rounds::kSequential, {}, 12},
    {"BackgroundSearchesInVirtualTime", config::Rounds::kSequential, virtual_time(), 12},
};

class Rebuild : public testing::TestWithParam<RebuildCase> {
 protected:
  std::unique_ptr<LocalEngine> engine(const test::EngineScript& script) const {
    EngineOptions options;
    options.profile.rounds = GetParam().rounds;
    options.profile.search_max_steps = GetParam().max_steps;
    options.live = options.defers = true;
    return std::make_unique<LocalEngine>(std::make_shared<const Definitions>(script.inventory),
                                         std::move(options), GetParam().limits);
  }
};

INSTANTIATE_TEST_SUITE_P(Cases, Rebuild, testing::ValuesIn(kCases),
                         [](const auto& each) { return each.param.name; });

/// The instants of a script with gang trees in place of most gangs: each needs fewer pods than it
/// wants.
std::string with_trees(const std::string& instants, std::uint64_t seed) {
  static const std::regex kPodSet("([:,])([0-9]+)x");
  test::Dice dice(seed);
  std::string out;
  std::string::const_iterator from = instants.begin();
  for (std::sregex_iterator at(instants.begin(), instants.end(), kPodSet), end; at != end; ++at) {
    out.append(from, (*at)[0].first);
    const std::string most = (*at)[2].str();
    const std::string least = std::to_string(dice.between(0, std::stoll(most)));
    out += (*at)[1].str() + (dice.percent(80) ? least + "-" : "") + most + "x";
    from = (*at)[0].second;
  }
  return out.append(from, instants.end());
}

/// Scripts of many seeds, and the worlds of several flavors whose nodes and queues change.
std::vector<test::EngineScript> scripts() {
  std::vector<test::EngineScript> scripts;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const test::EngineText text = test::random_engine_text(seed);
    const std::string instants = seed % 3 == 0 ? with_trees(text.instants, seed) : text.instants;
    scripts.push_back(test::engine_script(text.hosts, text.queues, instants));
  }
  for (const test::InterleavingCase& world : test::engine_worlds()) {
    scripts.push_back(test::engine_script(world.hosts, world.queues, world.instants));
  }
  return scripts;
}

/// What the scripts are about is in the records: else equal states prove little.
std::size_t search_results(const Records& records) {
  std::size_t count = 0;
  for (const auto& record : records) {
    for (const Input& input : record->inputs) count += std::holds_alternative<SearchEnded>(input);
  }
  return count;
}

std::size_t growths(const Records& records) {
  std::size_t count = 0;
  for (const auto& record : records) {
    for (const Admitted& admitted : record->admitted) count += admitted.grows ? 1 : 0;
  }
  return count;
}

/// What clients are told by an engine that handed out these records.
std::uint64_t catalogue_hash(const test::EngineScript& script, const Records& records) {
  constexpr std::size_t kEvents = 40;  // some scripts have more
  Catalogue catalogue(kEvents);
  const auto state = std::make_shared<const Inventory>(script.inventory);
  for (const HeldAtStart& held : held_at_start(state)) catalogue.adopt(held.admitted);
  for (const auto& record : records) catalogue.take(*record);
  return catalogue.hash();
}

/// The records as a journal gives them back.
Records read_again(const Records& records) {
  Records out;
  for (const auto& record : records) {
    std::string text;
    append_text(*record, text);
    out.push_back(std::make_shared<const CycleRecord>(read_record(text).value()));
  }
  return out;
}

TEST_P(Rebuild, RecordsAloneLeadToTheSameState) {
  std::size_t n = 0, searched = 0, admitted = 0, grown = 0;
  for (const test::EngineScript& script : scripts()) {
    SCOPED_TRACE("script " + std::to_string(n++));
    const auto live = engine(script);
    const Records records = test::records_of(*live, script);
    const auto rebuilt = engine(script);
    const Records read = read_again(records);
    rebuilt->recover(read);
    ASSERT_EQ(rebuilt->counters().solves, 0u);
    searched += search_results(records);
    grown += growths(records);
    admitted += live->counters().admitted;
    const EngineHashes now = hashes_of(*rebuilt), then = hashes_of(*live);
    ASSERT_EQ(now.shards, then.shards);
    ASSERT_EQ(now.roots, then.roots);
    ASSERT_EQ(now.queues, then.queues);
    ASSERT_EQ(now.gangs, then.gangs);
    ASSERT_EQ(catalogue_hash(script, read), catalogue_hash(script, records));
  }
  EXPECT_GT(admitted, 5 * kSeeds);
  EXPECT_EQ(grown > kSeeds, GetParam().rounds == config::Rounds::kSequential) << grown;
  EXPECT_EQ(searched > kSeeds, GetParam().max_steps < 100) << searched;
}

TEST_P(Rebuild, InputsAloneLeadToTheSameDecisions) {
  std::size_t n = 0;
  for (const test::EngineScript& script : scripts()) {
    SCOPED_TRACE("script " + std::to_string(n++));
    const Records records = test::records_of(*engine(script), script);
    const auto again = engine(script);
    again->replay(records);
    const Records decided = again->settle();
    ASSERT_EQ(decided.size(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      std::string then, now;
      append_decisions_text(*records[i], then);
      append_decisions_text(*decided[i], now);
      ASSERT_EQ(now, then);
    }
  }
}

}  // namespace
}  // namespace tessera::core
