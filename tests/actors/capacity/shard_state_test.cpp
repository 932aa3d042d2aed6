// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/shard_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>

#include "actors/capacity/state_hash.h"
#include "actors/quota/quota_hash.h"
#include "actors/records/broken_invariant.h"
#include "tests/support/owner_script.h"

namespace tessera::core {
namespace {

using topology::Amounts;
using topology::gpu_resource;
using topology::NodeRecord;
using topology::pods_resource;
using topology::Symbol;

NodeRecord host(const std::string& name, std::int64_t gpus) {
  NodeRecord node;
  node.name = Symbol(name);
  node.ready = true;
  node.labels.set(Symbol("rack"), Symbol("r"));
  node.labels.set(topology::hostname_label(), node.name);
  node.allocatable = {{gpu_resource(), gpus}, {pods_resource(), 100}};
  return node;
}

Amounts gpus(std::int64_t count) { return {{gpu_resource(), count}, {pods_resource(), 1}}; }

/// Hosts A (4 GPUs) and B (2) in one rack, whose cell R belongs to another flavor; one shard. A pod
/// has one GPU.
class RackWorld {
 public:
  RackWorld() : nodes_{host("A", 4), host("B", 2)} {
    topology::TopologySpec hosts, racks;
    racks.levels = {{Symbol("rack"), "", ""}};
    hosts.levels = {{Symbol("rack"), "", ""}, {topology::hostname_label(), "", ""}};
    const topology::DomainTree host_tree(hosts, nodes_, {}, false, topology::TreeUse::kLive);
    const topology::DomainTree rack_tree(racks, nodes_, {}, false);
    const topology::DomainTree* const trees[] = {&host_tree, &rack_tree};
    const std::uint32_t scopes[] = {0, 1};
    cells_ = std::make_unique<topology::CellMap>(trees, scopes, 2, topology::CellPolicy{});
    const topology::TopologySpec topologies[] = {hosts, racks};
    layout_ = ShardLayout(*cells_, nodes_, topologies, "");
    shard_ = std::make_unique<ShardState>(ShardId{0}, layout_, *cells_, nodes_);
  }

  ShardState& shard() { return *shard_; }
  const ShardLayout& layout() const { return layout_; }
  CellId cell(char letter) const {
    if (letter != 'R') return cells_->cells_of_node(node(letter)).front();
    return cells_->observers(cell('A')).front();
  }
  static NodeId node(char letter) { return NodeId{letter == 'A' ? 0U : 1U}; }

  ShardStep step(const test::OwnerCommand& command) {
    ShardStep out;
    out.cycle = command.cycle;
    for (const auto& change : command.changes) {
      NodeRecord& record = nodes_[topology::index(node(change.node))];
      if (change.what == "size") record.allocatable.set(gpu_resource(), change.value);
      if (change.what != "size") record.ready = change.what == "up";
      out.nodes.push_back({node(change.node), record.allocatable, {}, record.ready});
    }
    for (const char workload : command.released) {
      out.released.push_back(GangId{static_cast<std::uint64_t>(workload)});
    }
    BatchItems items{{}, {gpus(1)}};
    for (const auto& item : command.items) {
      const auto number = static_cast<std::uint32_t>(items.gangs.size());
      items.gangs.push_back(GangId{static_cast<std::uint64_t>(item.workload)});
      for (const auto& [letter, pods] : item.parts) {
        out.reserve.push_back({number, 0, cell(letter), pods});
      }
    }
    out.items = std::make_shared<BatchItems>(std::move(items));
    return out;
  }

  /// Replies, free GPUs, who holds what ("?": reserved).
  std::string run(const std::string& script) {
    std::string text;
    for (const test::OwnerCommand& command : test::owner_script(script)) {
      if (command.verb == "step") {
        text += test::reply_text(command, shard_->step(step(command)).accepted) + " ";
      }
      if (command.verb == "settle") shard_->settle(command.cycle, command.from);
      if (command.verb == "commit") shard_->commit(command.cycle);
      if (command.verb == "abort") shard_->abort(command.cycle);
    }
    text += "|";
    for (const char letter : {'A', 'B', 'R'}) {
      text +=
          std::string(" ") + letter + std::to_string(shard_->free(cell(letter), gpu_resource()));
    }
    text += " |";
    for (const GangId holder : shard_->holders()) {
      text += std::string(" ") + static_cast<char>(index(holder)) + "=";
      for (const ShardState::Held& held : shard_->held(holder)) {
        const char letter = held.cell == cell('A') ? 'A' : held.cell == cell('B') ? 'B' : 'R';
        text += letter + std::to_string(held.pods) + (held.committed ? "" : "?");
      }
    }
    return text;
  }

 private:
  std::vector<NodeRecord> nodes_;
  std::unique_ptr<topology::CellMap> cells_;
  ShardLayout layout_;
  std::unique_ptr<ShardState> shard_;
};

struct ShardCase {
  const char* name;
  const char* script;
  const char* expected;
};
void PrintTo(const ShardCase& c, std::ostream* out) { *out << c.name; }

const ShardCase kShardCases[] = {
    {"a reservation counts at once", "step 1 x=A2B1", "all | A2 B1 R3 | x=A2?B1?"},
    {"a commit changes no amount", "step 1 x=A2B1; commit 1", "all | A2 B1 R3 | x=A2B1"},
    {"an item gets all of its pods or none", "step 1 x=A1 y=A1B3", "y | A3 B2 R5 | x=A1?"},
    {"nothing behind a refused item is reserved", "step 1 x=A9 y=A1", "x | A4 B2 R6 |"},
    {"items of one step count together", "step 1 x=A3 y=A1 z=A1", "z | A0 B2 R2 | x=A3? y=A1?"},
    {"two parts of an item on one cell count together", "step 1 x=A3A2", "x | A4 B2 R6 |"},
    {"a rack sees its hosts' bookings", "step 1 x=A3 y=R4", "y | A1 B2 R3 | x=A3?"},
    {"a host does not see its rack's", "step 1 x=R6 y=A4", "y | A4 B2 R0 | x=R6?"},
    {"a step that comes twice counts once", "step 1 x=A3; step 1 x=A3",
     "all all | A1 B2 R3 | x=A3?"},
    {"a refusal that is asked for again is told again", "step 1 x=A9; step 2 -x; step 1 x=A9",
     "x all x | A4 B2 R6 |"},
    {"a step of an earlier cycle is over", "step 2 x=A1; step 1 y=A1",
     "all all | A3 B2 R5 | x=A1?"},
    {"settle gives back from an item on", "step 1 x=A1 y=A1 z=B1; settle 1 1; settle 1 1",
     "all | A3 B2 R5 | x=A1?"},
    {"settle touches its own cycle only", "step 1 x=A1; step 2 y=A1; settle 1 0",
     "all all | A3 B2 R5 | y=A1?"},
    {"settle after commit comes too late", "step 1 x=A1; commit 1; settle 1 0",
     "all | A3 B2 R5 | x=A1"},
    {"commit takes all cycles up to its own", "step 1 x=A1; step 2 y=A1; step 3 z=A1; commit 2",
     "all all all | A1 B2 R3 | x=A1 y=A1 z=A1?"},
    {"abort takes all cycles from its own",
     "step 1 x=A1; step 2 y=A1; step 3 z=A1; abort 2; abort 2", "all all all | A3 B2 R5 | x=A1?"},
    {"abort leaves what is committed", "step 1 x=A1; commit 1; abort 1", "all | A3 B2 R5 | x=A1"},
    {"an aborted cycle does not come again", "step 1 x=A1; abort 1; step 1 x=A1",
     "all all | A4 B2 R6 |"},
    {"what changed in an aborted cycle stays", "step 1 x=A1; commit 1; step 2 -x size:B7; abort 2",
     "all all | A4 B7 R11 |"},
    {"a release frees what is used", "step 1 x=A2B1; commit 1; step 2 -x", "all all | A4 B2 R6 |"},
    {"a release frees what is reserved", "step 1 x=A2; step 2 -x y=A4; commit 2",
     "all all | A0 B2 R2 | y=A4"},
    {"a release frees what is used and what is reserved",
     "step 1 x=A1; commit 1; step 2 x=B1; step 3 -x; abort 1", "all all all | A4 B2 R6 |"},
    {"a release comes before reservations", "step 1 x=A4; commit 1; step 2 y=A4 -x",
     "all all | A0 B2 R2 | y=A4?"},
    {"a workload unknown here releases nothing", "step 1 -x", "all | A4 B2 R6 |"},
    {"an unusable host takes nothing", "step 1 down:A x=B1 y=A1", "y | A4 B1 R1 | x=B1?"},
    {"a host that is back takes again", "step 1 down:A; step 2 up:A x=A4",
     "all all | A0 B2 R2 | x=A4?"},
    {"an unusable host gives its rack nothing", "step 1 down:A x=R2 y=R1", "y | A4 B2 R0 | x=R2?"},
    {"use of an unusable host can be given back", "step 1 x=A1; step 2 down:A; step 3 -x",
     "all all all | A4 B2 R2 |"},
    {"a node that shrinks below its use is overdrawn", "step 1 x=A4; step 2 size:A1 y=B1 z=A1",
     "all y | A-3 B2 R-1 | x=A4?"},
};

class ShardRules : public testing::TestWithParam<ShardCase> {};
TEST_P(ShardRules, Hold) { EXPECT_EQ(RackWorld().run(GetParam().script), GetParam().expected); }
INSTANTIATE_TEST_SUITE_P(Cases, ShardRules, testing::ValuesIn(kShardCases));

TEST(ShardState, AResourceNobodyHasIsNotAvailable) {
  RackWorld world;
  ShardStep step = world.step(test::owner_script("step 1 x=A1").front());
  const Symbol nic("example.com/nic");
  step.items = std::make_shared<BatchItems>(BatchItems{{GangId{'x'}}, {{{nic, 1}}}});
  EXPECT_EQ(world.shard().step(step).accepted, 0U);
  step.cycle = 2;
  step.nodes = {{RackWorld::node('A'), {{nic, 2}}, {}, true}};
  EXPECT_EQ(world.shard().step(step).accepted, UINT32_MAX) << "a node that brings it";
  EXPECT_EQ(world.shard().free(world.cell('A'), nic), 1);
}

TEST(ShardState, UseByOthersReplacesTheFormerOne) {
  RackWorld world;
  ShardStep step;
  for (const std::int64_t others : {3, 1}) {
    ++step.cycle;
    step.nodes = {{RackWorld::node('A'), {{gpu_resource(), 4}}, {{gpu_resource(), others}}, true}};
    world.shard().step(step);
    EXPECT_EQ(world.shard().free(world.cell('A'), gpu_resource()), 4 - others);
    EXPECT_EQ(world.shard().free(world.cell('R'), gpu_resource()), 6 - others);
  }
}

TEST(ShardState, AdoptedUseIsCommittedAndMayBeMoreThanThereIs) {
  RackWorld world;
  world.shard().adopt(GangId{'x'}, world.cell('A'), gpus(1), 9);
  EXPECT_EQ(world.run(""), "| A-5 B2 R-3 | x=A9");
  EXPECT_EQ(world.run("step 1 -x"), "all | A4 B2 R6 |");
}

TEST(ShardState, MorePodsThan32BitsAreCountedAll) {
  RackWorld world;
  const std::int64_t many = 3 * std::int64_t{UINT32_MAX};
  world.shard().adopt(GangId{'x'}, world.cell('A'), gpus(1), many);
  EXPECT_EQ(world.shard().free(world.cell('A'), gpu_resource()), 4 - many);
  EXPECT_EQ(world.run("step 1 -x"), "all | A4 B2 R6 |");
}

TEST(ShardState, AHashThatDiffersIsABrokenInvariant) {
  RackWorld world;
  const std::uint64_t before = world.shard().hash();
  ShardStep step = world.step(test::owner_script("step 1 x=A1").front());
  step.hash = before;
  EXPECT_NO_THROW(world.shard().step(step));
  step.cycle = 2;
  EXPECT_THROW(world.shard().step(step), BrokenInvariant);
}

TEST(ShardState, ACellOfAnotherShardIsABrokenInvariant) {
  RackWorld world;
  EXPECT_THROW(world.shard().free(CellId{99}, gpu_resource()), BrokenInvariant);
}

TEST(ShardState, ANodeThatSharesItsRackStaysInItsShard) {
  RackWorld world;
  EXPECT_THROW(world.shard().take_out(RackWorld::node('A')), BrokenInvariant);
}

TEST(StateHash, DependsOnEveryWordAndNotOnOrder) {
  const auto held = [](std::uint32_t cell, const char* resource, std::int64_t value) {
    return held_hash(CellId{cell}, {{Symbol(resource), value}}, 1);
  };
  const std::uint64_t one = held(1, "cpu", 5);
  EXPECT_NE(one, held(2, "cpu", 5));
  EXPECT_NE(one, held(1, "memory", 5));
  EXPECT_NE(one, held(1, "cpu", 6));
  EXPECT_NE(held(1, "cpu", 1) + held(2, "memory", 1), held(2, "cpu", 1) + held(1, "memory", 1));
  EXPECT_EQ(held(1, "cpu", 2) + held(1, "cpu", 3), one) << "linear in the amount";
  EXPECT_EQ(held_hash(CellId{1}, {{Symbol("cpu"), 1}}, 5), one);
  const Amounts some = {{Symbol("cpu"), 5}};
  EXPECT_NE(node_hash(NodeId{1}, some, {}, true), node_hash(NodeId{1}, some, {}, false));
  EXPECT_NE(node_hash(NodeId{1}, some, {}, true), node_hash(NodeId{1}, {}, some, true));
  EXPECT_NE(quota_hash(QuotaNode{1}, QuotaColumn{2}, 3),
            quota_hash(QuotaNode{2}, QuotaColumn{1}, 3));
}

}  // namespace
}  // namespace tessera::core
