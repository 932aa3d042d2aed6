// SPDX-License-Identifier: Apache-2.0
// `topology show` and `rackmap`: figures of the mock-ups D3 and D4 on the two racks of cases.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/run_tessera.h"

namespace tessera::app_test {
namespace {

using testing::HasSubstr;

const std::string kNodes = case_file("nodes-gb200-two-racks.yaml.gz");
const std::string kSetup = case_file("kueue-setup.yaml.gz");
const std::string kJobSet = case_file("jobset-two-level.yaml.gz");

TEST(TopologyShow, PrintsTheMockUp) {
  const Answer run = tessera({"topology", "show", "-C", kNodes, "-C", kSetup});
  EXPECT_EQ(run.exit, 0);
  EXPECT_EQ(run.out,
            "LEVEL  DOMAIN   HOSTS  USABLE  GPUS  FREE  WHOLE  START16  START8  START4  START1\n"
            "zone   eu-x1-a     36      33   131   131     32        2       4       8      32\n"
            "rack   nvl-1       18      17    67    67     16        1       2       4      16\n"
            "rack   nvl-2       17      16    64    64     16        1       2       4      16\n"
            "-      (none)       1       0     0     0      0        -       -       -       -"
            "    gb-r02-n18: no nvidia.com/gpu.clique\n");
}

TEST(TopologyShow, DerivesALevelForEachLabelWithoutATopology) {
  const Answer run = tessera({"topology", "show", "-C", kNodes});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.err, HasSubstr("region > zone > core > spine > leaf > rack > host"));
  EXPECT_THAT(run.out, HasSubstr("36      33   131   131"));
}

TEST(TopologyShow, ShapeDecidesWhatIsWhole) {
  const Answer one = tessera({"topology", "show", "-C", kNodes, "--shape", "nvidia.com/gpu=3"});
  EXPECT_THAT(one.out, HasSubstr("nvl-1       18      17    67    67     17"));
  const Answer none = tessera({"topology", "show", "-C", kNodes, "--shape", "cpu=200"});
  EXPECT_THAT(none.out, HasSubstr("nvl-1       18      17    67    67      0"));
  EXPECT_EQ(tessera({"topology", "show", "-C", kNodes, "--shape", "gpu"}).exit, 2);
}

TEST(TopologyShow, ShapeOfAPodSetObeysItsTolerations) {
  const Answer of_workers = tessera({"topology", "show", "-C", kNodes, "-f", kJobSet, "--shape-of",
                                     "jobset/pretrain-70b-r3/workers"});
  EXPECT_THAT(of_workers.out, HasSubstr("nvl-1       18      17    67    67     16"));
  // Without the flavor's tolerations the coordinator runs nowhere.
  const Answer of_coordinator = tessera({"topology", "show", "-C", kNodes, "-f", kJobSet,
                                         "--shape-of", "jobset/pretrain-70b-r3/coordinator"});
  EXPECT_THAT(of_coordinator.out, HasSubstr("nvl-1       18      17    67    67      0"));
}

TEST(TopologyShow, JsonHasTheSameFigures) {
  const Answer run = tessera({"topology", "show", "-C", kNodes, "-C", kSetup, "-o", "json"});
  const auto report = nlohmann::json::parse(run.out);
  const auto& zone = report["topologies"][0]["levels"][0]["domains"][0];
  EXPECT_EQ(zone["hosts"], 36);
  EXPECT_EQ(zone["usable"], 33);
  EXPECT_EQ(zone["devices"], 131);
  EXPECT_EQ(zone["start"]["8"], 4);
  EXPECT_EQ(report["topologies"][0]["outside"][0]["cause"], "no nvidia.com/gpu.clique");
}

TEST(Rackmap, EmptyRacksShowWhatIsBroken) {
  const Answer run = tessera({"rackmap", "-C", kNodes});
  EXPECT_EQ(run.exit, 0);
  const std::vector<std::string> lines = lines_of(run.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], HasSubstr("RACK   01..18"));
  EXPECT_THAT(lines[1], HasSubstr("nvl-1  ....-......!......  0/67    67     16  1/2/4/16"));
  EXPECT_THAT(lines[1], HasSubstr("- cordoned"));
  EXPECT_THAT(lines[2], HasSubstr("nvl-2  .........x.......   0/64    64     16  1/2/4/16"));
}

TEST(Rackmap, RequestIsPlacedBeforeTheMapIsDrawn) {
  const Answer run = tessera(
      {"rackmap", "-C", kNodes, "-C", kSetup, "-f", kJobSet, "--ignore-quota", "--no-headers"});
  EXPECT_EQ(run.out,
            "nvl-1  4444-444444!444444  64/67  3  0  0/0/0/0\n"
            "nvl-2  444444444x4444444   64/64  0  0  0/0/0/0\n");
}

TEST(Rackmap, GangsHaveLettersAndHealthHasNoDigits) {
  const std::vector<std::string> base = {"rackmap", "-C",    kNodes,           "-C",  kSetup,
                                         "-f",      kJobSet, "--ignore-quota", "--by"};
  std::vector<std::string> gang = base, health = base;
  gang.emplace_back("gang");
  health.emplace_back("health");
  EXPECT_THAT(tessera(gang).out, HasSubstr("nvl-1  aaaa-aaaaaa.aaaaaa"));
  EXPECT_THAT(tessera(gang).out, HasSubstr("a jobset/pretrain-70b-r3"));
  EXPECT_THAT(tessera(health).out, HasSubstr("nvl-1  ....-......!......"));
}

TEST(Rackmap, LevelIsChosenByNameAndAWrongOneIsNamed) {
  const Answer zone = tessera({"rackmap", "-C", kNodes, "-C", kSetup, "--level", "zone"});
  EXPECT_THAT(zone.out, HasSubstr("ZONE"));
  EXPECT_THAT(zone.out, HasSubstr("0/131"));
  const Answer wrong = tessera({"rackmap", "-C", kNodes, "-C", kSetup, "--level", "rak"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_THAT(wrong.err, HasSubstr("did you mean \"rack\"?"));
}

TEST(Rackmap, ClusterWithoutFabricLabelsHasOneRow) {
  const Scratch scratch;
  std::string nodes;
  for (const char* name : {"a", "b"}) {
    nodes += std::string("---\napiVersion: v1\nkind: Node\nmetadata: {name: ") + name +
             ", labels: {kubernetes.io/hostname: " + name +
             "}}\nstatus: {allocatable: {cpu: '8', pods: '20'}, conditions: [{type: Ready, "
             "status: 'True'}]}\n";
  }
  const Answer run = tessera({"rackmap", "-C", scratch.file("n.yaml", nodes)});
  EXPECT_EQ(run.exit, 0);
  EXPECT_THAT(run.out, HasSubstr("(all)"));
  EXPECT_THAT(run.out, HasSubstr("0/40"));
}

}  // namespace
}  // namespace tessera::app_test
