// SPDX-License-Identifier: Apache-2.0
#include "ingest/reader/piece_reader.h"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "ingest/reader/batch.h"
#include "ingest/reader/section.h"
#include "ingest/reader/text_reader.h"
#include "ingest/values/source_text.h"

namespace tessera::reader {
namespace {

constexpr std::uint32_t kMaxThreads = 64;

// Passes on all objects but the first ones, which were handed over before.
class Remainder : public Sink {
 public:
  Remainder(std::size_t skip, Sink& sink) : skip_(skip), sink_(sink) {}
  void object(const Object& object) override {
    if (skip_ > 0) {
      --skip_;
    } else {
      sink_.object(object);
    }
  }
  void error(Error error) override { sink_.error(std::move(error)); }

 private:
  std::size_t skip_;
  Sink& sink_;
};

class PieceReader {
 public:
  PieceReader(std::string_view text, std::string_view file, const Limits& limits,
              const Cutting& cutting, Sink& sink, const Forget& forget)
      : text_(text),
        file_(file),
        limits_(limits),
        sink_(sink),
        forget_(forget),
        helpers_(std::clamp<std::uint32_t>(cutting.threads, 1, kMaxThreads) - 1),
        cutter_(text, cutting.piece_bytes, limits, forget_),
        slots_(2 * (helpers_ + std::size_t{1})) {}

  Reading run() {
    const Team team(*this);
    hand_over_all();
    return reading_;
  }
  std::size_t objects() const { return objects_; }

 private:
  struct Slot {
    Piece piece;
    Batch batch;
    bool parsed = false, good = false;
  };

  // The helping threads. The destructor ends them, even if the calling thread leaves by an
  // exception.
  class Team {
   public:
    explicit Team(PieceReader& reader) : reader_(reader) {
      try {
        for (std::uint32_t i = 0; i < reader.helpers_; ++i) {
          threads_.emplace_back([&reader] { reader.help(); });
        }
      } catch (const std::system_error&) {
        // The system gives no more threads. The threads made so far help; the calling thread can do
        // all work alone.
      }
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
      {
        const std::lock_guard lock(reader_.mutex_);
        reader_.stopping_ = true;
      }
      reader_.changed_.notify_all();
      for (std::thread& thread : threads_) thread.join();
    }

   private:
    PieceReader& reader_;
    std::vector<std::thread> threads_;
  };

  using Lock = std::unique_lock<std::mutex>;

  Slot& slot(std::size_t piece) { return slots_[piece % slots_.size()]; }
  bool may_claim() const {
    return !ended_ && !stopping_ && claimed_ - handed_over_ < slots_.size();
  }

  // Cuts the next piece and parses it without the lock. Lets no exception out.
  void claim_and_parse(Lock& lock) {
    Slot* mine = nullptr;
    bool good = false;
    try {
      std::optional<Piece> piece = cutter_.next();
      if (!piece) {
        ended_ = true;
        changed_.notify_all();
        return;
      }
      mine = &slot(claimed_++);
      mine->parsed = false;
      mine->piece = *std::move(piece);
      lock.unlock();
      good = read_piece(text_, mine->piece, file_, limits_, mine->batch);
    } catch (...) {  // out of memory: the rest is read in one go, and may fail there
      good = false;
    }
    if (!lock.owns_lock()) lock.lock();
    if (mine == nullptr) mine = &slot(claimed_++);
    mine->good = good;
    mine->parsed = true;
    ended_ = ended_ || !good;
    changed_.notify_all();
  }

  void help() {
    Lock lock(mutex_);
    while (!ended_ && !stopping_) {
      if (may_claim()) {
        claim_and_parse(lock);
      } else {
        changed_.wait(lock);
      }
    }
  }

  void hand_over_all() {
    Lock lock(mutex_);
    while (true) {
      if (handed_over_ < claimed_ && slot(handed_over_).parsed) {
        if (!slot(handed_over_).good) return;
        hand_over(lock);
      } else if (may_claim()) {
        claim_and_parse(lock);
      } else if (handed_over_ == claimed_) {
        reading_.in_one_go = false;
        return;
      } else {
        changed_.wait(lock);
      }
    }
  }

  void hand_over(Lock& lock) {
    const Slot& next = slot(handed_over_);
    lock.unlock();
    next.batch.hand_over(sink_);
    objects_ += next.batch.size();
    ++reading_.pieces;
    lock.lock();
    forget_(text_.substr(next.piece.begin, next.piece.end - next.piece.begin));
    ++handed_over_;
    changed_.notify_all();
  }

  const std::string_view text_;
  const std::string_view file_;
  const Limits& limits_;
  Sink& sink_;
  const Forget& forget_;
  const std::uint32_t helpers_;
  // Of the calling thread.
  Reading reading_;
  std::size_t objects_ = 0;

  std::mutex mutex_;  // guards the members below, except batch and piece of a slot being parsed
  std::condition_variable changed_;
  Cutter cutter_;
  std::vector<Slot> slots_;
  std::size_t claimed_ = 0, handed_over_ = 0;  // pieces
  bool ended_ = false;                         // no piece is left to claim
  bool stopping_ = false;
};

}  // namespace

Reading read_whole_text(std::string_view text, std::string_view file, const Limits& limits,
                        const Cutting& cutting, Sink& sink, const Forget& forget) {
  if (const char* encoding = wide_encoding(text)) {
    sink.error(Error{ErrorCode::kInvalidInput,
                     std::string("the text is ") + encoding + ": save it as UTF-8",
                     Where{std::string(file), 1, 1, {}, {}}});
    return {};
  }
  text.remove_prefix(skip_byte_order_mark(text, 0));
  Reading reading;
  std::size_t objects = 0;
  if (text.size() >= cutting.from_bytes) {
    PieceReader pieces(text, file, limits, cutting, sink, forget);
    reading = pieces.run();
    objects = pieces.objects();
    if (!reading.in_one_go) return reading;
  }
  Remainder remainder(objects, sink);
  TextReader(text, 0, {1, 1}, file, limits, remainder).read_sections();
  return reading;
}

}  // namespace tessera::reader
