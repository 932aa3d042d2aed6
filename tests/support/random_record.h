// SPDX-License-Identifier: Apache-2.0
// Random records of cycles for tests of the canonical text: any value in any field, whether it
// makes sense or not.
//
// The tables of fields fill them, so that a new field is filled as soon as it is in its table. The
// same dice give the same record.
#pragma once

#include "actors/records/cycle_record.h"
#include "tests/support/random_world.h"

namespace tessera::test {

/// `filled`: percent of the fields that have another value than their default. 100: all of them,
/// and an input of each kind.
core::CycleRecord random_record(Dice& dice, int filled);

}  // namespace tessera::test
