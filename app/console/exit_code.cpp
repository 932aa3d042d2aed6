// SPDX-License-Identifier: Apache-2.0
#include "app/console/exit_code.h"

namespace tessera::app {
namespace {

constexpr Exit kPrecedence[] = {
    Exit::kInternal,    Exit::kUsage,   Exit::kInvalid, Exit::kStoreDamaged,
    Exit::kUnreachable, Exit::kTimeout, Exit::kDenied,  Exit::kConflict,
    Exit::kNotFound,    Exit::kWrong,   Exit::kNever,   Exit::kWaits,
};

}  // namespace

int ExitCode::value(bool exit_zero) const {
  for (const Exit exit : kPrecedence) {
    if (found_.count(exit) == 0) continue;
    if (exit_zero && (exit == Exit::kNever || exit == Exit::kWaits)) continue;
    return static_cast<int>(exit);
  }
  return static_cast<int>(Exit::kDone);
}

}  // namespace tessera::app
