// SPDX-License-Identifier: Apache-2.0
#include "actors/verify/verify.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "actors/verify/gang_rules.h"

namespace tessera::core {
namespace {

using topology::Amounts;
using topology::NodeRecord;

class Verifier {
 public:
  Verifier(const Inventory& inventory, const std::vector<AnsweredPod>& placed)
      : inventory_(inventory), placed_(placed) {
    for (const NodeRecord& node : inventory.nodes) nodes_.emplace(node.name.view(), &node);
    // Which flavor a pod got is not in an answer: what any flavor tolerates is let pass.
    for (const FlavorRecord& flavor : inventory.flavors) {
      flavor_tolerations_.insert(flavor_tolerations_.end(), flavor.tolerations.begin(),
                                 flavor.tolerations.end());
    }
  }

  std::vector<BrokenRule> run() {
    check_pods();
    check_capacity();
    check_gangs();
    std::sort(broken_.begin(), broken_.end(), [](const BrokenRule& a, const BrokenRule& b) {
      return std::tie(a.subject, a.rule, a.message) < std::tie(b.subject, b.rule, b.message);
    });
    return std::move(broken_);
  }

 private:
  void broken(std::string rule, std::string subject, std::string message) {
    broken_.push_back({std::move(rule), std::move(subject), std::move(message)});
  }

  std::string name_of(const AnsweredPod& pod) const {
    const Workload& workload = inventory_.workloads[pod.workload];
    const solver::PodSet& pod_set = workload.gang.pod_sets[pod.pod_set];
    const auto rank = static_cast<std::size_t>(pod.rank);
    return rank < pod_set.pods.size() ? pod_set.pods[rank]
                                      : pod_set.name + "-" + std::to_string(pod.rank);
  }

  /// Each pod once, on a node that exists, takes pods and passes the pod's filter.
  void check_pods() {
    std::set<std::tuple<std::size_t, std::size_t, std::int64_t>> seen;
    for (const AnsweredPod& pod : placed_) {
      const Workload& workload = inventory_.workloads[pod.workload];
      const std::string subject = workload.key() + " pod " + name_of(pod);
      if (!seen.emplace(pod.workload, pod.pod_set, pod.rank).second) {
        broken("Twice", subject, "is placed twice");
      }
      const auto node = nodes_.find(pod.node);
      if (node == nodes_.end()) {
        broken("Node", subject, "is on " + pod.node + ", which is no node of the cluster");
        continue;
      }
      if (!node->second->usable()) {
        broken("Node", subject, "is on " + pod.node + ", which takes no pods");
      }
      if (!passes_filter(workload.gang.pod_sets[pod.pod_set].filter, flavor_tolerations_,
                         *node->second)) {
        broken("Filter", subject, "is on " + pod.node + ", which its node filters keep it from");
      }
    }
  }

  void use(std::string_view node, const Amounts& request, std::int64_t pods) {
    Amounts total = request.times(pods);
    total.set(topology::pods_resource(), total.get(topology::pods_resource()) + pods);
    used_[std::string(node)].add(total);
  }

  /// Bound pods, admissions that name hosts and have no bound pods, and the answer together.
  void check_capacity() {
    std::set<std::string> with_pods;
    for (const PodRecord& pod : inventory_.pods) {
      use(pod.node.view(), pod.request, 1);
      with_pods.insert(pod.workload);
    }
    for (const Workload& workload : inventory_.workloads) {
      if (!workload.status.admission || with_pods.count(workload.key()) > 0) continue;
      for (const PodSetAssignment& each : workload.status.admission->pod_sets) {
        use_assignment(workload, each);
      }
    }
    std::set<std::string> touched;
    for (const AnsweredPod& pod : placed_) {
      const Workload& workload = inventory_.workloads[pod.workload];
      use(pod.node, workload.gang.pod_sets[pod.pod_set].request, 1);
      touched.insert(pod.node);
    }
    for (const std::string& name : touched) {
      const auto node = nodes_.find(name);
      if (node == nodes_.end()) continue;
      for (const topology::Amount& amount : used_[name]) {
        const std::int64_t has = node->second->allocatable.get(amount.resource);
        if (amount.value <= has) continue;
        broken("Capacity", "node " + name,
               amount.resource.str() + ": " +
                   topology::amount_text(amount.resource.view(), amount.value) + " used of " +
                   topology::amount_text(amount.resource.view(), has));
      }
    }
  }

  void use_assignment(const Workload& workload, const PodSetAssignment& assignment) {
    if (assignment.levels.empty() || assignment.levels.back() != topology::hostname_label()) return;
    const auto pod_set =
        std::find_if(workload.gang.pod_sets.begin(), workload.gang.pod_sets.end(),
                     [&](const solver::PodSet& each) { return each.name == assignment.name; });
    if (pod_set == workload.gang.pod_sets.end()) return;
    for (const DomainList::Domain domain : assignment.domains) {
      use(node_of_host(domain.values.back()), pod_set->request, domain.pods);
    }
  }

  std::string_view node_of_host(topology::Symbol host) {
    if (hosts_.empty()) {
      for (const NodeRecord& node : inventory_.nodes) {
        hosts_.emplace(node.labels.find(topology::hostname_label()).value_or(node.name).view(),
                       node.name.view());
      }
    }
    const auto at = hosts_.find(host.view());
    return at == hosts_.end() ? host.view() : at->second;
  }

  void check_gangs() {
    std::map<std::size_t, std::vector<AnsweredPod>> by_gang;
    for (const AnsweredPod& pod : placed_) {
      if (nodes_.count(pod.node) > 0) by_gang[pod.workload].push_back(pod);
    }
    for (const auto& [position, pods] : by_gang) {
      const Workload& workload = inventory_.workloads[position];
      const GangPlaces places(workload, pods, nodes_, inventory_.topologies);
      std::vector<BrokenRule> found =
          workload.gang.is_tree() ? check_tree(places) : check_flat(places);
      std::move(found.begin(), found.end(), std::back_inserter(broken_));
    }
  }

  const Inventory& inventory_;
  const std::vector<AnsweredPod>& placed_;
  NodesByName nodes_;
  std::vector<topology::Toleration> flavor_tolerations_;
  std::map<std::string_view, std::string_view> hosts_;
  std::map<std::string, Amounts> used_;  // by node
  std::vector<BrokenRule> broken_;
};

}  // namespace

std::vector<BrokenRule> verify(const Inventory& inventory, const std::vector<AnsweredPod>& placed) {
  return Verifier(inventory, placed).run();
}

}  // namespace tessera::core
