// SPDX-License-Identifier: Apache-2.0
// Admission: what a workload holds: its queue, and for each pod set the flavor of each resource,
// the quota it uses and the domains of its pods (Kueue's status.admission).
//
// Made by ingest/ from the status of an input object, and by the planner from its decisions.
// Everybody reads it; nobody changes it once it is shared. Every admitted workload has one, so its
// lists lie flat: names are symbols, the domains of a pod set share two arrays.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/nodes/amounts.h"

namespace tessera::core {

using topology::Amounts;
using topology::Symbol;

/// The flavor of each resource, in byte order of the resources.
class ResourceFlavors {
 public:
  struct Entry {
    Symbol resource, flavor;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  ResourceFlavors() = default;
  ResourceFlavors(std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
    for (const auto& [resource, flavor] : entries) set(Symbol(resource), Symbol(flavor));
  }

  void reserve(std::size_t entries) { entries_.reserve(entries); }
  /// Replaces the flavor that the resource had before.
  void set(Symbol resource, Symbol flavor);
  bool has(Symbol resource) const;

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  friend bool operator==(const ResourceFlavors&, const ResourceFlavors&) = default;

 private:
  std::vector<Entry> entries_;
};

/// Pods by domain. The order of the domains gives the ranks of the pods. Every domain has one value
/// for each level of the assignment.
class DomainList {
 public:
  struct Domain {
    std::span<const Symbol> values;
    std::int64_t pods;
  };
  class Iterator {
   public:
    Iterator(const DomainList* list, std::size_t at) : list_(list), at_(at) {}
    Domain operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const DomainList* list_;
    std::size_t at_;
  };

  void reserve(std::size_t domains, std::size_t levels) {
    pods_.reserve(domains);
    values_.reserve(domains * levels);
  }
  /// `values`: at least one, and as many as each earlier domain has.
  void add(std::span<const Symbol> values, std::int64_t pods) {
    pods_.push_back(pods);
    values_.insert(values_.end(), values.begin(), values.end());
  }

  bool empty() const { return pods_.empty(); }
  std::size_t size() const { return pods_.size(); }
  Domain operator[](std::size_t i) const {
    const std::size_t levels = values_.size() / pods_.size();
    return {std::span<const Symbol>(values_).subspan(i * levels, levels), pods_[i]};
  }
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  std::vector<Symbol> values_;
  std::vector<std::int64_t> pods_;
};

/// What an admitted workload holds for one pod set.
struct PodSetAssignment {
  std::string name;
  std::int64_t count = 0;
  ResourceFlavors flavors;
  Amounts usage;               // as quota counts it, all pods together
  std::vector<Symbol> levels;  // node labels, of the topologyAssignment; empty: none
  DomainList domains;
};

struct Admission {
  std::string cluster_queue;
  std::vector<PodSetAssignment> pod_sets;
};

}  // namespace tessera::core
