// SPDX-License-Identifier: Apache-2.0
#include "actors/records/grown.h"

#include <algorithm>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

/// Null: the admission does not name the pod set.
PodSetAssignment* find_pod_set(Admission& admission, const std::string& name) {
  const auto at = std::find_if(admission.pod_sets.begin(), admission.pod_sets.end(),
                               [&name](const PodSetAssignment& each) { return each.name == name; });
  return at == admission.pod_sets.end() ? nullptr : &*at;
}

/// The domains of a pod set, to which pods are added at the end, or taken from there.
struct DomainsOf {
  std::vector<DomainList::Domain> domains;

  explicit DomainsOf(const DomainList& list) {
    for (const DomainList::Domain domain : list) domains.push_back(domain);
  }

  void add(const DomainList::Domain& added) {
    const bool same =
        !domains.empty() && std::equal(added.values.begin(), added.values.end(),
                                       domains.back().values.begin(), domains.back().values.end());
    if (same) {
      domains.back().pods += added.pods;
    } else {
      domains.push_back(added);
    }
  }
  void take(std::int64_t pods) {
    while (pods > 0) {
      if (domains.empty()) throw BrokenInvariant("a growth is undone that the gang does not hold");
      const std::int64_t taken = std::min(pods, domains.back().pods);
      domains.back().pods -= taken;
      pods -= taken;
      if (domains.back().pods == 0) domains.pop_back();
    }
  }
  DomainList list(std::size_t levels) const {
    DomainList list;
    list.reserve(domains.size(), levels);
    for (const DomainList::Domain& domain : domains) list.add(domain.values, domain.pods);
    return list;
  }
};

void add(const PodSetAssignment& added, PodSetAssignment& held) {
  if (held.count == 0) {
    held = added;
    return;
  }
  if (!added.domains.empty() && added.levels != held.levels) {
    throw BrokenInvariant("pod set " + held.name + " grows on other levels than it has");
  }
  DomainsOf domains(held.domains);
  for (const DomainList::Domain domain : added.domains) domains.add(domain);
  held.domains = domains.list(held.levels.size());
  held.count += added.count;
  for (const auto& [resource, flavor] : added.flavors) held.flavors.set(resource, flavor);
  held.usage.add(added.usage);
}

void subtract(const PodSetAssignment& added, PodSetAssignment& held) {
  std::int64_t pods = 0;
  for (const DomainList::Domain domain : added.domains) pods += domain.pods;
  DomainsOf domains(held.domains);
  domains.take(pods);
  held.domains = domains.list(held.levels.size());
  held.count -= added.count;
  held.usage.subtract(added.usage);
}

}  // namespace

Admission merged(const Admission& held, const Admission& added) {
  Admission all = held;
  for (const PodSetAssignment& each : added.pod_sets) {
    PodSetAssignment* pod_set = find_pod_set(all, each.name);
    if (pod_set == nullptr) {
      all.pod_sets.push_back(each);
    } else if (each.count > 0) {
      add(each, *pod_set);
    }
  }
  return all;
}

Admission unmerged(const Admission& held, const Admission& added) {
  Admission rest = held;
  for (const PodSetAssignment& each : added.pod_sets) {
    PodSetAssignment* pod_set = find_pod_set(rest, each.name);
    if (pod_set != nullptr && each.count > 0) subtract(each, *pod_set);
  }
  return rest;
}

}  // namespace tessera::core
