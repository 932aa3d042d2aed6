// SPDX-License-Identifier: Apache-2.0
// What is left when a script is over, and an engine that goes on from there.
#include <utility>

#include "actors/engine/local_engine.h"
#include "actors/records/grown.h"
#include "tests/support/engine_script.h"

namespace tessera::test {

std::set<core::GangId> suspended_after(
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records) {
  std::set<core::GangId> suspended;
  for (const auto& record : records) {
    for (const core::LifeChange& change : record->changes) {
      if (change.kind == core::LifeChange::Kind::kSuspended) suspended.insert(change.gang);
      if (change.kind == core::LifeChange::Kind::kResumed) suspended.erase(change.gang);
    }
  }
  return suspended;
}

std::vector<std::shared_ptr<const core::CycleRecord>> records_after(
    const EngineScript& script,
    const std::vector<std::shared_ptr<const core::CycleRecord>>& records,
    const core::EngineOptions& options) {
  std::map<core::GangId, core::Admission> admitted;
  std::set<core::GangId> finished;
  for (const auto& record : records) {
    finished.insert(record->finished.begin(), record->finished.end());
    for (const core::GangId gang : record->finished) admitted.erase(gang);
    for (const core::GangId gang : record->evicted) admitted.erase(gang);
    for (const core::Admitted& each : record->admitted) {
      core::Admission& held = admitted[each.gang];
      held = each.grows ? core::merged(held, *each.admission) : *each.admission;
    }
  }
  EngineScript rest;
  rest.inventory = inventory_after(script);
  for (const auto& [gang, admission] : admitted) {
    core::Workload workload = *script.gangs.at(gang);
    workload.status.quota_reserved = true;
    workload.status.admission = admission;
    rest.inventory.workloads.push_back(std::move(workload));
  }
  std::vector<core::Input> inputs;
  const std::set<core::GangId> suspended = suspended_after(records);
  for (const auto& [gang, workload] : script.gangs) {
    if (admitted.count(gang) + finished.count(gang) + suspended.count(gang) > 0) continue;
    inputs.emplace_back(core::Submit{workload});
  }
  rest.instants.push_back(std::move(inputs));  // gangs that hold something may grow without any
  return local_records(rest, options, {});
}

std::vector<std::shared_ptr<const core::CycleRecord>> local_records(
    const EngineScript& script, const core::EngineOptions& options,
    const core::CycleLimits& limits) {
  core::EngineOptions live = options;
  live.live = true;  // as behind actors
  core::LocalEngine engine(std::make_shared<const core::Definitions>(script.inventory),
                           std::move(live), limits);
  return records_of(engine, script);
}

}  // namespace tessera::test
