// SPDX-License-Identifier: Apache-2.0
#include "topology/domain_runs.h"

#include <algorithm>
#include <numeric>

namespace tessera::topology {

DomainRuns::DomainRuns(const TopologySpec& topology, std::span<const NodeRecord> nodes)
    : levels_(topology.levels.size()), order_(nodes.size()) {
  const std::size_t depth = topology.levels.size();
  std::vector<std::optional<Symbol>> values(nodes.size() * depth);
  for (std::size_t host = 0; host < nodes.size(); ++host) {
    for (std::size_t l = 0; l < depth; ++l) {
      values[host * depth + l] = topology.value(nodes[host], l);
      if (!values[host * depth + l]) break;  // the levels below stay without a value
    }
  }
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t l = 0; l < depth; ++l) {
      const std::optional<Symbol>&x = values[a * depth + l], &y = values[b * depth + l];
      if (x == y) continue;
      if (!x || !y) return x.has_value();
      return x->view() < y->view();
    }
    return false;
  });
  domain_of_.assign(depth * nodes.size(), kNone);
  for (std::size_t l = 0; l < depth; ++l) {
    std::vector<Domain>& level = levels_[l];
    std::uint32_t parent_before = kNone;
    for (std::uint32_t at = 0; at < order_.size(); ++at) {
      const std::uint32_t host = order_[at];
      const std::optional<Symbol>& value = values[host * depth + l];
      if (!value) continue;
      const std::uint32_t parent = l == 0 ? kNone : domain_of_[(l - 1) * nodes.size() + host];
      if (level.empty() || level.back().value != *value || parent_before != parent) {
        const auto self = static_cast<std::uint32_t>(level.size());
        level.push_back({at, at, parent, {}, *value});
        parent_before = parent;
        if (l > 0) {
          DomainRange& inner = levels_[l - 1][parent].inner;
          if (inner.size() == 0) inner.begin = self;
          inner.end = self + 1;
        }
      }
      level.back().end = at + 1;
      domain_of_[l * nodes.size() + host] = static_cast<std::uint32_t>(level.size() - 1);
    }
  }
  place_empty_runs();
}

/// A domain without domains inside it has an empty run where they would be.
void DomainRuns::place_empty_runs() {
  for (std::vector<Domain>& level : levels_) {
    std::uint32_t at = 0;
    for (Domain& domain : level) {
      if (domain.inner.size() == 0) domain.inner = {at, at};
      at = domain.inner.end;
    }
  }
}

DomainRange DomainRuns::inside(int of_level, std::uint32_t domain, int level) const {
  DomainRange range{domain, domain + 1};
  for (int l = of_level; l < level && range.size() > 0; ++l) {
    const std::span<const Domain> outer = this->level(l);
    range = {outer[range.begin].inner.begin, outer[range.end - 1].inner.end};
  }
  return range;
}

std::string DomainRuns::path_text(int level, std::uint32_t domain) const {
  std::string out;
  for (int l = level; l >= 0; --l) {
    const Domain& each = this->level(l)[domain];
    const std::string value = each.value.empty() ? "-" : each.value.str();
    out = out.empty() ? value : value + "/" + out;
    domain = each.parent;
  }
  return out;
}

}  // namespace tessera::topology
