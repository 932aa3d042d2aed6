// SPDX-License-Identifier: Apache-2.0
// waitForPodsReady for gangs that hold something before the engine knows the time: in the loaded
// objects, or admitted before the first Advance.
#include <gtest/gtest.h>

#include "actors/engine/local_engine.h"
#include "tests/support/cluster_builder.h"

namespace tessera::core {
namespace {

using test::ClusterBuilder;

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr GangId kGang{1};  // the first that an engine takes

std::optional<config::PodsReady> five_minutes() {
  config::PodsReady rule;
  rule.timeout = 300 * kSecond;
  return rule;
}

/// Two hosts of 4 GPUs, and one gang.
class Held {
 public:
  Held(const Inventory& state, const std::optional<config::PodsReady>& rule) {
    CycleLimits limits;
    limits.pods_ready = rule;
    EngineOptions options;
    options.live = true;
    engine_ = std::make_unique<LocalEngine>(
        std::make_shared<const Definitions>(std::make_shared<const Inventory>(state)), options,
        limits);
  }

  void tell(const Input& input) {
    engine_->submit({input});
    engine_->settle();
  }
  void advance(std::int64_t seconds) { tell(Advance{seconds * kSecond}); }
  std::string phase() const {
    return std::string(phase_name(engine_->cycle().look().gangs.find(kGang)->phase));
  }
  /// Seconds; -1: none.
  std::int64_t deadline() const {
    const std::int64_t next = engine_->next_deadline();
    return next == INT64_MAX ? -1 : next / kSecond;
  }

 private:
  std::unique_ptr<LocalEngine> engine_;
};

ClusterBuilder cluster() {
  ClusterBuilder builder;
  builder.hosts("b1/r1/h1:4 b1/r1/h2:4").flavor("f").queue("q", {"f"}, 8);
  return builder;
}

struct HeldCase {
  const char* name;
  std::int64_t admitted_at;  // seconds; -1: unknown
  bool ready;
  const char* phase;  // at the first instant, 1,000 s
  std::int64_t deadline;
};
const HeldCase kCases[] = {
    {"since its admission", 900, false, "Admitted", 1200},
    {"overdue", 700, false, "Evicting", -1},
    {"since the first instant", -1, false, "Admitted", 1300},
    {"ready", 700, true, "Running", -1},
};

Inventory held(const HeldCase& each) {
  ClusterBuilder builder = cluster();
  Workload& workload = builder.admitted("w0", test::pods("main", 2, 4), "h1:1 h2:1", "f");
  if (each.admitted_at >= 0) workload.status.admitted_at = each.admitted_at * kSecond;
  workload.status.pods_ready = each.ready;
  return builder.build();
}

TEST(HeldPodsReady, AGangThatIsHeldFromTheStartHasADeadlineToo) {
  for (const HeldCase& each : kCases) {
    SCOPED_TRACE(each.name);
    Held engine(held(each), five_minutes());
    engine.advance(1000);
    EXPECT_EQ(engine.phase(), each.phase);
    EXPECT_EQ(engine.deadline(), each.deadline);
    if (each.deadline < 0) continue;
    engine.advance(each.deadline);
    EXPECT_EQ(engine.phase(), "Evicting");
    engine.tell(PodsGone{kGang});
    EXPECT_EQ(engine.phase(), "Evicted");
    engine.advance(each.deadline + 60);
    EXPECT_EQ(engine.phase(), "Admitted");
    EXPECT_EQ(engine.deadline(), each.deadline + 360) << "counted anew";
  }
}

TEST(HeldPodsReady, WithoutTheRuleThereIsNone) {
  Held engine(held(kCases[0]), {});
  engine.advance(5000);
  EXPECT_EQ(engine.phase(), "Admitted");
}

TEST(HeldPodsReady, AnAdmissionBeforeTheFirstTimeCountsFromThatTime) {
  Held engine(cluster().build(), five_minutes());
  engine.tell(Submit{std::make_shared<const Workload>(
      ClusterBuilder().workload("w0", {test::pods("main", 2, 4)}, "q"))});
  EXPECT_EQ(engine.deadline(), -1);
  engine.advance(1000);
  EXPECT_EQ(engine.phase(), "Admitted");
  EXPECT_EQ(engine.deadline(), 1300);
}

}  // namespace
}  // namespace tessera::core
