// SPDX-License-Identifier: Apache-2.0
#include "app/console/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

#include "app/console/file_writer.h"

namespace tessera::app {

bool write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text) || errno == EPIPE) return true;
  std::fprintf(stderr, "error     stdout: cannot be written: %s\n", std::strerror(errno));
  return false;
}

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

std::optional<std::size_t> stdout_width() {
  constexpr int kStdout = 1;
  constexpr std::size_t kUsual = 80;
  if (!is_terminal(kStdout)) return std::nullopt;
  winsize size{};
  if (ioctl(kStdout, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return kUsual;  // the terminal does not say
}

class Progress::Ticker {
 public:
  explicit Ticker(std::string what) : what_(std::move(what)), thread_([this] { run(); }) {}
  ~Ticker() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      done_ = true;
    }
    changed_.notify_all();
    thread_.join();
    if (seconds_ > 0) std::fputs("\r\033[K", stderr);
  }
  Ticker(const Ticker&) = delete;
  Ticker& operator=(const Ticker&) = delete;

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!changed_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
      std::fprintf(stderr, "\r%s ... %d s", what_.c_str(), ++seconds_);
    }
  }

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  int seconds_ = 0;
  std::thread thread_;  // last: it uses the others
};

Progress::Progress(std::string what, bool wanted) {
  if (!wanted || !is_terminal(STDERR_FILENO)) return;
  try {
    ticker_ = std::make_unique<Ticker>(std::move(what));
  } catch (const std::system_error&) {
    // The system gives no thread: the command runs without showing its progress.
  }
}
Progress::~Progress() = default;

}  // namespace tessera::app
