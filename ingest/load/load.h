// SPDX-License-Identifier: Apache-2.0
// Start here: texts, files and folders to an Inventory.
//
// A Loader is fed state (-C), request (-f) and trace paths in any order, then finish() links what
// belongs together (a Job, its Workload and its Pods are one workload: ux.md rule 1), names gangs,
// and sorts. Errors are collected, never thrown: the valid rest stays. Runs on the calling thread,
// which the reader may give a helper for a large text. Applies no scheduling rule.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "actors/records/inventory.h"
#include "config/settings.h"
#include "ingest/reader/reader.h"
#include "topology/result.h"

namespace tessera::ingest {

/// Where an object came from decides what it is (ux.md rule 1).
enum class Role : std::uint8_t { kState, kRequest };

struct KindCount {
  std::string kind;  // "apps/v1 ReplicaSet"
  std::int64_t count = 0;
};

inline constexpr std::int64_t kRunsForEver = INT64_MAX;

/// One gang of a trace.
struct TraceEntry {
  std::shared_ptr<const core::Workload> workload;  // created: its arrival
  std::int64_t arrival = 0;                        // nanoseconds, like the next two
  std::int64_t start = 0;                          // from its admission until its pods are ready
  std::int64_t run = kRunsForEver;                 // from then on
  Where where;                                     // the line
};

struct Loaded {
  core::Inventory inventory;
  std::vector<std::size_t>
      to_place;  // workloads of the request that are not state, indexes into inventory.workloads
  std::vector<std::size_t> waiting_state;  // waiting workloads of -C
  std::vector<TraceEntry> trace;           // by arrival
  std::vector<Error> errors;               // exit 3
  std::vector<Error> warnings;
  std::vector<std::string> notes;  // "no queues in the input"
  std::vector<KindCount> skipped;  // unknown kinds, by name
  std::int64_t objects = 0;
  std::uint64_t bytes = 0;
};

class Loader {
 public:
  /// `settings` outlive the loader. `cutting` says how large texts are shared among threads; what
  /// is loaded does not depend on it.
  explicit Loader(const config::Settings& settings, const reader::Cutting& cutting = {});
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  void read_path(const std::string& path, Role role);
  void read_text(std::string_view text, std::string_view file, Role role);

  /// Lines of a trace (ingest/load/trace.h): each is a gang of its own, whatever its name.
  void read_trace(const std::string& path);
  void read_trace_text(std::string_view text, std::string_view file);

  /// Links, names, sorts; the loader is empty afterwards.
  Loaded finish();

 private:
  class State;
  const config::Settings& settings_;
  const reader::Cutting cutting_;
  std::unique_ptr<State> state_;
};

}  // namespace tessera::ingest
