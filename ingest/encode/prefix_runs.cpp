// SPDX-License-Identifier: Apache-2.0
#include "ingest/encode/prefix_runs.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "topology/nodes/node_record.h"

namespace tessera::encode {
namespace {

/// Lengths of the prefixes that end right after a '-' which is not the last character, shortest
/// first.
std::vector<std::size_t> prefix_ends(std::string_view name) {
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i + 1 < name.size(); ++i) {
    if (name[i] == '-') ends.push_back(i + 1);
  }
  return ends;
}

std::vector<std::size_t> runs_of_equal(const std::vector<std::string_view>& keys) {
  std::vector<std::size_t> ends;
  std::size_t begin = 0;
  for (std::size_t i = 1; i <= keys.size(); ++i) {
    const bool run_ends = i == keys.size() || keys[i] != keys[begin];
    if (run_ends || i - begin == kMostDomainsInSlice) {
      ends.push_back(i);
      begin = i;
    }
  }
  return ends;
}

}  // namespace

std::vector<std::size_t> prefix_runs(const Assignment& assignment) {
  const std::size_t count = assignment.domains.size();
  std::vector<std::string_view> keys(count);
  const bool host_level =
      assignment.levels.size() == 1 && assignment.levels[0] == topology::hostname_label().view();
  if (!host_level || count < 2) return runs_of_equal(keys);

  std::vector<std::vector<std::size_t>> ends(count);
  std::unordered_map<std::string_view, std::size_t> users;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view name = assignment.domains[i].values[0];
    ends[i] = prefix_ends(name);
    depth = std::max(depth, ends[i].size());
    for (std::size_t end : ends[i]) ++users[name.substr(0, end)];
  }
  for (; depth > 0; --depth) {
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view name = assignment.domains[i].values[0];
      keys[i] = {};
      for (std::size_t d = std::min(depth, ends[i].size()); d-- > 0 && keys[i].empty();) {
        if (users[name.substr(0, ends[i][d])] >= 2) keys[i] = name.substr(0, ends[i][d]);
      }
    }
    std::vector<std::size_t> runs = runs_of_equal(keys);
    if (runs.size() <= kMostSlices) return runs;
  }
  return runs_of_equal(std::vector<std::string_view>(count));
}

}  // namespace tessera::encode
