// SPDX-License-Identifier: Apache-2.0
// metadata of an object to ObjectHeader.
//
// Called by the loader for every object of a known kind, before the kind's own reader. Labels,
// annotations and owners are filled only for kinds that need them: nodes come by the hundred
// thousand and read their labels themselves.
#pragma once

#include <optional>

#include "ingest/fields/field_reader.h"

namespace tessera::ingest {

/// What of the metadata is read besides name, uid and creation time.
enum class HeaderParts : std::uint8_t { kIdentity, kAll };

/// apiVersion, kind, group and version are set by the caller in `header`, as is where.file. Fills
/// in the rest; false if the object cannot be used (faults are reported). Objects of namespaced
/// kinds without a namespace are in `default`, as with kubectl.
bool read_metadata(FieldReader& context, ObjectHeader& header, reader::Value root, bool namespaced,
                   HeaderParts parts);

}  // namespace tessera::ingest
