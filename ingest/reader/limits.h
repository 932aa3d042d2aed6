// SPDX-License-Identifier: Apache-2.0
// How much a text may hold and how many threads may share it.
//
// Given to read_text() and read_path() (reader.h), and kept by every stage below them. The caps
// hold for hostile input. Sharing a text among threads changes how long reading takes, never what
// is read.
#pragma once

#include <cstdint>

namespace tessera::reader {

struct Limits {
  std::uint32_t max_depth = 128;
  std::uint64_t max_alias_nodes = 100'000;     // nodes made by expanding YAML aliases, per document
  std::uint64_t max_object_bytes = 64u << 20;  // text held by one object
  std::uint64_t max_nodes = 4'000'000;         // values in one object
  std::uint64_t max_unpacked_bytes =
      1u << 30;                    // text of a .gz file, a pipe or stdin, which is held as a whole
  std::uint32_t max_errors = 100;  // errors of one file; what follows them is not read
};

/// How large texts are shared among threads. A text is cut between objects; the objects handed over
/// are the same as without cutting (piece_reader.h).
struct Cutting {
  std::uint64_t from_bytes = 32u << 20;    // smaller texts are read in one go
  std::uint64_t piece_bytes = 256u << 10;  // a piece ends at the first object boundary after this
  std::uint32_t threads = 2;               // the calling thread included
};

}  // namespace tessera::reader
