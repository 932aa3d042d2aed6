// SPDX-License-Identifier: Apache-2.0
#include "actors/core/engine.h"

#include <map>

#include "actors/core/cycle.h"
#include "actors/core/explain.h"
#include "actors/core/remedies.h"
#include "actors/core/rounds.h"
#include "actors/core/shape.h"

namespace tessera::core {
namespace {

solver::IndexLimits index_limits(const EngineOptions& options) {
  solver::IndexLimits limits;
  limits.max_keys = static_cast<std::uint32_t>(options.profile.index_max_keys);
  limits.max_age_cycles = static_cast<std::uint64_t>(options.profile.index_max_age_cycles);
  limits.threads = options.solver_threads;
  return limits;
}

}  // namespace

class Engine::State {
 public:
  State(const Inventory& inventory, EngineOptions options)
      : inventory_(&inventory),
        options_(std::move(options)),
        flavors_(resolve_flavors(inventory)),
        ledger_(inventory.cluster_queues, inventory.cohorts, inventory.kai_queues),
        directory_(inventory, flavors_, ledger_),
        worlds_(inventory, flavors_, ledger_, options_.profile, index_limits(options_),
                accounting_),
        planner_(flavors_, options_.profile),
        judge_(planner_, flavors_, worlds_, options_.ignore_quota) {
    accounting_.queue_warnings = directory_.warnings();
  }

  std::vector<Decision> run(const std::vector<std::size_t>& to_place) {
    told_.clear();
    if (options_.profile.rounds == config::Rounds::kKueue) {
      return Rounds(*inventory_, directory_, planner_, flavors_, judge_, worlds_, options_)
          .run(to_place);
    }
    return Cycle(*inventory_, directory_, planner_, judge_, worlds_, options_).run(to_place);
  }

  Evidence explain(const Decision& decision, bool with_remedies) {
    const auto queue = directory_.queues().find(decision.cluster_queue);
    const bool evaluated = !decision.rejections.empty() || decision.uncovered_resource;
    if (decision.outcome == Outcome::kPlaced || !evaluated || queue == directory_.queues().end()) {
      return {};
    }
    const Workload& workload = inventory_->workloads[decision.workload];
    RemedyProblem problem;
    problem.inventory = inventory_;
    problem.flavors = flavors_;
    problem.planner = &planner_;
    problem.worlds = &worlds_;
    problem.decision = &decision;
    problem.queue = &queue->second;
    problem.ignore_quota = options_.ignore_quota;
    problem.scene = find_scene(decision, workload, queue->second, flavors_);
    Evidence evidence;
    if (problem.scene) {
      const Told& told = tell(workload, queue->second, *problem.scene);
      evidence = told.evidence;
      problem.contested = told.contested;
    }
    if (with_remedies) evidence.remedies = find_remedies(problem, evidence);
    return evidence;
  }

  const Inventory& inventory() const { return *inventory_; }
  const EngineOptions& options() const { return options_; }
  const Accounting& accounting() const { return accounting_; }
  const std::vector<Flavor>& flavors() const { return flavors_; }
  const Books& books() const { return worlds_.current(); }

 private:
  struct Told {
    Evidence evidence;
    std::optional<topology::DomainId> contested;
  };

  /// Workloads of one shape that are refused on the same books share their evidence: a queue of
  /// thousands of equal jobs is counted once.
  const Told& tell(const Workload& workload, const PlanQueue& queue, const Scene& scene) {
    const std::string key = std::to_string(index(scene.flavor)) + " " +
                            std::to_string(scene.pod_set) + " " + queue.name + "\n" +
                            shape_of(workload, queue);
    const auto known = told_.find(key);
    if (known != told_.end()) return known->second;
    if (told_.size() >= kMostTold) told_.clear();
    const Explainer explainer(workload, scene, flavors_, worlds_);
    return told_[key] = {explainer.explain(), explainer.contested_domain()};
  }

  static constexpr std::size_t kMostTold = 64;  // evidence names nodes: it may be large
  std::map<std::string, Told> told_;
  const Inventory* inventory_;
  EngineOptions options_;
  Accounting accounting_;
  std::vector<Flavor> flavors_;
  Ledger ledger_;  // without use
  Directory directory_;
  Worlds worlds_;
  Planner planner_;
  Judge judge_;
};

Engine::Engine(const Inventory& inventory, EngineOptions options)
    : state_(std::make_unique<State>(inventory, std::move(options))) {}
Engine::~Engine() = default;

const Inventory& Engine::inventory() const { return state_->inventory(); }
const EngineOptions& Engine::options() const { return state_->options(); }
const Accounting& Engine::accounting() const { return state_->accounting(); }

std::vector<Decision> Engine::run(const std::vector<std::size_t>& to_place) {
  return state_->run(to_place);
}

Evidence Engine::explain(const Decision& decision, bool with_remedies) {
  return state_->explain(decision, with_remedies);
}

const solver::FlavorView* Engine::view(const std::string& flavor, bool open) const {
  const std::optional<FlavorId> id = find_flavor(state_->flavors(), flavor);
  return id ? state_->books().cluster().view(*id, open) : nullptr;
}

std::vector<std::string> Engine::topology_flavors() const {
  std::vector<std::string> names;
  for (const Flavor& flavor : state_->flavors()) {
    if (flavor.topology) names.push_back(flavor.record.name);
  }
  return names;
}

const topology::Capacity& Engine::capacity() const { return state_->books().capacity(); }
const std::vector<Holding>& Engine::holdings() const { return state_->books().holdings(); }

}  // namespace tessera::core
