// SPDX-License-Identifier: Apache-2.0
// Topologies of KAI: aliases of levels, and the hosts below the last level.
#include <gtest/gtest.h>

#include "tests/ingest/load/loading.h"

namespace tessera::test {
namespace {

std::string kai_topology(const std::string& levels) {
  return "apiVersion: kai.scheduler/v1alpha1\nkind: Topology\nmetadata: {name: t}\nspec: {levels: "
         "[" +
         levels + "]}\n";
}

/// "label=alias > ..." and what becomes of nodes without labels.
std::string kai_levels(const ingest::Loaded& loaded) {
  std::string text;
  for (const topology::TopologySpec& topology : loaded.inventory.topologies) {
    for (const topology::TopologyLevel& level : topology.levels) {
      text += (text.empty() ? "" : " > ") + level.label.str();
      if (!level.alias.empty()) text += "=" + level.alias;
    }
    if (topology.unlabelled == topology::UnlabelledNodes::kKept) text += ", keeps all nodes";
  }
  return text.empty() ? "-" : text;
}

std::string numbered_levels(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += (i == 0 ? "{nodeLabel: l" : ", {nodeLabel: l") + std::to_string(i) + "}";
  }
  return text;
}

struct TopologyCase {
  const char* name;
  std::string levels;
  const char* read;
  const char* errors;
};
const TopologyCase kTopologies[] = {
    {"the hosts are added", "{nodeLabel: a/block}, {nodeLabel: a/rack}",
     "a/block > a/rack > kubernetes.io/hostname=host, keeps all nodes", ""},
    {"the hosts are there", "{nodeLabel: a/rack}, {nodeLabel: kubernetes.io/hostname}",
     "a/rack > kubernetes.io/hostname=host, keeps all nodes", ""},
    {"aliases", "{nodeLabel: a/b, alias: blk}, {nodeLabel: a/r, alias: ''}",
     "a/b=blk > a/r > kubernetes.io/hostname=host, keeps all nodes", ""},
    {"an alias twice", "{nodeLabel: a/b, alias: x}, {nodeLabel: a/r, alias: x}", "-",
     "state.yaml:4:62: Topology t: spec.levels[1].alias: \"x\" is the name of another level\n"},
    {"an alias that is a label", "{nodeLabel: a/b, alias: a/r}, {nodeLabel: a/r}", "-",
     "state.yaml:4:34: Topology t: spec.levels[0].alias: \"a/r\" is the name of another level\n"},
    {"an alias that is its own label", "{nodeLabel: a/b, alias: a/b}", "-",
     "state.yaml:4:34: Topology t: spec.levels[0].alias: \"a/b\" is the name of another level\n"},
    {"an alias that is no text", "{nodeLabel: a/b, alias: 3}", "-",
     "state.yaml:4:34: Topology t: spec.levels[0].alias: must be a text, is a number (put it in "
     "quotes)\n"},
    {"sixteen levels above the hosts", numbered_levels(16), "-",
     "state.yaml:4:8: Topology t: spec.levels: has 16 levels above kubernetes.io/hostname (right: "
     "at most 15)\n"},
};

TEST(KaiTopology, EndsAtTheHostsAndHasAliases) {
  for (const TopologyCase& c : kTopologies) {
    SCOPED_TRACE(c.name);
    const ingest::Loaded loaded = load(kai_topology(c.levels));
    EXPECT_EQ(kai_levels(loaded), c.read);
    EXPECT_EQ(texts(loaded.errors), c.errors);
    EXPECT_EQ(texts(loaded.warnings), "");
  }
  const ingest::Loaded most =
      load(kai_topology(numbered_levels(15) + ", {nodeLabel: kubernetes.io/hostname}"));
  EXPECT_EQ(texts(most.errors), "");
}

}  // namespace
}  // namespace tessera::test
