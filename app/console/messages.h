// SPDX-License-Identifier: Apache-2.0
// Messages: what goes to stderr: errors, warnings, notes and accounting lines, each once.
//
// One per run, on the main thread. Labels are coloured on a terminal only. Data never comes here.
#pragma once

#include <set>
#include <string>

#include "topology/text/result.h"

namespace tessera::app {

enum class Volume { kQuiet, kNormal, kVerbose };

class Messages {
 public:
  Messages(Volume volume, bool color) : volume_(volume), color_(color) {}

  void error(const std::string& text);
  void error(const Error& error) { this->error(error.text()); }
  void warning(const std::string& text);
  void note(const std::string& text);
  /// An accounting line under a label of its own; an empty label continues the last.
  void line(const std::string& label, const std::string& text);
  /// Only with -v.
  void detail(const std::string& text);

  int errors() const { return errors_; }
  int warnings() const { return warnings_; }
  Volume volume() const { return volume_; }

 private:
  void print(const std::string& label, const char* color, const std::string& text) const;

  Volume volume_;
  bool color_;
  int errors_ = 0, warnings_ = 0;
  std::set<std::string> told_;
};

}  // namespace tessera::app
