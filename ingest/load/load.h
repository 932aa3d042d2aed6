// SPDX-License-Identifier: Apache-2.0
// Start here: reads texts, files and folders into an Inventory.
//
// A Loader is fed state (-C), request (-f) and trace paths in any order, then finish() links what
// belongs together (a Job, its Workload and its Pods are one workload: ux.md rule 1), names gangs,
// and sorts. Errors are collected, never thrown, and the valid rest stays. Runs on the calling
// thread; the reader uses a second thread for a large text. Applies no scheduling rule.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "config/settings.h"
#include "ingest/fields/object_header.h"
#include "ingest/load/loaded.h"
#include "ingest/reader/limits.h"

namespace tessera::ingest {

class Loader {
 public:
  /// `settings` outlive the loader. `cutting` says how large texts are shared among threads; what
  /// is loaded does not depend on it.
  explicit Loader(const config::Settings& settings, const reader::Cutting& cutting = {});
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  /// Before anything is read: fills Loaded::kept_fields, which costs a quarter of the time that
  /// Workloads of -f take.
  void keep_fields();
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
