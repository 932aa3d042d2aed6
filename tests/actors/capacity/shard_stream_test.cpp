// SPDX-License-Identifier: Apache-2.0
// Random streams to all shards of a small cluster, against sums over a plain list of what is held,
// and against topology::Capacity.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "actors/capacity/shard_state.h"
#include "actors/capacity/state_hash.h"
#include "tests/support/random_world.h"
#include "topology/capacity.h"

namespace tessera::core {
namespace {

using test::Dice;
using topology::Amounts;
using topology::NodeRecord;
using topology::Symbol;

const Symbol kBlock("block"), kRack("rack"), kGpu("gpu"), kCpu("cpu");
const Symbol kResources[] = {kGpu, kCpu, topology::pods_resource()};

struct Use {
  GangId workload;
  CycleNumber cycle;  // 0: committed
  std::uint32_t item;
  CellId cell;
  Amounts pod;
  std::int64_t pods;
};

class Stream {
 public:
  Stream(std::uint64_t seed, bool with_racks) : dice_(seed) {
    const int count = static_cast<int>(dice_.between(2, 9));
    for (int i = 0; i < count; ++i) nodes_.push_back(random_node("n" + std::to_string(i)));
    others_.resize(nodes_.size());
    std::vector<topology::TopologySpec> topologies(1);
    topologies[0].levels = {
        {kBlock, "", ""}, {kRack, "", ""}, {topology::hostname_label(), "", ""}};
    if (with_racks) {
      topologies.emplace_back();
      topologies[1].levels = {{kRack, "", ""}};  // two blocks may have a rack in common: wide
    }
    std::vector<std::unique_ptr<topology::DomainTree>> trees;
    std::vector<const topology::DomainTree*> pointers;
    std::vector<std::uint32_t> scopes;
    for (const auto& each : topologies) {
      trees.push_back(std::make_unique<topology::DomainTree>(
          each, nodes_, std::vector<std::pair<Symbol, Symbol>>{}, false, topology::TreeUse::kLive));
      pointers.push_back(trees.back().get());
      scopes.push_back(static_cast<std::uint32_t>(scopes.size()));
    }
    cells_ =
        std::make_shared<topology::CellMap>(pointers, scopes, node_count(), topology::CellPolicy{});
    layout_ = ShardLayout(*cells_, nodes_, topologies, kBlock.view());
    capacity_.emplace(cells_, nodes_);
    for (std::uint32_t s = 0; s < layout_.size(); ++s) {
      shards_.emplace_back(ShardId{s}, layout_, *cells_, nodes_);
    }
    for (std::uint32_t cell = 0; cell < cells_->cell_count(); ++cell) {
      if (!cells_->nodes(CellId{cell}).empty()) bookable_.push_back(CellId{cell});
    }
    if (!bookable_.empty() && dice_.percent(30)) adopt();
    check("start");
  }

  void round() {
    if (bookable_.empty()) return;
    if (dice_.percent(20)) move();
    const CycleNumber cycle = ++cycle_;
    const std::vector<GangId> released = choose_released();
    const std::vector<NodeChange> changes = change_nodes();
    const auto items = std::make_shared<BatchItems>();
    const std::vector<CellPods> asked = choose_items(*items);
    forget([&](const Use& use) {
      return std::find(released.begin(), released.end(), use.workload) != released.end();
    });

    const auto before = all_free();
    std::uint32_t prefix = UINT32_MAX;
    for (std::uint32_t s = 0; s < layout_.size(); ++s) {
      ShardStep step{cycle, {}, released, items, {}, hash(ShardId{s})};
      for (const NodeChange& change : changes) {
        const auto own = cells_->cells_of_node(change.node);
        if (!own.empty() && layout_.of(own.front()) == ShardId{s}) step.nodes.push_back(change);
      }
      // The hash of a step is the one after its changes, which the model has made already.
      for (const CellPods& each : asked) {
        if (layout_.of(each.cell) == ShardId{s}) step.reserve.push_back(each);
      }
      const std::uint32_t expected = reserve(cycle, *items, step.reserve);
      EXPECT_EQ(shards_[s].step(step).accepted, expected);
      EXPECT_EQ(shards_[s].step(step).accepted, expected) << "the same step again";
      prefix = std::min(prefix, expected);
    }
    check("step");
    for (const auto& [key, free] : all_free()) {
      EXPECT_TRUE(free >= 0 || free == before.at(key)) << "reserved more than there is";
    }
    settle(cycle, prefix);
    if (dice_.percent(40)) commit(earlier(cycle));
    if (dice_.percent(10)) abort(earlier(cycle));
  }

 private:
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  CycleNumber earlier(CycleNumber cycle) {
    return static_cast<CycleNumber>(
        dice_.between(std::max<std::int64_t>(1, static_cast<std::int64_t>(cycle) - 3),
                      static_cast<std::int64_t>(cycle)));
  }
  NodeRecord random_node(const std::string& name) {
    NodeRecord node;
    node.name = Symbol(name);
    node.ready = !dice_.percent(10);
    node.labels.set(topology::hostname_label(), node.name);
    node.labels.set(kBlock, Symbol("b" + std::to_string(dice_.below(3))));
    node.labels.set(kRack, Symbol("r" + std::to_string(dice_.below(4))));
    node.allocatable = random_supply();
    return node;
  }
  Amounts random_supply() {
    return {{kGpu, dice_.between(0, 8)},
            {kCpu, dice_.between(0, 20)},
            {topology::pods_resource(), dice_.between(4, 12)}};
  }
  Amounts random_pod() {
    Amounts pod = {{topology::pods_resource(), 1}};
    if (dice_.percent(80)) pod.set(kGpu, dice_.between(0, 2));
    if (dice_.percent(50)) pod.set(kCpu, dice_.between(0, 5));
    if (dice_.percent(3)) pod.set(Symbol("nobody-has-it"), 1);
    return pod;
  }
  CellId any_cell() {
    const auto count = static_cast<std::int64_t>(bookable_.size());
    return bookable_[static_cast<std::size_t>(dice_.below(count))];
  }
  ShardState& shard_of(CellId cell) { return shards_[index(layout_.of(cell))]; }

  void adopt() {
    const Use use{next_id(), 0, 0, any_cell(), {{kGpu, 3}}, dice_.between(1, 4)};
    shard_of(use.cell).adopt(use.workload, use.cell, use.pod, use.pods);
    add(use);
  }
  std::vector<GangId> choose_released() {
    std::vector<GangId> released;
    for (const Use& use : uses_) {
      if (dice_.percent(8)) released.push_back(use.workload);
    }
    if (dice_.percent(10)) released.push_back(GangId{999'999});
    return released;
  }
  std::vector<NodeChange> change_nodes() {
    std::vector<NodeChange> changes;
    for (std::uint32_t n = 0; n < node_count(); ++n) {
      if (!dice_.percent(6)) continue;
      const Amounts before = nodes_[n].allocatable;
      if (dice_.percent(50)) nodes_[n].allocatable = random_supply();
      nodes_[n].ready = !dice_.percent(30);
      EXPECT_TRUE(capacity_->resize_node(NodeId{n}, before, nodes_[n].allocatable));
      capacity_->remove_pod(NodeId{n}, others_[n]);
      others_[n] = dice_.percent(50) ? Amounts{} : random_pod();
      others_[n].erase(Symbol("nobody-has-it"));
      capacity_->add_pod(NodeId{n}, others_[n]);
      changes.push_back({NodeId{n}, nodes_[n].allocatable, others_[n], nodes_[n].usable()});
    }
    return changes;
  }
  std::vector<CellPods> choose_items(BatchItems& items) {
    std::vector<CellPods> asked;
    for (std::int64_t i = dice_.below(6); i > 0; --i) {
      const auto item = static_cast<std::uint32_t>(items.gangs.size());
      items.gangs.push_back(dice_.percent(80) || uses_.empty() ? next_id()
                                                               : uses_.front().workload);
      const auto request = static_cast<std::uint32_t>(items.pod_amounts.size());
      items.pod_amounts.push_back(random_pod());
      items.pod_amounts.push_back(random_pod());
      for (std::int64_t part = dice_.between(1, 4); part > 0; --part) {
        asked.push_back({item, request + static_cast<std::uint32_t>(dice_.below(2)), any_cell(),
                         dice_.between(1, 3)});
      }
    }
    return asked;
  }

  /// True if what is held on `held` counts on `cell` too.
  bool sees(CellId cell, CellId held) const {
    if (cell == held) return true;
    if (cells_->is_host(cell)) return false;
    for (const NodeId a : cells_->nodes(cell)) {
      for (const NodeId b : cells_->nodes(held)) {
        if (a == b) return true;
      }
    }
    return false;
  }
  std::int64_t free(CellId cell, Symbol resource) const {
    std::int64_t sum = 0;
    for (const NodeId n : cells_->nodes(cell)) {
      const NodeRecord& node = nodes_[topology::index(n)];
      if (!cells_->is_host(cell) && !node.usable()) continue;
      sum += node.allocatable.get(resource) - others_[topology::index(n)].get(resource);
    }
    for (const Use& use : uses_) {
      if (sees(cell, use.cell)) sum -= use.pod.get(resource) * use.pods;
    }
    return sum;
  }
  bool has_unusable_node(CellId cell) const {
    const auto nodes = cells_->nodes(cell);
    return std::any_of(nodes.begin(), nodes.end(),
                       [&](NodeId n) { return !nodes_[topology::index(n)].usable(); });
  }
  bool fits(const CellPods& asked, const Amounts& pod) const {
    if (cells_->is_host(asked.cell) && has_unusable_node(asked.cell)) return false;
    for (const CellId cell : bookable_) {
      if (!sees(cell, asked.cell)) continue;
      for (const topology::Amount& amount : pod) {
        if (amount.value > 0 && free(cell, amount.resource) < amount.value * asked.pods) {
          return false;
        }
      }
    }
    return true;
  }
  void add(const Use& use) {
    uses_.push_back(use);
    capacity_->book(use.cell, use.pod.times(use.pods));
  }
  template <class Gone>
  void forget(Gone gone) {
    for (const Use& use : uses_) {
      if (gone(use)) capacity_->release(use.cell, use.pod.times(use.pods));
    }
    uses_.erase(std::remove_if(uses_.begin(), uses_.end(), gone), uses_.end());
  }

  std::uint32_t reserve(CycleNumber cycle, const BatchItems& items,
                        const std::vector<CellPods>& asked) {
    for (const CellPods& each : asked) {
      const Amounts& pod = items.pod_amounts[each.request];
      if (!fits(each, pod)) {
        const CellId any = each.cell;
        forget([&](const Use& use) {
          return use.cycle == cycle && use.item == each.item &&
                 layout_.of(use.cell) == layout_.of(any);
        });
        return each.item;
      }
      add({items.gangs[each.item], cycle, each.item, each.cell, pod, each.pods});
    }
    return UINT32_MAX;
  }
  void settle(CycleNumber cycle, std::uint32_t from) {
    for (int twice = 0; twice < 2; ++twice) {
      for (ShardState& shard : shards_) shard.settle(cycle, from);
    }
    forget([&](const Use& use) { return use.cycle == cycle && use.item >= from; });
    check("settle");
  }
  void commit(CycleNumber cycle) {
    for (int twice = 0; twice < 2; ++twice) {
      for (ShardState& shard : shards_) shard.commit(cycle);
    }
    for (Use& use : uses_) use.cycle = use.cycle <= cycle ? 0 : use.cycle;
    check("commit");
  }
  void abort(CycleNumber cycle) {
    for (int twice = 0; twice < 2; ++twice) {
      for (ShardState& shard : shards_) shard.abort(cycle);
    }
    forget([&](const Use& use) { return use.cycle >= cycle; });
    check("abort");
  }
  void move() {
    const NodeId node{static_cast<std::uint32_t>(dice_.below(node_count()))};
    const ShardId to{static_cast<std::uint32_t>(dice_.below(layout_.size()))};
    if (cells_->cells_of_node(node).empty()) return;
    ShardState& from = shard_of(cells_->cells_of_node(node).front());
    if (!layout_.move(node, *cells_, to)) return;
    shards_[index(to)].put_in(from.take_out(node));
    check("move");
  }

  std::uint64_t hash(ShardId shard) const {
    std::uint64_t sum = 0;
    for (std::uint32_t n = 0; n < node_count(); ++n) {
      const auto own = cells_->cells_of_node(NodeId{n});
      if (own.empty() || layout_.of(own.front()) != shard) continue;
      sum += node_hash(NodeId{n}, nodes_[n].allocatable, others_[n], nodes_[n].usable());
    }
    for (const Use& use : uses_) {
      if (layout_.of(use.cell) == shard) sum += held_hash(use.cell, use.pod, use.pods);
    }
    return sum;
  }
  std::map<std::pair<CellId, std::string>, std::int64_t> all_free() const {
    std::map<std::pair<CellId, std::string>, std::int64_t> out;
    for (const CellId cell : bookable_) {
      for (const Symbol resource : kResources) out[{cell, resource.str()}] = free(cell, resource);
    }
    return out;
  }
  void check(const char* after) {
    for (const CellId cell : bookable_) {
      for (const Symbol resource : kResources) {
        const std::int64_t here = shard_of(cell).free(cell, resource);
        EXPECT_EQ(here, free(cell, resource)) << "after " << after;
        if (!cells_->is_host(cell) && has_unusable_node(cell)) continue;
        const int row = capacity_->row(resource);
        ASSERT_GE(row, 0);
        EXPECT_EQ(here, capacity_->left(static_cast<std::uint32_t>(row), cell)) << after;
      }
    }
    for (std::uint32_t s = 0; s < layout_.size(); ++s) {
      EXPECT_EQ(shards_[s].hash(), hash(ShardId{s})) << "after " << after;
    }
    check_holders(after);
  }
  using Row = std::tuple<GangId, CellId, std::int64_t, std::int64_t, bool>;
  void check_holders(const char* after) const {
    std::vector<Row> held, expected;
    for (const ShardState& shard : shards_) {
      for (const GangId workload : shard.holders()) {
        for (const ShardState::Held& each : shard.held(workload)) {
          held.emplace_back(workload, each.cell, each.pods, each.pod_amounts.get(kGpu),
                            each.committed);
        }
      }
    }
    for (const Use& use : uses_) {
      expected.emplace_back(use.workload, use.cell, use.pods, use.pod.get(kGpu), use.cycle == 0);
    }
    std::sort(held.begin(), held.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(held, expected) << "after " << after;
  }

  Dice dice_;
  std::vector<NodeRecord> nodes_;
  std::vector<Amounts> others_;
  std::shared_ptr<const topology::CellMap> cells_;
  ShardLayout layout_;
  std::optional<topology::Capacity> capacity_;
  std::vector<ShardState> shards_;
  std::vector<CellId> bookable_;
  std::vector<Use> uses_;
  GangId next_id() { return GangId{++last_id_}; }
  std::uint64_t last_id_ = 0;
  CycleNumber cycle_ = 0;
};

void run_streams(bool with_racks) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Stream stream(seed, with_racks);
    for (int i = 0; i < 30; ++i) stream.round();
    ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
  }
}

TEST(ShardStream, FreeAmountsAndHashesFollowFromWhatIsHeld) { run_streams(false); }
TEST(ShardStream, TheSameWithCellsAboveTheHost) { run_streams(true); }

}  // namespace
}  // namespace tessera::core
