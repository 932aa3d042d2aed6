// SPDX-License-Identifier: Apache-2.0
// The canonical text of a cycle's record, in both directions (design.md 2.2): one line of JSON with
// sorted keys, whole numbers and no white space. Values equal to their default are left out. Names
// and explicit domains only: no interned ids, no positions in trees. "v" is the version.
//
// The journal's thread writes; recovery and replay read. Equal records have equal texts, and
// writing what was read gives the text again. Texts of a record are UTF-8, as ingest/ reads them.
// The text leaves out measured figures (nanoseconds, steps of a refusal) and the workloads of
// admitted and refused gangs.
#pragma once

#include <string>
#include <string_view>

#include "actors/records/cycle_record.h"
#include "topology/text/result.h"

namespace tessera::core {

/// Appends all of `record`.
void append_text(const CycleRecord& record, std::string& text);

/// Appends what the cycle decided: the record without inputs and hash. The rolling hash of the
/// journal is made over these texts.
void append_decisions_text(const CycleRecord& record, std::string& text);

/// The record of a text that append_text() made. Another version, an unknown field or name, or a
/// value out of its range is an error, whose `where.field` tells the place in the record.
///
/// The workload of a gang stands in the Submit of the gang. `workload` of an admitted or refused
/// gang is set if this record submits the gang, and null otherwise: an engine that applies records
/// knows the gangs.
Result<CycleRecord> read_record(std::string_view text);

}  // namespace tessera::core
