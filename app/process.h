// SPDX-License-Identifier: Apache-2.0
// The process around a command: signals, time limit, clocks, stdout, files written whole.
//
// Main thread only. Ctrl-C ends with 130 and a passed time limit with 10, from the signal handler
// and without a partial file (ux.md rule 6). A reader that closes the pipe early is no error.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "topology/result.h"

namespace tessera::app {

void install_signal_handlers();

/// Ends the process with exit 10 when the time is over. 0: no limit.
void set_time_limit(std::chrono::milliseconds limit);

/// "30s", "2m", "1h", "500ms", "10" (seconds). kUsage with what would be right.
Result<std::chrono::milliseconds> parse_duration(const std::string& text);

/// Writes data. False (after a message) if stdout cannot take it.
bool write_stdout(std::string_view text);

/// A file written piece by piece, whole or not at all: a temporary file beside it, then a rename; a
/// link stays one, its target is replaced. What is no file (a device, a pipe) is written as it is,
/// never replaced. One at a time.
class FileWriter {
 public:
  explicit FileWriter(std::string path);
  ~FileWriter();  // without finish() nothing is left
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  /// Nothing is written after the first fault.
  void write(std::string_view text);
  /// False once something went wrong; then finish() says what.
  bool good() const { return !error_; }
  Result<void> finish();

 private:
  void flush();
  void fault(ErrorCode code);
  void drop_temporary();

  std::string path_, waiting_;
  std::string target_, temporary_;  // empty: path_ is no file
  int file_ = -1;
  std::optional<Error> error_;
};

/// A whole file at once.
Result<void> write_file(const std::string& path, std::string_view text);

bool is_terminal(int descriptor);

/// Nanoseconds of a steady clock, for figures.
std::int64_t steady_nanoseconds();
std::int64_t now_seconds();
/// RFC 3339, UTC.
std::string now_text();

/// Says on a terminal what is being done and for how long, once it takes more than a second.
class Progress {
 public:
  Progress(std::string what, bool wanted);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  class Ticker;
  std::unique_ptr<Ticker> ticker_;
};

}  // namespace tessera::app
