// SPDX-License-Identifier: Apache-2.0
#include "app/stream_check.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "app/console/usage_error.h"
#include "ingest/reader/reader.h"

namespace tessera::app {
namespace {

struct Stream {
  int descriptor;
  const char* name;
};
constexpr Stream kStreams[] = {{STDOUT_FILENO, "stdout"}, {STDERR_FILENO, "stderr"}};

bool is_regular(const Stream& stream) {
  struct stat open = {};
  return fstat(stream.descriptor, &open) == 0 && S_ISREG(open.st_mode);
}

bool goes_to(const Stream& stream, const std::string& path) {
  struct stat open = {}, named = {};
  return fstat(stream.descriptor, &open) == 0 && S_ISREG(open.st_mode) &&
         stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

}  // namespace

std::string stream_to(const std::string& path) {
  for (const Stream& stream : kStreams) {
    if (goes_to(stream, path)) return stream.name;
  }
  return {};
}

void check_streams(const InputFlags& input) {
  if (std::none_of(std::begin(kStreams), std::end(kStreams), is_regular)) return;
  for (const auto* paths : {&input.cluster, &input.request, &input.trace}) {
    for (const std::string& path : *paths) {
      std::vector<std::string> files = reader::files_of(path);
      if (path == "-") files.emplace_back("/dev/stdin");
      for (const std::string& file : files) {
        const std::string stream = stream_to(file);
        if (stream.empty()) continue;
        throw UsageError(stream + " would overwrite the input " + file +
                         ": send it to another file");
      }
    }
  }
}

}  // namespace tessera::app
