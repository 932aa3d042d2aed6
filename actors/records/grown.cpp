// SPDX-License-Identifier: Apache-2.0
#include "actors/records/grown.h"

#include <algorithm>
#include <span>

#include "actors/records/broken_invariant.h"

namespace tessera::core {
namespace {

/// Null: the admission does not name the pod set.
PodSetAssignment* find_pod_set(Admission& admission, const std::string& name) {
  const auto at = std::find_if(admission.pod_sets.begin(), admission.pod_sets.end(),
                               [&name](const PodSetAssignment& each) { return each.name == name; });
  return at == admission.pod_sets.end() ? nullptr : &*at;
}

/// The domains of a pod set by their last levels, with pods that come and go at the end.
class Domains {
 public:
  explicit Domains(std::size_t levels) : levels_(levels) {}

  void add(const DomainList& list) {
    for (const DomainList::Domain domain : list) {
      const std::span<const Symbol> values = domain.values.last(levels_);
      const bool same = !domains_.empty() &&
                        std::equal(values.begin(), values.end(), domains_.back().values.begin());
      if (same) {
        domains_.back().pods += domain.pods;
      } else {
        domains_.push_back({values, domain.pods});
      }
    }
  }
  void take(std::int64_t pods) {
    while (pods > 0) {
      if (domains_.empty()) throw BrokenInvariant("a growth is undone that the gang does not hold");
      const std::int64_t taken = std::min(pods, domains_.back().pods);
      domains_.back().pods -= taken;
      pods -= taken;
      if (domains_.back().pods == 0) domains_.pop_back();
    }
  }
  DomainList list() const {
    DomainList list;
    list.reserve(domains_.size(), levels_);
    for (const DomainList::Domain& domain : domains_) list.add(domain.values, domain.pods);
    return list;
  }

 private:
  std::size_t levels_;
  std::vector<DomainList::Domain> domains_;  // values of the lists that were added
};

/// An admission of the input may name hosts alone, and an engine names all levels.
std::size_t shared_levels(const PodSetAssignment& a, const PodSetAssignment& b) {
  const auto differ =
      std::mismatch(a.levels.rbegin(), a.levels.rend(), b.levels.rbegin(), b.levels.rend());
  return static_cast<std::size_t>(differ.first - a.levels.rbegin());
}

void add(const PodSetAssignment& added, PodSetAssignment& held) {
  if (held.count == 0) {
    held = added;
    return;
  }
  if (!added.domains.empty()) {
    const std::size_t levels = shared_levels(held, added);
    if (levels == 0) {
      throw BrokenInvariant("pod set " + held.name + " grows on other levels than it has");
    }
    Domains domains(levels);
    domains.add(held.domains);
    domains.add(added.domains);
    held.domains = domains.list();
    held.levels.erase(held.levels.begin(), held.levels.end() - static_cast<std::ptrdiff_t>(levels));
  }
  held.count += added.count;
  for (const auto& [resource, flavor] : added.flavors) held.flavors.set(resource, flavor);
  held.usage.add(added.usage);
}

void subtract(const PodSetAssignment& added, PodSetAssignment& held) {
  std::int64_t pods = 0;
  for (const DomainList::Domain domain : added.domains) pods += domain.pods;
  Domains domains(held.levels.size());
  domains.add(held.domains);
  domains.take(pods);
  held.domains = domains.list();
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
