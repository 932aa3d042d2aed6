// SPDX-License-Identifier: Apache-2.0
// Reads the metadata of an object into an ObjectHeader.
//
// Called by the loader for every object of a known kind, before the kind's own reader. Labels,
// annotations and owners are filled only for kinds that need them. The reader of nodes reads labels
// itself, since the input may hold hundreds of thousands of nodes.
#pragma once

#include <optional>

#include "ingest/fields/field_reader.h"

namespace tessera::ingest {

/// kIdentity: names, uid and creation time. kAll: labels, annotations and owners too.
enum class HeaderParts : std::uint8_t { kIdentity, kAll };

/// The caller has set apiVersion, kind, group, version and where.file in `header`. Fills in the
/// rest. False if the object cannot be used; the faults are reported. Objects of namespaced kinds
/// without a namespace are in `default`, as with kubectl.
bool read_metadata(FieldReader& context, ObjectHeader& header, reader::Value root, bool namespaced,
                   HeaderParts parts);

/// `prefix` with eight characters, as an API server would add five to a generateName. They come
/// from where the object stands, so that the same input always has the same names, and two objects
/// have two.
std::string invented_name(const std::string& prefix, const Where& where);

}  // namespace tessera::ingest
