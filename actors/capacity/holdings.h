// SPDX-License-Identifier: Apache-2.0
// Holdings: which gang holds what of one owner (a shard, a quota root), and which holdings
// still wait for their cycle to be durable.
//
// A part is one booking, a small plain value. The reservations of a cycle lie side by side until
// the cycle is committed. Then the parts of a gang are a chain in one pool, newest first: a part of
// 12 bytes takes 16. The class remembers which cycles were answered, so that no step is done twice.
// It gives parts back newest first, and the caller returns their amounts. One owner at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "actors/capacity/owner_step.h"

namespace tessera::core {

template <class Part>
class Holdings {
 public:
  Holdings() = default;
  // No copies: parts point at holders. A move leaves the holders where they are.
  Holdings(Holdings&&) noexcept = default;
  Holdings& operator=(Holdings&&) noexcept = default;

  /// A part, and where it belongs.
  struct Entry {
    GangId gang;
    CycleNumber cycle;   // 0: committed
    std::uint32_t item;  // if not committed
    Part part;
  };

  /// The answer given before, if this cycle or a later one was answered already. Cycle numbers only
  /// rise: the number of an aborted cycle does not come again.
  std::optional<OwnerReply> answered(CycleNumber cycle) const {
    if (cycle > last_cycle_) return std::nullopt;
    for (const OwnerReply& refusal : refusals_) {
      if (refusal.cycle == cycle) return refusal;
    }
    return OwnerReply{cycle, UINT32_MAX};
  }
  void answer(const OwnerReply& reply) {
    last_cycle_ = reply.cycle;
    if (reply.accepted == UINT32_MAX) return;
    if (refusals_.size() == kMostRefusals) refusals_.erase(refusals_.begin());
    refusals_.push_back(reply);
  }

  void adopt(GangId gang, const Part& part) { push(holders_[gang], part); }

  /// Parts of one item, in the order in which they were taken.
  void reserve(CycleNumber cycle, std::uint32_t item, GangId gang, std::span<const Part> parts) {
    auto at =
        std::lower_bound(cycles_.begin(), cycles_.end(), cycle,
                         [](const Cycle& c, CycleNumber number) { return c.number < number; });
    if (at == cycles_.end() || at->number != cycle) at = cycles_.insert(at, {cycle, {}});
    const auto later =
        std::upper_bound(at->parts.begin(), at->parts.end(), item,
                         [](std::uint32_t number, const Waiting& w) { return number < w.item; });
    // Usually at the end, since a step reserves in plan order. Only a moved node comes in between.
    auto place = at->parts.insert(later, parts.size(), Waiting{gang, nullptr, item, {}});
    Holder& holder = holders_[gang];
    holder.waiting += static_cast<std::uint32_t>(parts.size());
    for (const Part& part : parts) {
      place->holder = &holder;
      (place++)->part = part;
    }
  }

  /// Gives back all that the gang holds, reserved or used.
  template <class GiveBack>
  void release(GangId gang, GiveBack give_back) {
    const auto holder = holders_.find(gang);
    if (holder == holders_.end()) return;
    for (auto cycle = cycles_.rbegin(); cycle != cycles_.rend() && holder->second.waiting > 0;
         ++cycle) {
      for (auto it = cycle->parts.rbegin(); it != cycle->parts.rend(); ++it) {
        if (it->gang != gang) continue;
        give_back(it->part);
        --holder->second.waiting;
      }
      erase_if(cycle->parts, [&](const Waiting& w) { return w.gang == gang; });
    }
    for (std::uint32_t at = holder->second.newest; at != kNone;) {
      give_back(pool_[at].part);
      at = drop(at);
    }
    holders_.erase(holder);
  }

  template <class GiveBack>
  void settle(CycleNumber cycle, std::uint32_t from, GiveBack give_back) {
    for (Cycle& each : cycles_) {
      if (each.number == cycle) give_back_from(each, from, give_back);
    }
  }

  template <class GiveBack>
  void abort(CycleNumber cycle, GiveBack give_back) {
    while (!cycles_.empty() && cycles_.back().number >= cycle) {
      give_back_from(cycles_.back(), 0, give_back);
      cycles_.pop_back();
    }
  }

  void commit(CycleNumber cycle) {
    auto end = cycles_.begin();
    for (; end != cycles_.end() && end->number <= cycle; ++end) {
      for (const Waiting& waiting : end->parts) {
        --waiting.holder->waiting;
        push(*waiting.holder, waiting.part);
      }
    }
    cycles_.erase(cycles_.begin(), end);
  }

  /// Oldest first.
  std::vector<Entry> of(GangId gang) const {
    std::vector<Entry> out;
    const auto holder = holders_.find(gang);
    if (holder == holders_.end()) return out;
    for (std::uint32_t at = holder->second.newest; at != kNone; at = pool_[at].next) {
      out.push_back({gang, 0, 0, pool_[at].part});
    }
    std::reverse(out.begin(), out.end());
    for (const Cycle& cycle : cycles_) {
      for (const Waiting& w : cycle.parts) {
        if (w.gang == gang) out.push_back({gang, cycle.number, w.item, w.part});
      }
    }
    return out;
  }

  /// Ascending.
  std::vector<GangId> holders() const {
    std::vector<GangId> out;
    for (const auto& [gang, holder] : holders_) out.push_back(gang);
    std::sort(out.begin(), out.end());
    return out;
  }

  /// Takes out every part, of any gang, for which `leaves` is true. Ordered by gang, oldest
  /// part first. Looks at every part.
  template <class Leaves>
  std::vector<Entry> take_out(Leaves leaves) {
    std::vector<Entry> out;
    for (const GangId gang : holders()) {
      std::vector<Entry> all = of(gang);
      const auto stays = std::stable_partition(all.begin(), all.end(),
                                               [&](const Entry& e) { return leaves(e.part); });
      if (stays == all.begin()) continue;
      release(gang, [](const Part&) {});
      out.insert(out.end(), all.begin(), stays);
      for (auto it = stays; it != all.end(); ++it) put_in(*it);
    }
    return out;
  }
  void put_in(const Entry& entry) {
    if (entry.cycle == 0) {
      adopt(entry.gang, entry.part);
    } else {
      reserve(entry.cycle, entry.item, entry.gang, {&entry.part, 1});
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Link {
    Part part;
    std::uint32_t next;
  };
  struct Holder {
    std::uint32_t newest = kNone;  // in the pool
    std::uint32_t waiting = 0;     // parts in cycles_
  };
  struct Waiting {
    GangId gang;
    Holder* holder;  // the gang's; a map's values stay where they are
    std::uint32_t item;
    Part part;
  };
  struct Cycle {
    CycleNumber number;
    std::vector<Waiting> parts;  // by item
  };

  void push(Holder& holder, const Part& part) {
    const Link link{part, holder.newest};
    if (free_ == kNone) {
      holder.newest = static_cast<std::uint32_t>(pool_.size());
      pool_.push_back(link);
      return;
    }
    holder.newest = free_;
    free_ = pool_[free_].next;
    pool_[holder.newest] = link;
  }
  /// Frees a link and returns the next one of its chain.
  std::uint32_t drop(std::uint32_t at) {
    const std::uint32_t next = pool_[at].next;
    pool_[at].next = free_;
    free_ = at;
    return next;
  }

  template <class GiveBack>
  void give_back_from(Cycle& cycle, std::uint32_t from, GiveBack give_back) {
    while (!cycle.parts.empty() && cycle.parts.back().item >= from) {
      const Waiting& last = cycle.parts.back();
      give_back(last.part);
      const bool empty = --last.holder->waiting == 0 && last.holder->newest == kNone;
      if (empty) holders_.erase(last.gang);
      cycle.parts.pop_back();
    }
  }

  std::unordered_map<GangId, Holder> holders_;
  std::deque<Link> pool_;  // a deque grows without copies and without slack
  std::uint32_t free_ = kNone;
  std::vector<Cycle> cycles_;  // by number; only cycles that are not durable yet
  CycleNumber last_cycle_ = 0;
  static constexpr std::size_t kMostRefusals = 64;  // more than cycles can be on their way
  std::vector<OwnerReply> refusals_;                // the latest; few: only a wrong plan is refused
};

}  // namespace tessera::core
