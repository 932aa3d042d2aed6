// SPDX-License-Identifier: Apache-2.0
#include "actors/quota/root_state.h"

#include <gtest/gtest.h>

#include <memory>
#include <ostream>

#include "actors/capacity/state_hash.h"
#include "actors/quota/quota_hash.h"
#include "actors/records/broken_invariant.h"
#include "tests/support/owner_script.h"
#include "tests/support/quota_forest.h"

namespace tessera::core {
namespace {

using test::quota_column;
using test::quota_node;
using test::QuotaForest;
using test::QuotaNodeSpec;
using test::QuotaSpec;

// Example E4 of queues.md 5.1, and a queue T that is a tree of its own.
QuotaForest example_four() {
  const auto both = [](std::int64_t nominal, std::optional<std::int64_t> borrow,
                       std::optional<std::int64_t> lend, QuotaNodeSpec node) {
    for (QuotaSpec& quota : node.quotas) quota = {nominal, borrow, lend};
    return node;
  };
  return {{both(4, {}, {}, {"R", "", false, {}}), both(2, 3, 1, {"C", "R", false, {}}),
           both(3, {}, 2, {"P", "C", true, {}}), both(5, {}, {}, {"Q", "R", true, {}}),
           both(7, {}, {}, {"T", "", true, {}})}};
}

RootStep root_step(const test::OwnerCommand& command, const Ledger& ledger) {
  RootStep step;
  step.cycle = command.cycle;
  for (const char workload : command.released) {
    step.released.push_back(GangId{static_cast<std::uint64_t>(workload)});
  }
  BatchItems items;
  for (const auto& item : command.items) {
    const auto at = static_cast<std::uint32_t>(items.gangs.size());
    items.gangs.push_back(GangId{static_cast<std::uint64_t>(item.workload)});
    for (const auto& [letter, amount] : item.parts) {
      step.reserve.push_back(
          {at, quota_node(ledger, std::string(1, letter)), quota_column(ledger, 0), amount});
    }
  }
  step.items = std::make_shared<BatchItems>(std::move(items));
  return step;
}

/// Replies, and usage of queues and cohorts.
std::string run(const std::string& script) {
  const Ledger ledger = example_four().ledger();
  RootState root(quota_node(ledger, "R"), ledger);
  std::string text;
  for (const test::OwnerCommand& command : test::owner_script(script)) {
    if (command.verb == "step") {
      text += test::reply_text(command, root.step(root_step(command, ledger)).accepted) + " ";
    }
    if (command.verb == "settle") root.settle(command.cycle, command.from);
    if (command.verb == "commit") root.commit(command.cycle);
    if (command.verb == "abort") root.abort(command.cycle);
  }
  text += "|";
  for (const char* name : {"P", "Q", "C", "R"}) {
    const std::int64_t usage =
        root.ledger().usage(root.own(quota_node(ledger, name)), quota_column(ledger, 0));
    text += std::string(" ") + name + std::to_string(usage);
  }
  return text;
}

struct RootCase {
  const char* name;
  const char* script;
  const char* expected;
};
void PrintTo(const RootCase& c, std::ostream* out) { *out << c.name; }

const RootCase kRootCases[] = {
    {"use bubbles up above what is local (E5)", "step 1 x=P6", "all | P6 Q0 C5 R2"},
    {"more than is available is refused", "step 1 x=P6 y=P3", "y | P6 Q0 C5 R2"},
    {"an item gets all it asks for or nothing", "step 1 x=Q2 y=Q2P9", "y | P0 Q2 C0 R2"},
    {"amounts of one item count together", "step 1 x=P6P3", "x | P0 Q0 C0 R0"},
    {"giving back empties the top first (E6)", "step 1 x=P3; step 2 y=P3; commit 2; step 3 -x",
     "all all all | P3 Q0 C2 R0"},
    {"the order of giving back does not matter", "step 1 x=P3 y=P3 z=Q8; step 2 -x; step 3 -z",
     "all all all | P3 Q0 C2 R0"},
    {"a release frees what another queue may have", "step 1 x=Q10 y=P5; settle 1 1; step 2 -x y=P8",
     "y all | P8 Q0 C7 R4"},
    {"a step that comes twice counts once", "step 1 x=P2; step 1 x=P2", "all all | P2 Q0 C1 R0"},
    {"settle gives back from an item on", "step 1 x=P2 y=P1; settle 1 1; settle 1 1",
     "all | P2 Q0 C1 R0"},
    {"abort takes all cycles from its own", "step 1 x=P2; step 2 y=P4; step 3 z=Q1; abort 2",
     "all all all | P2 Q0 C1 R0"},
    {"abort leaves what is committed", "step 1 x=P2; commit 1; abort 1", "all | P2 Q0 C1 R0"},
    {"an aborted cycle does not come again", "step 1 x=P2; abort 1; step 1 x=P2",
     "all all | P0 Q0 C0 R0"},
};

class RootRules : public testing::TestWithParam<RootCase> {};
TEST_P(RootRules, Hold) { EXPECT_EQ(run(GetParam().script), GetParam().expected); }
INSTANTIATE_TEST_SUITE_P(Cases, RootRules, testing::ValuesIn(kRootCases));

TEST(RootState, AQueueOfAnotherTreeIsABrokenInvariant) {
  const Ledger ledger = example_four().ledger();
  RootState root(quota_node(ledger, "R"), ledger);
  EXPECT_THROW(root.adopt(GangId{1}, quota_node(ledger, "T"), quota_column(ledger, 0), 1),
               BrokenInvariant);
}

TEST(RootState, AHashThatDiffersIsABrokenInvariant) {
  const Ledger ledger = example_four().ledger();
  RootState root(quota_node(ledger, "T"), ledger);
  root.adopt(GangId{1}, quota_node(ledger, "T"), quota_column(ledger, 0), 1);
  RootStep step;
  step.cycle = 1;
  step.hash = quota_hash(quota_node(ledger, "T"), quota_column(ledger, 0), 1);
  EXPECT_NO_THROW(root.step(step));
  step.cycle = 2;
  step.hash = *step.hash + 1;
  EXPECT_THROW(root.step(step), BrokenInvariant);
}

}  // namespace
}  // namespace tessera::core
