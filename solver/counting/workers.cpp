// SPDX-License-Identifier: Apache-2.0
#include "solver/counting/workers.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <optional>

#include "topology/thread_probe.h"

namespace tessera::solver {

class Workers::Arena {
 public:
  explicit Arena(int threads)
      : threads_(threads > 0 ? threads : oneapi::tbb::info::default_concurrency()),
        arena_(threads_) {
    // Without this limit, an arena never has more threads than there are cores. The lowest such
    // limit counts for the whole process, so we set none that is not above the cores.
    if (threads_ > oneapi::tbb::info::default_concurrency()) {
      limit_.emplace(oneapi::tbb::global_control::max_allowed_parallelism,
                     static_cast<std::size_t>(threads_));
    }
  }

  void run(std::uint32_t parts, const std::function<void(std::uint32_t)>& part) {
    if (!has_threads_) has_threads_ = !topology::try_threads(threads_ - 1, 0);
    if (!*has_threads_) {
      seen_.local() = true;
      for (std::uint32_t i = 0; i < parts; ++i) part(i);
      return;
    }
    arena_.execute([&] {
      oneapi::tbb::parallel_for(std::uint32_t{0}, parts, [&](std::uint32_t i) {
        seen_.local() = true;
        part(i);
      });
    });
  }
  int threads_seen() const { return static_cast<int>(seen_.size()); }

 private:
  int threads_;
  std::optional<bool> has_threads_;  // oneTBB crashes if the system gives it none; nothing: untried
  std::optional<oneapi::tbb::global_control> limit_;
  oneapi::tbb::task_arena arena_;
  oneapi::tbb::enumerable_thread_specific<bool> seen_;
};

Workers::Workers(int threads, std::uint32_t least_leaves)
    : least_leaves_(least_leaves), arena_(std::make_unique<Arena>(threads)) {}
Workers::~Workers() = default;

void Workers::run(std::uint32_t parts, const std::function<void(std::uint32_t)>& part) {
  arena_->run(parts, part);
}

int Workers::threads_seen() const { return arena_->threads_seen(); }

}  // namespace tessera::solver
