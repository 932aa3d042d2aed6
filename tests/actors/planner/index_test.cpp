// SPDX-License-Identifier: Apache-2.0
// Decisions and explanations are the same, word for word, with the index off, with room for two
// keys, and with the default index.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/cluster_builder.h"
#include "tests/support/random_world.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;
using test::Dice;

solver::PodSet random_pods(Dice& dice, const std::string& name) {
  solver::PodSet pod_set = test::pods(name, dice.between(1, 8), dice.between(1, 4));
  const char* const level = dice.percent(50) ? test::kRack : test::kBlock;
  if (dice.percent(40))
    pod_set = test::required(std::move(pod_set), level);
  else if (dice.percent(50))
    pod_set = test::preferred(std::move(pod_set), level);
  if (dice.percent(20)) pod_set.filter.tolerations.push_back(test::tolerates("maint"));
  return pod_set;
}

Inventory random_cluster(std::uint64_t seed) {
  Dice dice(seed);
  ClusterBuilder builder;
  std::string hosts;
  for (int h = 0; h < 36; ++h) {
    hosts += "b" + std::to_string(h / 12) + "/r" + std::to_string(h / 4) + "/h" +
             std::to_string(100 + h) + ":" + std::to_string(dice.between(1, 4)) + " ";
  }
  builder.hosts(hosts);
  for (int h = 0; h < 36; ++h) {
    topology::NodeRecord& node = builder.node("h" + std::to_string(100 + h));
    node.ready = !dice.percent(5);
    node.unschedulable = dice.percent(5);
    if (dice.percent(15)) node.taints.push_back(test::taint("maint", "yes"));
  }
  if (dice.percent(50)) {
    builder.flavor("one").flavor("two");
    builder.queue("q", {"one", "two"}, dice.between(20, 80));
  }
  for (int w = 0; w < 30; ++w) {
    std::vector<solver::PodSet> pod_sets;
    for (std::int64_t p = dice.between(1, 2); p > 0; --p) {
      pod_sets.push_back(random_pods(dice, "set" + std::to_string(p)));
    }
    builder.workload("w" + std::to_string(w), std::move(pod_sets));
  }
  return builder.build();
}

std::string text(const Evidence& evidence) {
  std::string out = evidence.flavor + " " + std::to_string(evidence.looked_at);
  for (const LevelEvidence& level : evidence.levels) {
    out += " level " + std::to_string(level.level) + ":" + std::to_string(level.have) + "/" +
           std::to_string(level.need) + "/" + std::to_string(level.healthy_have) + "@" +
           (level.best ? std::to_string(topology::index(*level.best)) : "-");
  }
  for (const auto* causes : {&evidence.without_room, &evidence.left_out}) {
    for (const NodeCause& cause : *causes) {
      out += " " + cause.text + "=";
      for (const Symbol node : cause.nodes) out += node.str() + ",";
    }
  }
  for (const Blocker& blocker : evidence.blockers) {
    out += " held by " + blocker.name + "x" + std::to_string(blocker.pods);
  }
  for (const Remedy& remedy : evidence.remedies) {
    out += " remedy " + std::to_string(static_cast<int>(remedy.kind)) + remedy.subject +
           (remedy.enough ? "!" : "") + std::to_string(remedy.fits) + "/" +
           std::to_string(remedy.need);
  }
  return out;
}

/// All decisions, and the evidence and remedies of each refusal.
std::string told(const Inventory& inventory, std::int64_t max_keys) {
  EngineOptions options;
  options.profile.index_max_keys = max_keys;
  options.profile.index_max_age_cycles = 20;
  Engine engine(inventory, options);
  const std::vector<Decision> decisions = engine.run(test::waiting(inventory));
  std::string out = test::text(engine, decisions);
  for (const Decision& decision : decisions) {
    for (const FlavorRejection& rejection : decision.rejections) {
      if (!rejection.refusal) continue;
      out += "refused fits " + std::to_string(rejection.refusal->fits);
      for (const solver::CauseCount& cause : rejection.refusal->causes) {
        out += " " + cause.detail + "x" + std::to_string(cause.leaves);
      }
    }
    if (decision.outcome != Outcome::kPlaced) {
      out += "\n" + text(engine.explain(decision, Depth::kRemedies)) + "\n";
    }
  }
  return out;
}

TEST(EngineIndex, ChangesNoDecisionNoEvidenceNoRemedy) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Inventory inventory = random_cluster(seed);
    const std::string plain = told(inventory, 0);
    refused += plain.find("remedy") != std::string::npos ? 1 : 0;
    ASSERT_EQ(told(inventory, 2), plain) << "seed " << seed;
    ASSERT_EQ(told(inventory, 32), plain) << "seed " << seed;
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace tessera::core
