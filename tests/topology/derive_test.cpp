// SPDX-License-Identifier: Apache-2.0
#include "topology/derive.h"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <utility>

#include "tests/topology/compact_world.h"

namespace tessera::topology {
namespace {

/// Short keys of the node notation below.
std::string full_label(const std::string& key) {
  static const auto kPrefixes = std::to_array<std::pair<const char*, const char*>>({
      {"net/", "network.topology.nvidia.com/"},
      {"tier-", "fabric.topograph.run/tier-"},
      {"topograph/", "accelerator.topograph.run/"},
      {"aws/", "topology.k8s.aws/"},
      {"layer-", "topology.k8s.aws/network-node-layer-"},
      {"gke/", "cloud.google.com/gce-topology-"},
      {"rdma.", "oci.oraclecloud.com/rdma."},
      {"host.", "oci.oraclecloud.com/host."},
      {"cw/", "backend.coreweave.cloud/"},
      {"ib/", "ib.coreweave.cloud/"},
  });
  if (key == "region" || key == "zone") return "topology.kubernetes.io/" + key;
  if (key == "clique") return "nvidia.com/gpu.clique";
  if (key == "nvlink") return "ds.coreweave.com/nvlink.domain";
  if (key == "host") return "kubernetes.io/hostname";
  for (const auto& [prefix, full] : kPrefixes) {
    if (key.rfind(prefix, 0) == 0) return full + key.substr(std::string_view(prefix).size());
  }
  return key;
}

/// "a zone=z1 clique=c": Node a with these labels and its name as hostname. "!a" is cordoned;
/// "host=" gives another hostname, "nohost" none.
NodeRecord labelled_node(const std::string& line) {
  std::vector<std::string> parts = test::words(line);
  NodeRecord node;
  node.ready = true;
  node.unschedulable = parts[0][0] == '!';
  const std::string name = parts[0].substr(node.unschedulable ? 1 : 0);
  node.name = Symbol(name);
  if (parts.back() == "nohost") {
    parts.pop_back();
  } else {
    node.labels.set(hostname_label(), Symbol(name));
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    node.labels.set(Symbol(full_label(parts[i].substr(0, equals))),
                    Symbol(parts[i].substr(equals + 1)));
  }
  return node;
}

std::vector<NodeRecord> labelled_nodes(const std::vector<const char*>& lines) {
  std::vector<NodeRecord> nodes;
  for (const char* line : lines) nodes.push_back(labelled_node(line));
  test::sort_by_name(nodes);
  return nodes;
}

struct DeriveCase {
  const char* name;
  std::vector<const char*> nodes;
  const char* levels;  // short labels
  const char* out;     // "node:level"
  const char* unlabelled;
};
void PrintTo(const DeriveCase& test, std::ostream* out) { *out << test.name; }

const DeriveCase kDerived[] = {
    {"no_nodes_leave_the_host", {}, "host", "", ""},
    {"no_labels_leave_the_host", {"a"}, "host", "", ""},
    {"region_and_zone_each_if_a_usable_node_has_it",
     {"a zone=z", "!b region=r zone=z"},
     "zone host",
     "",
     ""},
    {"a_level_with_one_value_stays",
     {"a region=r zone=z clique=c", "b region=r zone=z clique=d"},
     "region zone clique host",
     "",
     ""},
    {"topograph_tiers_grow_outward",
     {"a tier-0=l tier-1=s tier-2=c topograph/domain=n"},
     "tier-2 tier-1 tier-0 topograph/domain host",
     "",
     ""},
    {"the_clique_goes_before_the_familys_own_nvlink_label",
     {"a net/leaf=l net/spine=s net/core=c net/accelerator=n clique=q"},
     "net/core net/spine net/leaf clique host",
     "",
     ""},
    {"aws_layers_grow_inward",
     {"a layer-3=3 layer-1=1 layer-2=2 aws/ultraserver-id=u"},
     "layer-1 layer-2 layer-3 aws/ultraserver-id host",
     "",
     ""},
    {"gke_sub_block_is_the_nvlink_domain",
     {"a gke/host=h gke/subblock=s gke/block=b"},
     "gke/block gke/subblock host",
     "",
     ""},
    {"gke_clique_replaces_the_sub_block",
     {"a gke/subblock=s gke/block=b clique=c"},
     "gke/block clique host",
     "",
     ""},
    {"oracle_families_are_not_mixed",
     {"a rdma.hpc_island_id=i rdma.network_block_id=n rdma.local_block_id=l host.rack_id=r"},
     "rdma.hpc_island_id rdma.network_block_id rdma.local_block_id host",
     "",
     ""},
    {"coreweave_superpods_hold_leaf_groups",
     {"a cw/superpod=7 cw/leafgroup=11 nvlink=x clique=c1",
      "b cw/superpod=7 cw/leafgroup=12 clique=c2"},
     "cw/superpod cw/leafgroup clique host",
     "",
     ""},
    {"coreweave_is_ordered_by_what_the_nodes_say",
     {"a ib/fabric=f1 ib/superpod=1 nvlink=x", "b ib/fabric=f2 ib/superpod=1 nvlink=y"},
     "ib/superpod ib/fabric nvlink host",
     "",
     ""},
    {"an_nvlink_label_alone_is_a_level", {"a nvlink=x", "b nvlink=y", "c"}, "nvlink host", "", "c"},
    {"the_family_on_most_nodes_wins",
     {"a layer-1=x", "b layer-1=x", "c tier-0=l"},
     "layer-1 host",
     "",
     "c"},
    {"ties_go_to_the_earlier_family", {"a layer-1=x", "b tier-0=l"}, "tier-0 host", "", "a"},
    {"cordoned_nodes_do_not_vote",
     {"!a layer-1=x", "!b layer-1=x", "c tier-0=l"},
     "tier-0 host",
     "",
     ""},
    {"half_a_fabric_is_out_and_none_is_unlabelled",
     {"a zone=z net/leaf=l clique=c", "b zone=z net/leaf=l", "c zone=z clique=c", "d zone=z", "e"},
     "zone net/leaf clique host",
     "b:clique c:net/leaf",
     "d e"},
    {"a_node_without_zone_but_with_fabric_is_out",
     {"a zone=z clique=c", "b clique=c"},
     "zone clique host",
     "b:zone",
     ""},
    {"a_node_without_hostname_is_out",
     {"a clique=c", "b clique=c nohost", "c nohost"},
     "clique host",
     "b:host c:clique",
     ""},
};

std::string short_levels(const std::vector<TopologyLevel>& levels, const char* expected) {
  // An expected word may be a short key: compare by the short key if the label has one.
  const std::vector<std::string> wanted = test::words(expected);
  std::string text;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::string label = levels[i].label.str();
    const bool as_wanted = i < wanted.size() && full_label(wanted[i]) == label;
    text += (i == 0 ? "" : " ") + (as_wanted ? wanted[i] : label);
  }
  return text;
}

class Derived : public ::testing::TestWithParam<DeriveCase> {};

TEST_P(Derived, HasTheseLevelsAndNamesWhoFellOut) {
  const std::vector<NodeRecord> nodes = labelled_nodes(GetParam().nodes);
  const auto derived = derive_topology(nodes);
  ASSERT_TRUE(derived) << derived.error().message;
  EXPECT_EQ(short_levels(derived->spec.levels, GetParam().levels), GetParam().levels);
  EXPECT_EQ(derived->spec.name, "default");
  EXPECT_TRUE(derived->spec.derived);
  EXPECT_FALSE(derived->notes.empty());

  std::vector<std::string> out;
  for (const LeftOutNode& node : derived->out) {
    out.push_back(nodes[index(node.node)].name.str() + " " +
                  derived->spec.levels[static_cast<std::size_t>(node.level)].label.str());
  }
  std::vector<std::string> expected_out;
  for (const std::string& word : test::words(GetParam().out)) {
    const std::size_t colon = word.find(':');
    expected_out.push_back(word.substr(0, colon) + " " + full_label(word.substr(colon + 1)));
  }
  EXPECT_EQ(out, expected_out);
  std::vector<std::string> unlabelled;
  for (const NodeId node : derived->unlabelled) unlabelled.push_back(nodes[index(node)].name.str());
  EXPECT_EQ(unlabelled, test::words(GetParam().unlabelled));

  // The open tree of the derived topology takes in and leaves out the same nodes.
  const DomainTree open(derived->spec, nodes, {}, true);
  std::vector<std::string> left_out;
  for (const LeftOutNode& node : open.left_out()) {
    if (node.cause != LeftOut::kMissingLevel) continue;
    left_out.push_back(nodes[index(node.node)].name.str() + " " +
                       derived->spec.levels[static_cast<std::size_t>(node.level)].label.str());
  }
  EXPECT_EQ(left_out, expected_out);
}
INSTANTIATE_TEST_SUITE_P(Topologies, Derived, ::testing::ValuesIn(kDerived),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Derive, CrossingLabelsOfAnUnorderedFamilyAreRefused) {
  const auto derived =
      derive_topology(labelled_nodes({"a cw/fabric=f cw/superpod=1", "b cw/fabric=f cw/superpod=2",
                                      "c cw/fabric=g cw/superpod=1"}));
  ASSERT_FALSE(derived);
  EXPECT_EQ(derived.error().code, ErrorCode::kConflict);
  EXPECT_NE(derived.error().message.find("nodes a and c share backend.coreweave.cloud/superpod"),
            std::string::npos)
      << derived.error().message;
}

TEST(Derive, NotesSayWhichFamilyAndFoldLongLists) {
  std::vector<std::string> lines = {"a layer-1=x aws/ultraserver-id=u", "b layer-1=x tier-0=l",
                                    "c aws/ultraserver-id=u"};
  for (int i = 10; i < 22; ++i) lines.push_back("n" + std::to_string(i));
  std::vector<NodeRecord> nodes;
  for (const std::string& line : lines) nodes.push_back(labelled_node(line));
  const auto derived = derive_topology(nodes);
  ASSERT_TRUE(derived);
  const std::vector<std::string> expected = {
      "topology \"default\" is derived from node labels, coarsest first: "
      "topology.k8s.aws/network-node-layer-1, topology.k8s.aws/ultraserver-id, "
      "kubernetes.io/hostname; fabric labels of AWS (on 2 nodes), not of topograph on 1",
      "1 node left out, no label topology.k8s.aws/network-node-layer-1: c",
      "1 node left out, no label topology.k8s.aws/ultraserver-id: b",
      "12 nodes without fabric labels, only for pods without a topology request: n10, n11, n12, "
      "n13, n14, n15, n16, n17, n18, n19 and 2 more"};
  EXPECT_EQ(derived->notes, expected);
}

TEST(Derive, WithoutLabelsOfAFabricEachNodeIsAHost) {
  const std::vector<NodeRecord> nodes = {labelled_node("a"), labelled_node("b nohost")};
  const auto derived = derive_topology(nodes);
  ASSERT_TRUE(derived);
  EXPECT_EQ(derived->notes,
            std::vector<std::string>{"topology \"default\" is derived from node labels, coarsest "
                                     "first: kubernetes.io/hostname"});
  EXPECT_TRUE(derived->out.empty()) << "a node without a hostname label";
}

/// The labels and states of the sample cluster of two GB200 racks: 36 nodes, one cordoned, one not
/// ready, one whose clique label is missing. Node names are not the hostnames.
std::vector<NodeRecord> two_racks() {
  const char* cliques[] = {"5c1f0d3e-7a42-4b1e-9f0c-21d7a0c4e911.32766",
                           "c07b9a54-1d3f-4c88-8e22-6f5ab3d81c02.32766"};
  std::vector<NodeRecord> nodes;
  for (int rack = 1; rack <= 2; ++rack) {
    for (int tray = 1; tray <= 18; ++tray) {
      const std::string number = (tray < 10 ? "0" : "") + std::to_string(tray);
      const std::string host = "gb-r0" + std::to_string(rack) + "-n" + number;
      std::string line = "ip-10-42-" + std::to_string(10 + rack) + "-" + std::to_string(tray + 2) +
                         ".compute.internal host=" + host +
                         " region=eu-x1 zone=eu-x1-a net/core=core-a net/spine=sp-1" +
                         " net/leaf=" + (rack == 1 ? "010" : "012") + " net/accelerator=nvl-" +
                         std::to_string(rack);
      if (host != "gb-r02-n18") line += std::string(" clique=") + cliques[rack - 1];
      NodeRecord node = labelled_node(line);
      node.unschedulable = host == "gb-r01-n05";
      node.ready = host != "gb-r02-n10";
      nodes.push_back(node);
    }
  }
  test::sort_by_name(nodes);
  return nodes;
}

TEST(Derive, TwoGb200RacksAreNamedForPeople) {
  const std::vector<NodeRecord> nodes = two_racks();
  const auto derived = derive_topology(nodes);
  ASSERT_TRUE(derived);
  std::string aliases;
  for (const TopologyLevel& level : derived->spec.levels) aliases += level.alias + " ";
  EXPECT_EQ(aliases, "region zone core spine leaf rack host ");
  const std::optional<int> rack = derived->spec.find_level("rack");
  ASSERT_TRUE(rack);
  const TopologyLevel& level = derived->spec.levels[static_cast<std::size_t>(*rack)];
  EXPECT_EQ(level.label.view(), "nvidia.com/gpu.clique");
  EXPECT_EQ(level.display, "network.topology.nvidia.com/accelerator");
  ASSERT_EQ(derived->out.size(), 1U);
  EXPECT_EQ(nodes[index(derived->out[0].node)].labels.find(hostname_label()), Symbol("gb-r02-n18"));
  EXPECT_EQ(derived->out[0].level, rack);

  const DomainTree tree(derived->spec, nodes, {}, false);
  ASSERT_EQ(tree.level(*rack).size(), 2U);
  EXPECT_EQ(tree.children(DomainId{tree.level(*rack).begin}).size(), 17U);
  EXPECT_EQ(tree.children(DomainId{tree.level(*rack).begin + 1}).size(), 16U);
  const Symbol host[] = {Symbol("gb-r01-n01")};
  EXPECT_EQ(tree.path_text(tree.domain_of(*tree.find_leaf(host))),
            "eu-x1/eu-x1-a/core-a/sp-1/010/5c1f0d3e-7a42-4b1e-9f0c-21d7a0c4e911.32766/gb-r01-n01");
}

TEST(DefaultNames, AreAddedOnlyWhereTheTopologyHasNone) {
  TopologySpec spec;
  spec.levels = {{Symbol("topology.kubernetes.io/zone"), "az", ""},
                 {Symbol("oci.oraclecloud.com/host.rack_id"), "", ""},
                 {Symbol("nvidia.com/gpu.clique"), "", "example.com/rack-name"},
                 {Symbol("example.com/tray"), "", ""},
                 {hostname_label(), "", ""}};
  add_default_names(spec, labelled_nodes({"a net/accelerator=n"}));
  std::vector<std::string> names;
  for (const TopologyLevel& level : spec.levels) names.push_back(level.alias + "|" + level.display);
  const std::vector<std::string> expected = {"az|", "|", "rack|example.com/rack-name", "|",
                                             "host|"};
  EXPECT_EQ(names, expected) << "the word rack goes to the finer of two levels";
}

TEST(DefaultNames, ACliqueIsShownByTheAcceleratorOnlyIfANodeHasIt) {
  TopologySpec spec;
  spec.levels = {{Symbol("nvidia.com/gpu.clique"), "", ""}};
  TopologySpec plain = spec;
  add_default_names(spec, labelled_nodes({"a", "b net/accelerator=n"}));
  add_default_names(plain, labelled_nodes({"a", "b clique=n"}));
  EXPECT_EQ(spec.levels[0].display, "network.topology.nvidia.com/accelerator");
  EXPECT_EQ(plain.levels[0].display, "");
}

}  // namespace
}  // namespace tessera::topology
