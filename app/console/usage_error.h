// SPDX-License-Identifier: Apache-2.0
// UsageError: a command line that parses but makes no sense; main turns it into exit 2.
//
// Thrown and caught inside app/ only.
#pragma once

#include <stdexcept>

namespace tessera::app {

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tessera::app
