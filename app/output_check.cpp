// SPDX-License-Identifier: Apache-2.0
#include "app/output_check.h"

#include <filesystem>

#include "app/console/usage_error.h"
#include "app/stream_check.h"
#include "ingest/reader/reader.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

/// True if a write to `a` changes the file at `b`. Neither need exist.
bool same_file(const std::string& a, const std::string& b) {
  std::error_code absent;
  if (fs::equivalent(a, b, absent)) return fs::is_regular_file(a, absent);
  if (fs::exists(a, absent) || fs::exists(b, absent)) return false;
  // weakly_canonical() leaves a plain name as it is.
  const fs::path left = fs::weakly_canonical(fs::absolute(a, absent), absent);
  const fs::path right = fs::weakly_canonical(fs::absolute(b, absent), absent);
  return !left.empty() && left == right;
}

/// The input file that a write to `output` would change; empty: none.
std::string find_input(const std::string& output, const InputFlags& input) {
  for (const auto* paths : {&input.cluster, &input.request, &input.trace}) {
    for (const std::string& path : *paths) {
      for (const std::string& file : reader::files_of(path)) {
        if (same_file(output, file)) return file;
      }
    }
  }
  return {};
}

}  // namespace

void check_outputs(const std::vector<OutputFile>& outputs, const InputFlags& input,
                   const Session& session) {
  for (auto one = outputs.begin(); one != outputs.end(); ++one) {
    if (one->path.empty()) continue;
    const std::string intro = one->flag + " " + one->path + " would overwrite ";
    const std::string file = find_input(one->path, input);
    if (!file.empty()) throw UsageError(intro + "the input " + file + ": name another file");
    if (!session.settings.source.empty() && same_file(one->path, session.settings.source)) {
      throw UsageError(intro + "the configuration " + session.settings.source +
                       ": name another file");
    }
    const std::string stream = stream_to(one->path);
    if (!stream.empty()) {
      throw UsageError(intro + "what " + stream + " writes there: name another file");
    }
    for (auto other = outputs.begin(); other != one; ++other) {
      if (!other->path.empty() && same_file(one->path, other->path)) {
        throw UsageError(intro + "the file of " + other->flag + ": name another file");
      }
    }
  }
}

}  // namespace tessera::app
