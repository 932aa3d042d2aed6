// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/engine.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "actors/engine/local_engine.h"
#include "actors/engine/report.h"
#include "actors/explain/ending.h"
#include "actors/explain/explain.h"
#include "actors/explain/planner_view.h"
#include "actors/explain/remedies.h"
#include "actors/explain/tree_evidence.h"
#include "actors/queues/shape.h"
#include "actors/records/held_at_start.h"
#include "actors/shortage/counted_pods.h"
#include "actors/shortage/held_parts.h"

namespace tessera::core {
namespace {

/// No limits: one cycle takes all workloads that are handed over and plans them in one global
/// order.
CycleLimits limits_of(const EngineOptions& options) {
  CycleLimits limits;
  limits.inputs = limits.batch = SIZE_MAX;
  limits.plans = options.rounds;
  return limits;
}

}  // namespace

class Engine::State {
 public:
  State(std::shared_ptr<const Inventory> inventory, EngineOptions options)
      : inventory_(std::move(inventory)),
        definitions_(std::make_shared<const Definitions>(inventory_)),
        engine_(definitions_, std::move(options), limits_of(options)),
        judge_(engine_.planner().planner(), definitions_->flavors, engine_.planner().worlds(),
               engine_.planner().options().ignore_quota),
        view_(*inventory_, engine_.planner(), positions_) {
    for (const HeldAtStart& held : held_at_start(inventory_)) {
      positions_.emplace(held.admitted.gang, held.position);
    }
  }

  std::vector<Decision> run(const std::vector<std::size_t>& to_place) {
    told_.clear();
    holders_.reset();
    std::vector<Input> inputs;
    for (const std::size_t position : to_place) {
      inputs.emplace_back(Submit{{inventory_, &inventory_->workloads[position]}});
    }
    engine_.submit(std::move(inputs));
    const auto records = engine_.settle();
    const std::vector<GangId> gangs = learn(records, to_place);
    std::vector<Decision> decisions =
        Report(*inventory_, positions_, engine_, judge_, records).decisions();
    end_waiting(gangs, decisions);
    return decisions;
  }

  Evidence explain(const Decision& decision, Depth depth) {
    const auto& queues = definitions_->directory.queues();
    const auto queue = queues.find(decision.cluster_queue);
    const bool evaluated = !decision.rejections.empty() || decision.uncovered_resource;
    const bool placed = decision.outcome == Outcome::kPlaced;
    if ((placed ? !inventory_->workloads[decision.workload].gang.is_tree() : !evaluated) ||
        queue == queues.end()) {
      return {};
    }
    RemedyProblem problem;
    problem.inventory = inventory_.get();
    problem.flavors = definitions_->flavors;
    problem.planner = &engine_.planner().planner();
    problem.profile = &options().profile;
    problem.worlds = &engine_.planner().worlds();
    problem.positions = &positions_;
    if (!holders_) holders_.emplace(*inventory_, engine_.planner().worlds().current());
    problem.counted_pods = &holders_->pods;
    problem.held_parts = &holders_->gangs;
    problem.last_ending = &holders_->ending;
    problem.decision = &decision;
    problem.queue = &queue->second;
    problem.ignore_quota = options().ignore_quota;
    if (placed) return explain_left_out(problem);
    Evidence evidence;
    if (problem.workload().gang.is_tree()) {
      evidence = explain_tree(problem, depth);
    } else {
      problem.scene = find_scene(problem);
    }
    if (problem.scene) {
      const Told& told = tell(problem, *problem.scene, depth);
      evidence = told.evidence;
      problem.contested = told.contested;
    }
    if (depth == Depth::kRemedies) evidence.remedies = find_remedies(problem, evidence);
    return evidence;
  }

  const Inventory& inventory() const { return *inventory_; }
  const EngineOptions& options() const { return engine_.planner().options(); }
  const Accounting& accounting() const { return engine_.planner().accounting(); }
  const PlannerView& view() const { return view_; }

 private:
  struct Holders {
    Holders(const Inventory& inventory, const Books& books)
        : pods(inventory, books), gangs(books) {}
    CountedPods pods;
    HeldParts gangs;
    LastEnding ending;
  };
  struct Told {
    Evidence evidence;
    std::optional<topology::DomainId> contested;
  };

  /// The ids that the engine gave to the submitted workloads, by position in `to_place`.
  std::vector<GangId> learn(const std::vector<std::shared_ptr<const CycleRecord>>& records,
                            const std::vector<std::size_t>& to_place) {
    std::vector<GangId> gangs;
    for (const auto& record : records) {
      for (const Submitted& submitted : record->submitted()) {
        positions_.emplace(submitted.gang, to_place[gangs.size()]);
        gangs.push_back(submitted.gang);
      }
    }
    return gangs;
  }

  /// Ends the gangs that still wait, so that they are not part of a later run.
  void end_waiting(const std::vector<GangId>& gangs, const std::vector<Decision>& decisions) {
    std::unordered_set<std::size_t> placed;
    for (const Decision& decision : decisions) {
      if (decision.outcome == Outcome::kPlaced) placed.insert(decision.workload);
    }
    std::vector<Input> ends;
    for (const GangId gang : gangs) {
      if (placed.count(positions_.at(gang)) == 0) ends.emplace_back(Finish{gang});
    }
    engine_.submit(std::move(ends));
    engine_.settle();
  }

  /// Workloads of one shape that are refused on the same books share their evidence: a queue of
  /// thousands of equal jobs is counted once.
  const Told& tell(const RefusedCase& refused, const Scene& scene, Depth depth) {
    const std::string key =
        std::to_string(static_cast<int>(depth)) + " " + std::to_string(index(scene.flavor)) + " " +
        std::to_string(scene.pod_set) + " " + std::string(outcome_name(refused.decision->outcome)) +
        " " + refused.queue->name + "\n" + shape_of(refused.workload(), *refused.queue);
    const auto known = told_.find(key);
    if (known != told_.end()) return known->second;
    if (told_.size() >= kMostTold) told_.clear();
    const Explainer explainer(refused, scene);
    return told_[key] = {explainer.explain(depth), explainer.contested_domain()};
  }

  static constexpr std::size_t kMostTold = 64;  // evidence names nodes: it may be large
  std::map<std::string, Told> told_;
  std::optional<Holders> holders_;  // of the last run; made when the first refusal is told
  std::shared_ptr<const Inventory> inventory_;
  std::shared_ptr<const Definitions> definitions_;
  LocalEngine engine_;
  Judge judge_;          // nodes and definitions never change here, so its best cases stay
  Positions positions_;  // of gangs that were submitted or hold something from the start
  PlannerView view_;
};

Engine::Engine(std::shared_ptr<const Inventory> inventory, EngineOptions options)
    : state_(std::make_unique<State>(std::move(inventory), std::move(options))) {}
Engine::Engine(Inventory inventory, EngineOptions options)
    : Engine(std::make_shared<const Inventory>(std::move(inventory)), std::move(options)) {}
Engine::~Engine() = default;

const Inventory& Engine::inventory() const { return state_->inventory(); }
const EngineOptions& Engine::options() const { return state_->options(); }
const Accounting& Engine::accounting() const { return state_->accounting(); }

std::vector<Decision> Engine::run(const std::vector<std::size_t>& to_place) {
  return state_->run(to_place);
}

Evidence Engine::explain(const Decision& decision, Depth depth) {
  return state_->explain(decision, depth);
}

const Workload& Engine::workload(std::size_t id) const { return state_->view().workload(id); }
const config::Profile& Engine::profile() const { return state_->view().profile(); }
std::span<const topology::NodeRecord> Engine::nodes() const { return state_->view().nodes(); }
std::span<const FlavorRecord> Engine::flavors() const { return state_->view().flavors(); }
std::span<const RefusedObject> Engine::refused() const { return state_->view().refused(); }
const solver::FlavorView* Engine::view(const std::string& flavor, bool open) const {
  return state_->view().view(flavor, open);
}
std::vector<std::string> Engine::topology_flavors() const {
  return state_->view().topology_flavors();
}
const topology::Capacity& Engine::capacity() const { return state_->view().capacity(); }
std::vector<Holding> Engine::holdings() const { return state_->view().holdings(); }

}  // namespace tessera::core
