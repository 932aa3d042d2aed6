// SPDX-License-Identifier: Apache-2.0
#include "ingest/kinds/registry.h"

#include <algorithm>

#include "ingest/kinds/batch_job.h"
#include "ingest/kinds/field_tables.h"
#include "ingest/kinds/jobset.h"
#include "ingest/kinds/pod_group.h"
#include "ingest/kinds/workload_object.h"
#include "ingest/objects/class_objects.h"
#include "ingest/objects/kai_queues.h"
#include "ingest/objects/limit_ranges.h"
#include "ingest/objects/nodes.h"
#include "ingest/objects/pods.h"
#include "ingest/objects/queue_objects.h"
#include "ingest/objects/topology_objects.h"

namespace tessera::ingest {
namespace {

template <auto list>
Shelf shelf() {
  Shelf made;
  made.size = [](ReadContext& context) { return list(context).size(); };
  made.remove = [](ReadContext& context, const std::vector<bool>& gone) {
    auto& records = list(context);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i < gone.size() && gone[i]) continue;
      if (kept != i) records[kept] = std::move(records[i]);
      ++kept;
    }
    records.erase(records.begin() + static_cast<std::ptrdiff_t>(kept), records.end());
  };
  return made;
}

auto& nodes(ReadContext& c) { return c.inventory.nodes; }
auto& pods(ReadContext& c) { return c.pods; }
auto& namespaces(ReadContext& c) { return c.inventory.namespaces; }
auto& topologies(ReadContext& c) { return c.inventory.topologies; }
auto& kai_topologies(ReadContext& c) { return c.kai_topologies; }
auto& flavors(ReadContext& c) { return c.inventory.flavors; }
auto& cluster_queues(ReadContext& c) { return c.inventory.cluster_queues; }
auto& local_queues(ReadContext& c) { return c.inventory.local_queues; }
auto& kai_queues(ReadContext& c) { return c.inventory.kai_queues; }
auto& cohorts(ReadContext& c) { return c.inventory.cohorts; }
auto& checks(ReadContext& c) { return c.inventory.checks; }
auto& priority_classes(ReadContext& c) { return c.priority_classes; }
auto& workload_priority_classes(ReadContext& c) { return c.workload_priority_classes; }
auto& limit_ranges(ReadContext& c) { return c.limit_ranges; }
auto& runtime_classes(ReadContext& c) { return c.runtime_classes; }
auto& workload_objects(ReadContext& c) { return c.workload_objects; }
auto& pod_groups(ReadContext& c) { return c.pod_groups; }
auto& jobs(ReadContext& c) { return c.jobs; }

std::vector<KindReader> make_kinds() {
  constexpr std::string_view kKueue = "kueue.x-k8s.io";
  const std::vector<std::string_view> v1 = {"v1"};
  const std::vector<std::string_view> beta = {"v1beta1", "v1beta2"};
  const std::vector<std::string_view> alpha_and_beta = {"v1alpha1", "v1beta1", "v1beta2"};
  const std::vector<std::string_view> v1alpha1 = {"v1alpha1"}, v1alpha2 = {"v1alpha2"}, v2 = {"v2"},
                                      v2alpha2 = {"v2alpha2"};
  constexpr HeaderParts kIdentity = HeaderParts::kIdentity;
  constexpr HeaderParts kAll = HeaderParts::kAll;
  constexpr KindRole kOther = KindRole::kOther;
  return {
      {"", "Node", v1, false, kIdentity, kOther, read_node, shelf<nodes>()},
      {"", "Pod", v1, true, kAll, KindRole::kWorkload, read_pod, shelf<pods>()},
      {"", "Namespace", v1, false, kIdentity, kOther, read_namespace, shelf<namespaces>()},
      {"", "LimitRange", v1, true, kIdentity, kOther, read_limit_range, shelf<limit_ranges>()},
      {"node.k8s.io", "RuntimeClass", v1, false, kIdentity, kOther, read_runtime_class,
       shelf<runtime_classes>()},
      {kKueue, "Topology", alpha_and_beta, false, kIdentity, KindRole::kTopology,
       read_kueue_topology, shelf<topologies>()},
      {"kai.scheduler", "Topology", v1alpha1, false, kIdentity, KindRole::kTopology,
       read_kai_topology, shelf<kai_topologies>()},
      {kKueue, "ResourceFlavor", beta, false, kIdentity, KindRole::kFlavor, read_resource_flavor,
       shelf<flavors>()},
      {kKueue, "ClusterQueue", beta, false, kIdentity, KindRole::kQueue, read_cluster_queue,
       shelf<cluster_queues>()},
      {kKueue, "LocalQueue", beta, true, kIdentity, KindRole::kQueue, read_local_queue,
       shelf<local_queues>()},
      {"scheduling.run.ai", "Queue", v2, false, kIdentity, KindRole::kQueue, read_kai_queue,
       shelf<kai_queues>()},
      {"scheduling.run.ai", "PodGroup", v2alpha2, true, kAll, KindRole::kPodGroup, read_pod_group,
       shelf<pod_groups>()},
      {kKueue, "Cohort", alpha_and_beta, false, kIdentity, kOther, read_cohort, shelf<cohorts>()},
      {kKueue, "AdmissionCheck", beta, false, kIdentity, kOther, read_admission_check,
       shelf<checks>()},
      {"scheduling.k8s.io", "PriorityClass", v1, false, kIdentity, kOther, read_priority_class,
       shelf<priority_classes>()},
      {kKueue, "WorkloadPriorityClass", beta, false, kIdentity, kOther,
       read_workload_priority_class, shelf<workload_priority_classes>()},
      {kKueue, "Workload", beta, true, kAll, KindRole::kWorkload, read_workload,
       shelf<workload_objects>()},
      {"batch", "Job", v1, true, kAll, KindRole::kJob, read_batch_job, shelf<jobs>()},
      {"jobset.x-k8s.io", "JobSet", v1alpha2, true, kAll, KindRole::kJob, read_jobset,
       shelf<jobs>()},
  };
}

}  // namespace

std::span<const KindReader> known_kinds() {
  static const std::vector<KindReader> kKinds = [] {
    std::vector<KindReader> kinds = make_kinds();
    for (KindReader& kind : kinds) kind.fields = field_tree_of(kind.group, kind.kind);
    return kinds;
  }();
  return kKinds;
}

const KindReader* find_kind(std::string_view group, std::string_view kind) {
  const auto kinds = known_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const KindReader& reader) {
    return reader.kind == kind && reader.group == group;
  });
  return found == kinds.end() ? nullptr : &*found;
}

bool makes_workloads(const KindReader& kind) {
  return kind.role == KindRole::kJob || kind.role == KindRole::kWorkload;
}

GroupVersion split_api_version(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", api_version};
  return {api_version.substr(0, slash), api_version.substr(slash + 1)};
}

}  // namespace tessera::ingest
