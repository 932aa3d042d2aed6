// SPDX-License-Identifier: Apache-2.0
// The API server's rules for names, in its words: what is wrong with the name of an object, of a
// namespace, with the key of a label.
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

}  // namespace tessera::ingest
