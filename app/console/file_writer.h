// SPDX-License-Identifier: Apache-2.0
// Files that are written whole or not at all.
//
// Main thread only. A signal that ends the process meanwhile leaves no partial file (signals.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/text/result.h"

namespace tessera::app {

/// A file that is written piece by piece, but appears whole or not at all. The pieces go to a
/// temporary file beside it, which is renamed at the end. A link stays a link; its target is
/// replaced and keeps its mode. A device or a pipe is written directly and never replaced. A file
/// that may not be written is not replaced either. One FileWriter at a time.
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
  std::string target_, temporary_;  // empty: path_ is a device or a pipe
  int file_ = -1;
  std::optional<Error> error_;
};

/// A whole file at once.
Result<void> write_file(const std::string& path, std::string_view text);

/// Opens what the caller left closed of stdin, stdout and stderr, so that no file of ours takes the
/// place of one. Nothing can be written there: that is an error, as it should be. Call this first.
void hold_standard_files();

/// Writes all of `text` to an open file. False if that fails; errno says why.
bool write_all(int file, std::string_view text);

}  // namespace tessera::app
