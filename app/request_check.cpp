// SPDX-License-Identifier: Apache-2.0
#include "app/request_check.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "ingest/text/kueue_text.h"
#include "ingest/text/refusal_text.h"
#include "solver/counting/request.h"

namespace tessera::app {
namespace {

using core::Workload;
using solver::PodSet;
using topology::TopologySpec;

bool knows_levels(const TopologySpec& topology, const solver::TopologyRequest& request) {
  const auto knows = [&](topology::Symbol level) {
    return topology.find_level(level.view()).has_value();
  };
  return (!request.required || knows(*request.required)) &&
         (!request.preferred || knows(*request.preferred)) &&
         std::all_of(request.layers.begin(), request.layers.end(),
                     [&](const solver::SliceLayer& layer) { return knows(layer.level); });
}

/// True if some count that may be placed is whole slices of `size` (placement.md 7).
bool divides(const PodSet& pod_set, std::int64_t size, const config::Profile& profile) {
  if (size <= 1 || profile.slice_remainder != topology::SliceRemainder::kReject) return true;
  if (pod_set.count % size == 0) return true;
  const std::int64_t least = std::max<std::int64_t>(1, pod_set.min_count.value_or(pod_set.count));
  return profile.partial_admission && pod_set.count / size * size >= least;
}

/// Finds the topologies that may know a request. Of those with the same levels, only the first is
/// kept: it gives the same answer as the others.
class TopologiesByLevel {
 public:
  explicit TopologiesByLevel(const std::vector<TopologySpec>& topologies) {
    std::set<std::vector<std::string>> seen;
    for (const TopologySpec& topology : topologies) {
      std::vector<std::string> levels;
      for (const topology::TopologyLevel& level : topology.levels) {
        levels.insert(levels.end(), {level.label.str(), level.alias, level.display});
      }
      const std::set<std::string> names(levels.begin(), levels.end());
      if (!seen.insert(std::move(levels)).second) continue;
      for (const std::string& name : names) by_level_[name].push_back(&topology);
    }
  }

  /// In the order of the input.
  const std::vector<const TopologySpec*>& candidates(const solver::TopologyRequest& request) const {
    static const std::vector<const TopologySpec*> kNone;
    const auto asked = request.required         ? request.required
                       : request.preferred      ? request.preferred
                       : request.layers.empty() ? std::nullopt
                                                : std::optional(request.layers.front().level);
    const auto found = asked ? by_level_.find(asked->str()) : by_level_.end();
    return found == by_level_.end() ? kNone : found->second;
  }

 private:
  std::unordered_map<std::string, std::vector<const TopologySpec*>> by_level_;
};

/// What is wrong with the request, in words.
std::optional<std::string> fault_of(const Workload& workload, std::size_t i,
                                    const TopologiesByLevel& topologies,
                                    const config::Profile& profile) {
  const PodSet& pod_set = workload.gang.pod_sets[i];
  std::optional<std::string> fault;
  for (const TopologySpec* one : topologies.candidates(pod_set.topology)) {
    const TopologySpec& topology = *one;
    if (!knows_levels(topology, pod_set.topology)) continue;
    const auto resolved = solver::resolve(pod_set.topology, topology);
    const auto* refusal = std::get_if<solver::Refusal>(&resolved);
    if (refusal == nullptr) {
      fault.reset();
      break;
    }
    if (!fault) fault = "topology " + topology.name + ": " + encode::kueue_text(*refusal, topology);
  }
  if (fault || pod_set.topology.layers.empty()) return fault;
  const std::int64_t size = pod_set.topology.layers.front().size;
  if (divides(pod_set, size, profile)) return std::nullopt;
  return encode::remainder_text(workload, i, size, pod_set.count);
}

}  // namespace

std::vector<Error> check_topology_requests(const ingest::Loaded& input,
                                           const config::Profile& profile) {
  std::vector<std::size_t> list = input.to_place;
  list.insert(list.end(), input.waiting_state.begin(), input.waiting_state.end());
  std::sort(list.begin(), list.end());
  const TopologiesByLevel topologies(input.inventory.topologies);
  std::vector<Error> errors;
  for (const std::size_t position : list) {
    const Workload& workload = input.inventory.workloads[position];
    if (!workload.invalid.empty()) continue;
    for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
      auto fault = fault_of(workload, i, topologies, profile);
      if (!fault) continue;
      Error error{ErrorCode::kInvalidInput, *std::move(fault)};
      error.where = workload.where;
      error.where.object =
          workload.origin.kind.empty()
              ? "Workload " + workload.key()
              : workload.origin.kind + " " + workload.namespace_name + "/" + workload.origin.name;
      error.where.field = "pod set " + workload.gang.pod_sets[i].name;
      errors.push_back(std::move(error));
    }
  }
  return errors;
}

}  // namespace tessera::app
