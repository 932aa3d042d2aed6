// SPDX-License-Identifier: Apache-2.0
// The fields of the record of a cycle in the canonical text: see fields.h.
#pragma once

#include "actors/records/text/input_fields.h"

namespace tessera::core {

template <>
inline constexpr auto kFields<CycleRecord> = fields<CycleRecord>(
    field("admitted", &CycleRecord::admitted), field("changes", &CycleRecord::changes),
    field("cycle", &CycleRecord::cycle), field("evicted", &CycleRecord::evicted),
    field("finished", &CycleRecord::finished), field("firstInput", &CycleRecord::first_input),
    undecided("hash", &CycleRecord::hash), undecided("inputs", &CycleRecord::inputs),
    field("now", &CycleRecord::now, INT64_MIN), field("planned", &CycleRecord::planned),
    field("recovers", &CycleRecord::recovers), field("refused", &CycleRecord::refused));

}  // namespace tessera::core
