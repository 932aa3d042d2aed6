// SPDX-License-Identifier: Apache-2.0
// Stdout and the terminal: data to the one, progress to the other.
//
// Main thread only; Progress has a thread of its own while it shows something.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::app {

/// Writes data to stdout. False, and a message, if that fails.
bool write_stdout(std::string_view text);

bool is_terminal(int descriptor);

/// Columns of the terminal that stdout is. Nothing: stdout is no terminal.
std::optional<std::size_t> stdout_width();

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
