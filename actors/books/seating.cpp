// SPDX-License-Identifier: Apache-2.0
#include "actors/books/seating.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "actors/books/seats.h"

namespace tessera::core {
namespace {

using topology::CellId;
using topology::NodeId;

std::string domain_text(const DomainList::Domain& domain) {
  std::string text;
  for (const Symbol value : domain.values) {
    if (!text.empty()) text += '/';
    text += value.view();
  }
  return text;
}

/// Tells the seats of the pod sets whose assignment names no domain.
void add_unplaced(const Workload& workload, const Admission& admission, Seats& seats) {
  for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
    const std::size_t pod_set = pod_set_of(workload, admission.pod_sets[i], i);
    if (pod_set < workload.gang.pod_sets.size() && admission.pod_sets[i].domains.empty()) {
      seats.add_unplaced(workload.gang.pod_sets[pod_set].request);
    }
  }
}

/// One admission on its way into the books.
class Seater {
 public:
  Seater(const Places& places, const Cluster& cluster, const Workload& workload,
         std::span<const std::shared_ptr<const PodRequest>> requests)
      : places_(&places), cluster_(&cluster), workload_(&workload), requests_(requests) {}

  void add(const PodSetAssignment& assignment, std::uint32_t pod_set);
  void seat_pods(const Admission& admission, std::span<const PodRecord* const> pods);
  Seating book();

 private:
  struct Domain {
    Place place;
    std::uint32_t pod_set;
    std::int64_t pods;  // that are not booked yet
    Symbol flavor;
    std::string text;
    const PodSetAssignment* assignment;
    std::size_t number;  // in the assignment
    std::int64_t free_seats;
  };
  struct Noted {
    std::set<std::string> places;
    std::int64_t pods = 0;
  };

  void seat_pod(Domain& domain, NodeId node);
  bool sits_on_unusable(const PodRecord& pod, NodeId node);
  void book(const Domain& domain);
  void note(Mismatch::Kind kind, Symbol flavor, const std::string& place, std::int64_t pods) {
    Noted& noted = notes_[{kind, flavor.str()}];
    noted.places.insert(place);
    noted.pods = topology::saturating_add(noted.pods, pods);
  }

  const Places* places_;
  const Cluster* cluster_;
  const Workload* workload_;
  std::span<const std::shared_ptr<const PodRequest>> requests_;
  std::vector<Domain> domains_;
  std::map<std::tuple<CellId, std::uint32_t>, std::int64_t> where_they_run_;
  std::map<NodeId, Amounts> taken_;  // by pods of domains without a cell
  std::map<std::pair<Mismatch::Kind, std::string>, Noted> notes_;
  Seating seating_;
};

void Seater::add(const PodSetAssignment& assignment, std::uint32_t pod_set) {
  for (std::size_t number = 0; number < assignment.domains.size(); ++number) {
    const DomainList::Domain domain = assignment.domains[number];
    domains_.push_back({places_->find(assignment, domain),
                        pod_set,
                        domain.pods,
                        Symbol(),
                        {},
                        &assignment,
                        number,
                        domain.pods});
    Domain& added = domains_.back();
    const bool by_pods = added.place.cell ? !cluster_->cells()->is_host(*added.place.cell) &&
                                                cluster_->mixes_leaves()
                                          : added.place.usable;
    seating_.follows_pods = seating_.follows_pods || by_pods;
    if (added.place.of_its_flavor) continue;  // nothing to tell
    if (!assignment.flavors.empty()) added.flavor = assignment.flavors.begin()->flavor;
    added.text = domain_text(domain);
  }
}

/// A pod that runs on a known node of a domain above hosts holds that node.
void Seater::seat_pod(Domain& domain, NodeId node) {
  std::optional<CellId> cell;
  if (domain.place.cell) {
    cell = places_->host_below(*domain.place.cell, node);
  } else if (domain.place.usable) {
    cell = places_->cell_of(node);
    taken_[node].add(requests_[domain.pod_set]->amounts);
  }
  if (!cell) return;
  ++where_they_run_[{*cell, domain.pod_set}];
  --domain.pods;
}

/// True if the pod runs in a domain of its admission, but on a node that takes no pods now: it
/// holds nothing that others could have.
bool Seater::sits_on_unusable(const PodRecord& pod, NodeId node) {
  if (places_->cell_of(node)) return false;
  const topology::NodeRecord& record = cluster_->nodes()[topology::index(node)];
  for (Domain& domain : domains_) {
    const bool above_hosts =
        domain.place.cell ? !cluster_->cells()->is_host(*domain.place.cell) : domain.place.usable;
    if (!above_hosts || domain.free_seats == 0 || domain.pods == 0) continue;
    if (requests_[domain.pod_set]->request != pod.request) continue;
    const std::vector<Symbol>& levels = domain.assignment->levels;
    const std::span<const Symbol> values = domain.assignment->domains[domain.number].values;
    bool inside = levels.size() == values.size() && !levels.empty();
    for (std::size_t i = 0; inside && i < levels.size(); ++i) {
      inside = record.labels.find(levels[i]) == values[i];
    }
    if (!inside) continue;
    --domain.free_seats;
    --domain.pods;
    return true;
  }
  return false;
}

void Seater::seat_pods(const Admission& admission, std::span<const PodRecord* const> pods) {
  if (pods.empty()) return;
  Seats seats(*cluster_);
  for (const Domain& domain : domains_) {
    const Amounts& request = requests_[domain.pod_set]->request;
    if (domain.place.cell) {
      seats.add(*domain.place.cell, request, domain.pods);
    } else {
      seats.add(domain.place.nodes, request, domain.pods);
    }
  }
  add_unplaced(*workload_, admission, seats);
  const std::vector<std::uint32_t> taken = seats.take(pods);
  for (const std::uint32_t seat : taken) {
    if (seat != Seats::kNone) --domains_[seat].free_seats;
  }
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const std::optional<NodeId> node = cluster_->find_node(pods[i]->node.view());
    if (!node) continue;
    if (taken[i] != Seats::kNone) {
      seat_pod(domains_[taken[i]], *node);
      continue;
    }
    if (sits_on_unusable(*pods[i], *node)) continue;
    seating_.strays.push_back(pods[i]);
    if (seats.should_sit(*pods[i])) {
      note(Mismatch::Kind::kElsewhere, Symbol(), pods[i]->node.str(), 1);
    }
  }
}

void Seater::book(const Domain& domain) {
  const Place& place = domain.place;
  if (!place.usable) {
    note(Mismatch::Kind::kNoNode, domain.flavor, domain.text, domain.pods);
    return;
  }
  if (!place.cell) note(Mismatch::Kind::kNoHost, domain.flavor, domain.text, domain.pods);
  if (domain.pods == 0) return;
  if (place.cell) {
    seating_.pods.push_back({*place.cell, domain.pod_set, domain.pods});
    if (place.of_its_flavor) return;
    const std::span<const NodeId> nodes = cluster_->cells()->nodes(*place.cell);
    note(Mismatch::Kind::kOtherFlavor, domain.flavor,
         nodes.size() == 1 ? cluster_->nodes()[topology::index(nodes.front())].name.str()
                           : domain.text,
         domain.pods);
    return;
  }
  for (const auto& [node, pods] : deal(cluster_->nodes(), place.nodes, domain.pods,
                                       requests_[domain.pod_set]->amounts, taken_)) {
    seating_.pods.push_back({*places_->cell_of(node), domain.pod_set, pods});
  }
}

Seating Seater::book() {
  for (const auto& [part, pods] : where_they_run_) {
    seating_.pods.push_back({std::get<CellId>(part), std::get<std::uint32_t>(part), pods});
  }
  for (const Domain& domain : domains_) book(domain);
  for (const auto& [key, noted] : notes_) {
    seating_.mismatches.push_back({key.first,
                                   workload_->key(),
                                   Symbol(key.second),
                                   {noted.places.begin(), noted.places.end()},
                                   noted.pods});
  }
  return std::move(seating_);
}

}  // namespace

std::vector<const PodRecord*> pods_to_seat(const Workload& workload,
                                           std::span<const PodRecord* const> pods) {
  std::vector<const PodRecord*> seated(pods.begin(), pods.end());
  const std::vector<solver::GangGroup>& groups = workload.gang.groups;
  const bool all = std::all_of(groups.begin(), groups.end(),
                               [](const solver::GangGroup& each) { return each.running.empty(); });
  if (all) return seated;
  std::set<std::string_view> names;
  for (const solver::PodSet& pod_set : workload.gang.pod_sets) {
    names.insert(pod_set.pods.begin(), pod_set.pods.end());
  }
  std::erase_if(seated, [&names](const PodRecord* pod) { return names.count(pod->name) == 0; });
  return seated;
}

std::size_t pod_set_of(const Workload& workload, const PodSetAssignment& assignment,
                       std::size_t position) {
  const auto& pod_sets = workload.gang.pod_sets;
  if (position < pod_sets.size() && pod_sets[position].name == assignment.name) return position;
  for (std::size_t i = 0; i < pod_sets.size(); ++i) {
    if (pod_sets[i].name == assignment.name) return i;
  }
  return position;
}

Seating seat(const Places& places, const Cluster& cluster, const Workload& workload,
             const Admission& admission,
             std::span<const std::shared_ptr<const PodRequest>> requests,
             std::span<const PodRecord* const> pods) {
  Seater seater(places, cluster, workload, requests);
  for (std::size_t i = 0; i < admission.pod_sets.size(); ++i) {
    const std::size_t pod_set = pod_set_of(workload, admission.pod_sets[i], i);
    if (pod_set >= requests.size()) continue;
    seater.add(admission.pod_sets[i], static_cast<std::uint32_t>(pod_set));
  }
  seater.seat_pods(admission, pods);
  return seater.book();
}

std::vector<const PodRecord*> find_strays(const Cluster& cluster, const Held& held,
                                          const Workload& workload, const Admission& admission,
                                          std::span<const PodRecord* const> pods) {
  Seats seats(cluster);
  for (const Held::Pods& part : held.pods) {
    seats.add(part.cell, held.requests[part.pod_set]->request, part.pods);
  }
  add_unplaced(workload, admission, seats);
  const std::vector<std::uint32_t> taken = seats.take(pods);
  std::vector<const PodRecord*> strays;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (taken[i] == Seats::kNone && cluster.find_node(pods[i]->node.view()))
      strays.push_back(pods[i]);
  }
  return strays;
}

}  // namespace tessera::core
