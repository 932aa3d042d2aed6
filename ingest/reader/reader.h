// SPDX-License-Identifier: Apache-2.0
// Bytes to objects: YAML (multi-document) and JSON (one, concatenated, JSON lines), from files,
// folders and stdin.
//
// Start here: read_path() for what a user names on the command line, read_text() for bytes in
// memory. Each object is handed over as soon as it is complete; `items` of a map whose `kind` ends
// in "List" are handed over one by one without ever holding the whole list, and so are `items` that
// come before any `kind` (a kind that then is no list is an error) and the elements of a sequence
// at the root (a JSON array, Slurm's topology.yaml). A malformed document yields one Error with
// file:line:column and ends its file (YAML: goes on at the next `---` line; JSON lines: at the next
// line); other files go on. Caps (Limits) hold for hostile input: depth, anchors' expansion, bytes
// of one object. Duplicate keys are refused. Large texts are parsed on several threads (Cutting);
// the Sink is called on the calling thread only, in the order of the input. Does not know any kind.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader/value.h"
#include "topology/result.h"

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

/// How large texts are shared among threads: they are cut between objects, and what is handed over
/// is the same as without (piece_reader.h).
struct Cutting {
  std::uint64_t from_bytes = 32u << 20;    // smaller texts are read in one go
  std::uint64_t piece_bytes = 256u << 10;  // a piece ends between objects behind as many bytes
  std::uint32_t threads = 2;               // the calling one among them
};

/// One object of the input. `root` is valid during the call only. `file` is the name to show ("-"
/// shows as "<stdin>").
struct Object {
  Value root;
  std::string_view file;
  /// In a list: the list's apiVersion and kind ("v1", "List"); empty otherwise. Items of a typed
  /// list (NodeList) may lack kind and apiVersion of their own: the caller derives them from here.
  /// Also empty while the list has not told them yet: `kubectl -o json` prints `kind` behind
  /// `items`, and items do not wait for it.
  std::string_view list_api_version;
  std::string_view list_kind;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void object(const Object& object) = 0;
  virtual void error(Error error) = 0;  // where.file, line and column are set whenever known
};

/// Reads `text`. A text that opens with { or [ and has a double-quoted key (or nothing) as the
/// first thing inside is JSON, everything else is YAML, flow mappings included; `---` lines may
/// separate both. YAML scalars are read as kubectl reads them (YAML 1.1, so y, no and on are
/// booleans), but a key is its text as written: kubectl's `true` for the key `y` serves nobody.
/// BOM, CRLF, `---` at both ends and empty documents are fine.
void read_text(std::string_view text, std::string_view file, const Limits& limits, Sink& sink,
               const Cutting& cutting = {});

/// Reads a file, a folder (recursive; .yaml .yml .json .jsonl, each also .gz; byte order of paths)
/// or "-" (stdin). A path that does not exist is one Error kNotFound. Returns the number of files
/// read.
std::size_t read_path(const std::string& path, const Limits& limits, Sink& sink,
                      const Cutting& cutting = {});

}  // namespace tessera::reader
