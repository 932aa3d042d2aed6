// SPDX-License-Identifier: Apache-2.0
#include "topology/symbol.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <vector>

namespace tessera::topology {
namespace {

constexpr std::size_t kShards = 64;
constexpr std::size_t kBlockTexts = 1 << 16;
constexpr std::size_t kMostBlocks = 1 << 16;  // together all ids of 32 bits
constexpr std::size_t kArenaBytes = 1 << 16;

/// Texts by id, in blocks that never move: reading one takes no lock.
class TextTable {
 public:
  TextTable()
      : blocks_(std::make_unique<std::array<std::atomic<std::string_view*>, kMostBlocks>>()) {}

  std::string_view at(std::uint32_t id) const {
    return (*blocks_)[id / kBlockTexts].load(std::memory_order_acquire)[id % kBlockTexts];
  }

  /// The id is published to other threads by whatever hands the Symbol over.
  std::uint32_t append(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const std::uint32_t id = next_++;
    std::atomic<std::string_view*>& block = (*blocks_)[id / kBlockTexts];
    if (block.load(std::memory_order_relaxed) == nullptr) {
      owned_.push_back(std::make_unique<std::string_view[]>(kBlockTexts));
      block.store(owned_.back().get(), std::memory_order_release);
    }
    block.load(std::memory_order_relaxed)[id % kBlockTexts] = text;
    return id;
  }

 private:
  std::unique_ptr<std::array<std::atomic<std::string_view*>, kMostBlocks>> blocks_;
  std::vector<std::unique_ptr<std::string_view[]>> owned_;
  std::mutex mutex_;
  std::uint32_t next_ = 1;  // 0 is the empty text
};

/// Keeps the bytes of texts; a text never moves.
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

struct Shard {
  std::shared_mutex mutex;
  std::unordered_map<std::string_view, std::uint32_t> ids;
  Arena arena;
};

class Interner {
 public:
  std::uint32_t find(std::string_view text) {
    Shard& shard = shard_of(text);
    const std::shared_lock lock(shard.mutex);
    const auto it = shard.ids.find(text);
    return it == shard.ids.end() ? 0 : it->second;
  }
  std::uint32_t intern(std::string_view text) {
    if (const std::uint32_t id = find(text)) return id;
    Shard& shard = shard_of(text);
    const std::unique_lock lock(shard.mutex);
    if (const auto it = shard.ids.find(text); it != shard.ids.end()) return it->second;
    const std::string_view kept = shard.arena.keep(text);
    const std::uint32_t id = texts_.append(kept);
    shard.ids.emplace(kept, id);
    return id;
  }
  std::string_view text(std::uint32_t id) const { return texts_.at(id); }

 private:
  Shard& shard_of(std::string_view text) {
    return shards_[std::hash<std::string_view>{}(text) % kShards];
  }

  std::array<Shard, kShards> shards_;
  TextTable texts_;
};

/// Never destroyed: symbols may be read while other statics end.
Interner& interner() {
  static Interner* const instance = new Interner;
  return *instance;
}

}  // namespace

Symbol::Symbol(std::string_view text) : id_(text.empty() ? 0 : interner().intern(text)) {}

std::string_view Symbol::view() const {
  return id_ == 0 ? std::string_view() : interner().text(id_);
}

Symbol Symbol::find(std::string_view text) {
  Symbol out;
  if (!text.empty()) out.id_ = interner().find(text);
  return out;
}

}  // namespace tessera::topology
