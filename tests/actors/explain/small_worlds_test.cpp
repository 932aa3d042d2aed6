// SPDX-License-Identifier: Apache-2.0
// Whole answers of the engine on random small clusters, compared with brute force: what is placed,
// with how many pods, what is Invalid or Never, and whether remedies that are printed as checked
// hold when they are applied.
//
// `make test` runs a few hundred clusters, `make soak` 100,000. A failure prints its seed and the
// cluster.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "actors/engine/engine.h"
#include "tests/support/cluster_builder.h"
#include "tests/support/small_oracle.h"
#include "tests/support/soak.h"

namespace tessera::core {
namespace {

using test::SmallCluster;
using test::SmallOracle;

constexpr std::uint64_t kFirstSmallSeed = 20261129;
constexpr int kParts = 20, kSoakedClusters = 100'000;

int clusters_of_part() {
  const bool soak = std::getenv("TESSERA_SOAK") != nullptr;
  return (soak ? kSoakedClusters : test::soaked(600, 200)) / kParts;
}

std::vector<std::string> path_of(const Engine& engine, const PodSetDecision& pod_set,
                                 topology::LeafId leaf) {
  const topology::DomainTree& tree = engine.view(pod_set.topology_flavor, pod_set.open)->tree();
  std::vector<std::string> path;
  for (const topology::Symbol value : tree.path(tree.domain_of(leaf))) path.push_back(value.str());
  return path;
}

/// A placed decision as the admission of a Workload in the input.
Admission admission_in_input(const Engine& engine, const Decision& decision,
                             const Workload& workload) {
  Admission admission{decision.cluster_queue, {}};
  for (std::size_t i = 0; i < decision.pod_sets.size(); ++i) {
    const PodSetDecision& pod_set = decision.pod_sets[i];
    const topology::DomainTree& tree = engine.view(pod_set.topology_flavor, pod_set.open)->tree();
    PodSetAssignment assignment;
    assignment.name = workload.gang.pod_sets[i].name;
    assignment.count = pod_set.count;
    assignment.flavors = pod_set.flavors;
    assignment.usage = pod_set.usage;
    for (const topology::TopologyLevel& level : tree.topology().levels) {
      assignment.levels.push_back(level.label);
    }
    for (const solver::LeafPods& leaf : pod_set.placement) {
      assignment.domains.add(tree.path(tree.domain_of(leaf.leaf)), leaf.pods);
    }
    admission.pod_sets.push_back(std::move(assignment));
  }
  return admission;
}

class SmallWorld {
 public:
  explicit SmallWorld(std::uint64_t seed) : dice_(seed), cluster_(test::small_cluster(dice_)) {}

  /// Plans the older workloads, takes what was placed for state, and plans the others.
  void run() {
    inventory_ = test::inventory_of(cluster_);
    const auto all = static_cast<std::int64_t>(cluster_.works.size());
    const auto first = static_cast<std::size_t>(dice_.below(all + 1));
    plan(0, first);
    plan(first, cluster_.works.size());
  }

  std::string faults() const {
    std::string out;
    for (const std::string& each : faults_) out += each + "\n";
    return out.empty() ? out : out + test::text(cluster_);
  }

 private:
  using Held = std::vector<SmallOracle::Held>;

  const SmallCluster::Work& work(std::size_t workload) const {
    const std::string& name = inventory_.workloads[workload].name;
    return *std::find_if(cluster_.works.begin(), cluster_.works.end(),
                         [&](const auto& each) { return each.name == name; });
  }

  void plan(std::size_t begin, std::size_t end) {
    if (begin == end) return;
    Engine engine(inventory_, {});
    std::vector<std::size_t> to_place;
    for (std::size_t w = begin; w < end; ++w) {
      to_place.push_back(test::find(inventory_, cluster_.works[w].name));
    }
    const std::vector<Decision> decisions = engine.run(to_place);
    Inventory after = inventory_;
    for (const Decision& decision : decisions) {
      if (decision.outcome != Outcome::kPlaced) continue;
      check_placed(engine, decision);
      Workload& workload = after.workloads[decision.workload];
      workload.status.quota_reserved = true;
      workload.status.admission = admission_in_input(engine, decision, workload);
    }
    inventory_ = std::move(after);
    for (const Decision& decision : decisions) {
      if (decision.outcome == Outcome::kPlaced) continue;
      check_refused(decision);
      check_remedies(engine, decision);
    }
  }

  void fault(const Decision& decision, const std::string& text) {
    faults_.push_back(work(decision.workload).name + " " +
                      std::string(outcome_name(decision.outcome)) + ": " + text);
  }

  void check_placed(const Engine& engine, const Decision& decision) {
    const SmallCluster::Work& of = work(decision.workload);
    Held now = held_;
    for (std::size_t i = 0; i < of.pods.size(); ++i) {
      check_pod_set(engine, decision, of, i, now);
    }
    if (!oracle_.fits(now)) fault(decision, "more is placed than there is");
    if (of.pods.size() == 1) {
      for (const std::int64_t count : SmallOracle::counts(of.pods[0])) {
        if (count <= decision.pod_sets[0].count) break;
        if (oracle_.possible(of, {count}, held_)) {
          fault(decision, std::to_string(count) + " pods fit");
        }
      }
    }
    held_ = std::move(now);
  }

  void check_pod_set(const Engine& engine, const Decision& decision, const SmallCluster::Work& of,
                     std::size_t i, Held& now) {
    const PodSetDecision& placed = decision.pod_sets[i];
    const SmallCluster::Pods& pods = of.pods[i];
    const std::vector<std::int64_t> allowed = SmallOracle::counts(pods);
    if (std::count(allowed.begin(), allowed.end(), placed.count) == 0) {
      fault(decision, std::to_string(placed.count) + " pods are not allowed");
    }
    const auto flavor = std::find_if(of.flavors.begin(), of.flavors.end(), [&](std::size_t f) {
      return cluster_.flavors[f].name == placed.topology_flavor;
    });
    if (flavor == of.flavors.end()) return fault(decision, "no flavor of its queue");
    std::int64_t sum = 0;
    std::set<std::vector<std::string>> domains;
    std::map<std::vector<std::string>, std::int64_t> slices;
    for (const solver::LeafPods& leaf : placed.placement) {
      std::vector<std::string> path = path_of(engine, placed, leaf.leaf);
      sum += leaf.pods;
      now.push_back(
          {oracle_.leaf(*flavor, path), leaf.pods * pods.cpu, leaf.pods * pods.gpu, leaf.pods});
      const auto cut = [&](std::size_t level) {
        return std::vector<std::string>(path.begin(),
                                        path.begin() + static_cast<std::ptrdiff_t>(level + 1));
      };
      if (pods.required) domains.insert(cut(*pods.required));
      if (pods.slice_level) slices[cut(*pods.slice_level)] += leaf.pods;
    }
    if (sum != placed.count) fault(decision, "pods are missing");
    if (domains.size() > 1) fault(decision, "several domains");
    for (const auto& [domain, count] : slices) {
      if (count % pods.slice != 0) fault(decision, "a slice is torn");
    }
  }

  void check_refused(const Decision& decision) {
    const SmallCluster::Work& of = work(decision.workload);
    const std::vector<std::int64_t> fewest = SmallOracle::fewest(of);
    if (fewest.empty() != (decision.outcome == Outcome::kInvalid)) {
      return fault(decision,
                   fewest.empty() ? "no count is whole slices" : "a count is whole slices");
    }
    if (fewest.empty()) return;
    const bool ever = oracle_.possible(of, fewest, {});
    if (decision.outcome == Outcome::kNever && ever) fault(decision, "fits the empty cluster");
    if (decision.outcome == Outcome::kWaits && !ever) fault(decision, "never fits");
    if (of.pods.size() == 1 && oracle_.possible(of, fewest, held_)) fault(decision, "fits now");
  }

  void check_remedies(Engine& engine, const Decision& decision) {
    for (const Remedy& remedy : engine.explain(decision, true).remedies) {
      if (!remedy.enough) continue;
      Inventory changed = inventory_;
      if (remedy.kind == Remedy::Kind::kFinish) {
        finish(changed, remedy.subject);
      } else if (remedy.kind == Remedy::Kind::kRelax) {
        relax(changed.workloads[decision.workload], decision);
      } else {
        continue;
      }
      Engine again(changed, {});
      if (again.run({decision.workload}).front().outcome != Outcome::kPlaced) {
        fault(decision, "the remedy does not hold: " + remedy.subject);
      }
    }
  }

  static void finish(Inventory& inventory, const std::string& subject) {
    for (Workload& workload : inventory.workloads) {
      if (subject.find(workload.origin.display()) == std::string::npos) continue;
      workload.status.quota_reserved = false;
      workload.status.admission.reset();
      workload.status.finished = true;
    }
  }

  static void relax(Workload& workload, const Decision& decision) {
    for (const FlavorRejection& rejection : decision.rejections) {
      if (!rejection.refusal) continue;
      solver::TopologyRequest& request = workload.gang.pod_sets[rejection.pod_set].topology;
      request.preferred = request.required;
      request.required.reset();
      return;
    }
  }

  test::Dice dice_;
  SmallCluster cluster_;
  SmallOracle oracle_{cluster_};
  Inventory inventory_;
  Held held_;
  std::vector<std::string> faults_;
};

class SmallWorlds : public testing::TestWithParam<int> {};

TEST_P(SmallWorlds, AreAnsweredAsBruteForceAnswersThem) {
  int wrong = 0;
  const int clusters = clusters_of_part();
  for (int i = 0; i < clusters && wrong < 5; ++i) {
    const std::uint64_t seed =
        kFirstSmallSeed + static_cast<std::uint64_t>(GetParam() * clusters + i);
    SmallWorld world(seed);
    world.run();
    const std::string faults = world.faults();
    if (!faults.empty()) ++wrong;
    EXPECT_EQ(faults, "") << "seed " << seed;
  }
}
INSTANTIATE_TEST_SUITE_P(Parts, SmallWorlds, testing::Range(0, kParts));

}  // namespace
}  // namespace tessera::core
