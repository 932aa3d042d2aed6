// SPDX-License-Identifier: Apache-2.0
// Random streams to all quota roots of a small forest, against the formulas of queues.md 5 over a
// plain list of what is held.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <tuple>

#include "actors/capacity/state_hash.h"
#include "actors/quota/quota_hash.h"
#include "actors/quota/root_state.h"
#include "tests/support/quota_forest.h"

namespace tessera::core {
namespace {

using test::quota_column;
using test::quota_node;
using test::QuotaForest;
using test::QuotaNodeSpec;
using test::QuotaSpec;
using test::QuotaUse;

/// A random forest and stream of steps, and all that is held, as a plain list.
class RandomRun {
 public:
  explicit RandomRun(std::uint32_t seed) : random_(seed) {
    const int cohorts = pick(1, 5), queues = pick(2, 6);
    for (int i = 0; i < cohorts + queues; ++i) {
      QuotaNodeSpec node;
      node.is_queue = i >= cohorts;
      node.name = (node.is_queue ? "q" : "c") + std::to_string(i);
      const int above = node.is_queue ? cohorts : i;
      if (above > 0 && pick(0, 4) > 0) node.parent = "c" + std::to_string(pick(0, above - 1));
      for (QuotaSpec& quota : node.quotas) {
        quota.nominal = pick(0, 12);
        if (!node.parent.empty() && pick(0, 2) == 0) quota.borrow = pick(0, 6);
        if (!node.parent.empty() && pick(0, 2) == 0) {
          quota.lend = pick(0, static_cast<int>(quota.nominal));
        }
      }
      forest_.nodes.push_back(std::move(node));
    }
    ledger_ = forest_.ledger();
    // Use in the ledger that the roots are not told about: the roots begin with nothing.
    ledger_.add(quota_node(ledger_, queue()), quota_column(ledger_, 0), 3);
    for (const QuotaNodeSpec& node : forest_.nodes) {
      if (node.parent.empty()) {
        roots_.emplace(node.name, RootState(quota_node(ledger_, node.name), ledger_));
      }
    }
    for (int i = pick(0, 3); i > 0; --i) adopt();
  }

  void round() {
    const CycleNumber cycle = ++cycle_;
    std::vector<GangId> released;
    for (const QuotaUse& use : uses_) {
      if (pick(0, 9) == 0) released.push_back(use.workload);
    }
    auto items = std::make_shared<BatchItems>();
    std::vector<QuotaUse> asked;
    for (std::uint32_t item = 0; item < static_cast<std::uint32_t>(pick(0, 6)); ++item) {
      items->gangs.push_back(next_id());
      for (int part = pick(1, 3); part > 0; --part) {
        asked.push_back({items->gangs[item], cycle, item, queue(), pick(0, 1), pick(0, 6)});
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
        step.reserve.push_back({use.item, quota_node(ledger_, use.queue),
                                quota_column(ledger_, use.column), use.amount});
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
    for (const QuotaNodeSpec& node : forest_.nodes) {
      if (node.is_queue) queues.push_back(node.name);
    }
    return queues[static_cast<std::size_t>(pick(0, static_cast<int>(queues.size()) - 1))];
  }
  template <class Gone>
  void forget(Gone gone) {
    uses_.erase(std::remove_if(uses_.begin(), uses_.end(), gone), uses_.end());
  }
  void adopt() {
    const QuotaUse use{next_id(), 0, 0, queue(), pick(0, 1), pick(0, 20)};
    roots_.at(forest_.root_of(use.queue))
        .adopt(use.workload, quota_node(ledger_, use.queue), quota_column(ledger_, use.column),
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
      sum +=
          quota_hash(quota_node(ledger_, use.queue), quota_column(ledger_, use.column), use.amount);
    }
    return sum;
  }
  using Row = std::tuple<GangId, std::uint32_t, std::uint32_t, std::int64_t, bool>;
  void check() const {
    for (const auto& [name, root] : roots_) {
      EXPECT_EQ(root.hash(), hash(name));
      for (const QuotaNodeSpec& node : forest_.nodes) {
        if (forest_.root_of(node.name) != name) continue;
        for (int column = 0; column < 2; ++column) {
          const QuotaNode own = root.own(quota_node(ledger_, node.name));
          const QuotaColumn at = quota_column(ledger_, column);
          EXPECT_EQ(root.ledger().usage(own, at), forest_.usage(node.name, column, uses_))
              << node.name;
          EXPECT_EQ(root.ledger().available(own, at),
                    std::max<std::int64_t>(0, forest_.avail(node.name, column, uses_)))
              << node.name;
        }
      }
      std::vector<Row> held, expected;
      for (const GangId workload : root.holders()) {
        for (const RootState::Held& each : root.held(workload)) {
          held.emplace_back(workload, static_cast<std::uint32_t>(each.queue),
                            static_cast<std::uint32_t>(each.column), each.amount, each.committed);
        }
      }
      for (const QuotaUse& use : uses_) {
        if (forest_.root_of(use.queue) != name) continue;
        expected.emplace_back(use.workload,
                              static_cast<std::uint32_t>(quota_node(ledger_, use.queue)),
                              static_cast<std::uint32_t>(quota_column(ledger_, use.column)),
                              use.amount, use.cycle == 0);
      }
      std::sort(held.begin(), held.end());
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(held, expected);
    }
  }

  std::mt19937 random_;
  QuotaForest forest_;
  Ledger ledger_;
  std::map<std::string, RootState> roots_;
  std::vector<QuotaUse> uses_;
  GangId next_id() { return GangId{++last_id_}; }
  std::uint64_t last_id_ = 0;
  CycleNumber cycle_ = 0;
};

TEST(RootStream, UsageAndAvailabilityFollowFromWhatIsHeld) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    RandomRun run(seed);
    for (int i = 0; i < 25; ++i) run.round();
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace tessera::core
