// SPDX-License-Identifier: Apache-2.0
#include "solver/search/host_group.h"

#include <algorithm>
#include <span>

namespace tessera::solver {
namespace {

void copy_row(const LeafRows& leaves, LeafRows::Row row, std::uint32_t begin, std::uint32_t end,
              std::vector<std::int32_t>& out) {
  out.clear();
  leaves.rows.for_each_part(row, begin, end, [&out](std::span<const std::int32_t> part) {
    out.insert(out.end(), part.begin(), part.end());
  });
}

}  // namespace

bool HostGroup::read(const CountTable& table, topology::DomainRange hosts) {
  const std::uint32_t begin = hosts.begin - table.first_leaf(),
                      end = hosts.end - table.first_leaf();
  copy_row(table.leaves(), LeafRows::kCode, begin, end, pods_);
  most_ = 0;
  for (std::int32_t& pods : pods_) {
    pods = std::max(pods, 0);
    most_ = std::max(most_, pods);
  }
  if (most_ > kMostPods) return false;
  hosts_by_pods_.assign(static_cast<std::size_t>(kMostPods) + 1, 0);
  for (const std::int32_t pods : pods_) ++hosts_by_pods_[static_cast<std::size_t>(pods)];
  candidates_ = static_cast<std::int64_t>(pods_.size()) - hosts_by_pods_[0];
  beside_.clear();
  leads_.clear();
  if (!table.with_leader()) return true;
  copy_row(table.leaves(), LeafRows::kPodsWithLeader, begin, end, beside_);
  copy_row(table.leaves(), LeafRows::kLeaders, begin, end, leads_);
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    candidates_ += pods_[i] == 0 && leads_[i] > 0 ? 1 : 0;
  }
  return true;
}

Counts HostGroup::counts(std::size_t host) const {
  Counts out;
  out.pods = out.slices = out.pods_with_leader = out.slices_with_leader = pods_[host];
  if (leads_.empty()) return out;
  out.pods_with_leader = out.slices_with_leader = beside_[host];
  out.leaders = leads_[host];
  return out;
}

/// The host that the leader goes to: it leaves the most pods beside the leader; of equal hosts the
/// first in path order. Nothing if no host can lead.
std::optional<std::size_t> HostGroup::best_leader() const {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < leads_.size(); ++i) {
    if (leads_[i] > 0 && (!best || beside_[i] > beside_[*best])) best = i;
  }
  return best;
}

/// The n-th host, from 1 on, in path order of those with so many pods, `but` left out.
std::size_t HostGroup::nth_with(std::int32_t pods, std::int64_t n,
                                std::optional<std::size_t> but) const {
  std::size_t host = 0;
  for (;; ++host) {
    if (pods_[host] == pods && host != but && --n == 0) return host;
  }
}

Greedy HostGroup::greedy(std::int64_t slices, std::int64_t leaders) const {
  Greedy out;
  std::optional<std::size_t> leader;
  if (leaders > 0) leader = best_leader();
  if (leader) {
    out.last_leader = counts(*leader);
    slices -= out.last_leader->slices_with_leader;
    --leaders;
    out.used = 1;
  }
  std::int32_t last = 0;
  std::int64_t taken = 0;  // of the hosts with `last` pods
  for (std::int32_t pods = most_; pods > 0 && slices > 0; --pods) {
    std::int64_t hosts = hosts_by_pods_[static_cast<std::size_t>(pods)];
    if (leader && pods_[*leader] == pods) --hosts;
    if (hosts == 0) continue;
    last = pods;
    taken = std::min(hosts, (slices + pods - 1) / pods);
    slices -= taken * pods;
    out.used += taken;
  }
  if (taken > 0) out.last_worker = counts(nth_with(last, taken, leader));
  out.fits = leaders <= 0 && slices <= 0;
  return out;
}

bool HostGroup::keeps_all(std::int64_t threshold) const {
  for (std::int32_t pods = 1; pods < threshold && pods <= most_; ++pods) {
    if (hosts_by_pods_[static_cast<std::size_t>(pods)] > 0) return false;
  }
  for (std::size_t i = 0; i < leads_.size(); ++i) {
    if (leads_[i] > 0 && (pods_[i] < threshold || beside_[i] < threshold)) return false;
  }
  return true;
}

}  // namespace tessera::solver
