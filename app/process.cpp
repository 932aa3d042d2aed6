// SPDX-License-Identifier: Apache-2.0
#include "app/process.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <thread>

namespace tessera::app {
namespace {

constexpr int kInterruptedExit = 130, kTimeoutExit = 10;

// The file to remove if a signal ends the process: set before it exists, so a fixed buffer.
constexpr std::size_t kLongestPath = 4096;
char partial_file[kLongestPath] = {};
volatile std::sig_atomic_t has_partial_file = 0;

void end(const char* message, int exit_code) {
  if (has_partial_file != 0) unlink(partial_file);
  // Nothing is left to do if stderr is gone.
  if (write(STDERR_FILENO, message, std::strlen(message)) < 0) _exit(exit_code);
  _exit(exit_code);
}

extern "C" void on_interrupt(int) { end("interrupted\n", kInterruptedExit); }
extern "C" void on_alarm(int) { end("error     the time of --timeout is over\n", kTimeoutExit); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

void install_signal_handlers() {
  handle(SIGINT, on_interrupt);
  handle(SIGTERM, on_interrupt);
  handle(SIGALRM, on_alarm);
  handle(SIGPIPE, SIG_IGN);
}

void set_time_limit(std::chrono::milliseconds limit) {
  if (limit.count() <= 0) return;
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(limit.count() / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(limit.count() % 1000 * 1000);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

Result<std::chrono::milliseconds> parse_duration(const std::string& text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), last, number);
  const std::string_view unit(stop, static_cast<std::size_t>(last - stop));
  const std::int64_t factor = unit == "ms"                  ? 1
                              : unit.empty() || unit == "s" ? 1000
                              : unit == "m"                 ? 60'000
                              : unit == "h"                 ? 3'600'000
                                                            : 0;
  constexpr std::int64_t kLongest = 1'000'000;
  if (error != std::errc() || factor == 0 || number < 1 || number > kLongest) {
    return fail(ErrorCode::kUsage,
                "--timeout \"" + text + "\" is not a duration (for example 30s)");
  }
  return std::chrono::milliseconds(number * factor);
}

bool write_stdout(std::string_view text) {
  if (write_all(STDOUT_FILENO, text) || errno == EPIPE) return true;
  std::fprintf(stderr, "error     stdout: cannot be written: %s\n", std::strerror(errno));
  return false;
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  struct stat there {};
  if (stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) {
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fault(ErrorCode::kNotFound);
    return;
  }
  std::error_code absent;
  const std::filesystem::path target = std::filesystem::canonical(path_, absent);
  target_ = absent ? path_ : target.string();
  temporary_ = target_ + "." + std::to_string(getpid()) + ".tmp";
  if (temporary_.size() >= kLongestPath) {
    error_ = Error{ErrorCode::kUsage, path_ + ": the path is too long"};
    return;
  }
  std::memcpy(partial_file, temporary_.c_str(), temporary_.size() + 1);
  has_partial_file = 1;
  constexpr mode_t kMode = 0644;
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (file_ < 0) fault(ErrorCode::kNotFound);
}

FileWriter::~FileWriter() {
  if (file_ < 0) return;
  close(file_);
  drop_temporary();
}

void FileWriter::drop_temporary() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  has_partial_file = 0;
}

void FileWriter::fault(ErrorCode code) {
  error_ = Error{code, path_ + ": cannot be written: " + std::strerror(errno)};
}

void FileWriter::flush() {
  if (!error_ && !write_all(file_, waiting_)) fault(ErrorCode::kInternal);
  waiting_.clear();
}

void FileWriter::write(std::string_view text) {
  constexpr std::size_t kBlock = 64u << 10;
  waiting_ += text;
  if (waiting_.size() >= kBlock) flush();
}

Result<void> FileWriter::finish() {
  flush();
  if (file_ >= 0) {
    if (close(file_) != 0 && !error_) fault(ErrorCode::kInternal);
    file_ = -1;
    const bool replaces = !error_ && !temporary_.empty();
    if (replaces && std::rename(temporary_.c_str(), target_.c_str()) != 0) {
      fault(ErrorCode::kNotFound);
    }
    if (error_) drop_temporary();
  }
  has_partial_file = 0;
  if (error_) return fail(*error_);
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text) {
  FileWriter file(path);
  file.write(text);
  return file.finish();
}

bool is_terminal(int descriptor) { return isatty(descriptor) == 1; }

std::int64_t steady_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t now_seconds() { return static_cast<std::int64_t>(std::time(nullptr)); }

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts = {};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-11-28T00:00:00Z"] = {};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
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
  if (wanted && is_terminal(STDERR_FILENO)) ticker_ = std::make_unique<Ticker>(std::move(what));
}
Progress::~Progress() = default;

}  // namespace tessera::app
