// SPDX-License-Identifier: Apache-2.0
#include "topology/text/symbol.h"

#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <mutex>
#include <vector>

namespace tessera::topology {
namespace {

constexpr std::size_t kShards = 64;
constexpr std::size_t kFirstSlots = 64;  // of a shard
constexpr std::size_t kArenaBytes = 1 << 15;

/// Texts by id, in blocks that double in size and never move: reading one takes no lock.
class TextTable {
 public:
  std::string_view at(std::uint32_t id) const {
    const Place place = place_of(id);
    return blocks_[place.block].load(std::memory_order_acquire)[place.offset];
  }

  std::size_t size() const { return next_.load(std::memory_order_relaxed) - 1; }

  /// The caller hands the id to other threads; that hand-over also makes the text visible there.
  std::uint32_t append(std::string_view text) {
    const std::uint32_t id = next_.fetch_add(1, std::memory_order_relaxed);
    const Place place = place_of(id);
    std::string_view* block = blocks_[place.block].load(std::memory_order_acquire);
    if (block == nullptr) {
      auto fresh = std::make_unique<std::string_view[]>(kFirstTexts << place.block);
      if (blocks_[place.block].compare_exchange_strong(block, fresh.get(),
                                                       std::memory_order_acq_rel)) {
        block = fresh.release();
      }
    }
    block[place.offset] = text;
    return id;
  }

 private:
  static constexpr std::size_t kFirstTexts = 1024;
  static constexpr std::size_t kBlocks = 32 - 10 + 1;  // together hold every id of 32 bits

  struct Place {
    std::size_t block, offset;
  };
  /// Block b holds the ids from (2^b - 1) * kFirstTexts on, kFirstTexts * 2^b of them.
  static Place place_of(std::uint32_t id) {
    const std::size_t shifted = id + kFirstTexts;
    const auto block = static_cast<std::size_t>(std::bit_width(shifted / kFirstTexts)) - 1;
    return {block, shifted - (kFirstTexts << block)};
  }

  std::array<std::atomic<std::string_view*>, kBlocks> blocks_{};
  std::atomic<std::uint32_t> next_{1};  // 0 is the empty text
};

/// Not a member of the interner below: view() runs in every comparison, and a constinit object
/// needs no initialization guard.
constinit TextTable texts;

/// Keeps the bytes of texts; a text never moves. One writer at a time.
class Arena {
 public:
  std::string_view keep(std::string_view text) {
    if (text.size() > kArenaBytes / 4) {
      large_.push_back(std::make_unique<std::string>(text));
      return *large_.back();
    }
    if (used_ + text.size() > kArenaBytes || blocks_.empty()) {
      blocks_.push_back(std::make_unique<char[]>(kArenaBytes));
      used_ = 0;
    }
    char* at = blocks_.back().get() + used_;
    text.copy(at, text.size());
    used_ += text.size();
    return {at, text.size()};
  }

 private:
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::vector<std::unique_ptr<std::string>> large_;
  std::size_t used_ = 0;
};

/// A hash table that is read without a lock. Slots go from empty to full, never back. A table that
/// grows is copied, and the old table stays: a thread may still read it.
class SlotTable {
 public:
  explicit SlotTable(std::size_t size)
      : slots_(std::make_unique<std::atomic<std::uint64_t>[]>(size)), mask_(size - 1) {}

  std::size_t size() const { return mask_ + 1; }

  std::uint32_t find(std::string_view text, std::uint32_t hash) const {
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const std::uint64_t slot = slots_[at].load(std::memory_order_acquire);
      const auto id = static_cast<std::uint32_t>(slot);
      if (id == 0) return 0;
      if (slot >> 32 == hash && texts.at(id) == text) return id;
    }
  }

  /// One writer at a time.
  void add(std::uint32_t hash, std::uint32_t id) {
    std::size_t at = hash & mask_;
    while (slots_[at].load(std::memory_order_relaxed) != 0) at = (at + 1) & mask_;
    slots_[at].store(std::uint64_t{hash} << 32 | id, std::memory_order_release);
  }

  void add_all(const SlotTable& other) {
    for (std::size_t i = 0; i < other.size(); ++i) {
      const std::uint64_t slot = other.slots_[i].load(std::memory_order_relaxed);
      if (slot != 0) add(static_cast<std::uint32_t>(slot >> 32), static_cast<std::uint32_t>(slot));
    }
  }

 private:
  std::unique_ptr<std::atomic<std::uint64_t>[]> slots_;  // hash << 32 | id; 0: empty
  std::size_t mask_;
};

class Shard {
 public:
  Shard() : table_(grown(kFirstSlots)) {}

  std::uint32_t find(std::string_view text, std::uint32_t hash) const {
    return table_.load(std::memory_order_acquire)->find(text, hash);
  }

  std::uint32_t add(std::string_view text, std::uint32_t hash) {
    const std::lock_guard lock(mutex_);
    SlotTable* table = table_.load(std::memory_order_relaxed);
    if (const std::uint32_t id = table->find(text, hash)) return id;
    if (2 * ++count_ > table->size()) {
      SlotTable* const larger = grown(2 * table->size());
      larger->add_all(*table);
      table_.store(larger, std::memory_order_release);
      table = larger;
    }
    const std::uint32_t id = texts.append(arena_.keep(text));
    table->add(hash, id);
    return id;
  }

 private:
  SlotTable* grown(std::size_t size) {
    tables_.push_back(std::make_unique<SlotTable>(size));
    return tables_.back().get();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<SlotTable>> tables_;
  std::atomic<SlotTable*> table_;
  std::size_t count_ = 0;
  Arena arena_;
};

class Interner {
 public:
  std::uint32_t find(std::string_view text) const {
    const std::size_t hash = hash_of(text);
    return shards_[hash % kShards].find(text, tag(hash));
  }
  std::uint32_t intern(std::string_view text) {
    const std::size_t hash = hash_of(text);
    Shard& shard = shards_[hash % kShards];
    if (const std::uint32_t id = shard.find(text, tag(hash))) return id;
    return shard.add(text, tag(hash));
  }

 private:
  static std::size_t hash_of(std::string_view text) { return std::hash<std::string_view>{}(text); }
  static std::uint32_t tag(std::size_t hash) { return static_cast<std::uint32_t>(hash / kShards); }

  std::array<Shard, kShards> shards_;
};

/// Never destroyed: symbols may be read while other statics end.
Interner& interner() {
  static Interner* const kInstance = new Interner;
  return *kInstance;
}

}  // namespace

Symbol::Symbol(std::string_view text) : id_(text.empty() ? 0 : interner().intern(text)) {}

std::string_view Symbol::view() const { return id_ == 0 ? std::string_view() : texts.at(id_); }

Symbol Symbol::find(std::string_view text) {
  Symbol out;
  if (!text.empty()) out.id_ = interner().find(text);
  return out;
}

std::size_t Symbol::count() { return texts.size(); }

}  // namespace tessera::topology
