// SPDX-License-Identifier: Apache-2.0
#include "solver/index/index.h"

#include <algorithm>

namespace tessera::solver {
namespace {

using topology::Basis;
using topology::Capacity;

std::uint64_t hash_of(const std::vector<std::uint64_t>& words) {
  std::uint64_t hash = 0x243F6A8885A308D3U;
  for (const std::uint64_t word : words) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

Index::Index(IndexLimits limits)
    : limits_(limits),
      workers_(std::make_shared<Workers>(limits.threads, limits.parallel_leaves)) {}

Index::Index(const Index& other)
    : limits_(other.limits_),
      workers_(other.workers_),
      keys_(other.keys_),
      cycle_(other.cycle_),
      decision_(other.decision_),
      live_keys_(other.live_keys_),
      totals_(other.totals_) {}

void Index::begin_cycle() {
  ++cycle_;
  const auto old = [this](const Key& key) {
    if (cycle_ - key.last_cycle <= limits_.max_age_cycles) return false;
    live_keys_ -= key.counts->roll_ups().size();
    return true;
  };
  const auto gone = std::remove_if(keys_.begin(), keys_.end(), old);
  totals_.evicted += static_cast<std::uint64_t>(keys_.end() - gone);
  keys_.erase(gone, keys_.end());
}

/// Writes down everything that decides the numbers of leaves. Amounts are sorted by resource, so
/// equal requests give equal words.
void Index::spell(const CountRequest& request, Basis basis) {
  Words& words = spelled_;
  words.clear();
  words.push_back(reinterpret_cast<std::uintptr_t>(request.view));
  words.push_back(static_cast<std::uint64_t>(basis) * 2 + (request.has_leader ? 1 : 0));
  const auto add = [&words](const Amounts& amounts, const FilterClass* filter) {
    words.push_back(filter == nullptr ? 0 : filter->id);
    const std::size_t size_at = words.size();
    words.push_back(0);
    for (const topology::Amount& amount : amounts) {
      if (amount.value <= 0) continue;
      words.push_back(amount.resource.id());
      words.push_back(static_cast<std::uint64_t>(amount.value));
      ++words[size_at];
    }
  };
  add(request.worker, request.worker_filter.get());
  if (request.has_leader) add(request.leader, request.leader_filter.get());
}

Index::Key& Index::find_or_count(const CountRequest& request, const Capacity& capacity,
                                 Basis basis) {
  spell(request, basis);
  const std::uint64_t hash = hash_of(spelled_);
  for (Key& key : keys_) {
    if (key.hash != hash || key.words != spelled_) continue;
    catch_up(key, capacity);
    return key;
  }
  Key key;
  key.hash = hash;
  key.words = spelled_;
  key.counts = std::make_shared<LiveCounts>(request, basis, capacity, workers_.get());
  keys_.push_back(std::move(key));
  return keys_.back();
}

void Index::copy_counts(Key& key) { key.counts = std::make_shared<LiveCounts>(*key.counts); }

/// Reads what changed since the key's version into touched_, unless it is there already.
const Touched& Index::changes_for(const Key& key, const Capacity& capacity) {
  const FlavorView& view = key.counts->view();
  const std::uint64_t since = key.counts->version();
  if (touched_.view != &view || touched_.since != since || touched_.until != capacity.version()) {
    touched_.gather(view, capacity, since);
  }
  return touched_;
}

void Index::catch_up(Key& key, const Capacity& capacity) {
  if (key.counts->version() == capacity.version()) return;
  if (changes_for(key, capacity).too_many) {
    own(key).count_anew(capacity, workers_.get());
  } else {
    own(key).catch_up(capacity, touched_);
  }
}

Index::Found Index::counts(const CountRequest& request, const ResolvedRequest& resolved,
                           const Capacity& capacity, Basis basis) {
  Key& key = find_or_count(request, capacity, basis);
  key.last_cycle = cycle_;
  LiveCounts& counts = own(key);
  RollUp* roll_up = counts.find_roll_up(resolved);
  ++(roll_up != nullptr ? totals_.found : totals_.counted);
  if (roll_up == nullptr) {
    roll_up = &counts.add_roll_up(resolved, workers_.get());
    ++live_keys_;
  }
  roll_up->last_used = decision_;
  if (live_keys_ > limits_.max_keys) {
    make_room();
    roll_up = counts.find_roll_up(resolved);  // make_room() may have moved it
  }
  return {CountTable(request.view->tree(), resolved, counts.leaves(), roll_up->rows(),
                     request.scores.get()),
          &counts};
}

/// Ends the least recently used roll-ups, and leaf keys that are left without any.
void Index::make_room() {
  for (std::size_t over = live_keys_ - limits_.max_keys; over > 0; --over) {
    std::size_t oldest_key = keys_.size(), oldest = 0;
    std::uint64_t last_used = decision_;  // what this decision uses stays
    for (std::size_t k = 0; k < keys_.size(); ++k) {
      const std::vector<RollUp>& roll_ups = keys_[k].counts->roll_ups();
      for (std::size_t r = 0; r < roll_ups.size(); ++r) {
        if (roll_ups[r].last_used >= last_used) continue;
        last_used = roll_ups[r].last_used;
        oldest_key = k;
        oldest = r;
      }
    }
    if (oldest_key == keys_.size()) return;
    ++totals_.evicted;
    --live_keys_;
    if (keys_[oldest_key].counts->roll_ups().size() == 1) {
      keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(oldest_key));
    } else {
      std::vector<RollUp>& roll_ups = own(keys_[oldest_key]).roll_ups();
      roll_ups.erase(roll_ups.begin() + static_cast<std::ptrdiff_t>(oldest));
    }
  }
}

void Index::leaf_changed(const FlavorView& view, topology::LeafId leaf, const Capacity& capacity) {
  // Prefetches what lies far apart: what is free, then the lines of each key.
  const std::uint32_t cell = index(view.cells()[index(leaf)]);
  const auto& free = capacity.narrow_free();
  for (std::uint32_t row = 0; row < free.rows(); ++row) free.prefetch(row, cell);
  touched_.gather(view, capacity, leaf);
  for (const Key& key : keys_) {
    if (&key.counts->view() == &view) key.counts->prefetch(touched_);
  }
  for (Key& key : keys_) {
    if (&key.counts->view() == &view) own(key).leaves_changed(capacity, touched_);
  }
}

void Index::slots_moved(const FlavorView& view, topology::SlotShift shift) {
  touched_.view = nullptr;  // the view's leaves may have other numbers now
  for (Key& key : keys_) {
    if (&key.counts->view() == &view) own(key).slots_moved(shift);
  }
}

}  // namespace tessera::solver
