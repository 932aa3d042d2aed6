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
#include "tests/support/small_changes.h"
#include "tests/support/small_evidence.h"
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
    world_ = oracle_.now();
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
      check_evidence(engine, decision);
    }
  }

  void fault(const Decision& decision, const std::string& text) {
    faults_.push_back(work(decision.workload).name + " " +
                      std::string(outcome_name(decision.outcome)) + " " +
                      std::string(reason_name(decision.reason)) + ": " + text);
  }

  void check_placed(const Engine& engine, const Decision& decision) {
    const SmallCluster::Work& of = work(decision.workload);
    SmallOracle::World now = world_;
    for (std::size_t i = 0; i < of.pods.size(); ++i) {
      check_pod_set(engine, decision, of, i, now);
    }
    check_group(engine, decision, of);
    if (!oracle_.fits(now)) fault(decision, "more is placed than there is");
    check_quota(decision, of, now);
    if (SmallOracle::units(of).size() == 1) check_count(decision, of);
    world_ = std::move(now);
  }

  /// Of the counts that a minimum allows, the largest that fits is placed.
  void check_count(const Decision& decision, const SmallCluster::Work& of) {
    std::vector<std::int64_t> counts;
    for (const PodSetDecision& placed : decision.pod_sets) counts.push_back(placed.count);
    for (std::size_t i = 0; i < of.pods.size(); ++i) {
      std::vector<std::int64_t> more = counts;
      for (const std::int64_t count : SmallOracle::counts(of.pods[i])) {
        more[i] = count;
        if (count <= counts[i]) break;
        if (oracle_.possible(of, more, world_)) {
          fault(decision, std::to_string(count) + " pods fit");
        }
      }
    }
  }

  void check_quota(const Decision& decision, const SmallCluster::Work& of,
                   SmallOracle::World& now) {
    const SmallCluster::Queue& queue = cluster_.queues[of.queue];
    for (std::size_t i = 0; i < of.pods.size(); ++i) {
      const PodSetDecision& placed = decision.pod_sets[i];
      SmallOracle::Amounts& spent = now.spent[{of.queue, flavor_of(placed)}];
      spent.cpu += placed.count * of.pods[i].cpu;
      spent.gpu += placed.count * of.pods[i].gpu;
      if ((queue.cpu && spent.cpu > *queue.cpu) || (queue.gpu && spent.gpu > *queue.gpu)) {
        fault(decision, "more than the quota");
      }
    }
  }

  std::size_t flavor_of(const PodSetDecision& placed) const {
    std::size_t flavor = 0;
    while (flavor < cluster_.flavors.size() &&
           cluster_.flavors[flavor].name != placed.topology_flavor) {
      ++flavor;
    }
    return flavor;
  }

  void check_pod_set(const Engine& engine, const Decision& decision, const SmallCluster::Work& of,
                     std::size_t i, SmallOracle::World& now) {
    const PodSetDecision& placed = decision.pod_sets[i];
    const SmallCluster::Pods& pods = of.pods[i];
    const std::vector<std::int64_t> allowed = SmallOracle::counts(pods);
    if (std::count(allowed.begin(), allowed.end(), placed.count) == 0) {
      fault(decision, std::to_string(placed.count) + " pods are not allowed");
    }
    const std::size_t flavor = flavor_of(placed);
    const std::vector<std::size_t>& all = cluster_.queues[of.queue].flavors;
    if (std::count(all.begin(), all.end(), flavor) == 0) {
      return fault(decision, "no flavor of its queue");
    }
    std::int64_t sum = 0;
    std::set<std::vector<std::string>> domains;
    std::map<std::vector<std::string>, std::int64_t> slices;
    for (const solver::LeafPods& leaf : placed.placement) {
      const std::vector<std::string> path = path_of(engine, placed, leaf.leaf);
      sum += leaf.pods;
      const SmallOracle::Nodes nodes = oracle_.leaf(world_, flavor, path);
      if (nodes == 0) fault(decision, "no such leaf");
      now.held.push_back({nodes, leaf.pods * pods.cpu, leaf.pods * pods.gpu, leaf.pods, of.name});
      if (pods.required) domains.insert(cut(path, *pods.required));
      if (pods.slice_level) slices[cut(path, *pods.slice_level)] += leaf.pods;
      for (std::size_t n = 0; n < cluster_.nodes.size(); ++n) {
        const bool host = (nodes >> n & 1U) != 0 &&
                          cluster_.flavors[flavor].leaves != SmallCluster::Leaves::kRacks;
        if (host && cluster_.nodes[n].tainted && !pods.tolerates) fault(decision, "a taint");
      }
    }
    if (sum != placed.count) fault(decision, "pods are missing");
    if (domains.size() > 1) fault(decision, "several domains");
    for (const auto& [domain, count] : slices) {
      if (count % pods.slice != 0) fault(decision, "a slice is torn");
    }
  }

  static std::vector<std::string> cut(const std::vector<std::string>& path, std::size_t level) {
    const std::size_t length = std::min(path.size(), level + 1);
    return {path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length)};
  }

  /// A required level holds for the leader and the workers together.
  void check_group(const Engine& engine, const Decision& decision, const SmallCluster::Work& of) {
    if (!of.grouped || !of.pods[0].required) return;
    const std::size_t level = *of.pods[0].required;
    std::set<std::string> domains;
    for (const std::size_t i : {0U, 1U}) {
      const PodSetDecision& placed = decision.pod_sets[i];
      for (const solver::LeafPods& leaf : placed.placement) {
        const std::vector<std::string> path = cut(path_of(engine, placed, leaf.leaf), level);
        domains.insert(level == 2 ? path.back() : path[0] + (level == 1 ? "/" + path[1] : ""));
      }
    }
    if (domains.size() > 1) fault(decision, "the group is torn");
  }

  void check_refused(const Decision& decision) {
    const SmallCluster::Work& of = work(decision.workload);
    const std::vector<std::int64_t> fewest = SmallOracle::fewest(of);
    if (fewest.empty() != (decision.outcome == Outcome::kInvalid)) {
      return fault(decision,
                   fewest.empty() ? "no count is whole slices" : "a count is whole slices");
    }
    if (fewest.empty()) return;
    const bool ever = oracle_.possible(of, fewest, oracle_.empty(true));
    const bool as_is = oracle_.possible(of, fewest, oracle_.empty(false));
    if (decision.outcome == Outcome::kNever && ever) fault(decision, "fits the empty cluster");
    if (decision.outcome == Outcome::kWaits && !ever) fault(decision, "never fits");
    const bool alone = SmallOracle::units(of).size() == 1;
    if (alone && oracle_.possible(of, fewest, world_)) fault(decision, "fits now");
    if (decision.outcome != Outcome::kWaits || !ever) return;
    SmallOracle::World only_quota = oracle_.empty(true);
    only_quota.spent = world_.spent;
    if (decision.reason == Reason::kNodeHealth && as_is) fault(decision, "the nodes would do");
    if (alone && !as_is && decision.reason != Reason::kNodeHealth &&
        oracle_.possible(of, fewest, only_quota)) {
      fault(decision, "broken nodes are not named");
    }
  }

  void check_evidence(Engine& engine, const Decision& decision) {
    const Evidence evidence = engine.explain(decision, Depth::kRemedies);
    if (decision.outcome != Outcome::kInvalid) {
      const test::SmallRefusal refusal{
          &cluster_, &work(decision.workload), &engine, &decision, &evidence, world_};
      for (const std::string& each : test::evidence_faults(refusal)) fault(decision, each);
    }
    for (const Remedy& remedy : evidence.remedies) {
      if (!remedy.enough) continue;
      Inventory changed = inventory_;
      const std::size_t pod_set =
          evidence.binding ? evidence.binding->pod_set : decision.failed_pod_set;
      const std::string wrong = test::apply(remedy, decision.workload, pod_set, changed);
      if (!wrong.empty()) fault(decision, wrong);
      Engine again(changed, {});
      if (again.run({decision.workload}).front().outcome != Outcome::kPlaced) {
        fault(decision, "the remedy does not hold: " + remedy.subject);
      }
    }
  }

  test::Dice dice_;
  SmallCluster cluster_;
  SmallOracle oracle_{cluster_};
  Inventory inventory_;
  SmallOracle::World world_;
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
