// SPDX-License-Identifier: Apache-2.0
#include "tests/app/run_tessera.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tessera::app_test {
namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

}  // namespace

std::string read_file(const std::string& path) {
  const std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Answer execute(const std::vector<std::string>& command, const std::string& input) {
  const Scratch scratch;
  const std::string in = scratch.file("in", input), out = scratch.path("out"),
                    err = scratch.path("err");
  std::vector<std::string> words = command;
  // The environment of the machine must not decide: no configuration but the test's own.
  std::vector<std::string> environment = {"PATH=" + std::string(std::getenv("PATH")),
                                          "TESSERA_CONFIG="};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kMode = 0600, kWrite = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, in.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kWrite, kMode);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kWrite, kMode);
  Answer run;
  pid_t child = 0;
  if (posix_spawn(&child, words.front().c_str(), &actions, nullptr, pointers(words).data(),
                  pointers(environment).data()) == 0) {
    int status = 0;
    waitpid(child, &status, 0);
    run.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  posix_spawn_file_actions_destroy(&actions);
  run.out = read_file(out);
  run.err = read_file(err);
  return run;
}

Answer tessera(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> command = {TESSERA_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command, input);
}

std::string case_file(const std::string& name) {
  return std::string(TESSERA_TEST_DATA) + "/cases/" + name;
}

std::string source_file(const std::string& path) {
  return std::string(TESSERA_SOURCE_DIR) + "/" + path;
}

Scratch::Scratch() {
  std::string name = std::filesystem::temp_directory_path() / "tessera-app-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) std::abort();
  folder_ = name;
}

Scratch::~Scratch() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string Scratch::file(const std::string& name, const std::string& text) const {
  std::ofstream(path(name), std::ios::binary) << text;
  return path(name);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace tessera::app_test
