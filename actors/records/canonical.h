// SPDX-License-Identifier: Apache-2.0
// Canonical bodies: what a cycle decided as one unambiguous text, the same in every run on the same
// inputs and boundaries (design.md 3.2).
//
// Texts carry their lengths, amounts are whole numbers, maps come in byte order; no interned ids,
// no leaf or cell numbers, nothing measured. The rolling hash of decisions is made over these.
// Pure.
#pragma once

#include <string>

#include "actors/records/cycle_record.h"

namespace tessera::core {

/// Appends the body of `record`: its boundary, ends, assignments and refusals with their evidence.
void append_body(const CycleRecord& record, std::string& body);

}  // namespace tessera::core
