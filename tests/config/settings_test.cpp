// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/load_settings.h"
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
  for (const Profile& profile : settings.profiles) {
    EXPECT_EQ(profile.batch, 256) << profile.name;
    EXPECT_EQ(profile.search_max_steps, 200'000) << profile.name;
    EXPECT_EQ(profile.search_step_nanoseconds, 50) << profile.name;
    EXPECT_EQ(profile.index_max_keys, 32) << profile.name;
    EXPECT_EQ(profile.index_max_age_cycles, 10'000) << profile.name;
  }
  EXPECT_EQ(settings.solver_threads, 0);
  EXPECT_EQ(settings.actor_threads, 0);
}

TEST(Settings, AProfileInheritsWhatItDoesNotSay) {
  const LoadedSettings loaded = parse(
      "profiles:\n- name: b\n  extends: a\n  algorithm: {unconstrained: BestFit}\n"
      "  index: {maxAgeCycles: 20}\n  search: {maxSteps: 5}\n"
      "- name: a\n  extends: kueue-0.19\n  balancedPlacement: Kueue\n  preferredAffinity: true\n"
      "  index:\n    maxKeys: 2\n    maxAgeCycles: 10\n");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  const Profile& b = *loaded.settings.find_profile("b");
  EXPECT_EQ(b.unconstrained, Algorithm::kBestFit);
  EXPECT_EQ(b.balanced_placement, BalancedPlacement::kKueue);
  EXPECT_TRUE(b.preferred_affinity);
  EXPECT_EQ(b.messages, Messages::kKueue);
  EXPECT_EQ(b.search_max_steps, 5);
  EXPECT_EQ(b.search_step_nanoseconds, 50);
  EXPECT_EQ(b.index_max_keys, 2);
  EXPECT_EQ(b.index_max_age_cycles, 20);
}

/// A profile `x` that sets one field.
LoadedSettings with_field(const std::string& path, const std::string& value) {
  const std::size_t dot = path.find('.');
  const std::string setting =
      dot == std::string::npos
          ? path + ": " + value
          : path.substr(0, dot) + ": {" + path.substr(dot + 1) + ": " + value + "}";
  return parse("profiles:\n- name: x\n  " + setting + "\n");
}

TEST(Settings, EveryFieldOfTheSchemaTakesItsChoicesOrTheEndsOfItsRange) {
  for (const ProfileField& field : profile_fields()) {
    ASSERT_EQ(field.choices.empty(), field.range.has_value()) << field.path;
    std::vector<std::pair<std::string, std::int64_t>> values;
    for (const std::string& choice : field.choices) {
      values.emplace_back(choice, static_cast<std::int64_t>(values.size()));
    }
    if (field.range) {
      for (const std::int64_t end : {field.range->least, field.range->most})
        values.emplace_back(std::to_string(end), end);
    }
    for (const auto& [text, value] : values) {
      const LoadedSettings loaded = with_field(field.path, text);
      ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
      const Profile& profile = *loaded.settings.find_profile("x");
      EXPECT_EQ(field.get(profile), value) << field.path << ": " << text;
      EXPECT_EQ(field.written(profile), text) << field.path;
    }
  }
}

TEST(Settings, ANumberBesideItsRangeIsRefusedAndTheDefaultStays) {
  for (const ProfileField& field : profile_fields()) {
    if (!field.range) continue;
    for (const std::int64_t value : {field.range->least - 1, field.range->most + 1}) {
      const LoadedSettings loaded = with_field(field.path, std::to_string(value));
      ASSERT_EQ(loaded.errors.size(), 1u) << field.path << ": " << value;
      EXPECT_EQ(field.get(*loaded.settings.find_profile("x")), field.get(default_profile()));
    }
  }
}

struct ThreadsCase {
  const char *name, *body;
  int solver, actors;
  const char *view, *effective;  // the line of `config view`
};
const ThreadsCase kThreadsCases[] = {
    {"not said", "", 0, 0, "", "threads: {solver: 0, actors: 0}\n"},
    {"said to be the default", "threads: {solver: 0}\n", 0, 0, "",
     "threads: {solver: 0, actors: 0}\n"},
    {"empty map", "threads: {}\n", 0, 0, "", "threads: {solver: 0, actors: 0}\n"},
    {"flow", "threads: {solver: 3}\n", 3, 0, "threads: {solver: 3, actors: 0}\n",
     "threads: {solver: 3, actors: 0}\n"},
    {"block", "threads:\n  actors: 2\n  solver: 256\n", 256, 2,
     "threads: {solver: 256, actors: 2}\n", "threads: {solver: 256, actors: 2}\n"},
    {"actors alone", "threads: {actors: 4}\n", 0, 4, "threads: {solver: 0, actors: 4}\n",
     "threads: {solver: 0, actors: 4}\n"},
};

TEST(Settings, ThreadsAreReadAndShownUnlessTheyAreTheDefault) {
  for (const ThreadsCase& c : kThreadsCases) {
    const LoadedSettings loaded = parse(c.body);
    ASSERT_TRUE(loaded.errors.empty()) << c.name << ": " << loaded.errors[0].text();
    EXPECT_EQ(loaded.settings.solver_threads, c.solver) << c.name;
    EXPECT_EQ(loaded.settings.actor_threads, c.actors) << c.name;
    EXPECT_EQ(view(loaded.settings, {}), kHead + std::string(c.view) + "profiles: []\n") << c.name;
    EXPECT_EQ(view(loaded.settings, {true, false}).find(kHead + std::string(c.effective)), 0u)
        << c.name;
  }
}

TEST(Settings, AShardLevelIsReadWithItsPlaceAndShown) {
  const LoadedSettings loaded = parse("shards:\n  level: rack\n");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  EXPECT_EQ(loaded.settings.shard_level, "rack");
  EXPECT_EQ(loaded.settings.shard_level_where.line, 4);
  EXPECT_EQ(loaded.settings.shard_level_where.field, "shards.level");
  EXPECT_EQ(view(loaded.settings, {}),
            kHead + std::string("shards: {level: rack}\nprofiles: []\n"));
  EXPECT_THAT(view(built_in_settings(), {true, false}),
              testing::HasSubstr("shards: {level: ''}\n"));
}

TEST(Settings, WaitForPodsReadyIsReadAsInKueue) {
  EXPECT_FALSE(built_in_settings().pods_ready);
  const LoadedSettings least = parse("waitForPodsReady: {timeout: 1h30m}\n");
  ASSERT_TRUE(least.errors.empty()) << least.errors[0].text();
  const PodsReady& defaults = *least.settings.pods_ready;
  EXPECT_EQ(defaults.timeout, 5'400'000'000'000);
  EXPECT_TRUE(defaults.orders_by_eviction);
  EXPECT_FALSE(defaults.backoff_limit_count);
  EXPECT_EQ(defaults.backoff_base_seconds, 60);
  EXPECT_EQ(defaults.backoff_max_seconds, 3600);
  const LoadedSettings all = parse(
      "waitForPodsReady:\n  timeout: 250ms\n  requeuingStrategy: {timestamp: Creation, "
      "backoffLimitCount: 3, backoffBaseSeconds: 0, backoffMaxSeconds: 7}\n");
  ASSERT_TRUE(all.errors.empty()) << all.errors[0].text();
  const PodsReady& rule = *all.settings.pods_ready;
  EXPECT_EQ(rule.timeout, 250'000'000);
  EXPECT_FALSE(rule.orders_by_eviction);
  EXPECT_EQ(rule.backoff_limit_count, 3);
  EXPECT_EQ(rule.backoff_base_seconds, 0);
  EXPECT_EQ(rule.backoff_max_seconds, 7);
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
      {"extends a circle", "profiles:\n- {name: x, extends: w}\n- {name: w, extends: w}\n",
       "config.yaml:5:3: profiles[1]: profile \"w\" extends itself"},
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
      {"no number", "profiles:\n- name: x\n  index:\n    maxKeys: many\n",
       "config.yaml:6:14: profiles[0].index.maxKeys: \"many\" is not a whole number"},
      {"a fraction", "profiles:\n- name: x\n  index: {maxKeys: 1.5}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"1.5\" is not a whole number"},
      {"an exponent", "profiles:\n- name: x\n  index: {maxKeys: 1e3}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"1e3\" is not a whole number"},
      {"a boolean", "profiles:\n- name: x\n  index: {maxKeys: true}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"true\" is not a whole number"},
      {"a dash", "profiles:\n- name: x\n  index: {maxKeys: '-'}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"-\" is not a whole number"},
      {"an empty text", "profiles:\n- name: x\n  index: {maxKeys: ''}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"\" is not a whole number"},
      {"a number in quotes", "profiles:\n- name: x\n  index: {maxKeys: '32'}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: \"32\" is not a whole number: leave out the "
       "quotes"},
      {"nothing for a number", "profiles:\n- name: x\n  index: {maxKeys: null}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: expected a whole number"},
      {"a list for a number", "profiles:\n- name: x\n  index: {maxKeys: [1]}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: expected a whole number"},
      {"too large", "profiles:\n- name: x\n  index: {maxKeys: 5000}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: 5000 is not between 0 and 4096"},
      {"negative", "profiles:\n- name: x\n  index: {maxKeys: -1}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: -1 is not between 0 and 4096"},
      {"too small", "profiles:\n- name: x\n  index: {maxAgeCycles: 0}\n",
       "config.yaml:5:25: profiles[0].index.maxAgeCycles: 0 is not between 1 and 1000000000"},
      {"beyond 64 bits", "profiles:\n- name: x\n  index: {maxKeys: 99999999999999999999}\n",
       "config.yaml:5:20: profiles[0].index.maxKeys: 99999999999999999999 is not between 0 and "
       "4096"},
      {"a number for a map", "profiles:\n- name: x\n  index: 5\n",
       "config.yaml:5:10: profiles[0].index: expected a map"},
      {"misspelt number", "profiles:\n- name: x\n  index: {maxKey: 5}\n",
       "config.yaml:5:11: profiles[0].index.maxKey: unknown field (did you mean \"maxKeys\"?)"},
      {"misspelt map of numbers", "profiles:\n- name: x\n  indx: {maxKeys: 5}\n",
       "config.yaml:5:3: profiles[0].indx: unknown field (did you mean \"index\"?)"},
      {"too many threads", "threads: {solver: 257}\n",
       "config.yaml:3:19: threads.solver: 257 is not between 0 and 256"},
      {"no number of threads", "threads: {solver: all}\n",
       "config.yaml:3:19: threads.solver: \"all\" is not a whole number"},
      {"too many actors", "threads: {actors: 1000}\n",
       "config.yaml:3:19: threads.actors: 1000 is not between 0 and 256"},
      {"misspelt actors", "threads: {actor: 2}\n",
       "config.yaml:3:11: threads.actor: unknown field (did you mean \"actors\"?)"},
      {"misspelt threads", "thread: {solver: 2}\n",
       "config.yaml:3:1: thread: unknown field (did you mean \"threads\"?)"},
      {"misspelt solver", "threads: {solvers: 2}\n",
       "config.yaml:3:11: threads.solvers: unknown field (did you mean \"solver\"?)"},
      {"misspelt shard level", "shards: {levels: rack}\n",
       "config.yaml:3:10: shards.levels: unknown field (did you mean \"level\"?)"},
      {"a list of shard levels", "shards: {level: [rack]}\n",
       "config.yaml:3:17: shards.level: expected a text"},
      {"a text for shards", "shards: rack\n", "config.yaml:3:9: shards: expected a map"},
      {"a timeout without a unit", "waitForPodsReady: {timeout: 300}\n",
       "config.yaml:3:29: waitForPodsReady.timeout: \"300\" is not a time to wait (right: 5m, "
       "1h30m, 90s)"},
      {"no time to wait", "waitForPodsReady: {timeout: 0s}\n",
       "config.yaml:3:29: waitForPodsReady.timeout: \"0s\" is not a time to wait (right: 5m, "
       "1h30m, "
       "90s)"},
      {"no timeout", "waitForPodsReady: {}\n",
       "config.yaml:3:19: waitForPodsReady.timeout: says how long pods may take (right: 5m)"},
      {"misspelt strategy of requeuing",
       "waitForPodsReady: {timeout: 5m, requeueingStrategy: {}}\n",
       "config.yaml:3:33: waitForPodsReady.requeueingStrategy: unknown field (did you mean "
       "\"requeuingStrategy\"?)"},
      {"misspelt timestamp",
       "waitForPodsReady: {timeout: 5m, requeuingStrategy: {timestamp: Evction}}\n",
       "config.yaml:3:64: waitForPodsReady.requeuingStrategy.timestamp: \"Evction\" is not one of "
       "Eviction, Creation (did you mean \"Eviction\"?)"},
      {"fewer than no seconds",
       "waitForPodsReady: {timeout: 5m, requeuingStrategy: {backoffBaseSeconds: -1}}\n",
       "config.yaml:3:73: waitForPodsReady.requeuingStrategy.backoffBaseSeconds: -1 is not between "
       "0 and 1000000000"},
      {"a number for threads", "threads: 2\n", "config.yaml:3:10: threads: expected a map"},
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

TEST(Settings, EveryProfileOfACircleIsNamed) {
  const LoadedSettings loaded =
      parse("profiles:\n- {name: x, extends: w}\n- {name: w, extends: x}\n- {name: z}\n");
  ASSERT_EQ(loaded.errors.size(), 2u);
  EXPECT_THAT(loaded.errors[0].text(), testing::HasSubstr("profile \"x\" extends itself"));
  EXPECT_THAT(loaded.errors[1].text(), testing::HasSubstr("profile \"w\" extends itself"));
  EXPECT_EQ(loaded.settings.find_profile("x"), nullptr);
  EXPECT_NE(loaded.settings.find_profile("z"), nullptr);
}

TEST(Settings, AProfileMayExtendALaterOne) {
  const LoadedSettings loaded = parse(
      "profiles:\n- {name: x, extends: w}\n- {name: w, extends: kueue, preferredAffinity: true}\n");
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  EXPECT_TRUE(loaded.settings.find_profile("x")->preferred_affinity);
  EXPECT_EQ(loaded.settings.find_profile("x")->messages,
            loaded.settings.find_profile("kueue")->messages);
}

TEST(Settings, AChainOfProfilesMayBeAsLongAsTheFile) {
  std::string body = "profiles:\n- {name: p0, preferredAffinity: false}\n";
  for (int i = 1; i < 20'000; ++i) {
    body += "- {name: p" + std::to_string(i) + ", extends: p" + std::to_string(i - 1) + "}\n";
  }
  const LoadedSettings loaded = parse(body);
  ASSERT_TRUE(loaded.errors.empty()) << loaded.errors[0].text();
  EXPECT_FALSE(loaded.settings.find_profile("p19999")->preferred_affinity);
}

TEST(Settings, AnotherKindOfFileIsRefused) {
  const LoadedSettings loaded = parse_settings("apiVersion: v1\nkind: Node\n", "n.yaml");
  ASSERT_EQ(loaded.errors.size(), 1u);
  EXPECT_THAT(loaded.errors[0].text(),
              testing::HasSubstr("expected apiVersion: tessera.dev/v1alpha1"));
}

TEST(View, IsReadBackAsTheSameSettings) {
  const LoadedSettings first = parse(
      "threads: {solver: 2, actors: 3}\nshards: {level: rack}\n"
      "waitForPodsReady: {timeout: 1h5s, requeuingStrategy: {backoffLimitCount: "
      "2}}\ntopologies:\n- name: t\n  levels: [{label: \"a'b\", alias: "
      "x}]\nprofiles:\n- name: p\n  "
      "extends: kueue\n  messages: Clear\n  index: {maxKeys: 0, maxAgeCycles: 7}\n"
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
  EXPECT_THAT(text, testing::HasSubstr("  index:\n    maxKeys: 0\n    maxAgeCycles: 7\n"));
}

}  // namespace
}  // namespace tessera::config
