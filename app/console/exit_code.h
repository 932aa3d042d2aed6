// SPDX-License-Identifier: Apache-2.0
// Exit codes, and which of them wins if several apply (ux.md section 2).
//
// Used by every command on the main thread. `tessera help exit-codes` prints those that this
// version gives.
#pragma once

#include <set>

namespace tessera::app {

enum class Exit : int {
  kDone = 0,
  kInternal = 1,
  kUsage = 2,
  kInvalid = 3,
  kNotFound = 4,
  kConflict = 5,
  kNever = 6,
  kWaits = 7,
  kDenied = 8,
  kUnreachable = 9,
  kTimeout = 10,
  kStoreDamaged = 11,
  kWrong = 12,
  kInterrupted = 130,
};

class ExitCode {
 public:
  void add(Exit exit) { found_.insert(exit); }
  /// The exit code that wins. `exit_zero`: Never and Waits count as done.
  int value(bool exit_zero = false) const;

 private:
  std::set<Exit> found_;
};

}  // namespace tessera::app
