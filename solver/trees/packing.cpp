// SPDX-License-Identifier: Apache-2.0
#include "solver/trees/packing.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace tessera::solver {
namespace {

class Packer {
 public:
  Packer(std::span<const PackItem> items, PrivateRoom& room, Steps& steps)
      : items_(items), steps_(steps), rows_(room.rows()), placed_(items.size()) {
    std::unordered_map<std::uint32_t, std::uint32_t> local;
    std::vector<std::vector<std::uint32_t>> serves;  // by host: the items that may go there
    where_.resize(items.size());
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      for (const std::uint32_t host : items[i].hosts) {
        const auto [at, fresh] = local.emplace(host, static_cast<std::uint32_t>(hosts_.size()));
        if (fresh) {
          hosts_.push_back(host);
          serves.emplace_back();
          const std::span<const std::int64_t> free = room.free(host);
          free_.insert(free_.end(), free.begin(), free.end());
        }
        serves[at->second].push_back(i);
        where_[i].push_back(at->second);
      }
    }
    std::map<std::vector<std::uint32_t>, std::uint32_t> kinds;
    for (const auto& list : serves) {
      kind_.push_back(kinds.emplace(list, static_cast<std::uint32_t>(kinds.size())).first->second);
    }
  }

  std::optional<std::vector<std::vector<HostPods>>> run() {
    order_items();
    if (!still_possible(0) || !place(0)) return std::nullopt;
    std::vector<std::vector<HostPods>> out(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      for (const auto& [host, pods] : placed_[i]) out[i].push_back({hosts_[host], pods});
      std::sort(out[i].begin(), out[i].end(),
                [](const HostPods& a, const HostPods& b) { return a.host < b.host; });
    }
    return out;
  }

 private:
  /// The hosts of an item that have room, as one level of the search goes through them.
  struct Walk {
    std::uint32_t item = 0;
    std::vector<std::uint32_t> hosts;
    std::vector<std::int64_t> fits;   // by position
    std::vector<std::int64_t> after;  // pods that fit behind the position
    std::vector<bool> like_last;      // the host before is free alike and serves the same items
  };

  std::span<std::int64_t> free(std::uint32_t host) {
    return {free_.data() + std::size_t{host} * rows_, rows_};
  }
  std::int64_t fits(std::uint32_t host, std::uint32_t item) {
    return PrivateRoom::pods_that_fit(free(host), *items_[item].need);
  }
  std::int64_t fits(std::uint32_t item) {
    std::int64_t sum = 0;
    for (const std::uint32_t host : where_[item]) sum += fits(host, item);
    return sum;
  }
  void take(std::uint32_t host, std::uint32_t item, std::int64_t pods) {
    const std::span<std::int64_t> amounts = free(host);
    for (const Need::Part& part : items_[item].need->parts) amounts[part.row] -= part.value * pods;
  }

  /// The item with the least choice first, then the one with the larger pods.
  void order_items() {
    std::vector<std::pair<double, double>> keys;
    std::vector<std::int64_t> total(rows_, 1);
    for (std::uint32_t h = 0; h < hosts_.size(); ++h) {
      for (std::size_t r = 0; r < rows_; ++r) total[r] += std::max<std::int64_t>(free(h)[r], 0);
    }
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      double size = 0;
      for (const Need::Part& part : items_[i].need->parts) {
        size =
            std::max(size, static_cast<double>(part.value) / static_cast<double>(total[part.row]));
      }
      keys.emplace_back(static_cast<double>(fits(i)) / static_cast<double>(items_[i].pods), -size);
    }
    order_.resize(items_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  }

  /// False if the items from position `from` on cannot fit, by pods of each and by sums of all.
  bool still_possible(std::size_t from) {
    std::vector<std::int64_t> need(rows_, 0), step(rows_, 0);
    std::vector<bool> serves(hosts_.size(), false);
    for (std::size_t at = from; at < order_.size(); ++at) {
      const std::uint32_t item = order_[at];
      if (fits(item) < items_[item].pods) return false;
      for (const Need::Part& part : items_[item].need->parts) {
        need[part.row] += part.value * items_[item].pods;
        step[part.row] = std::gcd(step[part.row], part.value);
      }
      for (const std::uint32_t host : where_[item]) serves[host] = true;
    }
    steps_.spend(static_cast<std::int64_t>(hosts_.size() * (order_.size() - from)) / 16 + 1);
    for (std::size_t r = 0; r < rows_; ++r) {
      if (need[r] == 0) continue;
      std::int64_t room = 0;
      for (std::uint32_t h = 0; h < hosts_.size(); ++h) {
        if (serves[h]) room += std::max<std::int64_t>(free(h)[r], 0) / step[r] * step[r];
      }
      if (room < need[r]) return false;
    }
    return true;
  }

  /// Places the items from position `at` of the order on.
  bool place(std::size_t at) {
    if (at == order_.size()) return true;
    if (steps_.over()) return false;
    std::vector<std::int64_t> state;
    if (at > 0) {
      if (!still_possible(at)) return false;
      state = state_at(at);
      if (failed_.count(state) > 0) return false;
    }
    const Walk walk = walk_of(order_[at]);
    if (fill(at, walk)) return true;
    if (!steps_.over() && at > 0) failed_.insert(std::move(state));
    return false;
  }

  /// What the rest of the search depends on: the position, and the hosts of the items to come by
  /// what they serve and what is free, whichever host it is.
  std::vector<std::int64_t> state_at(std::size_t at) {
    std::vector<bool> serves(hosts_.size(), false);
    for (std::size_t k = at; k < order_.size(); ++k) {
      for (const std::uint32_t host : where_[order_[k]]) serves[host] = true;
    }
    std::vector<std::uint32_t> list;
    for (std::uint32_t h = 0; h < hosts_.size(); ++h) {
      if (serves[h]) list.push_back(h);
    }
    std::sort(list.begin(), list.end(),
              [&](std::uint32_t a, std::uint32_t b) { return compare(a, b) < 0; });
    std::vector<std::int64_t> out{static_cast<std::int64_t>(at)};
    for (const std::uint32_t host : list) {
      out.push_back(kind_[host]);
      out.insert(out.end(), free(host).begin(), free(host).end());
    }
    return out;
  }

  int compare(std::uint32_t a, std::uint32_t b) {
    if (kind_[a] != kind_[b]) return kind_[a] < kind_[b] ? -1 : 1;
    for (std::size_t r = 0; r < rows_; ++r) {
      if (free(a)[r] != free(b)[r]) return free(a)[r] < free(b)[r] ? -1 : 1;
    }
    return 0;
  }

  Walk walk_of(std::uint32_t item) {
    Walk out{item, {}, {}, {}, {}};
    for (const std::uint32_t host : where_[item]) {
      if (fits(host, item) > 0) out.hosts.push_back(host);
    }
    // The fullest hosts first, so that room that others can use stays whole.
    std::stable_sort(out.hosts.begin(), out.hosts.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::int64_t x = fits(a, item), y = fits(b, item);
      return x != y ? x < y : compare(a, b) < 0;
    });
    const std::size_t size = out.hosts.size();
    out.fits.resize(size);
    out.after.assign(size, 0);
    out.like_last.assign(size, false);
    for (std::size_t k = size; k-- > 0;) {
      out.fits[k] = fits(out.hosts[k], item);
      if (k + 1 < size) out.after[k] = out.after[k + 1] + out.fits[k + 1];
      out.like_last[k] = k > 0 && compare(out.hosts[k - 1], out.hosts[k]) == 0;
    }
    return out;
  }

  /// Shares out the pods of an item among its hosts in every way, most on the first host first, and
  /// goes on with the next item. Of equal hosts the first gets the most. No recursion along the
  /// hosts: there can be 100,000 of them.
  bool fill(std::size_t at, const Walk& walk) {
    std::vector<std::int64_t> given;  // by position
    std::int64_t left = items_[walk.item].pods;
    for (bool down = true;;) {
      if (down) {
        if (left == 0 && place(at + 1)) {
          for (std::size_t k = 0; k < given.size(); ++k) {
            if (given[k] > 0) placed_[walk.item].emplace_back(walk.hosts[k], given[k]);
          }
          return true;
        }
        if (steps_.over()) return false;
        const std::size_t k = given.size();
        const std::int64_t pods =
            left == 0 || k == walk.hosts.size() ? -1 : most(walk, given, left);
        down = pods >= 0 && pods >= left - walk.after[k];
        if (!down) continue;
        if (!steps_.spend(1)) return false;
        give(walk, given, pods, left);
      } else {
        if (given.empty()) return false;
        const std::int64_t before = take_back(walk, given, left);
        const std::size_t k = given.size();
        down = before > std::max<std::int64_t>(0, left - walk.after[k]);
        if (down) give(walk, given, before - 1, left);
      }
    }
  }

  static std::int64_t most(const Walk& walk, const std::vector<std::int64_t>& given,
                           std::int64_t left) {
    const std::size_t k = given.size();
    const std::int64_t pods = std::min(left, walk.fits[k]);
    return walk.like_last[k] ? std::min(pods, given[k - 1]) : pods;
  }

  void give(const Walk& walk, std::vector<std::int64_t>& given, std::int64_t pods,
            std::int64_t& left) {
    take(walk.hosts[given.size()], walk.item, pods);
    given.push_back(pods);
    left -= pods;
  }

  std::int64_t take_back(const Walk& walk, std::vector<std::int64_t>& given, std::int64_t& left) {
    const std::int64_t pods = given.back();
    given.pop_back();
    take(walk.hosts[given.size()], walk.item, -pods);
    left += pods;
    return pods;
  }

  std::span<const PackItem> items_;
  Steps& steps_;
  std::size_t rows_;
  std::vector<std::uint32_t> hosts_;  // by local number
  std::vector<std::int64_t> free_;    // host by host
  std::vector<std::uint32_t> kind_;   // by local number: hosts that serve the same items are alike
  std::vector<std::vector<std::uint32_t>> where_;  // by item: local numbers
  std::vector<std::uint32_t> order_;               // of the items
  std::vector<std::vector<std::pair<std::uint32_t, std::int64_t>>> placed_;  // by item
  std::set<std::vector<std::int64_t>> failed_;
};

}  // namespace

std::optional<std::vector<std::vector<HostPods>>> pack(std::span<const PackItem> items,
                                                       PrivateRoom& room, Steps& steps) {
  return Packer(items, room, steps).run();
}

}  // namespace tessera::solver
