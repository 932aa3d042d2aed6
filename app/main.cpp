// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>

#include "app/command_line.h"
#include "app/console/exit_code.h"
#include "app/console/file_writer.h"
#include "app/console/signals.h"
#include "app/console/usage_error.h"
#include "topology/text/printable.h"

namespace {

/// A message that no command caught. It may hold text of the input.
int end_with(tessera::app::Exit exit, const std::string& text) {
  std::fprintf(stderr, "error     %s\n", tessera::printable(text).c_str());
  return static_cast<int>(exit);
}

}  // namespace

int main(int argc, char** argv) {
  using tessera::app::Exit;
  tessera::app::hold_standard_files();
  tessera::app::catch_signals();
  try {
    return tessera::app::run_command_line(argc, argv);
  } catch (const tessera::app::UsageError& error) {
    return end_with(Exit::kUsage, error.what());
  } catch (const std::system_error& error) {
    return end_with(Exit::kInternal, error.what());
  } catch (const std::bad_alloc&) {
    std::fputs("error     not enough memory\n", stderr);
    return static_cast<int>(Exit::kInternal);
  } catch (const std::exception& error) {
    return end_with(Exit::kInternal,
                    std::string("internal error, please report it: ") + error.what());
  }
}
