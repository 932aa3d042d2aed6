// SPDX-License-Identifier: Apache-2.0
// The API server's rules for names, in its words: what is wrong with the name of an object, of a
// namespace, with the key or the value of a label.
//
// Called by the reader of metadata for every object, and wherever a field holds such a name. Pure
// functions; an empty list means that nothing is wrong. Reports nothing itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::ingest {

/// For the name of an object: a DNS subdomain.
std::vector<std::string> object_name_faults(std::string_view name);

/// For the name of a namespace: a DNS label.
std::vector<std::string> namespace_name_faults(std::string_view name);

/// For the key of a label.
std::vector<std::string> label_key_faults(std::string_view key);

/// For the value of a label. It may be empty.
std::vector<std::string> label_value_faults(std::string_view value);

/// True if nothing is wrong, in one pass and without an allocation: dumps hold millions of
/// labels. label_key_faults() and label_value_faults() say what is wrong.
bool is_label_key(std::string_view key);
bool is_label_value(std::string_view value);

}  // namespace tessera::ingest
