// SPDX-License-Identifier: Apache-2.0
// Fields that several object readers share: words from a closed list, known keys, renamed fields,
// label selectors.
//
// Called by the readers of Kueue's and Kubernetes' objects. Every fault is reported in the context
// with the nearest right name; nothing is guessed.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/fields/field_reader.h"
#include "topology/nodes/labels.h"

namespace tessera::ingest {

template <class T>
struct Word {
  std::string_view name;
  T value;
};

/// `"x" is unknown (right: a, b; did you mean "a"?)`.
std::string unknown_word(std::string_view word, const std::vector<std::string>& right);

/// The value of the word under `key`; nothing if absent. An unknown word is an error.
template <class T, std::size_t N>
std::optional<T> read_word(FieldReader& context, const ObjectHeader& header, reader::Value in,
                           std::string_view key, const std::string& path,
                           const Word<T> (&words)[N]) {
  const std::optional<std::string> text = context.text(header, in, key, path);
  if (!text) return std::nullopt;
  std::vector<std::string> right;
  for (const Word<T>& word : words) {
    if (word.name == *text) return word.value;
    right.emplace_back(word.name);
  }
  context.error(header, in[key], path + "." + std::string(key), unknown_word(*text, right));
  return std::nullopt;
}

/// "unknown key", with the nearest right one if there is one.
std::string unknown_key(std::string_view near);

/// Reads a text field that an older version of the API calls by another name. Both names count in
/// every version. If both are given and differ, that is an error.
std::optional<std::string> read_renamed(FieldReader& context, const ObjectHeader& header,
                                        reader::Value in, std::string_view name,
                                        std::string_view old_name, const std::string& path);

/// Reads a text that must be present: a missing text is an error.
std::string read_required(FieldReader& context, const ObjectHeader& header, reader::Value in,
                          std::string_view key, const std::string& path);

/// metav1.LabelSelector under `key`; nothing if absent.
std::optional<topology::LabelSelector> read_label_selector(FieldReader& context,
                                                           const ObjectHeader& header,
                                                           reader::Value in, std::string_view key,
                                                           const std::string& path);

}  // namespace tessera::ingest
