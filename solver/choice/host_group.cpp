// SPDX-License-Identifier: Apache-2.0
#include "solver/choice/host_group.h"

#include <algorithm>
#include <span>

namespace tessera::solver {
namespace {

/// Cells begin..end of a row, one after the other. The loops over the copy have no branches, so
/// that the compiler makes vectors of them: hundreds of groups are read for one gang.
void copy_row(const LeafRows& leaves, LeafRows::Row row, std::uint32_t begin, std::uint32_t end,
              std::vector<std::int32_t>& out) {
  out.resize(end - begin);
  auto to = out.begin();
  leaves.rows.for_each_part(row, begin, end, [&to](std::span<const std::int32_t> part) {
    to = std::copy(part.begin(), part.end(), to);
  });
}

}  // namespace

bool HostGroup::read(const CountTable& table, topology::DomainRange hosts) {
  const std::uint32_t begin = hosts.begin - table.first_leaf(),
                      end = hosts.end - table.first_leaf();
  copy_row(table.leaves(), LeafRows::kCode, begin, end, pods_);
  std::int32_t most = 0;
  for (std::int32_t& pods : pods_) {
    pods = std::max(pods, 0);
    most = std::max(most, pods);
  }
  most_ = most;
  if (most_ > kMostPods) return false;
  count_hosts();
  candidates_ = static_cast<std::int64_t>(pods_.size()) - hosts_with(0);
  beside_.clear();
  leads_.clear();
  if (!table.with_leader()) return true;
  copy_row(table.leaves(), LeafRows::kPodsWithLeader, begin, end, beside_);
  copy_row(table.leaves(), LeafRows::kLeaders, begin, end, leads_);
  std::int32_t only_leader = 0;
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    only_leader +=
        static_cast<std::int32_t>(pods_[i] == 0) & static_cast<std::int32_t>(leads_[i] > 0);
  }
  candidates_ += only_leader;
  return true;
}

/// Equal numbers in a row would wait for each other in one table, so neighbours count in different
/// ones.
void HostGroup::count_hosts() {
  for (auto& each : hosts_by_pods_) std::fill_n(each.begin(), most_ + 1, 0);
  std::size_t host = 0;
  for (; host + kTables <= pods_.size(); host += kTables) {
    for (std::size_t t = 0; t < kTables; ++t) {
      ++hosts_by_pods_[t][static_cast<std::size_t>(pods_[host + t])];
    }
  }
  for (; host < pods_.size(); ++host) ++hosts_by_pods_[0][static_cast<std::size_t>(pods_[host])];
}

std::int64_t HostGroup::hosts_with(std::int32_t pods) const {
  std::int64_t out = 0;
  for (const auto& each : hosts_by_pods_) out += each[static_cast<std::size_t>(pods)];
  return out;
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
  std::int32_t most = -1;
  for (std::size_t i = 0; i < leads_.size(); ++i) {
    most = std::max(most, leads_[i] > 0 ? beside_[i] : -1);
  }
  for (std::size_t i = 0; most >= 0 && i < leads_.size(); ++i) {
    if (leads_[i] > 0 && beside_[i] == most) return i;
  }
  return std::nullopt;
}

/// The n-th host, from 1 on, in path order of the `hosts` with so many pods, `but` not among them.
std::size_t HostGroup::nth_with(std::int32_t pods, std::int64_t n, std::int64_t hosts,
                                std::optional<std::size_t> but) const {
  const auto counts = [&](std::size_t host) { return pods_[host] == pods && host != but; };
  if (2 * n <= hosts) {
    for (std::size_t host = 0;; ++host) {
      if (counts(host) && --n == 0) return host;
    }
  }
  for (std::size_t host = pods_.size() - 1;; --host) {  // most often all are taken
    if (counts(host) && n++ == hosts) return host;
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
  std::int64_t taken = 0, of = 0;  // hosts with `last` pods
  for (std::int32_t pods = most_; pods > 0 && slices > 0; --pods) {
    std::int64_t hosts = hosts_with(pods);
    if (leader && pods_[*leader] == pods) --hosts;
    if (hosts == 0) continue;
    last = pods;
    of = hosts;
    taken = std::min(hosts, (slices + pods - 1) / pods);
    slices -= taken * pods;
    out.used += taken;
  }
  if (taken > 0) out.last_worker = counts(nth_with(last, taken, of, leader));
  out.fits = leaders <= 0 && slices <= 0;
  return out;
}

bool HostGroup::keeps_all(std::int64_t threshold) const {
  for (std::int32_t pods = 1; pods < threshold && pods <= most_; ++pods) {
    if (hosts_with(pods) > 0) return false;
  }
  const auto least = static_cast<std::int32_t>(std::min<std::int64_t>(threshold, kMostPods + 1));
  std::int32_t cleared = 0;
  for (std::size_t i = 0; i < leads_.size(); ++i) {
    cleared |= static_cast<std::int32_t>(leads_[i] > 0) &
               static_cast<std::int32_t>(std::min(pods_[i], beside_[i]) < least);
  }
  return cleared == 0;
}

}  // namespace tessera::solver
