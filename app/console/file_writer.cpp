// SPDX-License-Identifier: Apache-2.0
#include "app/console/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "app/console/signals.h"

namespace tessera::app {

void hold_standard_files() {
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file) {
    if (fcntl(file, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != file) return;
  }
}

bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  struct stat there {};
  const bool exists = stat(path_.c_str(), &there) == 0;
  if (exists && (!S_ISREG(there.st_mode) || access(path_.c_str(), W_OK) != 0)) {
    file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (file_ < 0) fault(ErrorCode::kNotFound);
    return;
  }
  std::error_code absent;
  const std::filesystem::path target = std::filesystem::canonical(path_, absent);
  target_ = absent ? path_ : target.string();
  temporary_ = target_ + "." + std::to_string(getpid()) + ".tmp";
  if (!remove_if_interrupted(temporary_)) {
    error_ = Error{ErrorCode::kUsage, path_ + ": the path is too long"};
    return;
  }
  constexpr mode_t kMode = 0644;
  file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (file_ < 0) {
    fault(ErrorCode::kNotFound);
    return;
  }
  constexpr mode_t kPermissions = 0777;
  if (exists && fchmod(file_, there.st_mode & kPermissions) != 0) fault(ErrorCode::kNotFound);
}

FileWriter::~FileWriter() {
  if (file_ < 0) return;
  close(file_);
  drop_temporary();
}

void FileWriter::drop_temporary() {
  if (temporary_.empty()) return;
  unlink(temporary_.c_str());
  keep_if_interrupted();
}

void FileWriter::fault(ErrorCode code) {
  error_ = Error{code, path_ + ": cannot be written: " + std::strerror(errno)};
}

void FileWriter::flush() {
  if (!error_ && !write_all(file_, waiting_)) fault(ErrorCode::kInternal);
  waiting_.clear();
}

void FileWriter::write(std::string_view text) {
  constexpr std::size_t kBlock = 64u << 10;
  waiting_ += text;
  if (waiting_.size() >= kBlock) flush();
}

Result<void> FileWriter::finish() {
  flush();
  if (file_ >= 0) {
    if (close(file_) != 0 && !error_) fault(ErrorCode::kInternal);
    file_ = -1;
    const bool replaces = !error_ && !temporary_.empty();
    if (replaces && std::rename(temporary_.c_str(), target_.c_str()) != 0) {
      fault(ErrorCode::kNotFound);
    }
    if (error_) drop_temporary();
  }
  keep_if_interrupted();
  if (error_) return fail(*error_);
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text) {
  FileWriter file(path);
  file.write(text);
  return file.finish();
}

}  // namespace tessera::app
