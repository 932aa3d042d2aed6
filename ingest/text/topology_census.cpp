// SPDX-License-Identifier: Apache-2.0
#include "ingest/text/topology_census.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "ingest/text/names.h"
#include "ingest/text/node_summary.h"
#include "solver/search/place.h"

namespace tessera::encode {
namespace {

using topology::NodeRecord;
using topology::Symbol;

std::int64_t free_amount(const core::ClusterView& cluster, topology::CellId cell, Symbol resource) {
  const std::int64_t amount = cluster.capacity().amount(topology::Basis::kFree, resource, cell);
  return std::max<std::int64_t>(0, amount);
}

/// The GPUs that a host has when none of them is broken.
std::int64_t built_gpus(const NodeRecord& node) {
  return std::max(node.capacity.get(topology::gpu_resource()),
                  node.allocatable.get(topology::gpu_resource()));
}

/// Pods of the shape that fit into what is free on the cell.
std::int64_t room_on(const core::ClusterView& cluster, topology::CellId cell, const Shape& shape) {
  std::int64_t room = INT64_MAX;
  for (const topology::Amount& amount : solver::pod_amounts(shape.request)) {
    if (amount.value <= 0) continue;
    room = std::min(room, free_amount(cluster, cell, amount.resource) / amount.value);
  }
  return room;
}

class CensusTaker {
 public:
  CensusTaker(const core::ClusterView& cluster, const Shape& shape, const std::string& flavor)
      : cluster_(cluster), shape_(shape), view_(*cluster.view(flavor)), nodes_(cluster.nodes()) {
    census_.topology = view_.tree().topology();
    const bool gpus = std::any_of(nodes_.begin(), nodes_.end(), [](const NodeRecord& node) {
      return node.allocatable.get(topology::gpu_resource()) > 0;
    });
    census_.device = gpus ? topology::gpu_resource() : topology::pods_resource();
  }

  Census run() {
    list_hosts();
    deal_leaves();
    make_levels();
    for (std::size_t i = 0; i < census_.hosts.size(); ++i) place_host(i);
    for (CensusLevel& level : census_.levels) sort_domains(level);
    for (std::size_t level = 1; level < census_.levels.size(); ++level) tell_apart(level);
    add_starts();
    return std::move(census_);
  }

 private:
  void list_hosts() {
    std::vector<bool> of_flavor(nodes_.size(), true);
    for (const topology::LeftOutNode& node : view_.tree().left_out()) {
      if (node.cause == topology::LeftOut::kFlavorLabels) of_flavor[index(node.node)] = false;
    }
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!of_flavor[i]) continue;
      Host host;
      host.node = topology::NodeId{i};
      host.devices = std::max<std::int64_t>(0, nodes_[i].allocatable.get(census_.device));
      census_.hosts.push_back(host);
    }
    std::sort(census_.hosts.begin(), census_.hosts.end(), [&](const Host& a, const Host& b) {
      const std::string x = node_name(nodes_[index(a.node)], HostNames::kHostnameLabel);
      const std::string y = node_name(nodes_[index(b.node)], HostNames::kHostnameLabel);
      return std::tie(x, a.node) < std::tie(y, b.node);
    });
  }

  /// Gives the hosts of each leaf what is free on the leaf.
  void deal_leaves() {
    std::vector<std::size_t> host_of(nodes_.size(), SIZE_MAX);
    for (std::size_t i = 0; i < census_.hosts.size(); ++i)
      host_of[index(census_.hosts[i].node)] = i;
    const auto filter = shape_.filtered ? view_.filter_class(shape_.filter) : nullptr;
    for (std::uint32_t l = 0; l < view_.tree().leaf_count(); ++l) {
      const topology::CellId cell = view_.cells()[l];
      std::int64_t free = free_amount(cluster_, cell, census_.device);
      std::int64_t room = filter != nullptr && filter->verdict[l] != 0
                              ? 0
                              : room_on(cluster_, cell, shape_.own ? Shape{} : shape_);
      const auto leaf_nodes = view_.tree().nodes(topology::LeafId{l});
      for (const topology::NodeId node : leaf_nodes) {
        Host& host = census_.hosts[host_of[index(node)]];
        host.in_tree = true;
        host.free = std::min(free, host.devices);
        free -= host.free;
        host.room = leaf_nodes.size() == 1 ? room : std::min<std::int64_t>(room, 1);
        if (shape_.own) {
          const std::int64_t built = built_gpus(nodes_[index(node)]);
          host.room = built > 0 && host.free >= built ? std::min<std::int64_t>(room, 1) : 0;
        }
        room -= host.room;
      }
    }
  }

  void make_levels() {
    const std::vector<topology::TopologyLevel>& levels = census_.topology.levels;
    const std::size_t shown = levels.size() - (census_.topology.host_level() ? 1 : 0);
    for (std::size_t i = 0; i < shown; ++i) {
      census_.levels.push_back(
          {level_name(census_.topology, static_cast<int>(i)), levels[i].label.str(), {}});
    }
    flat_ = shown == 0;
    if (flat_) census_.levels.push_back({"cluster", "", {}});
    positions_.resize(census_.levels.size());
  }

  /// Counts the host in its domains, down to the first level whose label it lacks.
  void place_host(std::size_t position) {
    const Host& host = census_.hosts[position];
    const NodeRecord& node = nodes_[index(host.node)];
    if (census_.topology.first_missing(node) >= 0) census_.outside.push_back(position);
    if (flat_) return count_in(0, {}, position);
    std::vector<Symbol> path;
    for (std::size_t level = 0; level < census_.levels.size(); ++level) {
      const auto value = node.labels.find(census_.topology.levels[level].label);
      if (!value) return;
      path.push_back(*value);
      count_in(level, path, position);
    }
  }

  void count_in(std::size_t level, const std::vector<Symbol>& path, std::size_t position) {
    std::vector<Domain>& domains = census_.levels[level].domains;
    std::vector<std::string> key;
    for (const Symbol value : path) key.push_back(value.str());
    const auto [at, added] = positions_[level].try_emplace(std::move(key), domains.size());
    const Host& host = census_.hosts[position];
    if (added) {
      Domain domain;
      domain.path = path;
      domain.name = flat_ ? "(all)" : shown_name(level, nodes_[index(host.node)], path.back());
      domains.push_back(std::move(domain));
    }
    Domain& domain = domains[at->second];
    domain.hosts.push_back(position);
    if (!host.in_tree) return;
    ++domain.usable;
    domain.devices += host.devices;
    domain.free += host.free;
    if (host.room > 0) ++domain.whole;
  }

  std::string shown_name(std::size_t level, const NodeRecord& node, Symbol value) const {
    const std::string& display = census_.topology.levels[level].display;
    if (!display.empty()) {
      if (auto shown = node.labels.find(Symbol(display))) return shown->str();
    }
    return value.empty() ? "(none)" : value.str();
  }

  static void sort_domains(CensusLevel& level) {
    std::sort(level.domains.begin(), level.domains.end(), [](const Domain& a, const Domain& b) {
      return std::lexicographical_compare(a.path.begin(), a.path.end(), b.path.begin(),
                                          b.path.end(), topology::ByText());
    });
  }

  /// Domains of one name get the name of the domain above before theirs: "east/rack-1".
  void tell_apart(std::size_t level) {
    std::map<std::string, int> times;
    for (const Domain& domain : census_.levels[level].domains) ++times[domain.name];
    // Both levels are in path order.
    auto above = census_.levels[level - 1].domains.begin();
    for (Domain& domain : census_.levels[level].domains) {
      while (!std::equal(above->path.begin(), above->path.end(), domain.path.begin())) ++above;
      if (times[domain.name] > 1) domain.name = above->name + "/" + domain.name;
    }
  }

  /// A segment starts inside one domain of the finest level; levels above sum up.
  void add_starts() {
    for (Domain& domain : census_.levels.back().domains) {
      for (std::size_t i = 0; i < kSegments.size(); ++i) {
        domain.starts[i] = domain.whole / kSegments[i];
      }
    }
    for (std::size_t level = census_.levels.size() - 1; level > 0; --level) {
      // Both levels are in path order.
      auto above = census_.levels[level - 1].domains.begin();
      for (const Domain& part : census_.levels[level].domains) {
        while (!std::equal(above->path.begin(), above->path.end(), part.path.begin())) ++above;
        for (std::size_t i = 0; i < kSegments.size(); ++i) above->starts[i] += part.starts[i];
      }
    }
  }

  const core::ClusterView& cluster_;
  const Shape& shape_;
  const solver::FlavorView& view_;
  const std::span<const NodeRecord> nodes_;
  Census census_;
  bool flat_ = false;
  std::vector<std::map<std::vector<std::string>, std::size_t>> positions_;  // by level, by path
};

/// Label pairs of a flavor in text order. Flavors with equal pairs see the same nodes.
std::vector<std::pair<std::string, std::string>> labels_of(
    std::span<const core::FlavorRecord> flavors, const std::string& flavor) {
  std::vector<std::pair<std::string, std::string>> labels;
  for (const core::FlavorRecord& record : flavors) {
    if (record.name != flavor) continue;
    for (const auto& [key, value] : record.node_labels) labels.emplace_back(key.str(), value.str());
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

}  // namespace

Shape own_shape(std::span<const NodeRecord> nodes) {
  std::set<std::int64_t> sizes;
  for (const NodeRecord& node : nodes) {
    if (const std::int64_t gpus = built_gpus(node); gpus > 0) sizes.insert(gpus);
  }
  Shape shape;
  shape.own = !sizes.empty();
  if (sizes.size() == 1) shape.request.set(topology::gpu_resource(), *sizes.begin());
  return shape;
}

std::string shape_text(const Shape& shape) {
  std::string out;
  for (const topology::Amount& amount : shape.request) {
    out += (out.empty() ? "" : ",") + amount.resource.str() + "=" +
           topology::amount_text(amount.resource.view(), amount.value);
  }
  if (!out.empty()) return out;
  return shape.own ? "all " + topology::gpu_resource().str() + " of a host" : "pods=1";
}

std::vector<Census> take_census(const core::ClusterView& cluster, const Shape& shape) {
  using Key = std::pair<std::string, std::vector<std::pair<std::string, std::string>>>;
  std::map<Key, std::vector<std::string>> shared;
  for (const std::string& flavor : cluster.topology_flavors()) {
    const std::string& name = cluster.view(flavor)->tree().topology().name;
    shared[{name, labels_of(cluster.flavors(), flavor)}].push_back(flavor);
  }
  std::vector<Census> censuses;
  for (const auto& [key, flavors] : shared) {
    censuses.push_back(CensusTaker(cluster, shape, flavors.front()).run());
    censuses.back().flavors = flavors;
  }
  return censuses;
}

}  // namespace tessera::encode
