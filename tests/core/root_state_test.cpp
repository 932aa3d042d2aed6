// SPDX-License-Identifier: Apache-2.0
#include "actors/core/root_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <random>
#include <tuple>

#include "actors/core/broken_invariant.h"
#include "actors/core/state_hash.h"
#include "tests/support/owner_script.h"

namespace tessera::core {
namespace {

using topology::Symbol;

constexpr const char* kResources[] = {"cpu", "gpu"};

/// Quota of a node of the forest, as the formulas of queues.md 5 read it.
struct Quota {
  std::int64_t nominal = 0;
  std::optional<std::int64_t> borrow, lend;
};
struct NodeSpec {
  std::string name, parent;
  bool is_queue = false;
  Quota quotas[2];  // by resource
};
/// What somebody holds; cycle 0: committed.
struct QuotaUse {
  std::size_t workload;
  CycleNumber cycle;
  std::uint32_t item;
  std::string queue;
  int column;
  std::int64_t amount;
};

struct Forest {
  std::vector<NodeSpec> nodes;

  Ledger ledger() const {
    std::vector<ClusterQueueRecord> queues;
    std::vector<CohortRecord> cohorts;
    for (const NodeSpec& node : nodes) {
      ResourceGroup group;
      FlavorQuotas flavor{"f", {}};
      for (int column = 0; column < 2; ++column) {
        const Quota& quota = node.quotas[column];
        group.covered.emplace_back(kResources[column]);
        flavor.resources.push_back(
            {Symbol(kResources[column]), quota.nominal, quota.borrow, quota.lend});
      }
      group.flavors = {flavor};
      if (node.is_queue) {
        ClusterQueueRecord record;
        record.name = node.name;
        record.cohort = node.parent;
        record.groups = {group};
        queues.push_back(record);
      } else {
        CohortRecord record;
        record.name = node.name;
        record.parent = node.parent;
        record.groups = {group};
        cohorts.push_back(record);
      }
    }
    return Ledger(queues, cohorts);
  }

  const NodeSpec& node(const std::string& name) const {
    return *std::find_if(nodes.begin(), nodes.end(), [&](const auto& n) { return n.name == name; });
  }
  std::string root_of(const std::string& name) const {
    const NodeSpec& at = node(name);
    return at.parent.empty() ? name : root_of(at.parent);
  }
  std::int64_t subtree(const std::string& name, int column) const {
    std::int64_t sum = node(name).quotas[column].nominal;
    for (const NodeSpec& child : nodes) {
      if (child.parent != name) continue;
      sum += subtree(child.name, column) - local(child.name, column);
    }
    return sum;
  }
  std::int64_t local(const std::string& name, int column) const {
    const auto& lend = node(name).quotas[column].lend;
    return lend ? std::max<std::int64_t>(0, subtree(name, column) - *lend) : 0;
  }
  std::int64_t usage(const std::string& name, int column, const std::vector<QuotaUse>& uses) const {
    std::int64_t sum = 0;
    for (const QuotaUse& use : uses) {
      if (use.queue == name && use.column == column) sum += use.amount;
    }
    for (const NodeSpec& child : nodes) {
      if (child.parent == name) {
        sum +=
            std::max<std::int64_t>(0, usage(child.name, column, uses) - local(child.name, column));
      }
    }
    return sum;
  }
  std::int64_t avail(const std::string& name, int column, const std::vector<QuotaUse>& uses) const {
    const NodeSpec& at = node(name);
    const std::int64_t used = usage(name, column, uses), here = local(name, column);
    if (at.parent.empty()) return subtree(name, column) - used;
    std::int64_t above = avail(at.parent, column, uses);
    if (const auto& borrow = at.quotas[column].borrow) {
      above = std::min(
          above, subtree(name, column) - here - std::max<std::int64_t>(0, used - here) + *borrow);
    }
    return std::max<std::int64_t>(0, here - used) + above;
  }
};

QuotaNode number(const Ledger& ledger, const std::string& name) {
  const auto queue = ledger.queue(name);
  return queue ? *queue : *ledger.cohort(name);
}
QuotaColumn column_of(const Ledger& ledger, int column) {
  return *ledger.column("f", Symbol(kResources[column]));
}

// Example E4 of queues.md 5.1, and a queue T that is a tree of its own.
Forest example_four() {
  const auto both = [](std::int64_t nominal, std::optional<std::int64_t> borrow,
                       std::optional<std::int64_t> lend, NodeSpec node) {
    for (Quota& quota : node.quotas) quota = {nominal, borrow, lend};
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
    step.released.push_back(static_cast<std::size_t>(workload));
  }
  BatchItems items;
  for (const auto& item : command.items) {
    const auto at = static_cast<std::uint32_t>(items.workloads.size());
    items.workloads.push_back(static_cast<std::size_t>(item.workload));
    for (const auto& [letter, amount] : item.parts) {
      step.reserve.push_back(
          {at, number(ledger, std::string(1, letter)), column_of(ledger, 0), amount});
    }
  }
  step.items = std::make_shared<BatchItems>(std::move(items));
  return step;
}

/// Replies, and usage of queues and cohorts.
std::string run(const std::string& script) {
  const Ledger ledger = example_four().ledger();
  RootState root(number(ledger, "R"), ledger);
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
        root.ledger().usage(root.own(number(ledger, name)), column_of(ledger, 0));
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
    {"a release frees what another queue may have", "step 1 x=Q10 y=P4; settle 1 1; step 2 -x y=P8",
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
  RootState root(number(ledger, "R"), ledger);
  EXPECT_THROW(root.adopt(1, number(ledger, "T"), column_of(ledger, 0), 1), BrokenInvariant);
}

TEST(RootState, AHashThatDiffersIsABrokenInvariant) {
  const Ledger ledger = example_four().ledger();
  RootState root(number(ledger, "T"), ledger);
  root.adopt(1, number(ledger, "T"), column_of(ledger, 0), 1);
  RootStep step;
  step.cycle = 1;
  step.hash = quota_hash(number(ledger, "T"), column_of(ledger, 0), 1);
  EXPECT_NO_THROW(root.step(step));
  step.cycle = 2;
  step.hash = *step.hash + 1;
  EXPECT_THROW(root.step(step), BrokenInvariant);
}

/// A random forest and stream of steps, and all that is held, as a plain list.
class RandomRun {
 public:
  explicit RandomRun(std::uint32_t seed) : random_(seed) {
    const int cohorts = pick(1, 5), queues = pick(2, 6);
    for (int i = 0; i < cohorts + queues; ++i) {
      NodeSpec node;
      node.is_queue = i >= cohorts;
      node.name = (node.is_queue ? "q" : "c") + std::to_string(i);
      const int above = node.is_queue ? cohorts : i;
      if (above > 0 && pick(0, 4) > 0) node.parent = "c" + std::to_string(pick(0, above - 1));
      for (Quota& quota : node.quotas) {
        quota.nominal = pick(0, 12);
        if (!node.parent.empty() && pick(0, 2) == 0) quota.borrow = pick(0, 6);
        if (!node.parent.empty() && pick(0, 2) == 0) {
          quota.lend = pick(0, static_cast<int>(quota.nominal));
        }
      }
      forest_.nodes.push_back(std::move(node));
    }
    ledger_ = forest_.ledger();
    for (const NodeSpec& node : forest_.nodes) {
      if (node.parent.empty()) {
        roots_.emplace(node.name, RootState(number(ledger_, node.name), ledger_));
      }
    }
    for (int i = pick(0, 3); i > 0; --i) adopt();
  }

  void round() {
    const CycleNumber cycle = ++cycle_;
    std::vector<std::size_t> released;
    for (const QuotaUse& use : uses_) {
      if (pick(0, 9) == 0) released.push_back(use.workload);
    }
    auto items = std::make_shared<BatchItems>();
    std::vector<QuotaUse> asked;
    for (std::uint32_t item = 0; item < static_cast<std::uint32_t>(pick(0, 6)); ++item) {
      items->workloads.push_back(next_workload_++);
      for (int part = pick(1, 3); part > 0; --part) {
        asked.push_back({items->workloads[item], cycle, item, queue(), pick(0, 1), pick(0, 6)});
      }
    }
    forget([&](const QuotaUse& use) {
      return std::find(released.begin(), released.end(), use.workload) != released.end();
    });
    std::uint32_t prefix = UINT32_MAX;
    for (auto& [name, root] : roots_) {
      RootStep step{cycle, released, items, {}, hash(name)};
      for (const QuotaUse& use : asked) {
        if (forest_.root_of(use.queue) != name) continue;
        step.reserve.push_back(
            {use.item, number(ledger_, use.queue), column_of(ledger_, use.column), use.amount});
      }
      const std::uint32_t expected = reserve(name, asked);
      EXPECT_EQ(root.step(step).accepted, expected);
      EXPECT_EQ(root.step(step).accepted, expected) << "the same step again";
      prefix = std::min(prefix, expected);
    }
    check();
    settle(cycle, prefix);
    check();
    if (pick(0, 2) == 0)
      commit(cycle -
             static_cast<CycleNumber>(std::min<int>(pick(0, 3), static_cast<int>(cycle) - 1)));
    if (pick(0, 9) == 0)
      abort(cycle -
            static_cast<CycleNumber>(std::min<int>(pick(0, 2), static_cast<int>(cycle) - 1)));
    check();
  }

 private:
  int pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::string queue() {
    std::vector<std::string> queues;
    for (const NodeSpec& node : forest_.nodes) {
      if (node.is_queue) queues.push_back(node.name);
    }
    return queues[static_cast<std::size_t>(pick(0, static_cast<int>(queues.size()) - 1))];
  }
  template <class Gone>
  void forget(Gone gone) {
    uses_.erase(std::remove_if(uses_.begin(), uses_.end(), gone), uses_.end());
  }
  void adopt() {
    const QuotaUse use{next_workload_++, 0, 0, queue(), pick(0, 1), pick(0, 20)};
    roots_.at(forest_.root_of(use.queue))
        .adopt(use.workload, number(ledger_, use.queue), column_of(ledger_, use.column),
               use.amount);
    uses_.push_back(use);
  }
  /// What the root should take of `asked`, and its answer.
  std::uint32_t reserve(const std::string& root, const std::vector<QuotaUse>& asked) {
    for (std::size_t first = 0; first < asked.size();) {
      const std::size_t before = uses_.size();
      std::size_t last = first;
      for (; last < asked.size() && asked[last].item == asked[first].item; ++last) {
        const QuotaUse& use = asked[last];
        if (forest_.root_of(use.queue) != root) continue;
        if (use.amount > std::max<std::int64_t>(0, forest_.avail(use.queue, use.column, uses_))) {
          uses_.resize(before);
          return use.item;
        }
        uses_.push_back(use);
      }
      first = last;
    }
    return UINT32_MAX;
  }
  void settle(CycleNumber cycle, std::uint32_t from) {
    for (auto& [name, root] : roots_) root.settle(cycle, from);
    forget([&](const QuotaUse& use) { return use.cycle == cycle && use.item >= from; });
  }
  void commit(CycleNumber cycle) {
    for (auto& [name, root] : roots_) {
      const std::uint64_t before = root.hash();
      root.commit(cycle);
      root.commit(cycle);
      EXPECT_EQ(root.hash(), before);
    }
    for (QuotaUse& use : uses_) use.cycle = use.cycle <= cycle ? 0 : use.cycle;
  }
  void abort(CycleNumber cycle) {
    for (auto& [name, root] : roots_) {
      root.abort(cycle);
      root.abort(cycle);
    }
    forget([&](const QuotaUse& use) { return use.cycle >= cycle; });
  }
  std::uint64_t hash(const std::string& root) const {
    std::uint64_t sum = 0;
    for (const QuotaUse& use : uses_) {
      if (forest_.root_of(use.queue) != root) continue;
      sum += quota_hash(number(ledger_, use.queue), column_of(ledger_, use.column), use.amount);
    }
    return sum;
  }
  using Row = std::tuple<std::size_t, std::uint32_t, std::uint32_t, std::int64_t, bool>;
  void check() const {
    for (const auto& [name, root] : roots_) {
      EXPECT_EQ(root.hash(), hash(name));
      for (const NodeSpec& node : forest_.nodes) {
        if (forest_.root_of(node.name) != name) continue;
        for (int column = 0; column < 2; ++column) {
          const QuotaNode own = root.own(number(ledger_, node.name));
          const QuotaColumn at = column_of(ledger_, column);
          EXPECT_EQ(root.ledger().usage(own, at), forest_.usage(node.name, column, uses_))
              << node.name;
          EXPECT_EQ(root.ledger().available(own, at),
                    std::max<std::int64_t>(0, forest_.avail(node.name, column, uses_)))
              << node.name;
        }
      }
      std::vector<Row> held, expected;
      for (const std::size_t workload : root.holders()) {
        for (const RootState::Held& each : root.held(workload)) {
          held.emplace_back(workload, static_cast<std::uint32_t>(each.queue),
                            static_cast<std::uint32_t>(each.column), each.amount, each.committed);
        }
      }
      for (const QuotaUse& use : uses_) {
        if (forest_.root_of(use.queue) != name) continue;
        expected.emplace_back(use.workload, static_cast<std::uint32_t>(number(ledger_, use.queue)),
                              static_cast<std::uint32_t>(column_of(ledger_, use.column)),
                              use.amount, use.cycle == 0);
      }
      std::sort(held.begin(), held.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(held, expected);
    }
  }

  std::mt19937 random_;
  Forest forest_;
  Ledger ledger_;
  std::map<std::string, RootState> roots_;
  std::vector<QuotaUse> uses_;
  std::size_t next_workload_ = 0;
  CycleNumber cycle_ = 0;
};

TEST(RootState, UsageAndAvailabilityFollowFromWhatIsHeld) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    RandomRun run(seed);
    for (int i = 0; i < 25; ++i) run.round();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::core
