// SPDX-License-Identifier: Apache-2.0
#include "actors/capacity/shard_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>

#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using topology::CellMap;
using topology::DomainTree;
using topology::NodeRecord;
using topology::Symbol;
using topology::TopologySpec;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) out.push_back(part);
  return out;
}

/// "block/rack/host"
TopologySpec topology(const std::string& levels) {
  TopologySpec spec;
  spec.name = levels;
  spec.unlabelled = topology::UnlabelledNodes::kUnconstrainedOnly;
  for (const std::string& level : split(levels, '/')) {
    const Symbol label = level == "host" ? topology::hostname_label() : Symbol(level);
    spec.levels.push_back({label, level, ""});
  }
  return spec;
}

/// "block=b1,rack=r1,host=a"
NodeRecord node(const std::string& text) {
  NodeRecord record;
  record.ready = true;
  for (const std::string& label : split(text, ',')) {
    const std::size_t equals = label.find('=');
    const std::string key = label.substr(0, equals);
    const Symbol value(label.substr(equals + 1));
    record.labels.set(key == "host" ? topology::hostname_label() : Symbol(key), value);
    if (key == "host") record.name = value;
  }
  return record;
}

struct World {
  std::vector<TopologySpec> topologies;
  std::vector<NodeRecord> nodes;
  std::unique_ptr<CellMap> cells;
  ShardLayout layout;

  World(const std::string& specs, std::vector<NodeRecord> records, std::string_view level = {},
        bool trees_backwards = false)
      : nodes(std::move(records)) {
    std::sort(nodes.begin(), nodes.end(), [](const NodeRecord& a, const NodeRecord& b) {
      return a.name.view() < b.name.view();
    });
    std::vector<std::unique_ptr<DomainTree>> trees;
    for (const std::string& spec : split(specs, ' ')) {
      topologies.push_back(topology(spec));
      trees.push_back(std::make_unique<DomainTree>(
          topologies.back(), nodes, std::vector<std::pair<Symbol, Symbol>>{},
          topologies.back().host_level(), topology::TreeUse::kLive));
    }
    if (trees_backwards) std::reverse(trees.begin(), trees.end());
    std::vector<const DomainTree*> pointers;
    std::vector<std::uint32_t> scopes;
    for (const auto& tree : trees) {
      pointers.push_back(tree.get());
      scopes.push_back(static_cast<std::uint32_t>(scopes.size()));
    }
    cells = std::make_unique<CellMap>(pointers, scopes, static_cast<std::uint32_t>(nodes.size()),
                                      topology::CellPolicy{});
    layout = ShardLayout(*cells, nodes, topologies, level);
  }

  /// A cell by its nodes: "a" a host, "{a b}" a leaf above.
  std::string cell_text(CellId cell) const {
    std::string out;
    for (const NodeId id : cells->nodes(cell)) {
      out += (out.empty() ? "" : " ") + nodes[topology::index(id)].name.str();
    }
    return cells->is_host(cell) ? out : "{" + out + "}";
  }
  /// Shards with cells that have nodes: "b1[a b] wide[c {c d} d]".
  std::string text() const {
    std::string out;
    for (std::uint32_t s = 0; s < layout.size(); ++s) {
      std::set<std::string> names;
      for (const CellId cell : layout.cells(ShardId{s})) {
        EXPECT_EQ(layout.of(cell), ShardId{s});
        if (!cells->nodes(cell).empty()) names.insert(cell_text(cell));
      }
      if (names.empty()) continue;
      std::string inside;
      for (const std::string& name : names) inside += (inside.empty() ? "" : " ") + name;
      out += (out.empty() ? "" : " ") + layout.name(ShardId{s}) + "[" + inside + "]";
    }
    return out;
  }
};

std::vector<NodeRecord> nodes_of(const std::string& text) {
  std::vector<NodeRecord> nodes;
  for (const std::string& each : split(text, ' ')) nodes.push_back(node(each));
  return nodes;
}

struct LayoutCase {
  const char* name;
  const char* topologies;
  const char* level;  // empty: chosen
  const char* nodes;
  const char* expected;
};
void PrintTo(const LayoutCase& c, std::ostream* out) { *out << c.name; }

const LayoutCase kLayoutCases[] = {
    {"equal values below two domains are two shards", "block/rack/host", "rack",
     "block=b1,rack=r1,host=a block=b2,rack=r1,host=b block=b1,rack=r1,host=c",
     "b1/r1[a c] b2/r1[b]"},
    {"the finest level is nearest 64 in a small cluster", "block/rack/host", "",
     "block=b1,rack=r1,host=a block=b1,rack=r2,host=b", "b1/r1[a] b1/r2[b]"},
    {"shards end where another topology's leaves do", "block/rack/host block", "",
     "block=b1,rack=r1,host=a block=b1,rack=r2,host=b block=b2,rack=r3,host=c",
     "b1[a b {a b}] b2[c {c}]"},
    {"a leaf across two shards takes its nodes into wide", "block/host pool", "",
     "block=b1,pool=p,host=a block=b2,pool=p,host=b block=b2,pool=q,host=c block=b3,host=d",
     "b2[c {c}] b3[d] wide[a b {a b}]"},
    {"what sees a wide cell is wide", "block/host pool zone", "",
     "block=b1,pool=p,zone=y,host=a block=b2,pool=p,zone=z,host=b block=b2,pool=q,zone=z,host=c",
     "wide[a b c {a b c} {a b} {a} {b c} {c}]"},
    {"a node without the level's label has no place", "block/host", "", "block=b1,host=a host=b",
     "b1[a] unplaced[b]"},
    {"a leaf over a placed and an unplaced node is wide", "block/host pool", "",
     "block=b1,pool=p,host=a pool=p,host=b", "wide[a b {a b}]"},
    {"a topology that ends at hosts is the primary one", "rack block/host", "",
     "block=b1,rack=r1,host=a block=b2,rack=r2,host=b", "b1[a {a}] b2[b {b}]"},
    {"without one the first is primary, its leaves included", "block/rack zone", "",
     "block=b1,rack=r1,zone=z,host=a block=b1,rack=r2,zone=y,host=b", "b1/r1[{a}] b1/r2[{b}]"},
    {"an empty value is a value", "block/host", "", "block=,host=a block=b1,host=b", "-[a] b1[b]"},
};

class LayoutRules : public testing::TestWithParam<LayoutCase> {};
TEST_P(LayoutRules, Hold) {
  const LayoutCase& c = GetParam();
  EXPECT_EQ(World(c.topologies, nodes_of(c.nodes), c.level).text(), c.expected);
}
TEST_P(LayoutRules, DependOnNoOrder) {
  const LayoutCase& c = GetParam();
  EXPECT_EQ(World(c.topologies, nodes_of(c.nodes), c.level, true).text(), c.expected);
}
INSTANTIATE_TEST_SUITE_P(Cases, LayoutRules, testing::ValuesIn(kLayoutCases));

struct CountCase {
  const char* name;
  const char* topologies;
  int blocks, racks, hosts;  // in all; racks and hosts are dealt to blocks and racks in turn
  std::uint32_t shards;      // wide and unplaced not counted
};
void PrintTo(const CountCase& c, std::ostream* out) { *out << c.name; }

const CountCase kCountCases[] = {
    {"64 racks rather than 4 blocks", "block/rack/host", 4, 64, 128, 64},
    {"60 blocks rather than 600 racks", "block/rack/host", 60, 600, 600, 60},
    {"the coarser of two that are as near", "block/rack/host", 60, 68, 136, 60},
    {"3 blocks rather than more than 512 racks", "block/rack/host", 3, 513, 600, 3},
    {"512 racks are not too many", "rack/host", 1, 512, 600, 512},
    {"no level of at most 512 domains: as flat", "rack/host", 1, 513, 600, 16},
    {"hosts are no shards", "block/host", 2, 2, 64, 2},
    {"only hosts: flat", "host", 1, 1, 100, 16},
    {"nothing finer than a leaf above the host", "block/rack/host block", 4, 64, 128, 4},
};

std::vector<NodeRecord> dealt(int blocks, int racks, int hosts) {
  std::vector<NodeRecord> nodes;
  for (int i = 0; i < hosts; ++i) {
    const int rack = i % racks, block = rack % blocks;
    nodes.push_back(node("block=b" + std::to_string(block) + ",rack=r" + std::to_string(rack) +
                         ",host=n" + std::to_string(i)));
  }
  return nodes;
}

class LayoutCounts : public testing::TestWithParam<CountCase> {};
TEST_P(LayoutCounts, GiveTheLevel) {
  const CountCase& c = GetParam();
  EXPECT_EQ(World(c.topologies, dealt(c.blocks, c.racks, c.hosts)).layout.size() - 2, c.shards);
}
INSTANTIATE_TEST_SUITE_P(Cases, LayoutCounts, testing::ValuesIn(kCountCases));

struct ConfiguredCase {
  const char *name, *topologies, *level;
  int blocks, racks, hosts;  // as in CountCase
  std::uint32_t shards;
  const char* fault;  // empty: the level is used
};
void PrintTo(const ConfiguredCase& c, std::ostream* out) { *out << c.name; }

const ConfiguredCase kConfiguredCases[] = {
    {"chosen", "block/rack/host", "", 4, 64, 128, 64, ""},
    {"a coarser one than would be chosen", "block/rack/host", "block", 4, 64, 128, 4, ""},
    {"a finer one", "block/rack/host", "rack", 60, 68, 136, 68, ""},
    {"hosts, if they are few", "block/rack/host", "host", 2, 4, 512, 512, ""},
    {"hosts by their label", "block/rack/host", "kubernetes.io/hostname", 2, 4, 8, 8, ""},
    {"512 racks", "block/rack/host", "rack", 2, 512, 600, 512, ""},
    {"513 racks", "block/rack/host", "rack", 3, 513, 600, 3,
     "level rack has 513 domains, and there are at most 512 shards; right: block; shards are by "
     "block"},
    {"hosts that are many", "block/rack/host", "host", 2, 8, 513, 8,
     "level host has 513 domains, and there are at most 512 shards; right: block, rack; shards are "
     "by rack"},
    {"below a leaf above the host", "block/rack/host block", "rack", 4, 8, 16, 4,
     "level rack is below block, where topology block ends; right: block; shards are by block"},
    {"where a leaf above the host is", "block/rack/host rack", "block", 4, 8, 16, 4, ""},
    {"no node has the label", "block/zone/host", "zone", 4, 8, 16, 4,
     "no node has a value at level zone; right: block; shards are by block"},
    {"misspelt", "block/rack/host", "rak", 4, 8, 16, 8,
     "\"rak\" is not a level of topology block/rack/host (block, rack, host) (did you mean "
     "\"rack\"?); shards are by rack"},
    {"of another topology", "block/host rack", "rack", 4, 8, 16, 4,
     "\"rack\" is not a level of topology block/host (block, host); shards are by block"},
    {"none would do", "rack/host", "rack", 1, 513, 600, 16,
     "level rack has 513 domains, and there are at most 512 shards; shards are by a hash of the "
     "node's name"},
};

class ConfiguredLevel : public testing::TestWithParam<ConfiguredCase> {};
TEST_P(ConfiguredLevel, IsUsedIfTheRulesAllowIt) {
  const ConfiguredCase& c = GetParam();
  const World world(c.topologies, dealt(c.blocks, c.racks, c.hosts), c.level);
  EXPECT_EQ(world.layout.size() - 2, c.shards);
  EXPECT_EQ(world.layout.fault(), c.fault);
}
INSTANTIATE_TEST_SUITE_P(Cases, ConfiguredLevel, testing::ValuesIn(kConfiguredCases));

TEST(ShardLayout, AnEmptyClusterHasNoFault) {
  EXPECT_EQ(World("block/host", {}, "rack").layout.fault(), "");
}

TEST(ShardLayout, FlatShardsAreNamedAndAllInUse) {
  std::vector<NodeRecord> nodes;
  for (int i = 0; i < 300; ++i) nodes.push_back(node("host=n" + std::to_string(i)));
  const World world("host", nodes);
  EXPECT_EQ(world.layout.name(ShardId{7}), "flat-07");
  EXPECT_EQ(world.layout.name(ShardId{15}), "flat-15");
  for (std::uint32_t s = 0; s < 16; ++s) EXPECT_FALSE(world.layout.cells(ShardId{s}).empty());
}

TEST(ShardLayout, HomeFollowsTheLabels) {
  const World world("block/rack/host", nodes_of("block=b1,rack=r1,host=a block=b2,rack=r2,host=b"),
                    "rack");
  const auto home = [&](const char* text) {
    return world.layout.name(world.layout.home(node(text)));
  };
  EXPECT_EQ(home("block=b2,rack=r2,host=a"), "b2/r2");
  EXPECT_EQ(home("block=b1,rack=r2,host=a"), "unplaced") << "no node was in b1/r2";
  EXPECT_EQ(home("block=b1,host=a"), "unplaced");
}

TEST(ShardLayout, AMovedNodeIsInItsNewShardOnly) {
  World world("block/host", nodes_of("block=b1,host=a block=b2,host=b"));
  EXPECT_TRUE(world.layout.move(NodeId{0}, *world.cells, ShardId{1}));
  EXPECT_EQ(world.text(), "b2[a b]");
}

TEST(ShardLayout, ANodeThatSharesACellStays) {
  World world("block/host block", nodes_of("block=b1,host=a block=b1,host=b block=b2,host=c"));
  EXPECT_FALSE(world.layout.move(NodeId{0}, *world.cells, ShardId{1}));
  EXPECT_EQ(world.text(), "b1[a b {a b}] b2[c {c}]");
  EXPECT_TRUE(world.layout.move(NodeId{2}, *world.cells, ShardId{0})) << "its leaf is its alone";
}

TEST(ShardLayout, CellsThatSeeEachOtherAreInOneShard) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    test::Dice dice(seed);
    std::vector<NodeRecord> nodes;
    for (std::int64_t i = dice.between(1, 12); i > 0; --i) {
      std::string text = "host=n" + std::to_string(dice.below(100)) + "x" + std::to_string(i);
      for (const char* label : {"block", "rack", "pool"}) {
        if (!dice.percent(85)) continue;
        text += std::string(",") + label + "=" + std::to_string(dice.below(4));
      }
      nodes.push_back(node(text));
    }
    const bool pools = dice.percent(50);
    const World world(pools ? "block/rack/host pool" : "block/rack/host block/rack", nodes);
    for (std::uint32_t a = 0; a < world.cells->cell_count(); ++a) {
      const ShardId shard = world.layout.of(CellId{a});
      for (const CellId b : world.cells->observers(CellId{a})) {
        EXPECT_EQ(world.layout.of(b), shard) << seed;
      }
      for (const NodeId n : world.cells->nodes(CellId{a})) {
        for (const CellId b : world.cells->cells_of_node(n)) {
          EXPECT_EQ(world.layout.of(b), shard) << seed;
        }
        const ShardId home = world.layout.home(world.nodes[topology::index(n)]);
        EXPECT_TRUE(shard == home || world.layout.name(shard) == "wide") << seed;
      }
    }
  }
}

}  // namespace
}  // namespace tessera::core
