// SPDX-License-Identifier: Apache-2.0
#include "actors/engine/engine_start.h"

#include <utility>

#include "actors/explain/never.h"
#include "actors/queues/admission_checks.h"

namespace tessera::core {
namespace {

Decision judged(PlannerState& planner, Judge& judge, const Workload& workload) {
  const Directory::Entry entry = planner.definitions().directory.enter(workload);
  if (!entry.stands || entry.reason != Reason::kNone) return unplanned(entry);
  const QuotaRule rule =
      planner.options().ignore_quota ? QuotaRule::kIgnore : QuotaRule::kAvailable;
  Attempt attempt =
      planner.planner().evaluate(workload, *entry.queue, planner.worlds().current(), rule);
  Decision decision;
  if (!attempt.placed) judge.judge(workload, *entry.queue, std::move(attempt), decision);
  return decision;
}

}  // namespace

EngineStart make_start(std::shared_ptr<const Inventory> inventory, EngineOptions options) {
  EngineStart start;
  start.definitions = std::make_shared<const Definitions>(std::move(inventory));
  start.planner = std::make_shared<PlannerState>(start.definitions, std::move(options));
  return start;
}

std::vector<Outlook> outlooks(const EngineStart& start,
                              std::span<const std::shared_ptr<const Workload>> workloads) {
  PlannerState& planner = *start.planner;
  Judge judge(planner.planner(), planner.definitions().flavors, planner.worlds(),
              planner.options().ignore_quota);
  std::vector<Outlook> out(workloads.size());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Decision decision = judged(planner, judge, *workloads[i]);
    if (decision.outcome == Outcome::kNever || decision.outcome == Outcome::kInvalid) {
      out[i] = {decision.outcome, decision.reason};
    }
  }
  return out;
}

}  // namespace tessera::core
