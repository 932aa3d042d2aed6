// SPDX-License-Identifier: Apache-2.0
// Messages between the actors, one struct each.
//
// They travel inside one process without a copy. Contents behind shared pointers to const are read
// by many. Other contents are made for one receiver, which may take them apart.
#pragma once

#include <caf/allowed_unsafe_message_type.hpp>
#include <memory>
#include <string>
#include <vector>

#include "actors/cycle/cycle.h"
#include "actors/runtime/journal.h"

namespace tessera::actors {

// To the coordinator.
struct Instant {
  std::shared_ptr<std::vector<core::Input>> inputs;
};
struct WindowOffered {
  core::CycleNumber cycle;
  std::shared_ptr<core::Window> window;
};
struct Planned {
  core::CycleNumber cycle;
  std::shared_ptr<core::PlanReply> reply;
};
struct OwnerAnswered {
  core::CycleNumber cycle;
  core::OwnerReply reply;
};
struct NodeTaken {
  core::CycleNumber cycle;
  core::NodeMove move;
  std::shared_ptr<const core::ShardState::Moved> moved;
};
struct Durable {
  core::CycleNumber cycle;
  Hash hash;
};
struct AppendFailed {
  core::CycleNumber cycle;
};
struct SearchFound {
  std::shared_ptr<const core::SearchRequest> request;
  std::shared_ptr<const core::SearchResult> result;
};
/// Asks for a Settled when there is nothing left to do.
struct SettleRequest {};
struct Settled {
  std::shared_ptr<std::vector<std::shared_ptr<const core::CycleRecord>>> records;
  std::int64_t next_deadline;
  core::EngineCounters counters;
};
/// A queue's or gang's actor ended by an exception.
struct QueueLost {
  std::uint32_t queue;
  std::string what;
};
struct GangLost {
  core::GangId gang;
  std::string what;
};

// From the coordinator.
struct StepQueue {
  std::shared_ptr<const core::QueueStep> step;
};
struct StepPlanner {
  std::shared_ptr<const core::PlanRequest> request;
};
struct Retract {
  std::shared_ptr<const std::vector<core::GangId>> gangs;
};
struct Search {
  std::shared_ptr<const core::SearchRequest> request;
};
struct StepShard {
  std::shared_ptr<const core::ShardStep> step;
};
struct StepRoot {
  std::shared_ptr<const core::RootStep> step;
};
/// To a shard, which answers with a NodeTaken.
struct TakeNode {
  core::CycleNumber cycle;
  core::NodeMove move;
};
struct PutNode {
  core::CycleNumber cycle;
  std::shared_ptr<const core::ShardState::Moved> moved;
};
struct SettleOwner {
  core::CycleNumber cycle;
  std::uint32_t from;
};
struct CommitOwner {
  core::CycleNumber cycle;
};
struct AbortOwner {
  core::CycleNumber cycle;
};
struct Append {
  core::CycleNumber cycle;
  std::shared_ptr<const core::CycleRecord> record;
};
/// To the parent of gangs, which passes it on to the catalogue.
struct Committed {
  core::CycleNumber cycle;
  std::shared_ptr<const core::CycleRecord> record;
};
/// To a gang: what a committed record says of its life.
struct GangChanged {
  core::CycleNumber cycle;
  core::LifeChange change;
};

}  // namespace tessera::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Instant)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::WindowOffered)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Planned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::OwnerAnswered)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Durable)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::AppendFailed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::SearchFound)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::SettleRequest)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Settled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::QueueLost)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::GangLost)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::StepQueue)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::StepPlanner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Retract)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Search)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::StepShard)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::StepRoot)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::TakeNode)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::PutNode)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::NodeTaken)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::SettleOwner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::CommitOwner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::AbortOwner)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Append)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::Committed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(tessera::actors::GangChanged)
