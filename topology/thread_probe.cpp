// SPDX-License-Identifier: Apache-2.0
#include "topology/thread_probe.h"

#include <condition_variable>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

namespace tessera::topology {

std::error_code try_threads(int threads, std::size_t bytes) {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::vector<std::thread> started;
  std::error_code refused;
  try {
    started.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) {
      started.emplace_back([&] {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return done; });
      });
    }
    ::operator delete(::operator new(bytes));
  } catch (const std::system_error& error) {
    refused = error.code();
  } catch (const std::bad_alloc&) {
    refused = std::make_error_code(std::errc::not_enough_memory);
  }
  {
    const std::lock_guard lock(mutex);
    done = true;
  }
  changed.notify_all();
  for (std::thread& thread : started) thread.join();
  return refused;
}

}  // namespace tessera::topology
