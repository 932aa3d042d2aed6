// SPDX-License-Identifier: Apache-2.0
#include "app/console/signals.h"

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

namespace tessera::app {
namespace {

constexpr int kInterruptedExit = 130, kTimeoutExit = 10;

// The file to remove if a signal ends the process. A fixed buffer, since a signal handler may not
// allocate.
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

void on_signal(int signal, void (*action)(int)) {
  struct sigaction told = {};
  told.sa_handler = action;
  sigemptyset(&told.sa_mask);
  sigaction(signal, &told, nullptr);
}

}  // namespace

void catch_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU}) {
    on_signal(signal, on_interrupt);
  }
  struct sigaction before = {};
  const bool ignored = sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler == SIG_IGN;
  if (!ignored) on_signal(SIGHUP, on_interrupt);  // nohup ignores it
  on_signal(SIGALRM, on_alarm);
  // The write fails instead, and the command says so.
  on_signal(SIGPIPE, SIG_IGN);
  on_signal(SIGXFSZ, SIG_IGN);
}

void set_time_limit(std::int64_t nanoseconds) {
  constexpr std::int64_t kMicro = 1'000, kSecond = 1'000'000'000;
  if (nanoseconds <= 0) return;
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(nanoseconds / kSecond);
  timer.it_value.tv_usec = static_cast<suseconds_t>(nanoseconds % kSecond / kMicro);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

bool remove_if_interrupted(const std::string& path) {
  if (path.size() >= kLongestPath) return false;
  std::memcpy(partial_file, path.c_str(), path.size() + 1);
  has_partial_file = 1;
  return true;
}

void keep_if_interrupted() { has_partial_file = 0; }

}  // namespace tessera::app
