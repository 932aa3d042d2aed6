// SPDX-License-Identifier: Apache-2.0
#include "ingest/link/reference_check.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "topology/text/nearest.h"
#include "topology/topology_graph.h"

namespace tessera::ingest {
namespace {

using core::Workload;
using topology::Symbol;

constexpr const char* kAnnotations = "metadata.annotations[\"kueue.x-k8s.io/podset-";

/// The names that a reference may use: a set for look-ups, and a list in reading order to find the
/// nearest name.
class KnownNames {
 public:
  void add(const std::string& name) {
    if (set_.insert(name).second) list_.push_back(name);
  }
  bool empty() const { return list_.empty(); }
  bool has(const std::string& name) const { return set_.count(name) > 0; }
  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
  std::unordered_set<std::string> set_;
};

class Checker {
 public:
  explicit Checker(const core::Inventory& inventory) : inventory_(inventory) {
    for (const core::FlavorRecord& flavor : inventory.flavors) flavors_.add(flavor.name);
    for (const topology::TopologySpec& one : inventory.topologies) topologies_.add(one.name);
    for (const core::KaiQueueRecord& queue : inventory.kai_queues) kai_queues_.add(queue.name);
    for (const core::LocalQueueRecord& queue : inventory.local_queues) {
      local_queues_[queue.namespace_name].add(queue.name);
    }
    for (const auto& refused : inventory.refused) refused_[refused.name].insert(refused.kind);
    for (const topology::TopologySpec& one : inventory.topologies) add_levels(one);
    known_levels_ = joined_levels(inventory.topologies);
  }

  ReferenceFindings run() {
    for (const core::FlavorRecord& flavor : inventory_.flavors) {
      check("ResourceFlavor " + flavor.name, {}, "spec.topologyName", "Topology", flavor.topology,
            topologies_);
    }
    for (const core::ClusterQueueRecord& queue : inventory_.cluster_queues) check_flavors(queue);
    for (const Workload& workload : inventory_.workloads) check_workload(workload);
    for (const topology::TopologySpec& one : inventory_.topologies) check_values(one);
    return std::move(findings_);
  }

 private:
  /// Warns if `name` is not among `known`. Checks nothing if `known` is empty.
  void check(const std::string& object, const Where& where, const std::string& field,
             const std::string& kind, const std::string& name, const KnownNames& known) {
    if (name.empty() || known.empty() || known.has(name)) return;
    // Its own error says what is wrong with it.
    const auto refused = refused_.find(name);
    if (refused != refused_.end() &&
        std::any_of(refused->second.begin(), refused->second.end(),
                    [&](const std::string& each) { return kind.starts_with(each); })) {
      return;
    }
    Error error{ErrorCode::kInvalidInput, kind + " \"" + name + "\" is not in the input" +
                                              speller_.did_you_mean(name, known.list())};
    error.where = where;
    error.where.object = object;
    error.where.field = field;
    findings_.warnings.push_back(std::move(error));
  }

  void check_flavors(const core::ClusterQueueRecord& queue) {
    std::set<std::string> seen;
    for (const core::ResourceGroup& group : queue.groups) {
      for (const core::FlavorQuotas& quotas : group.flavors) {
        if (!seen.insert(quotas.flavor).second) continue;
        check("ClusterQueue " + queue.name, queue.where, "spec.resourceGroups", "ResourceFlavor",
              quotas.flavor, flavors_);
      }
    }
  }

  void check_workload(const Workload& workload) {
    if (workload.queue_is_kai) {
      const bool of_group = workload.gang.is_tree();
      check(object_of(workload), workload.where,
            of_group ? "spec.queue" : "metadata.labels[\"kai.scheduler/queue\"]", "Queue",
            workload.queue, kai_queues_);
    } else if (inventory_.has_queues) {
      const std::string field = workload.origin_label.empty()
                                    ? "spec.queueName"
                                    : "metadata.labels[\"kueue.x-k8s.io/queue-name\"]";
      check(object_of(workload), workload.where, field,
            "LocalQueue of namespace " + workload.namespace_name, workload.queue,
            local_queues_[workload.namespace_name]);
    }
    for (std::size_t i = 0; i < workload.gang.pod_sets.size(); ++i) {
      const solver::TopologyRequest& request = workload.gang.pod_sets[i].topology;
      if (request.required) check_level(workload, i, "required", *request.required);
      if (request.preferred) check_level(workload, i, "preferred", *request.preferred);
      for (const solver::SliceLayer& layer : request.layers) {
        check_level(workload, i, "slice-required", layer.level);
      }
    }
  }

  /// Reports an error if no topology of the input has the level. The error names the field that the
  /// user wrote (cases.md C167).
  void check_level(const Workload& workload, std::size_t pod_set, const std::string& what,
                   Symbol level) {
    if (inventory_.topologies.empty() || levels_.count(level.str()) > 0) return;
    Error error{ErrorCode::kInvalidInput,
                "level \"" + level.str() + "\" is not in topology " + known_levels_ +
                    speller_.did_you_mean(level.view(), level_names_.list())};
    error.where = workload.where;
    error.where.object = object_of(workload);
    error.where.field = field_of(workload, pod_set, what);
    findings_.errors.push_back(std::move(error));
  }

  void add_levels(const topology::TopologySpec& one) {
    for (const topology::TopologyLevel& level : one.levels) {
      for (const std::string& name : {level.label.str(), level.alias}) {
        if (!name.empty()) level_names_.add(name);
      }
      for (const std::string& name : {level.label.str(), level.alias, level.display}) {
        if (!name.empty()) levels_.insert(name);
      }
    }
  }

  /// "nvl72 (levels: zone, rack, host); b (levels: rack)", the first few.
  static std::string joined_levels(const std::vector<topology::TopologySpec>& topologies) {
    constexpr std::size_t kShown = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, topologies.size()); ++i) {
      std::string levels;
      for (const topology::TopologyLevel& level : topologies[i].levels) {
        levels +=
            (levels.empty() ? "" : ", ") + (level.alias.empty() ? level.label.str() : level.alias);
      }
      text += (i == 0 ? "" : "; ") + topologies[i].name + " (levels: " + levels + ")";
    }
    if (topologies.size() <= kShown) return text;
    return text + " and " + std::to_string(topologies.size() - kShown) + " more";
  }

  static std::string object_of(const Workload& workload) {
    if (workload.origin_label.empty()) return "Workload " + workload.key();
    return workload.origin.kind + " " + workload.namespace_name + "/" + workload.origin.name;
  }

  static std::string field_of(const Workload& workload, std::size_t pod_set,
                              const std::string& what) {
    std::string annotation = kAnnotations + what + "-topology\"]";
    const std::string at = "[" + std::to_string(pod_set) + "]";
    if (workload.origin_label.empty()) {
      const std::string field = what == "slice-required" ? "podSetSliceRequiredTopology" : what;
      return "spec.podSets" + at + ".topologyRequest." + field;
    }
    if (workload.origin.kind == "Pod") return annotation;
    if (workload.origin.kind == "JobSet") {
      return "spec.replicatedJobs" + at + ".template.spec.template." + annotation;
    }
    return "spec.template." + annotation;
  }

  void check_values(const topology::TopologySpec& one) {
    for (const topology::SharedValue& shared : topology::shared_values(one, inventory_.nodes)) {
      std::string parents;
      for (const auto& parent : shared.parents) {
        parents += (parents.empty() ? "" : ", ") + parent.path + " (" +
                   inventory_.nodes[index(parent.example)].name.str() + ")";
      }
      const topology::TopologyLevel& level = one.levels[static_cast<std::size_t>(shared.level)];
      Error warning{
          ErrorCode::kInvalidInput,
          level.label.str() + " \"" + shared.value.str() +
              "\" occurs under several parents and counts as a domain of each: " + parents};
      warning.where.object = "Topology " + one.name;
      findings_.warnings.push_back(std::move(warning));
    }
  }

  const core::Inventory& inventory_;
  KnownNames flavors_, topologies_, kai_queues_;
  std::unordered_map<std::string, KnownNames> local_queues_;        // by namespace
  std::unordered_map<std::string, std::set<std::string>> refused_;  // kinds by name
  std::unordered_set<std::string> levels_;  // every name of every level: TopologySpec::find_level()
  KnownNames level_names_;                  // those to suggest
  std::string known_levels_;
  Speller speller_;
  ReferenceFindings findings_;
};

}  // namespace

ReferenceFindings check_references(const core::Inventory& inventory) {
  return Checker(inventory).run();
}

}  // namespace tessera::ingest
