// SPDX-License-Identifier: Apache-2.0
#include "tests/support/owner_script.h"

#include <cctype>
#include <sstream>

namespace tessera::test {
namespace {

/// "A2B1"
std::vector<std::pair<char, std::int64_t>> parts_of(const std::string& text) {
  std::vector<std::pair<char, std::int64_t>> parts;
  for (const char c : text) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      parts.emplace_back(c, 0);
    } else {
      parts.back().second = parts.back().second * 10 + (c - '0');
    }
  }
  return parts;
}

void add_word(OwnerCommand& command, const std::string& word) {
  if (const std::size_t colon = word.find(':'); colon != std::string::npos) {
    const auto [node, value] = parts_of(word.substr(colon + 1)).front();
    command.changes.push_back({node, word.substr(0, colon), value});
  } else if (word.front() == '-') {
    command.released.push_back(word[1]);
  } else {
    command.items.push_back({word.front(), parts_of(word.substr(2))});
  }
}

}  // namespace

std::vector<OwnerCommand> owner_script(const std::string& text) {
  std::vector<OwnerCommand> commands;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream words(line);
    OwnerCommand command;
    words >> command.verb >> command.cycle;
    if (command.verb == "settle") words >> command.from;
    for (std::string word; words >> word;) add_word(command, word);
    commands.push_back(std::move(command));
  }
  return commands;
}

std::string reply_text(const OwnerCommand& step, std::uint32_t accepted) {
  return accepted == UINT32_MAX ? "all" : std::string(1, step.items[accepted].workload);
}

}  // namespace tessera::test
