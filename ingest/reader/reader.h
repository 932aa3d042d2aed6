// SPDX-License-Identifier: Apache-2.0
// Reads bytes into objects: YAML (multi-document) and JSON (one value, several, JSON lines), from
// files, folders and stdin.
//
// Start here: read_path() for a path of the command line, read_text() for bytes in memory. Hands
// over each object as soon as it is complete. Lists are never held whole: their elements leave one
// by one. A list is `items` of a map whose `kind` ends in "List", `items` before any `kind` (a
// later kind that is no list is an error), or a sequence at the root (a JSON array, Slurm's
// topology.yaml). A malformed document gives one Error with file:line:column and ends its file,
// except that YAML goes on at the next `---` line, JSON lines at the next line. Limits bound
// hostile input, and duplicate keys are refused. Large texts are parsed on several threads
// (Cutting); the Sink is called on the calling thread only, in the order of the input. Does not
// know any kind.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/reader/limits.h"
#include "ingest/reader/sink.h"

namespace tessera::reader {

/// Reads `text`. A text that opens with { or [ and has a double-quoted key (or nothing) as the
/// first thing inside is JSON. Everything else is YAML, flow mappings included. `---` lines may
/// separate both. YAML scalars are read as kubectl reads them (YAML 1.1, so y, no and on are
/// booleans). A key, however, is its text as written: kubectl turns the key `y` into `true`, which
/// helps nobody. BOM, CRLF, `---` at both ends and empty documents are fine.
void read_text(std::string_view text, std::string_view file, const Limits& limits, Sink& sink,
               const Cutting& cutting = {});

/// The names of the files of a folder that are read, for messages.
inline constexpr const char* kFileNames = ".yaml, .yml, .json, .jsonl, each also .gz";

/// Reads a file, a folder (recursive; .yaml .yml .json .jsonl, each also .gz; byte order of paths)
/// or "-" (stdin). A path that does not exist is one Error kNotFound. Returns the number of files
/// read.
std::size_t read_path(const std::string& path, const Limits& limits, Sink& sink,
                      const Cutting& cutting = {});

/// The files that read_path() would read, in its order: those of a folder, else `path` itself. None
/// for stdin.
std::vector<std::string> files_of(const std::string& path);

}  // namespace tessera::reader
