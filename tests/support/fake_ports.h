// SPDX-License-Identifier: Apache-2.0
// FakePorts: CyclePorts that answer nothing and write down what they are told, for tests that drive
// Cycle or Pipeline by hand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "actors/cycle/cycle_ports.h"

namespace tessera::test {

class FakePorts : public core::CyclePorts {
 public:
  /// The calls since the last take_told(): "append 3, publish 2, settle 4 from 1".
  std::string take_told() { return std::exchange(told_, {}); }
  const std::vector<core::GangId>& retracted() const { return retracted_; }
  const std::vector<std::shared_ptr<const core::QueueStep>>& steps() const { return steps_; }
  const std::vector<std::shared_ptr<const core::PlanRequest>>& requests() const {
    return requests_;
  }
  const std::vector<std::shared_ptr<const core::CycleRecord>>& appended() const {
    return appended_;
  }

  void to_queue(std::uint32_t queue, std::shared_ptr<const core::QueueStep> step) override {
    tell("queue " + std::to_string(queue));
    steps_.push_back(std::move(step));
  }
  void to_planner(std::shared_ptr<const core::PlanRequest> request) override {
    tell("plan " + std::to_string(request->cycle));
    requests_.push_back(std::move(request));
  }
  void retract(std::vector<core::GangId> gangs) override {
    for (const core::GangId gang : gangs) tell("retract " + core::text(gang));
    retracted_ = std::move(gangs);
  }
  void search(core::SearchRequest request) override { tell("search " + core::text(request.gang)); }
  void replace_owners(std::shared_ptr<core::Owners>) override { tell("owners"); }
  void replace_queues(std::shared_ptr<const core::Definitions>) override { tell("queues"); }
  void move_node(const core::NodeMove&) override { tell("move"); }
  void to_shard(core::ShardId, std::shared_ptr<const core::ShardStep> step) override {
    tell("shard " + std::to_string(step->cycle));
  }
  void to_root(core::QuotaNode, std::shared_ptr<const core::RootStep> step) override {
    tell("root " + std::to_string(step->cycle));
  }
  void settle(const core::TouchedOwners&, core::CycleNumber cycle, std::uint32_t from) override {
    tell("settle " + std::to_string(cycle) + " from " + std::to_string(from));
  }
  void commit(const core::TouchedOwners&, core::CycleNumber cycle) override {
    tell("commit " + std::to_string(cycle));
  }
  void abort(const core::TouchedOwners&, core::CycleNumber cycle) override {
    tell("abort " + std::to_string(cycle));
  }
  void append(std::shared_ptr<const core::CycleRecord> record) override {
    tell("append " + std::to_string(record->cycle));
    appended_.push_back(std::move(record));
  }
  void publish(std::shared_ptr<const core::CycleRecord> record) override {
    tell("publish " + std::to_string(record->cycle));
  }

 private:
  void tell(const std::string& what) { told_ += (told_.empty() ? "" : ", ") + what; }

  std::string told_;
  std::vector<core::GangId> retracted_;
  std::vector<std::shared_ptr<const core::QueueStep>> steps_;
  std::vector<std::shared_ptr<const core::PlanRequest>> requests_;
  std::vector<std::shared_ptr<const core::CycleRecord>> appended_;
};

}  // namespace tessera::test
