// SPDX-License-Identifier: Apache-2.0
#include "config/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/schema.h"
#include "config/view.h"

namespace tessera::config {
namespace {

constexpr const char* kHead = "apiVersion: tessera.dev/v1alpha1\nkind: Configuration\n";

LoadedSettings parse(const std::string& body) {
  return parse_settings(kHead + body, "config.yaml");
}

TEST(Settings, BuiltInProfilesAreTheDocumentedOnes) {
  const Settings settings = built_in_settings();
  ASSERT_EQ(settings.profiles.size(), 2u);
  const Profile& kueue = *settings.find_profile("kueue");
  EXPECT_EQ(kueue.name, "kueue-0.19");
  EXPECT_EQ(kueue.messages, Messages::kKueue);
  EXPECT_EQ(kueue.leader_filters, LeaderFilters::kWorkers);
  EXPECT_EQ(kueue.pod_usage, PodUsage::kKueueNonTas);
  EXPECT_EQ(kueue.slice_remainder, SliceRemainder::kKueue);
  EXPECT_EQ(kueue.rounds, Rounds::kKueue);
  EXPECT_TRUE(kueue.recompute_in_cycle);
  EXPECT_FALSE(kueue.preferred_affinity);
  const Profile& standard = *settings.find_profile("default");
  EXPECT_EQ(standard.unconstrained, Algorithm::kLeastFreeCapacity);
  EXPECT_EQ(standard.slice_remainder, SliceRemainder::kReject);
  EXPECT_EQ(standard.rounds, Rounds::kSequential);
  EXPECT_TRUE(standard.overlapping_flavors);
}

TEST(Settings, AProfileInheritsWhatItDoesNotSay) {
  const LoadedSettings loaded = parse(
      "profiles:\n- name: b\n  extends: a\n  algorithm: {unconstrained: BestFit}\n"
      "- name: a\n  extends: kueue-0.19\n  balancedPlacement: Kueue\n  preferredAffinity: true\n");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  const Profile& b = *loaded.settings.find_profile("b");
  EXPECT_EQ(b.unconstrained, Algorithm::kBestFit);
  EXPECT_EQ(b.balanced_placement, BalancedPlacement::kKueue);
  EXPECT_TRUE(b.preferred_affinity);
  EXPECT_EQ(b.messages, Messages::kKueue);
}

TEST(Settings, EveryFieldOfTheSchemaCanBeSetToEveryChoice) {
  for (const ProfileField& field : profile_fields()) {
    for (std::size_t i = 0; i < field.choices.size(); ++i) {
      const std::size_t dot = field.path.find('.');
      const std::string setting = dot == std::string::npos ? field.path + ": " + field.choices[i]
                                                           : field.path.substr(0, dot) + ": {" +
                                                                 field.path.substr(dot + 1) + ": " +
                                                                 field.choices[i] + "}";
      const LoadedSettings loaded = parse("profiles:\n- name: x\n  " + setting + "\n");
      ASSERT_TRUE(loaded.errors.empty()) << setting << ": " << loaded.errors[0].text();
      EXPECT_EQ(field.get(*loaded.settings.find_profile("x")), i) << setting;
    }
  }
}

TEST(Settings, TopologiesHaveAliasesAndDisplayLabels) {
  const LoadedSettings loaded = parse(
      "topologies:\n- name: nvl72\n  unlabelledNodes: UnconstrainedOnly\n  levels:\n"
      "  - {label: nvidia.com/gpu.clique, alias: rack, display: "
      "network.topology.nvidia.com/accelerator}\n"
      "  - {label: kubernetes.io/hostname, alias: host}\n");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  const topology::TopologySpec& topology = loaded.settings.topologies.at(0);
  EXPECT_EQ(topology.find_level("rack"), 0);
  EXPECT_EQ(topology.find_level("nvidia.com/gpu.clique"), 0);
  EXPECT_EQ(topology.unlabelled, topology::UnlabelledNodes::kUnconstrainedOnly);
}

struct BadCase {
  const char* name;
  std::string body;
  const char* error;  // whole text
};

TEST(Settings, AMistakeNamesItsPlaceAndTheNearestName) {
  const BadCase cases[] = {
      {"misspelt key", "profiles:\n- name: x\n  algoritm: {required: BestFit}\n",
       "config.yaml:5:3: profiles[0].algoritm: unknown field (did you mean \"algorithm\"?)"},
      {"misspelt key below", "profiles:\n- name: x\n  algorithm: {requird: BestFit}\n",
       "config.yaml:5:15: profiles[0].algorithm.requird: unknown field (did you mean "
       "\"required\"?)"},
      {"misspelt choice", "profiles:\n- name: x\n  messages: Kueu\n",
       "config.yaml:5:13: profiles[0].messages: \"Kueu\" is not one of Clear, Kueue (did you mean "
       "\"Kueue\"?)"},
      {"a key of a later version", "server: {address: 127.0.0.1:7272}\n",
       "config.yaml:3:1: server: unknown field"},
      {"unknown parent", "profiles:\n- name: x\n  extends: kueue-0.20\n",
       "config.yaml:4:3: profiles[0].extends: no profile \"kueue-0.20\" (did you mean "
       "\"kueue-0.19\"?)"},
      {"circle", "profiles:\n- name: x\n  extends: x\n",
       "config.yaml:4:3: profiles[0]: profile \"x\" extends itself"},
      {"twice", "profiles:\n- name: x\n- name: x\n",
       "config.yaml:5:3: profiles[1].name: profile \"x\" is given twice"},
      {"built-in names are kept", "profiles:\n- name: default\n  messages: Kueue\n",
       "config.yaml:4:3: profiles[0].name: profile \"default\" is built in and keeps its meaning: "
       "choose another name and extend it"},
      {"a rule without its profile", "profileRules:\n- {queue: prod-*, profile: fast}\n",
       "config.yaml:4:28: profileRules[0].profile: no profile \"fast\""},
      {"host level above others",
       "topologies:\n- name: t\n  levels: [{label: kubernetes.io/hostname}, {label: rack}]\n",
       "config.yaml:5:11: topologies[0].levels[0]: kubernetes.io/hostname may only be the last "
       "level"},
      {"misspelt strategy", "resources: {transformations: [{input: cpu, strategy: Retian}]}\n",
       "config.yaml:3:54: resources.transformations[0].strategy: \"Retian\" is not one of Retain, "
       "Replace (did you mean \"Retain\"?)"},
      {"transformation of nothing", "resources: {transformations: [{strategy: Retain}]}\n",
       "config.yaml:3:31: resources.transformations[0].input: names the resource to transform"},
      {"a resource transformed twice",
       "resources: {transformations: [{input: cpu}, {input: cpu}]}\n",
       "config.yaml:3:45: resources.transformations[1].input: \"cpu\" is transformed twice"},
      {"a factor that is no quantity",
       "resources: {transformations: [{input: cpu, outputs: {x: 4x}}]}\n",
       "config.yaml:3:57: resources.transformations[0].outputs[\"x\"]: \"4x\" is not a quantity"},
      {"wrong type", "profiles: {name: x}\n", "config.yaml:3:11: profiles: expected a list"},
  };
  for (const BadCase& c : cases) {
    const LoadedSettings loaded = parse(c.body);
    ASSERT_EQ(loaded.errors.size(), 1u) << c.name;
    EXPECT_EQ(loaded.errors[0].text(), c.error) << c.name;
  }
}

TEST(Settings, TheValidRestSurvives) {
  const LoadedSettings loaded =
      parse("profiles:\n- name: x\n  messages: Kueu\n  preferredAffinity: false\n- name: z\n");
  EXPECT_EQ(loaded.errors.size(), 1u);
  ASSERT_NE(loaded.settings.find_profile("x"), nullptr);
  EXPECT_FALSE(loaded.settings.find_profile("x")->preferred_affinity);
  EXPECT_NE(loaded.settings.find_profile("z"), nullptr);
}

TEST(Settings, AnotherKindOfFileIsRefused) {
  const LoadedSettings loaded = parse_settings("apiVersion: v1\nkind: Node\n", "n.yaml");
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_THAT(loaded.errors[0].text(),
              testing::HasSubstr("expected apiVersion: tessera.dev/v1alpha1"));
}

TEST(View, IsReadBackAsTheSameSettings) {
  const LoadedSettings first = parse(
      "topologies:\n- name: t\n  levels: [{label: \"a'b\", alias: x}]\nprofiles:\n- name: p\n  "
      "extends: kueue\n  messages: Clear\n"
      "resources: {excludeResourcePrefixes: [a.b/], transformations: [{input: cpu, strategy: "
      "Replace, "
      "multiplyBy: x, outputs: {c: 1500m}}]}\n"
      "profileRules:\n- {queue: 'prod-*', kind: Job, profile: p}\n");
  ASSERT_TRUE(first.errors.empty()) << first.errors[0].text();
  const std::string text = view(first.settings, {});
  const LoadedSettings again = parse_settings(text, "again.yaml");
  ASSERT_TRUE(again.errors.empty()) << again.errors[0].text() << "\n" << text;
  EXPECT_EQ(view(again.settings, {}), text);
  EXPECT_THAT(view(first.settings, {true, true}), testing::HasSubstr("# built in"));
}

}  // namespace
}  // namespace tessera::config
