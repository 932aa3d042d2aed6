// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_cluster.h"

#include <algorithm>
#include <iterator>

namespace tessera::test {
namespace {

using core::ClusterQueueRecord;
using core::FlavorQuotas;
using core::ResourceGroup;
using core::ResourceQuota;
using core::Workload;
using topology::Symbol;

/// cpu becomes a group of its own, with less quota than the nodes have.
void split_groups(ClusterQueueRecord& queue, Dice& dice) {
  ResourceGroup cpus{{topology::cpu_resource()}, {}};
  queue.groups[0].covered = {topology::gpu_resource()};
  for (FlavorQuotas& quotas : queue.groups[0].flavors) {
    quotas.resources[0].nominal = 1'000 * dice.between(8, 60);
    cpus.flavors.push_back({quotas.flavor, {quotas.resources[0]}});
    quotas.resources.erase(quotas.resources.begin());
  }
  queue.groups.push_back(std::move(cpus));
}

}  // namespace

RandomCluster::RandomCluster(Dice& dice, Kinds kinds) : dice_(dice), kinds_(kinds) {
  hosts_ = dice.between(4, 12);
  std::string text;
  for (std::int64_t h = 0; h < hosts_; ++h) {
    text += " b" + std::to_string(h % 6 / 3) + "/r" + std::to_string(h % 6) + "/h" +
            std::to_string(h) + ":" + std::to_string(dice.between(1, 8));
  }
  builder_.hosts(text);
  for (std::int64_t h = 0; h < hosts_; ++h) {
    topology::NodeRecord& node = builder_.node("h" + std::to_string(h));
    node.labels.set(Symbol("kind"), Symbol(dice.percent(50) ? "x" : "y"));
    node.unschedulable = dice.percent(5);
  }
  std::vector<std::string> flavors = {"all", "x", "y"};
  flavors.resize(static_cast<std::size_t>(dice.between(1, 3)));
  for (const std::string& flavor : flavors) {
    builder_.flavor(flavor);
    if (flavor == "all") continue;
    builder_.flavor_record(flavor).node_labels.emplace_back(Symbol("kind"), Symbol(flavor));
  }
  queues_ = dice.between(1, 4);
  is_kai_ = dice.percent(15);
  if (is_kai_) builder_.kai_queue("top", dice.between(8, 40));
  for (std::int64_t q = 0; q < queues_; ++q) {
    if (is_kai_) {
      builder_.kai_queue("q" + std::to_string(q), dice.between(2, 24), "top");
    } else {
      add_queue(q, flavors);
    }
  }
  for (int s = 0; s < 5; ++s) shapes_.push_back(shape());
}

std::shared_ptr<const core::Workload> RandomCluster::workload(std::size_t number) {
  auto workload = std::make_shared<Workload>();
  workload->namespace_name = "ns";
  workload->name = workload->uid = "w" + std::to_string(number);
  workload->origin = {"batch/v1", "Job", workload->name, workload->uid};
  workload->queue = "q" + std::to_string(dice_.below(queues_));
  workload->queue_is_kai = is_kai_;
  workload->created = static_cast<std::int64_t>(number) / 3;
  workload->priority = dice_.percent(20) ? 1 : 0;
  workload->gang.pod_sets =
      shapes_[static_cast<std::size_t>(dice_.below(static_cast<std::int64_t>(shapes_.size())))];
  for (const solver::PodSet& pod_set : workload->gang.pod_sets) {
    workload->quota_requests.push_back(pod_set.request);
  }
  return workload;
}

core::NodeUpdate RandomCluster::node_update() {
  topology::NodeRecord& node = builder_.node("h" + std::to_string(dice_.below(hosts_)));
  node.unschedulable = !node.unschedulable;
  return {node};
}

void RandomCluster::add_queue(std::int64_t q, std::vector<std::string> flavors) {
  if (dice_.percent(30)) std::reverse(flavors.begin(), flavors.end());
  if (dice_.percent(20)) flavors.resize(1);
  const std::string cohort = dice_.percent(70) ? "c" + std::to_string(dice_.below(2)) : "";
  ClusterQueueRecord& queue =
      builder_.queue("q" + std::to_string(q), flavors, dice_.between(2, 24), cohort);
  if (dice_.percent(40)) queue.strategy = core::QueueStrategy::kStrictFifo;
  queue.borrow_tries_next_flavor = dice_.percent(30);
  for (FlavorQuotas& quotas : queue.groups[0].flavors) {
    ResourceQuota& gpus = quotas.resources[1];
    gpus.nominal = dice_.between(2, 24);
    if (!cohort.empty() && dice_.percent(30)) gpus.borrowing_limit = dice_.between(0, 8);
    if (!cohort.empty() && dice_.percent(30)) gpus.lending_limit = dice_.between(0, 8);
  }
  if (kinds_ == Kinds::kAll && dice_.percent(15)) split_groups(queue, dice_);
}

std::vector<solver::PodSet> RandomCluster::shape() {
  std::vector<solver::PodSet> pod_sets = {pod_set("one")};
  if (kinds_ == Kinds::kAll && dice_.percent(30)) pod_sets.push_back(pod_set("two"));
  return pod_sets;
}

solver::PodSet RandomCluster::pod_set(const char* name) {
  const char* const levels[] = {kBlock, kRack, kHost};
  const char* const level = levels[dice_.below(3)];
  solver::PodSet pod_set = pods(name, dice_.between(1, 6), dice_.between(1, 4));
  switch (dice_.below(4)) {
    case 0:
      pod_set = preferred(pod_set, level);
      break;
    case 1:
      pod_set.topology.unconstrained = true;
      break;
    default:
      pod_set = required(pod_set, level);
  }
  if (dice_.percent(15)) pod_set.filter.node_selector.emplace_back(Symbol("kind"), Symbol("x"));
  if (kinds_ == Kinds::kAll && dice_.percent(15)) pod_set.min_count = 1;
  if (kinds_ == Kinds::kAll && dice_.percent(30)) {
    pod_set.request.set(topology::cpu_resource(), 1'000 * dice_.between(1, 16));
  }
  return pod_set;
}

std::vector<core::Input> RandomTrace::instant(std::int64_t most_arrivals, int percent_ends) {
  std::vector<core::Input> inputs;
  const std::set<core::GangId> live = live_;
  for (const core::GangId gang : live) {
    if (!dice_.percent(percent_ends)) continue;
    live_.erase(gang);
    if (dice_.percent(20)) {
      inputs.emplace_back(core::Evict{gang, INT64_MIN});
      waiting_.insert(gang);
    } else {
      inputs.emplace_back(core::Finish{gang});
      ++ends_;
    }
  }
  if (!waiting_.empty() && dice_.percent(15)) {
    const auto at =
        std::next(waiting_.begin(), dice_.below(static_cast<std::int64_t>(waiting_.size())));
    inputs.emplace_back(core::Finish{*at});
    waiting_.erase(at);
  }
  if (dice_.percent(8)) inputs.emplace_back(cluster_.node_update());
  for (std::int64_t i = dice_.between(0, most_arrivals); i > 0; --i) {
    inputs.emplace_back(core::Submit{cluster_.workload(next_++)});
  }
  return inputs;
}

void RandomTrace::take(const std::vector<core::Submitted>& submitted,
                       const std::vector<core::Admitted>& admitted) {
  for (const core::Submitted& each : submitted) waiting_.insert(each.gang);
  for (const core::Admitted& each : admitted) {
    waiting_.erase(each.gang);
    live_.insert(each.gang);
  }
}

}  // namespace tessera::test
