// SPDX-License-Identifier: Apache-2.0
// read_path(): turns files, folders and stdin into text for read_text().
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "ingest/reader/piece_reader.h"
#include "ingest/reader/reader.h"

namespace tessera::reader {
namespace {

namespace fs = std::filesystem;

constexpr off_t kMapFrom = 1 << 20;  // bytes; smaller files are cheaper to copy
constexpr std::size_t kBlock = 256u << 10;

Error file_error(ErrorCode code, const std::string& name, std::string message) {
  return Error{code, std::move(message), Where{name, 0, 0, {}, {}}};
}

Error system_error(const std::string& name, int number) {
  const bool absent = number == ENOENT || number == ENOTDIR;
  return file_error(absent ? ErrorCode::kNotFound : ErrorCode::kInvalidInput, name,
                    std::generic_category().message(number));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.release()) {}
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

bool is_gzip(int file) {
  std::array<unsigned char, 2> magic{};
  return pread(file, magic.data(), magic.size(), 0) == 2 && magic[0] == 0x1F && magic[1] == 0x8B;
}

// Text that grows in place: malloc moves large blocks without copying them, where a string would
// hold the text twice.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { std::free(bytes_); }

  std::size_t size() const { return size_; }
  std::string_view text() const { return {bytes_, size_}; }

  /// Room for kBlock bytes behind the text, or nullptr if there is no memory.
  char* room() {
    if (capacity_ - size_ < kBlock) {
      const std::size_t larger = std::max(4 * kBlock, 2 * capacity_);
      void* const bytes = std::realloc(bytes_, larger);
      if (bytes == nullptr) return nullptr;
      bytes_ = static_cast<char*>(bytes);
      capacity_ = larger;
    }
    return bytes_ + size_;
  }
  void extend(std::size_t count) { size_ += count; }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

// zlib passes on text that is not gzip unchanged. So this function serves plain and packed files
// and pipes.
std::optional<Error> read_blocks(Descriptor file, const std::string& name, const Limits& limits,
                                 Buffer& text) {
  gzFile stream = gzdopen(file.get(), "rb");
  if (stream == nullptr) return file_error(ErrorCode::kLimit, name, "out of memory");
  file.release();
  gzbuffer(stream, static_cast<unsigned>(kBlock));
  std::optional<Error> error;
  while (!error) {
    char* const room = text.room();
    if (room == nullptr) {
      error = file_error(ErrorCode::kLimit, name, "out of memory");
      break;
    }
    errno = 0;
    const int count = gzread(stream, room, static_cast<unsigned>(kBlock));
    int status = Z_OK;
    const char* problem = gzerror(stream, &status);
    if (count < 0 || (status != Z_OK && status != Z_STREAM_END)) {
      error = status == Z_ERRNO ? system_error(name, errno)
              : status == Z_BUF_ERROR
                  ? file_error(ErrorCode::kInvalidInput, name, "the gzip data ends too early")
                  : file_error(ErrorCode::kInvalidInput, name,
                               std::string("broken gzip data: ") + problem);
    } else if (count == 0) {
      break;
    } else if (text.size() + static_cast<std::size_t>(count) > limits.max_unpacked_bytes) {
      error = file_error(
          ErrorCode::kLimit, name,
          "more than " + std::to_string(limits.max_unpacked_bytes) + " bytes: split the input");
    } else {
      text.extend(static_cast<std::size_t>(count));
    }
  }
  gzclose(stream);
  return error;
}

bool read_stream(Descriptor file, const std::string& name, const Limits& limits, Sink& sink,
                 const Cutting& cutting) {
  Buffer text;
  if (std::optional<Error> error = read_blocks(std::move(file), name, limits, text)) {
    sink.error(*std::move(error));
    return false;
  }
  read_text(text.text(), name, limits, sink, cutting);
  return true;
}

// A file in memory as the kernel maps it: pages come and go, so that a file of any size costs
// little.
class MappedFile {
 public:
  MappedFile(int file, std::size_t size)
      : bytes_(mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0)), size_(size) {
    if (*this) madvise(bytes_, size_, MADV_SEQUENTIAL);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (*this) munmap(bytes_, size_);
  }
  explicit operator bool() const { return bytes_ != MAP_FAILED; }
  std::string_view text() const { return {static_cast<const char*>(bytes_), size_}; }

  /// Drops the pages of `part` from memory. A later read gets them from the file again.
  void forget(std::string_view part) const {
    static const auto kPage = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const auto offset = static_cast<std::size_t>(part.data() - text().data());
    const std::size_t begin = offset / kPage * kPage;
    const std::size_t end = (offset + part.size()) / kPage * kPage;
    if (begin < end) madvise(static_cast<char*>(bytes_) + begin, end - begin, MADV_DONTNEED);
  }

 private:
  void* bytes_;
  std::size_t size_;
};

bool read_file(const std::string& path, const Limits& limits, Sink& sink, const Cutting& cutting) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) {
    sink.error(system_error(path, errno));
    return false;
  }
  if (S_ISREG(status.st_mode) && status.st_size >= kMapFrom && !is_gzip(file.get())) {
    const auto size = static_cast<std::size_t>(status.st_size);
    const MappedFile mapped(file.get(), size);
    if (mapped) {
      read_whole_text(mapped.text(), path, limits, cutting, sink,
                      [&mapped](std::string_view part) { mapped.forget(part); });
      return true;
    }
  }
  return read_stream(std::move(file), path, limits, sink, cutting);
}

bool has_known_extension(std::string_view name) {
  const auto ends_with = [&name](std::string_view end) {
    return name.size() >= end.size() && name.substr(name.size() - end.size()) == end;
  };
  if (ends_with(".gz")) name.remove_suffix(3);
  return ends_with(".yaml") || ends_with(".yml") || ends_with(".json") || ends_with(".jsonl");
}

// Links to files are followed, links to folders are not: a mounted ConfigMap would be read three
// times, and a loop for ever.
void list_folder(const fs::path& folder, std::vector<std::string>& paths, Sink* sink) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    const fs::path& path = entry->path();
    if (entry->symlink_status(ignored).type() == fs::file_type::directory) {
      list_folder(path, paths, sink);
    } else if (has_known_extension(path.native())) {
      const fs::file_type type = entry->status(ignored).type();
      const bool broken_link = type == fs::file_type::not_found;
      if (type == fs::file_type::regular || broken_link) paths.push_back(path.native());
    }
  }
  if (error && sink != nullptr) sink->error(system_error(folder.native(), error.value()));
}

/// Faults go to `sink`, unless it is null.
std::vector<std::string> list_files(const std::string& path, Sink* sink) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> paths;
  list_folder(path, paths, sink);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

std::vector<std::string> files_of(const std::string& path) {
  if (path == "-") return {};
  return list_files(path, nullptr);
}

std::size_t read_path(const std::string& path, const Limits& limits, Sink& sink,
                      const Cutting& cutting) {
  if (path == "-") {
    return read_stream(Descriptor(dup(STDIN_FILENO)), "<stdin>", limits, sink, cutting) ? 1 : 0;
  }
  const std::vector<std::string> paths = list_files(path, &sink);
  return static_cast<std::size_t>(std::count_if(
      paths.begin(), paths.end(),
      [&](const std::string& file) { return read_file(file, limits, sink, cutting); }));
}

}  // namespace tessera::reader
