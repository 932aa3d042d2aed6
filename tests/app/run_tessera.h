// SPDX-License-Identifier: Apache-2.0
// Runs the tessera binary as a user does, and keeps what it answers.
//
// For the tests of app/. A scratch folder holds the files of one test and goes with it.
#pragma once

#include <string>
#include <vector>

namespace tessera::app_test {

struct Answer {
  int exit = -1;
  std::string out, err;
};

/// `input` is the run's stdin.
Answer tessera(const std::vector<std::string>& arguments, const std::string& input = "");
/// Any program, by path.
Answer execute(const std::vector<std::string>& command, const std::string& input = "");

/// Path of a file of tests/data/cases.
std::string case_file(const std::string& name);
std::string source_file(const std::string& path);
std::string read_file(const std::string& path);

class Scratch {
 public:
  Scratch();
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  /// Writes a file and returns its path.
  std::string file(const std::string& name, const std::string& text) const;
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_;
};

/// Lines without their ends.
std::vector<std::string> lines_of(const std::string& text);

}  // namespace tessera::app_test
