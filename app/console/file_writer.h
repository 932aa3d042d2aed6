// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
//
// Main thread only. A signal that ends the process meanwhile leaves no partial file (signals.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/result.h"

namespace tessera::app {

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

/// All of `text` to an open file; false: it cannot take it, errno says why.
bool write_all(int file, std::string_view text);

}  // namespace tessera::app
