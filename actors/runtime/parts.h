// SPDX-License-Identifier: Apache-2.0
// Parts: the core objects that the actors of one System own, and the hooks that all of them share.
//
// Made by System before any actor runs; each object belongs to its actor afterwards. Whoever drives
// the actors by hand in one thread (tests) may look at the objects between two messages; nobody
// else may.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "actors/catalogue/catalogue.h"
#include "actors/gangs/gang_phase.h"
#include "actors/planner/planner_state.h"
#include "actors/queues/queue_state.h"
#include "actors/runtime/journal.h"

namespace tessera::actors {

struct Hooks {
  /// A broken invariant of a shard, root, planner, journal or the coordinator. Must not return in a
  /// process that goes on; the default tells stderr and aborts.
  std::function<void(const std::string& what)> fatal;
  /// Called by each handler before it does anything, with the kind of its actor: a failpoint of
  /// tests, which may throw.
  std::function<void(const char* actor)> enter;
  /// The first item of a cycle that an owner ("shard", "root") is to refuse, UINT32_MAX for none: a
  /// failpoint of tests.
  std::function<std::uint32_t(const char* actor, core::CycleNumber cycle)> refuse;
};

struct Parts {
  std::shared_ptr<const core::Definitions> definitions;
  config::Rounds order{};
  std::unique_ptr<core::PlannerState> planner;
  std::unique_ptr<core::Searcher> searcher;
  std::vector<std::shared_ptr<core::QueueState>> queues;  // by position
  std::shared_ptr<core::Owners> owners;
  std::unique_ptr<Journal> journal;
  core::Catalogue catalogue{65'536};
  Hooks hooks;
};

}  // namespace tessera::actors
