// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <new>
#include <system_error>

#include "app/command_line.h"
#include "app/console/exit_code.h"
#include "app/console/signals.h"
#include "app/console/usage_error.h"

int main(int argc, char** argv) {
  using tessera::app::Exit;
  tessera::app::catch_signals();
  try {
    return tessera::app::run_command_line(argc, argv);
  } catch (const tessera::app::UsageError& error) {
    std::fprintf(stderr, "error     %s\n", error.what());
    return static_cast<int>(Exit::kUsage);
  } catch (const std::system_error& error) {
    std::fprintf(stderr, "error     %s\n", error.what());
    return static_cast<int>(Exit::kInternal);
  } catch (const std::bad_alloc&) {
    std::fputs("error     not enough memory\n", stderr);
    return static_cast<int>(Exit::kInternal);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error     internal error, please report it: %s\n", error.what());
    return static_cast<int>(Exit::kInternal);
  }
}
