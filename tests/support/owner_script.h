// SPDX-License-Identifier: Apache-2.0
// OwnerScript: the messages to an owner of capacity or quota, in a few words, for tests of shards
// and quota roots.
//
// "step 1 x=A2B1 y=A9; settle 1 1; step 2 -x down:A; commit 1; abort 2": one command after another.
// A small letter is a workload, a capital letter a cell or a queue. Items are numbered as written.
// In a step, `-x` releases, `down:A` and `up:A` change a node's health, `size:A7` changes its GPUs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tessera::test {

struct OwnerCommand {
  struct Item {
    char workload;
    std::vector<std::pair<char, std::int64_t>> parts;
  };
  struct Change {
    char node;
    std::string what;        // "down", "up", "size"
    std::int64_t value = 0;  // of "size"
  };
  std::string verb;  // "step", "settle", "commit", "abort"
  std::uint64_t cycle = 0;
  std::uint32_t from = 0;  // of "settle"
  std::vector<char> released;
  std::vector<Item> items;
  std::vector<Change> changes;
};

std::vector<OwnerCommand> owner_script(const std::string& text);

/// "all", or the letter of the first item that was refused.
std::string reply_text(const OwnerCommand& step, std::uint32_t accepted);

}  // namespace tessera::test
